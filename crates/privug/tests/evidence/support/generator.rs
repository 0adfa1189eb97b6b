//! Random programs of the whole language, each with the posterior that it should have.
//!
//! A [`Recipe`] is what proptest makes and shrinks; [`Recipe::cook`] writes it down as source text and, beside that,
//! follows it in the textbook's way. Observed values are computed from a simulated world, so that they are usually
//! consistent with each other.

use std::fmt;

use dashu_ratio::RBig;
use proptest::prelude::*;
use proptest::sample::Index;

use super::joint::Row;
use super::numbers::{DIVISORS, DRAWS, MEANS, STD_DEVS, VARIANCES, WEIGHTS, about_root, literal, value};
use super::spelling::{self, SIGHTS, STYLES, Term};
use super::textbook::{Learned, Textbook};

/// How a spread is written.
#[derive(Debug, Clone)]
struct Spread {
    is_std: bool,
    number: Index,
    spelling: Index,
    /// Where in the simulated world the source is.
    draw: Index,
}

/// One summand: which variable, times which weight, how written.
#[derive(Debug, Clone)]
struct Pick {
    variable: Index,
    weight: Index,
    form: Index,
}

/// `constant + Σ picks`
#[derive(Debug, Clone)]
struct Expression {
    picks: Vec<Pick>,
    constant: Option<Index>,
}

#[derive(Debug, Clone)]
enum Statement {
    Sources {
        mean: Index,
        spreads: Vec<Spread>,
        spelling: Index,
    },
    Dependent {
        mean: Expression,
        spread: Spread,
    },
    Multivariate {
        means: Vec<Index>,
        factors: Vec<Index>,
        spreads: Vec<Spread>,
        on: Option<Index>,
    },
    Assign {
        expression: Expression,
        style: Index,
        over: Option<Index>,
    },
    Condition {
        expression: Expression,
        style: Index,
        wrong: bool,
    },
    Observe {
        expression: Expression,
        style: Index,
        noise: Spread,
    },
    /// A sum of what was observed before.
    Again {
        of: Vec<Pick>,
        style: Index,
    },
    /// Every running total of a list.
    Totals {
        list: Index,
    },
}

/// A program to be.
#[derive(Clone)]
pub struct Recipe {
    statements: Vec<Statement>,
    returned: Vec<Index>,
    shape: Index,
}

impl fmt::Debug for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.cook().source)
    }
}

/// A random variable of the program.
#[derive(Debug, Clone)]
pub struct Variable {
    pub textbook: usize,
    pub row: Row,
    world: RBig,
}

/// Something that was observed exactly, and can be written down again.
#[derive(Debug, Clone)]
struct Seen {
    text: String,
    mentions: Vec<String>,
    terms: Vec<(RBig, usize)>,
    constant: RBig,
    value: RBig,
}

/// A program and what should come out of it.
#[derive(Debug, Clone, Default)]
pub struct Dish {
    pub source: String,
    /// The state at the end.
    pub textbook: Textbook,
    /// Variances of the independent sources.
    pub sources: Vec<RBig>,
    /// All observations, noise included.
    pub observations: Vec<(Row, RBig)>,
    pub learned: Vec<Learned>,
    /// What is returned, as places in `variables`.
    pub returned: Vec<usize>,
    pub variables: Vec<Variable>,
    /// The largest of the numbers that means were made of.
    pub magnitude: f64,
}

pub fn recipes(most_statements: usize) -> impl Strategy<Value = Recipe> {
    let first = sources(2..=4);
    let rest = prop::collection::vec(statement(), 1..most_statements);
    let returned = prop::collection::vec(any::<Index>(), 1..4);
    (first, rest, returned, any::<Index>()).prop_map(|(first, rest, returned, shape)| {
        let statements = std::iter::once(first).chain(rest).collect();
        Recipe { statements, returned, shape }
    })
}

fn spread() -> impl Strategy<Value = Spread> {
    let numbers = (any::<Index>(), any::<Index>(), any::<Index>());
    (prop::bool::weighted(0.3), numbers).prop_map(|(is_std, (number, spelling, draw))| Spread {
        is_std,
        number,
        spelling,
        draw,
    })
}

fn pick() -> impl Strategy<Value = Pick> {
    (any::<Index>(), any::<Index>(), any::<Index>()).prop_map(|(variable, weight, form)| Pick {
        variable,
        weight,
        form,
    })
}

