//! What is given beside a script: which columns are secret, what is known of them beforehand, whose rows these are.

use super::lift::Input;
use super::release::People;
use crate::driver::{Language, Texts};
use privug_engine::evaluate::SecretColumn;
use privug_language::diagnostic::{Code, Diagnostic, listed, nearest};
use privug_language::program::{ExpressionSource, Program, Role};
use privug_language::source::Span;
use privug_tables::table::{Data, TableColumn};

/// What is given beside a script, while it is read.
pub(super) struct Given<'i> {
    pub(super) input: &'i Input,
    pub(super) texts: Texts,
}

impl Given<'_> {
    /// Reads it, and compiles the script.
    pub(super) fn compile(&mut self) -> Result<(Vec<SecretColumn>, Program, People), Vec<Diagnostic>> {
        let secrets = self.secrets().map_err(|diagnostic| vec![*diagnostic])?;
        let priors = self.priors(&secrets).map_err(|diagnostic| vec![*diagnostic])?;
        if self.input.attacker.releases_rows {
            self.release_rows(&secrets).map_err(|diagnostic| vec![*diagnostic])?;
        }
        let program = self.program(&secrets, &priors)?;
        self.check_tables(&program)?;
        let people = self.people(&secrets).map_err(|diagnostic| vec![*diagnostic])?;
        Ok((secrets, program, people))
    }

    /// Rows as they are tell how many people there are of each kind that the attacker knows, with each value of the secret:
    /// no more, as whoever sees them cannot tell people of a kind apart.
    fn release_rows(&mut self, secrets: &[SecretColumn]) -> Result<(), Box<Diagnostic>> {
        let (name, table) = &self.input.tables[secrets[0].table];
        let known = &self.input.attacker.known;
        let is_public = |place: usize| !secrets.iter().any(|secret| secret.column == place);
        let is_released = |column: &str| match known.is_empty() {
            true => Some(column) != self.input.person.as_deref(),
            false => known.iter().any(|known| known.trim() == column),
        };
        let columns = table.columns().iter().enumerate();
        let released = columns.filter(|(place, column)| is_public(*place) && is_released(column.name()));
        let released: Vec<&TableColumn> = released.map(|(_, column)| column).collect();
        if let Some(column) = released.iter().find(|column| column.data().missing() > 0) {
            let message = format!("the column `{}` has missing values, which distinguish rows too", column.name());
            let span = self.texts.add("--release-rows", "");
            let hint = "fill them first, with a value that does not occur otherwise";
            return Err(Box::new(Diagnostic::error(Code::BadTable, span, message).hint(hint)));
        }
        let quoted = |text: &str| format!("{text:?}");
        let keys: Vec<String> = released.iter().map(|column| quoted(column.name())).collect();
        let tables = secrets.iter().map(|secret| {
            let secret = quoted(table.columns()[secret.column].name());
            let grouped = if keys.is_empty() { name.clone() } else { format!("{name}.groupby([{}])", keys.join(", ")) };
            format!("{secret}: {grouped}[{secret}].value_counts().sort_index()")
        });
        let text = format!("def release({name}):\n    return {{{}}}\n", tables.collect::<Vec<_>>().join(", "));
        self.texts.program = self.texts.sources.add("released rows", text);
        Ok(())
    }

    /// Which columns are secret: different ones of one table.
    fn secrets(&mut self) -> Result<Vec<SecretColumn>, Box<Diagnostic>> {
        let mut secrets: Vec<SecretColumn> = Vec::new();
        for text in &self.input.secrets {
            let span = self.texts.add("--secret", text);
            let secret = self.secret(text, span)?;
            if secrets.contains(&secret) {
                let message = format!("`{}` is given twice", text.trim());
                return Err(Box::new(Diagnostic::error(Code::BoundTwice, span, message).hint("remove one of them")));
            }
            if let Some(first) = secrets.first()
                && first.table != secret.table
            {
                let (name, _) = &self.input.tables[first.table];
                let message = format!("`{}` is not a column of `{name}`, where the first secret is", text.trim());
                let hint = "all secrets are columns of the table of people; join the tables first";
                return Err(Box::new(Diagnostic::error(Code::BadSecret, span, message).hint(hint)));
            }
            secrets.push(secret);
        }
        if secrets.is_empty() {
            let span = self.texts.add("--secret", "");
            let error = Diagnostic::error(Code::BadSecret, span, "no column is secret");
            return Err(Box::new(error.hint("name one with `--secret people.income`")));
        }
        Ok(secrets)
    }

    /// Where the prior of each secret is: `Normal(...)` for the only one, `income=Normal(...)` for one of several.
    fn priors(&mut self, secrets: &[SecretColumn]) -> Result<Vec<Span>, Box<Diagnostic>> {
        let mut found: Vec<Option<Span>> = vec![None; secrets.len()];
        let names: Vec<String> = secrets.iter().map(|secret| column_name(self.input, *secret).to_owned()).collect();
        for text in &self.input.priors {
            let span = self.texts.add("--prior", text);
            let (place, span) = match prior_name(text) {
                Some(name) => {
                    let behind = span.start as usize + text.trim_start().find('=').map_or(0, |at| at + 1);
                    let blank = text[behind..].len() - text[behind..].trim_start().len();
                    let wanted = name.rsplit('.').next().unwrap_or(name).trim();
                    let Some(place) = names.iter().position(|name| name == wanted) else {
                        let hint = match nearest(wanted, names.iter().map(String::as_str)) {
                            Some(near) => format!("did you mean `{near}`?"),
                            None => format!("name a secret, as in `{}={}`", names[0], text[behind..].trim()),
                        };
                        let message = format!("`{wanted}` is not a secret, so it needs no prior");
                        return Err(Box::new(Diagnostic::error(Code::MalformedOption, span, message).hint(hint)));
                    };
                    (place, Span { start: ((behind + blank) as u32).min(span.end), ..span })
                }
                None if secrets.len() == 1 => (0, span),
                None => {
                    let hint = format!("name it: `{}={}`", names[0], text.trim());
                    let message = "there are several secrets, and this prior does not name one";
                    return Err(Box::new(Diagnostic::error(Code::MalformedOption, span, message).hint(hint)));
                }
            };
            if span.start >= span.end {
                let hint = "write the attacker's belief, such as `Normal(mean=450_000, std=60_000)`";
                let error = Diagnostic::error(Code::MalformedOption, span, "the prior is empty").hint(hint);
                return Err(Box::new(error));
            }
            if found[place].replace(span).is_some() {
                let message = format!("`{}` has two priors", names[place]);
                return Err(Box::new(Diagnostic::error(Code::BoundTwice, span, message).hint("remove one of them")));
            }
        }
        if let Some(place) = found.iter().position(Option::is_none) {
            let span = self.texts.add("--secret", &self.input.secrets[place]);
            let name = match secrets.len() {
                1 => String::new(),
                _ => format!("{}=", names[place]),
            };
            let hint = format!("specify the attacker's belief: `--prior '{name}Normal(mean=450_000, std=60_000)'`");
            let message = format!("`{}` has no prior", names[place]);
            return Err(Box::new(Diagnostic::error(Code::MalformedOption, span, message).hint(hint)));
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Which column is secret: `people.income`.
    fn secret(&self, text: &str, span: Span) -> Result<SecretColumn, Box<Diagnostic>> {
        let refuse = |code: Code, message: String, hint: String| {
            Err(Box::new(Diagnostic::error(code, span, message).hint(hint)))
        };
        let tables = &self.input.tables;
        let (table_name, column_name) = match text.trim().split_once('.') {
            Some((table, column)) => (table.trim(), column.trim()),
            // With one table there is only one place where it can be.
            None if tables.len() == 1 => (tables[0].0.as_str(), text.trim()),
            None => {
                let hint = "name the table too, such as `people.income`".to_owned();
                return refuse(Code::BadSecret, format!("`{text}` names no table"), hint);
            }
        };
        let Some(table) = tables.iter().position(|(name, _)| name == table_name) else {
            let names: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
            let hint = match nearest(table_name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => "give one with `--table people=FILE`".to_owned(),
                None => format!("the tables are {}", names.join(", ")),
            };
            return refuse(Code::BadSecret, format!("there is no table `{table_name}`"), hint);
        };
        let columns = tables[table].1.columns();
        let Some(column) = columns.iter().position(|column| column.name() == column_name) else {
            let message = format!("the table `{table_name}` has no column `{column_name}`");
            return refuse(Code::UnknownColumn, message, column_hint(column_name, columns));
        };
        match (columns[column].data(), columns[column].not_a_number()) {
            (Data::Numbers(values), _) if values.iter().all(|value| value.is_nan()) => {
                let message = format!("the column `{column_name}` has no values: all are missing");
                refuse(Code::BadSecret, message, "name the column to protect".to_owned())
            }
            (Data::Numbers(_) | Data::Integers(_), _) => Ok(SecretColumn { table, column }),
            // Categories; what they hold is compared with the prior later.
            _ if has_discrete_prior(self.input) => Ok(SecretColumn { table, column }),
            (Data::Texts { .. }, Some((row, cell))) => {
                let is_too_large = cell.trim().parse::<f64>().is_ok_and(f64::is_infinite);
                let (what, hint) = if is_too_large {
                    ("is too large for a number", "numbers go up to 1.8e308; give the column in larger units")
                } else {
                    ("is not a number", "correct the cell: numbers are written as `480000` or `1.5`")
                };
                let message = format!("row {row}, column `{column_name}`: `{cell}` {what}");
                refuse(Code::BadSecret, message, hint.to_owned())
            }
            (other, _) => {
                let such = match other.show(0) {
                    Some(first) if matches!(other, Data::Texts { .. }) => format!(", such as `{first}` in row 1"),
                    _ => String::new(),
                };
                let message = format!("the column `{column_name}` holds {}{such}", other.kind());
                let hint = "a Gaussian prior needs a column of numbers; for categories give a discrete one, such as \
                            `Categorical({\"a\": 0.2, \"b\": 0.8})` or `Bernoulli(0.02)`";
                refuse(Code::BadSecret, message, hint.to_owned())
            }
        }
    }

    fn program(&mut self, secrets: &[SecretColumn], priors: &[Span]) -> Result<Program, Vec<Diagnostic>> {
        let input = self.input;
        let mut sensitive: Vec<ExpressionSource> = Vec::new();
        for text in &input.attacker.sensitive {
            let span = self.texts.add("--sensitive", text);
            let names = secrets.iter().map(|secret| column_name(input, *secret).to_owned());
            let Some(name) = names.clone().find(|name| mentions(text, name)) else {
                let message = "this does not name a secret";
                let hint = format!("name the secret: `{} in [...]`", names.collect::<Vec<_>>().join(", "));
                return Err(vec![Diagnostic::error(Code::MalformedOption, span, message).hint(hint)]);
            };
            sensitive.push(ExpressionSource::text(Role::ColumnPrior(vec![name]), span));
        }
        // The columns that a prior may mention: not the secrets that come later, which nobody knows anything of yet.
        let expressions = priors.iter().enumerate().map(|(place, span)| {
            let columns = input.tables[secrets[place].table].1.columns().iter().enumerate();
            let is_later = |column: usize| secrets[place + 1..].iter().any(|secret| secret.column == column);
            let known = columns.filter(|(column, _)| !is_later(*column)).map(|(_, column)| column.name().to_owned());
            let mut known: Vec<String> = known.collect();
            // The table itself, unless a column has its name.
            let table = &input.tables[secrets[place].table].0;
            if !known.contains(table) {
                known.push(table.clone());
            }
            ExpressionSource::text(Role::ColumnPrior(known), *span)
        });
        let expressions: Vec<ExpressionSource> = expressions.chain(sensitive).collect();
        let function = input.function.as_deref().filter(|_| !input.attacker.releases_rows);
        self.texts.compile(function, &expressions, Language::Tables)
    }

    /// Every table is a parameter of the function, unless there is only one of each.
    fn check_tables(&mut self, program: &Program) -> Result<(), Vec<Diagnostic>> {
        let entry = program.function(program.entry);
        let names: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let mut errors = Vec::new();
        // A table that the script reads needs no parameter.
        let reads = program.reads_tables();
        for (position, (name, _)) in self.input.tables.iter().enumerate() {
            let twice = self.input.tables[..position].iter().any(|(earlier, _)| earlier == name);
            let by_position = self.input.tables.len() == 1 && !names.is_empty();
            if (names.contains(&name.as_str()) || by_position || reads) && !twice {
                continue;
            }
            let span = self.texts.add("--table", name);
            errors.push(if twice {
                let message = format!("the table `{name}` is given twice");
                Diagnostic::error(Code::BoundTwice, span, message).hint("remove one of them")
            } else {
                let hint = match nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if names.is_empty() => "it has none".to_owned(),
                    None => listed("its only parameter is", "its parameters are", &names),
                };
                let message = format!("`{}` has no parameter `{name}`", entry.name);
                Diagnostic::error(Code::UnknownParameter, span, message).hint(hint)
            });
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// What the people are called; those of some rows, who have a secret.
    fn people(&mut self, secrets: &[SecretColumn]) -> Result<People, Box<Diagnostic>> {
        let (_, table) = &self.input.tables[secrets.first().map_or(0, |secret| secret.table)];
        let Some(name) = &self.input.person else { return Ok(People::Rows(table.row_count())) };
        let Some(column) = table.column(name) else {
            let span = self.texts.add("--person", name);
            let message = format!("the secret's table has no column `{name}`");
            let hint = column_hint(name, table.columns());
            return Err(Box::new(Diagnostic::error(Code::BadPerson, span, message).hint(hint)));
        };
        // Whether rows without a name are about several people is not known: they protect each other as little as one does.
        let shown = |row: usize| column.data().show(row).unwrap_or_else(|| NAMELESS.to_owned());
        let names = (0..table.row_count()).map(shown).collect();
        Ok(People::Named { column: name.clone(), names })
    }
}

/// Whether a prior is about categories, and may have a secret that is no number.
pub(super) fn has_discrete_prior(input: &Input) -> bool {
    const DISCRETE: [&str; 4] = ["Bernoulli", "Categorical", "DiscreteUniform", "Binomial"];
    input.priors.iter().any(|prior| DISCRETE.iter().any(|name| prior.contains(name)))
}

/// The name of a secret column.
pub(super) fn column_name(input: &Input, secret: SecretColumn) -> &str {
    input.tables[secret.table].1.columns()[secret.column].name()
}

/// Whether a text has a name in it as a word.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let before = text[..at].chars().next_back().is_some_and(is_part);
        !before && !text[at + name.len()..].chars().next().is_some_and(is_part)
    })
}

/// What was meant by the name of a column that is not there.
pub(super) fn column_hint(wanted: &str, columns: &[TableColumn]) -> String {
    // The column of a table, written as a secret is: `people.id`.
    let behind = wanted.split_once('.').map(|(_, column)| column);
    let meant = columns.iter().map(TableColumn::name).find(|name| behind == Some(*name));
    match meant.or_else(|| nearest(wanted, columns.iter().map(TableColumn::name))) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<&str> = columns.iter().map(TableColumn::name).collect();
            listed("the only column is", "the columns are", &names)
        }
    }
}

/// Whoever has no name.
pub(super) const NAMELESS: &str = "(no name)";

/// The name in `income=Normal(...)`; an expression without a name has brackets before its first `=`, or none.
fn prior_name(text: &str) -> Option<&str> {
    let (name, behind) = text.split_once('=')?;
    let is_name = !name.trim().is_empty() && !name.contains(['(', '[', '<', '>', '!', '"', '\'']);
    (is_name && !behind.starts_with('=')).then_some(name.trim())
}
