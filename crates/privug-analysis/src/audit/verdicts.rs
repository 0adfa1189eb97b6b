//! What the rules say about every person: the worst that they say about one of their secrets, or about the total of
//! their rows.

use super::grouped::Judged;
use super::people::{PeopleColumns, RULES};
use super::persons::Persons;
use super::policy::{Policy, Rule, Verdict};

/// What is known about the totals over the rows of those who have several. That each row is uncertain protects nobody
/// whose total is known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Totals {
    /// The person of each total.
    pub persons: Vec<usize>,
    /// What is known of each.
    pub known: PeopleColumns,
}

impl Totals {
    /// The place of a person's total in one of the secret columns.
    pub(super) fn place(&self, person: usize, column: usize, columns: usize) -> Option<usize> {
        let each = self.persons.len() / columns.max(1);
        let found = self.persons.get(column * each..(column + 1) * each)?.binary_search(&person).ok()?;
        Some(column * each + found)
    }
}

/// What each rule says about every person.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PersonVerdicts {
    /// In the order of [`RULES`].
    by_rule: Vec<[Verdict; RULES.len()]>,
    disclosed: Vec<bool>,
    /// Whether there is a secret of the person; who has none is not judged.
    has_secret: Vec<bool>,
    /// Where somebody stands for a group: about how many of its people what is said.
    groups: Option<Vec<Judged>>,
    /// How many people each row stands for.
    sizes: Option<Vec<u64>>,
}

impl PersonVerdicts {
    pub(super) fn new(persons: &Persons, people: &PeopleColumns, totals: &Totals, policy: &Policy) -> Self {
        let mut by_rule = vec![[Verdict::Pass; RULES.len()]; persons.count()];
        let mut disclosed = vec![false; persons.count()];
        let mut has_secret = vec![false; persons.count()];
        (0..people.len()).for_each(|entry| has_secret[persons.of_entry(entry)] = true);
        let mut look = |person: usize, known: &PeopleColumns, entry: usize| {
            disclosed[person] |= known.fully_disclosed[entry];
            if known.verdict[entry] == Verdict::Pass {
                return;
            }
            for (worst, verdict) in by_rule[person].iter_mut().zip(known.verdicts(entry, policy)) {
                *worst = (*worst).max(verdict);
            }
        };
        (0..people.len()).for_each(|entry| look(persons.of_entry(entry), people, entry));
        totals.persons.iter().enumerate().for_each(|(entry, person)| look(*person, &totals.known, entry));
        PersonVerdicts { by_rule, disclosed, has_secret, groups: None, sizes: None }
    }

    /// The same of groups of people, with what is said about the members of each entry.
    pub(super) fn of_groups(persons: &Persons, people: &PeopleColumns, judged: &[Judged], policy: &Policy) -> Self {
        let mut verdicts = PersonVerdicts::new(persons, people, &Totals::default(), policy);
        let mut groups: Vec<Judged> = vec![Judged::default(); persons.count()];
        for (entry, judged) in judged.iter().enumerate() {
            let person = persons.of_entry(entry);
            groups[person] = *judged;
            // Of two entries for a group, the first has its people.
            if judged.overall.iter().any(|people| *people > 0) {
                verdicts.by_rule[person] = judged.worst();
            }
        }
        verdicts.groups = Some(groups);
        verdicts.sizes = Some((0..persons.count()).map(|person| persons.size(person)).collect());
        verdicts
    }

    /// Of how many people somebody's verdict is this one.
    fn members(&self, person: usize, verdict: Verdict) -> u64 {
        match &self.groups {
            Some(groups) => groups[person].overall[verdict as usize],
            None => u64::from(self.verdict(person) == verdict),
        }
    }

    /// About how many people a rule says this.
    pub(super) fn count_of(&self, rule: Rule, verdict: Verdict) -> usize {
        let Some(groups) = &self.groups else { return self.whom(rule, verdict).count() };
        let Some(place) = RULES.iter().position(|one| *one == rule) else { return 0 };
        groups.iter().map(|judged| judged.by_rule[place][verdict as usize]).sum::<u64>() as usize
    }

    /// The worst that a rule says about a person.
    pub fn verdict(&self, person: usize) -> Verdict {
        self.by_rule[person].into_iter().max().unwrap_or_default()
    }

    /// Whether a secret, or a total, of a person can be computed.
    pub fn is_disclosed(&self, person: usize) -> bool {
        self.disclosed[person]
    }

    /// How many people have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        let judged = (0..self.by_rule.len()).filter(|person| self.has_secret[*person]);
        judged.map(|person| self.members(person, verdict)).sum::<u64>() as usize
    }

    /// How many people are fully disclosed.
    pub fn disclosed(&self) -> usize {
        let size = |person: usize| self.sizes.as_ref().map_or(1, |sizes| sizes[person]);
        (0..self.disclosed.len()).filter(|person| self.disclosed[*person]).map(size).sum::<u64>() as usize
    }

    /// The people of whom a rule says this.
    pub(super) fn whom(&self, rule: Rule, verdict: Verdict) -> impl Iterator<Item = usize> {
        let place = RULES.iter().position(|one| *one == rule);
        let says = move |verdicts: &[Verdict; RULES.len()]| place.is_some_and(|place| verdicts[place] == verdict);
        self.by_rule.iter().enumerate().filter(move |(_, verdicts)| says(verdicts)).map(|(person, _)| person)
    }
}