fn expression() -> impl Strategy<Value = Expression> {
    let picks = prop::collection::vec(pick(), 1..5);
    (picks, prop::option::of(any::<Index>())).prop_map(|(picks, constant)| Expression { picks, constant })
}

fn sources(count: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Statement> {
    (any::<Index>(), prop::collection::vec(spread(), count), any::<Index>())
        .prop_map(|(mean, spreads, spelling)| Statement::Sources { mean, spreads, spelling })
}

fn statement() -> impl Strategy<Value = Statement> {
    let multivariate = (
        prop::collection::vec(any::<Index>(), 2..=3),
        prop::collection::vec(any::<Index>(), 3),
        prop::collection::vec(spread(), 3),
        prop::option::of(any::<Index>()),
    );
    prop_oneof![
        2 => sources(1..=4),
        2 => (expression(), spread()).prop_map(|(mean, spread)| Statement::Dependent { mean, spread }),
        1 => multivariate.prop_map(|(means, factors, spreads, on)| {
            Statement::Multivariate { means, factors, spreads, on }
        }),
        4 => (expression(), any::<Index>(), prop::option::of(any::<Index>()))
            .prop_map(|(expression, style, over)| Statement::Assign { expression, style, over }),
        4 => (expression(), any::<Index>(), prop::bool::weighted(0.05))
            .prop_map(|(expression, style, wrong)| Statement::Condition { expression, style, wrong }),
        2 => (expression(), any::<Index>(), spread())
            .prop_map(|(expression, style, noise)| Statement::Observe { expression, style, noise }),
        2 => (prop::collection::vec(pick(), 1..4), any::<Index>())
            .prop_map(|(of, style)| Statement::Again { of, style }),
        1 => any::<Index>().prop_map(|list| Statement::Totals { list }),
    ]
}

impl Spread {
    /// Variance, and the argument that says so.
    fn variance(&self) -> (RBig, String) {
        if self.is_std {
            let text = STD_DEVS[self.number.index(STD_DEVS.len())];
            let keyword = ["std", "sigma", "sd", "scale"][self.spelling.index(4)];
            (value(text) * value(text), format!("{keyword}={text}"))
        } else {
            let text = VARIANCES[self.number.index(VARIANCES.len())];
            let keyword = ["", "variance=", "var="][self.spelling.index(3)];
            (value(text), format!("{keyword}{text}"))
        }
    }

    fn draw(&self, variance: &RBig) -> RBig {
        value(DRAWS[self.draw.index(DRAWS.len())]) * about_root(variance)
    }
}

impl Recipe {
    /// Writes the program down and works out what it means.
    pub fn cook(&self) -> Dish {
        let mut kitchen = Kitchen::default();
        for (number, statement) in self.statements.iter().enumerate() {
            kitchen.statement(number, statement);
            if kitchen.contradicted() {
                break;
            }
        }
        kitchen.finish(&self.returned, self.shape.index(4))
    }
}

#[derive(Default)]
struct Kitchen {
    lines: Vec<String>,
    dish: Dish,
    /// What can be mentioned, and which variable it is.
    names: Vec<(String, usize)>,
    /// The lists among them.
    lists: Vec<String>,
    seen: Vec<Seen>,
}

impl Kitchen {
    fn contradicted(&self) -> bool {
        matches!(self.dish.learned.last(), Some(Learned::Contradiction { .. }))
    }

    fn weigh(&mut self, number: &RBig) {
        self.dish.magnitude = self.dish.magnitude.max(super::double(number).abs());
    }

    /// A new variable that is `constant + Σ terms + N(0, variance)`.
    fn variable(&mut self, terms: &[(RBig, usize)], constant: &RBig, variance: &RBig, draw: &RBig) -> usize {
        let all = &self.dish.variables;
        let old: Vec<(RBig, usize)> = terms.iter().map(|(w, v)| (w.clone(), all[*v].textbook)).collect();
        let mut row = Row::combine(terms.iter().map(|(weight, v)| (weight, &all[*v].row)), constant);
        let world = terms.iter().fold(constant + draw, |sum, (weight, v)| sum + weight * &all[*v].world);
        let textbook = &mut self.dish.textbook;
        let at = match old.as_slice() {
            [] => textbook.independent(constant, variance),
            [(weight, y)] if !variance.is_zero() => textbook.dependent(weight, *y, constant, variance),
            _ if variance.is_zero() => textbook.combine(&old, constant),
            _ => {
                // The rule knows one parent: first their sum, then a variable around it.
                let mean = textbook.combine(&old, constant);
                textbook.dependent(&RBig::ONE, mean, &RBig::ZERO, variance)
            }
        };
        if !variance.is_zero() {
            self.dish.sources.push(variance.clone());
            let source = Row::source(self.dish.sources.len() - 1);
            row = Row::combine([(&RBig::ONE, &row), (&RBig::ONE, &source)], &RBig::ZERO);
        }
        self.weigh(&world);
        self.weigh(constant);
        self.dish.variables.push(Variable { textbook: at, row, world });
        self.dish.variables.len() - 1
    }

    fn term(&self, pick: &Pick) -> (Term, RBig, usize) {
        let (name, variable) = self.names[pick.variable.index(self.names.len())].clone();
        let form = pick.form.index(5);
        let (weight, number, divisor) = if form == 0 {
            let divisor = DIVISORS[pick.weight.index(DIVISORS.len())];
            (format!("(1 / {divisor})"), RBig::ONE / value(divisor), Some(divisor.to_owned()))
        } else {
            let weight = WEIGHTS[pick.weight.index(WEIGHTS.len())];
            (weight.to_owned(), value(weight), None)
        };
        (Term { weight, variable: name, divisor, weight_last: form == 1 }, number, variable)
    }

    fn expression(&self, expression: &Expression) -> (Vec<Term>, Vec<(RBig, usize)>, &'static str) {
        let all: Vec<(Term, RBig, usize)> = expression.picks.iter().map(|pick| self.term(pick)).collect();
        let constant = expression.constant.map_or("0", |at| MEANS[at.index(MEANS.len())]);
        let numbers = all.iter().map(|(_, weight, variable)| (weight.clone(), *variable)).collect();
        (all.into_iter().map(|(term, _, _)| term).collect(), numbers, constant)
    }

    fn statement(&mut self, number: usize, statement: &Statement) {
        match statement {
            Statement::Sources { mean, spreads, spelling } => {
                self.sources(number, MEANS[mean.index(MEANS.len())], spreads, spelling.index(4));
            }
            Statement::Dependent { mean, spread } => {
                let (terms, numbers, constant) = self.expression(mean);
                let (variance, argument) = spread.variance();
                let made = self.variable(&numbers, &value(constant), &variance, &spread.draw(&variance));
                let mean = spelling::inline(&terms, constant);
                self.lines.push(format!("x{number} = Normal({mean}, {argument})"));
                self.names.push((format!("x{number}"), made));
            }
            Statement::Multivariate { means, factors, spreads, on } => {
                self.multivariate(number, means, factors, spreads, *on);
            }
            Statement::Assign { expression, style, over } => {
                let (terms, numbers, constant) = self.expression(expression);
                let made = self.variable(&numbers, &value(constant), &RBig::ZERO, &RBig::ZERO);
                let names: Vec<String> = self.names.iter().map(|(name, _)| name.clone()).collect();
                let plain: Vec<&String> = names.iter().filter(|name| !name.contains('[')).collect();
                let target = match over {
                    Some(over) if !plain.is_empty() => over.get(&plain).to_string(),
                    _ => format!("x{number}"),
                };
                self.lines.extend(spelling::assign(style.index(STYLES), &target, &terms, constant));
                self.names.retain(|(name, _)| *name != target);
                self.seen.retain(|seen| !seen.mentions.contains(&target));
                self.names.push((target, made));
            }
            Statement::Condition { expression, style, wrong } => {
                let (terms, numbers, constant) = self.expression(expression);
                let text = spelling::inline(&terms, constant);
                let mentions = terms.into_iter().map(|term| term.variable).collect();
                let mut seen = self.world(&numbers, &value(constant));
                if *wrong {
                    seen = seen * RBig::from(2) + RBig::ONE;
                }
                self.condition(number, text, mentions, numbers, value(constant), seen, style.index(SIGHTS));
            }
            Statement::Observe { expression, style, noise } => {
                let (terms, numbers, constant) = self.expression(expression);
                let text = spelling::inline(&terms, constant);
                let (variance, argument) = noise.variance();
                let argument = if argument.contains('=') { argument } else { format!("variance={argument}") };
                let argument = format!(", {}", argument.replace("sigma=", "std=").replace("var=", "variance="));
                let argument = argument.replace("sd=", "std=").replace("scale=", "std=");
                let seen = self.world(&numbers, &value(constant)) + noise.draw(&variance);
                let blurred = self.variable(&numbers, &value(constant), &variance, &RBig::ZERO);
                let sight = style.index(SIGHTS);
                self.lines.extend(spelling::observe(sight, &text, &literal(&seen), &argument, number));
                self.learn(blurred, seen);
            }
            Statement::Again { of, style } => self.again(number, of, style.index(SIGHTS)),
            Statement::Totals { list } => self.totals(*list),
        }
    }

    fn sources(&mut self, number: usize, mean: &str, spreads: &[Spread], spelling: usize) {
        let (variance, argument) = spreads[0].variance();
        let name = format!("g{number}");
        let count = spreads.len();
        let text = match spelling {
            0 => format!("{name} = Normal({mean}, {argument}, size={count})"),
            1 => format!("{name} = [Normal({mean}, {argument}) for _ in range({count})]"),
            2 => format!("{name} = []\nfor _ in range({count}):\n    {name}.append(Normal(mu={mean}, {argument}))"),
            _ => {
                let all: Vec<String> =
                    spreads.iter().map(|spread| format!("Normal({mean}, {})", spread.variance().1)).collect();
                format!("{name} = [{}]", all.join(", "))
            }
        };
        // A positional argument may not follow `mu=`.
        let positional = !argument.contains('=');
        let text = if positional { text.replace("mu=", "") } else { text };
        self.lines.extend(text.lines().map(str::to_owned));
        for (index, spread) in spreads.iter().enumerate() {
            let variance = if spelling == 3 { spread.variance().0 } else { variance.clone() };
            let made = self.variable(&[], &value(mean), &variance, &spread.draw(&variance));
            let text = if spread.draw.index(2) == 0 {
                format!("{name}[{index}]")
            } else {
                format!("{name}[{}]", index as i64 - count as i64)
            };
            self.names.push((text, made));
        }
        self.lists.push(name);
    }

    /// Σ = L·D·Lᵀ with a unit lower triangle L, as its entries.
    fn multivariate(
        &mut self,
        number: usize,
        means: &[Index],
        factors: &[Index],
        spreads: &[Spread],
        on: Option<Index>,
    ) {
        let count = means.len();
        let factor = |i: usize, j: usize| match i.cmp(&j) {
            std::cmp::Ordering::Less => RBig::ZERO,
            std::cmp::Ordering::Equal => RBig::ONE,
            std::cmp::Ordering::Greater => value(["0", "1", "-1", "0.5", "2", "0.1"][factors[i + j - 1].index(6)]),
        };
        let variances: Vec<RBig> = spreads
            .iter()
            .map(|spread| value(["1", "4", "0.01", "100", "0", "1e-6"][spread.number.index(6)]))
            .collect();
        let entry = |i: usize, j: usize| {
            (0..count).fold(RBig::ZERO, |sum, k| sum + factor(i, k) * &variances[k] * factor(j, k))
        };
        let rows: Vec<String> = (0..count)
            .map(|i| format!("[{}]", (0..count).map(|j| literal(&entry(i, j))).collect::<Vec<_>>().join(", ")))
            .collect();
        let noises: Vec<usize> = (0..count)
            .map(|k| self.variable(&[], &RBig::ZERO, &variances[k], &spreads[k].draw(&variances[k])))
            .collect();
        let on = on.map(|on| self.names[on.index(self.names.len())].clone());
        let (mut texts, mut made) = (Vec::new(), Vec::new());
        for (i, mean) in means.iter().enumerate() {
            let mut terms: Vec<(RBig, usize)> =
                (0..=i).map(|k| (factor(i, k), noises[k])).filter(|(factor, _)| !factor.is_zero()).collect();
            let constant = match &on {
                Some((name, variable)) if i == 0 => {
                    terms.push((RBig::ONE, *variable));
                    texts.push(name.clone());
                    RBig::ZERO
                }
                _ => {
                    let text = MEANS[mean.index(MEANS.len())];
                    texts.push(text.to_owned());
                    value(text)
                }
            };
            made.push(self.variable(&terms, &constant, &RBig::ZERO, &RBig::ZERO));
        }
        let names: Vec<String> = ["u", "v", "w"].iter().take(count).map(|name| format!("{name}{number}")).collect();
        self.lines.push(format!(
            "{} = MultivariateNormal([{}], [{}])",
            names.join(", "),
            texts.join(", "),
            rows.join(", ")
        ));
        self.names.extend(names.into_iter().zip(made));
    }

    fn world(&self, terms: &[(RBig, usize)], constant: &RBig) -> RBig {
        terms.iter().fold(constant.clone(), |sum, (weight, v)| sum + weight * &self.dish.variables[*v].world)
    }

    #[expect(clippy::too_many_arguments, reason = "an observation has this many parts")]
    fn condition(
        &mut self,
        number: usize,
        text: String,
        mentions: Vec<String>,
        terms: Vec<(RBig, usize)>,
        constant: RBig,
        value: RBig,
        style: usize,
    ) {
        self.lines.extend(spelling::observe(style, &text, &literal(&value), "", number));
        let seen = self.variable(&terms, &constant, &RBig::ZERO, &RBig::ZERO);
        self.learn(seen, value.clone());
        self.seen.push(Seen { text, mentions, terms, constant, value });
    }

    /// Takes in an observation of the newest variable, which nothing else mentions.
    fn learn(&mut self, variable: usize, value: RBig) {
        self.weigh(&value);
        let Variable { textbook, row, .. } = self.dish.variables[variable].clone();
        self.dish.learned.push(self.dish.textbook.condition(textbook, &value));
        self.dish.observations.push((row, value));
    }

    fn again(&mut self, number: usize, of: &[Pick], style: usize) {
        if self.seen.is_empty() {
            return;
        }
        let (mut texts, mut mentions, mut terms) = (Vec::new(), Vec::new(), Vec::new());
        let (mut constant, mut total) = (RBig::ZERO, RBig::ZERO);
        for pick in of {
            let seen = &self.seen[pick.variable.index(self.seen.len())];
            let weight_text = WEIGHTS[pick.weight.index(WEIGHTS.len())];
            let weight = value(weight_text);
            texts.push(format!("{weight_text} * ({})", seen.text));
            mentions.extend(seen.mentions.iter().cloned());
            terms.extend(seen.terms.iter().map(|(w, v)| (&weight * w, *v)));
            constant += &weight * &seen.constant;
            total += &weight * &seen.value;
        }
        self.condition(number, texts.join(" + "), mentions, terms, constant, total, style);
    }

    fn totals(&mut self, list: Index) {
        let name = list.get(&self.lists).clone();
        let own: Vec<usize> = self
            .names
            .iter()
            .filter(|(text, _)| text.starts_with(&format!("{name}[")))
            .map(|(_, variable)| *variable)
            .collect();
        let (mut terms, mut values) = (Vec::new(), Vec::new());
        for variable in &own {
            terms.push((RBig::ONE, *variable));
            values.push((terms.clone(), self.world(&terms, &RBig::ZERO)));
        }
        let texts: Vec<String> = values.iter().map(|(_, value)| literal(value)).collect();
        self.lines.push("t = 0".to_owned());
        self.lines.push(format!("for member, seen in zip({name}, [{}]):", texts.join(", ")));
        self.lines.push("    t += member".to_owned());
        self.lines.push("    condition(t, seen)".to_owned());
        for (terms, value) in values {
            let total = self.variable(&terms, &RBig::ZERO, &RBig::ZERO, &RBig::ZERO);
            self.learn(total, value);
            if self.contradicted() {
                return;
            }
        }
    }

    fn finish(mut self, returned: &[Index], shape: usize) -> Dish {
        let picked: Vec<(String, usize)> =
            returned.iter().map(|at| self.names[at.index(self.names.len())].clone()).collect();
        let texts: Vec<&str> = picked.iter().map(|(name, _)| name.as_str()).collect();
        let all = texts.join(", ");
        let text = match shape {
            0 => format!("[{all}]"),
            1 => format!("({all},)"),
            2 => format!("[({}, [{}])]", texts[0], texts[1..].join(", ")),
            _ => format!("{{'first': {}, 'rest': [{}]}}", texts[0], texts[1..].join(", ")),
        };
        self.lines.push(format!("return {text}"));
        self.dish.source = spelling::program(&self.lines);
        self.dish.returned = picked.into_iter().map(|(_, variable)| variable).collect();
        self.dish
    }
}
