//! Very many secrets at once, which go another way than a few: the same numbers come out.

use privug::analysis::{Binding, BindingKind, Note, Request};

use crate::support::{relative_error, run};

/// 1 200 people in overlapping groups; one is disclosed by two sums, one by outputs that are not seen, one is constant.
const MANY: &str = "
def release(people):
    condition(sum(people[:700]) / 700, 50)
    condition(sum(people[300:]), 45_500)
    condition(sum(people[300:]) - people[1000], 45_449)
    condition(people[5] + Normal(0, 3), 51)
    return {'last': people[-1], 'some': sum(people[100:400]), 'sum': 2 * people[7] + people[8]}
";

#[test]
fn very_many_secrets_are_known_as_each_by_itself() {
    let priors = "people=[Normal(30 + i % 40, 1 + i % 9) if i != 77 else 0 * Normal(0, 1) + 5 for i in range(1200)]";
    let request = |secret: &str, exact: bool| Request {
        bindings: vec![Binding::read(BindingKind::Prior, priors).expect("a binding")],
        secrets: vec![secret.to_owned()],
        exact,
        ..Request::new("many.py", MANY)
    };
    for exact in [false, true] {
        let all = run(request("people", exact));
        assert_eq!(all.secrets.len(), 1200);
        for place in [0, 5, 7, 8, 77, 150, 350, 500, 699, 700, 1000, 1001, 1199] {
            let one = run(request(&format!("people[{place}]"), exact));
            let (many, one) = (all.secrets.get(place), one.secrets.get(0));
            assert_eq!(many.name, one.name);
            let (m, o) = (&many.knowledge, &one.knowledge);
            for (of_many, of_one) in [
                (m.prior_mean, o.prior_mean),
                (m.prior_variance, o.prior_variance),
                (m.posterior_variance, o.posterior_variance),
                (m.mean_shift, o.mean_shift),
                (m.variance_reduction, o.variance_reduction),
                (m.variance_if_all_published, o.variance_if_all_published),
                (m.reduction_if_all_published, o.reduction_if_all_published),
                (many.posterior_mean, one.posterior_mean),
            ] {
                assert!(relative_error(of_many, of_one) < 1e-12, "{}: {of_many} and {of_one}", many.name);
            }
        }
        let disclosed: Vec<usize> = all
            .secrets
            .known()
            .enumerate()
            .filter(|(_, k)| k.knowledge.fully_disclosed())
            .map(|(place, _)| place)
            .collect();
        assert_eq!(disclosed, [1000]);
        let will_be = all.notes.iter().find_map(|note| match note {
            Note::WillBeDisclosed(names) => Some(names.first.clone()),
            _ => None,
        });
        assert_eq!(will_be, Some(vec![("people[1199]".to_owned(), None)]), "{:?}", all.notes);
        assert_eq!(all.exact.is_some(), exact);
    }
}
