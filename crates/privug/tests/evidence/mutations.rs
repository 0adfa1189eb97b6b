//! Damaged programs: bytes flipped, tokens shuffled, texts cut off; whatever is left is answered or refused.

use privug::analysis::{Binding, BindingKind, Observed, Request};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::support::cases;
use crate::support::generator::recipes;
use crate::support::survival::{limited, survive};

/// Programs in use.
const PROGRAMS: &[&str] = &[
    include_str!("../../../../programs/ages.py"),
    include_str!("../../../../programs/authors_style.py"),
    include_str!("../../../../programs/differencing.py"),
    include_str!("../../../../programs/household.py"),
    include_str!("../../../../programs/kalman.py"),
    include_str!("../../../../programs/noisy_average.py"),
    include_str!("../../../../programs/weighted_mean.py"),
    include_str!("../../../../programs/public_statistics/case3.py"),
];

/// Words that mean something to the language, to be strewn about.
const WORDS: &[&str] = &[
    "Normal(",
    ")",
    "(",
    "[",
    "]",
    "condition(",
    "observe(",
    ", std=",
    "=",
    "==",
    "for ",
    " in ",
    "range(",
    "10**9",
    "**",
    "x",
    "0",
    "-1",
    "1e308",
    "1e-308",
    "/",
    "//",
    "%",
    "@",
    "if ",
    "else",
    ":",
    "\n",
    "\n    ",
    "\t",
    "\"",
    "'",
    "f'{",
    "}",
    "{",
    "lambda ",
    "return ",
    "def f():",
    "None",
    "True",
    "sum(",
    "len(",
    "np.",
    "import numpy as np\n",
    "*",
    ".append(",
    "MultivariateNormal(",
    "gaussian_mechanism(",
    "é",
    "😀",
    "\u{0}",
    "\r",
    "\\",
    "# ",
    "1_000",
    "[::-1]",
    "[-1]",
    "math.sqrt(",
    "while True:",
    "\u{feff}",
    "size=",
    "0.1",
    "(1/3)",
];

#[derive(Debug, Clone)]
enum Damage {
    Flip { at: Index, bits: u8 },
    Cut { at: Index },
    Remove { at: Index, length: Index },
    Insert { at: Index, word: Index },
    Swap { a: Index, b: Index },
    Repeat { at: Index, length: Index, times: usize },
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<Index>;
    prop_oneof![
        2 => (index(), any::<u8>()).prop_map(|(at, bits)| Damage::Flip { at, bits }),
        1 => index().prop_map(|at| Damage::Cut { at }),
        2 => (index(), index()).prop_map(|(at, length)| Damage::Remove { at, length }),
        4 => (index(), index()).prop_map(|(at, word)| Damage::Insert { at, word }),
        2 => (index(), index()).prop_map(|(a, b)| Damage::Swap { a, b }),
        1 => (index(), index(), 2..40usize).prop_map(|(at, length, times)| Damage::Repeat { at, length, times }),
    ]
}

fn apply(text: &str, damage: &Damage) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let length = bytes.len();
    if length == 0 {
        return String::new();
    }
    match damage {
        Damage::Flip { at, bits } => bytes[at.index(length)] ^= bits,
        Damage::Cut { at } => bytes.truncate(at.index(length)),
        Damage::Remove { at, length: count } => {
            let start = at.index(length);
            bytes.drain(start..(start + 1 + count.index(20)).min(length));
        }
        Damage::Insert { at, word } => {
            let at = at.index(length);
            bytes.splice(at..at, word.get(WORDS).bytes());
        }
        Damage::Swap { a, b } => {
            let mut tokens: Vec<&str> = text.split_inclusive([' ', '(', ')', ',', '\n']).collect();
            let (a, b) = (a.index(tokens.len()), b.index(tokens.len()));
            tokens.swap(a, b);
            bytes = tokens.concat().into_bytes();
        }
        Damage::Repeat { at, length: count, times } => {
            let start = at.index(length);
            let part = bytes[start..(start + 1 + count.index(10)).min(length)].repeat(*times);
            bytes.splice(start..start, part);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn damaged(program: &str, damages: &[Damage]) -> String {
    damages.iter().fold(program.to_owned(), |text, damage| apply(&text, damage))
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn damaged_random_programs(recipe in recipes(8), damages in prop::collection::vec(damage(), 1..6), exact in any::<bool>()) {
        let _ = survive(&Request { exact, ..limited(damaged(&recipe.cook().source, &damages)) });
    }

    #[test]
    fn damaged_programs_in_use(
        program in prop::sample::select(PROGRAMS),
        damages in prop::collection::vec(damage(), 1..6),
        exact in any::<bool>(),
    ) {
        let _ = survive(&Request { exact, ..limited(damaged(program, &damages)) });
    }

    #[test]
    fn words_in_any_order(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let _ = survive(&limited(words.concat()));
        let _ = survive(&limited(format!("def main():\n    x = Normal(0, 1)\n    {}\n    return x\n", words.concat())));
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = survive(&limited(String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn damaged_options(
        damages in prop::collection::vec(damage(), 0..4),
        which in 0..4usize,
    ) {
        let mut request = Request {
            bindings: vec![
                Binding::read(BindingKind::Prior, "ages=[Normal(35, 4) for _ in range(5)]").expect("a binding"),
                Binding::read(BindingKind::Set, "weights=[1, 2, 3, 4, 5]").expect("a binding"),
            ],
            secrets: vec!["ages[0]".into()],
            observations: vec![Observed::read("return['mean']=44±0.1").expect("a value")],
            ..limited("def f(ages, weights):\n    return {'mean': sum([a * w for a, w in zip(ages, weights)]) / 15}\n")
        };
        match which {
            0 => {
                let text = damaged("ages=[Normal(35, 4) for _ in range(5)]", &damages);
                let Ok(binding) = Binding::read(BindingKind::Prior, &text) else { return Ok(()) };
                request.bindings[0] = binding;
            }
            1 => {
                let text = damaged("weights=[1, 2, 3, 4, 5]", &damages);
                let Ok(binding) = Binding::read(BindingKind::Set, &text) else { return Ok(()) };
                request.bindings[1] = binding;
            }
            2 => request.secrets[0] = damaged("ages[0]", &damages),
            _ => {
                let Ok(observed) = Observed::read(&damaged("return['mean']=44±0.1", &damages)) else { return Ok(()) };
                request.observations[0] = observed;
            }
        }
        let _ = survive(&request);
    }
}
