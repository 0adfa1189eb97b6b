//! The lines at the head of a program that say how to run it and what must come out.
//!
//! ```text
//! # run: --secret 'ages[0]' --observe 44        options; a word that starts with `:` names the function
//! # expect: posterior mean 44 variance 3.96     what a run must give, see `programs.rs`
//! # refused: P101 at 3:5                        a diagnostic and its place, see `refused.rs`
//! ```
//!
//! A `run` line begins a run; lines before the first one belong to a run without options.

/// One way to run a program.
#[derive(Debug, Default, PartialEq)]
pub struct Case {
    /// The function named with `:name`.
    pub function: Option<String>,
    pub options: Vec<String>,
    /// What follows `# expect:`.
    pub expected: Vec<String>,
    /// What follows `# refused:`.
    pub refused: Vec<String>,
}

/// Reads the head of a program.
pub fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        let current = cases.len().saturating_sub(1);
        if let Some(options) = line.strip_prefix("# run:") {
            let (functions, options) = words(options).into_iter().partition(|word: &String| word.starts_with(':'));
            let function = Vec::<String>::into_iter(functions).next();
            // What is refused may stand above the options, because it is the first line of its file.
            let untouched = cases
                .last()
                .is_some_and(|case| case.expected.is_empty() && case.options.is_empty() && case.function.is_none());
            if !untouched {
                cases.push(Case::default());
            }
            let case = cases.last_mut().expect("a case");
            (case.function, case.options) = (function, options);
        } else if let Some(expected) = line.strip_prefix("# expect:") {
            if cases.is_empty() {
                cases.push(Case::default());
            }
            cases[current].expected.push(expected.trim().to_owned());
        } else if let Some(refused) = line.strip_prefix("# refused:") {
            if cases.is_empty() {
                cases.push(Case::default());
            }
            cases[current].refused.push(refused.trim().to_owned());
        }
    }
    cases
}

/// Splits as a shell does: at white space outside quotes.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in text.chars() {
        match quote {
            Some(open) if character == open => quote = None,
            Some(_) => word.get_or_insert_default().push(character),
            None if character == '\'' || character == '"' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[test]
fn words_are_split_as_a_shell_splits_them() {
    assert_eq!(words("--prior 'a=[1, 2]'  --secret a"), ["--prior", "a=[1, 2]", "--secret", "a"]);
    assert_eq!(words(" '' \"it's\""), ["", "it's"]);
}

#[test]
fn a_head_holds_one_case_for_each_run() {
    let cases = read("# expect: a\n# run: --x 1\n# expect: b\n# run: :f\n# expect: c\ncode\n");
    assert_eq!(cases.len(), 3);
    assert_eq!(
        (&cases[1].options, &cases[1].expected),
        (&vec!["--x".to_owned(), "1".to_owned()], &vec!["b".to_owned()])
    );
    assert_eq!(cases[2].function.as_deref(), Some(":f"));
    assert_eq!(read("# refused: P001 at 1:1\n# run: --x\n").len(), 1);
}
