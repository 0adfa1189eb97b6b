//! The files of a table that is larger than the memory, gone through piece by piece.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::grouper::{GroupError, Grouper, OwnColumns, Rows};
use super::groups::Groups;
use crate::table::{self, Table, TableError};

/// Rows of a CSV file that are handed over at once.
const PIECE_ROWS: usize = 1 << 16;

/// A table in one or several CSV and Parquet files.
#[derive(Debug, Clone)]
pub struct Register {
    files: Vec<Part>,
    names: Vec<String>,
    /// Places of columns that are taken as texts, as they are spelled.
    texts: Vec<usize>,
    rows: Option<u64>,
}

/// One of the files.
#[derive(Debug, Clone)]
struct Part {
    path: PathBuf,
    /// The place in this file of each column of the table.
    places: Vec<usize>,
    /// Its length and when it was last changed, as it was opened.
    version: Option<(u64, Option<SystemTime>)>,
}

impl Part {
    fn named(&self) -> String {
        self.path.display().to_string()
    }
}

/// The length of a file, and when it was last changed; `None` for what is not a file, such as a pipe.
fn version(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((metadata.len(), metadata.modified().ok()))
}

/// What has been gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Rows so far.
    pub rows: u64,
    /// Rows of all files, where they say how many they have.
    pub of: Option<u64>,
}

impl Register {
    /// The table in some files, or in all CSV and Parquet files of a folder, in the order of their names.
    pub fn open(paths: &[PathBuf]) -> Result<Register, TableError> {
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() { files.extend(files_of(path)?) } else { files.push(path.clone()) }
        }
        let mut register = Register { files: Vec::new(), names: Vec::new(), texts: Vec::new(), rows: Some(0) };
        for path in files {
            let version = version(&path);
            let (names, rows) = table::outline(&path)?;
            register.rows = register.rows.zip(rows).map(|(so_far, more)| so_far + more);
            if register.files.is_empty() {
                register.names = names.clone();
            }
            let places = register.names.iter().filter_map(|name| names.iter().position(|other| other == name));
            let part = Part { places: places.collect(), path, version };
            if part.places.len() != register.names.len() || names.len() != register.names.len() {
                let first = register.files.first().map(Part::named).unwrap_or_default();
                let others = |all: &[String], other: &[String]| all.iter().find(|name| !other.contains(name)).cloned();
                let message = match (others(&register.names, &names), others(&names, &register.names)) {
                    (Some(name), _) => format!("there is no column `{name}`, which {first} has"),
                    (None, Some(name)) => format!("there is a column `{name}`, which {first} does not have"),
                    (None, None) => format!("the columns differ from those of {first}"),
                };
                return Err(TableError::new(message).in_file(&part.named()).hint("give all files the same columns"));
            }
            register.files.push(part);
        }
        Ok(register)
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many bytes the files have together.
    pub fn bytes(&self) -> u64 {
        self.files.iter().filter_map(|part| part.version).map(|(length, _)| length).sum()
    }

    /// Groups people by the columns `wanted` that are neither the secret nor everybody's `own`; the other columns are never
    /// read. The grouper can tell afterwards which group everybody is in.
    pub fn group(
        &mut self,
        wanted: &[String],
        secret: &str,
        own: OwnColumns<&str>,
        max_groups: usize,
        progress: &dyn Fn(Piece),
    ) -> Result<(Groups, Grouper), GroupError> {
        let read: Vec<String> =
            self.names.iter().filter(|name| *name == secret || wanted.contains(name)).cloned().collect();
        let unread: Vec<String> = self.names.iter().filter(|name| !read.contains(name)).cloned().collect();
        let Some(place) = read.iter().position(|name| name == secret) else {
            return Err(TableError::new(format!("the table has no column `{secret}`")).into());
        };
        let place_of = |wanted: Option<&str>| wanted.and_then(|wanted| read.iter().position(|name| name == wanted));
        let own = OwnColumns { prior_means: place_of(own.prior_means), weights: place_of(own.weights) };
        loop {
            let mut grouper = Grouper::new(&read, place, own, max_groups);
            if self.pass(&read, progress, &mut |piece| grouper.add(piece))? {
                let groups = grouper.finish(unread).map_err(|error| match (error, self.files.first()) {
                    (GroupError::Table(error), Some(part)) if error.path.is_empty() => {
                        GroupError::Table(error.in_file(&part.named()))
                    }
                    (error, _) => error,
                });
                return Ok((groups?, grouper));
            }
        }
    }

    /// Goes through everybody again: the group of each row and what is their own, piece by piece.
    pub fn everybody(
        &mut self,
        grouper: &mut Grouper,
        read: &[String],
        progress: &dyn Fn(Piece),
        each: &mut dyn FnMut(&Rows) -> Result<(), GroupError>,
    ) -> Result<(), GroupError> {
        let complete = self.pass(read, progress, &mut |piece| {
            let rows = grouper.groups_of(piece)?;
            // Somebody of a group that was not there before.
            if rows.groups.iter().any(|group| *group as usize >= grouper.len()) {
                return Err(TableError::new("the table changed while it was being read").into());
            }
            each(&rows)
        })?;
        match complete {
            true => Ok(()),
            false => Err(TableError::new("the table changed while it was being read").into()),
        }
    }

    /// One pass; false if it has to begin again.
    fn pass(
        &mut self,
        read: &[String],
        progress: &dyn Fn(Piece),
        each: &mut dyn FnMut(&Table) -> Result<(), GroupError>,
    ) -> Result<bool, GroupError> {
        let wanted: Vec<usize> = (0..self.names.len()).filter(|place| read.contains(&self.names[*place])).collect();
        let mut rows = 0;
        for part in &self.files {
            // A file may have the columns in an order of its own.
            let place_of = |place: &usize| part.places[*place];
            let mut places: Vec<usize> = wanted.iter().map(place_of).collect();
            let is_in_order = places.is_sorted();
            places.sort_unstable();
            let mut texts: Vec<usize> = self.texts.iter().map(place_of).collect();
            let mut hand_over = |piece: &Table| {
                match is_in_order {
                    true => each(piece)?,
                    false => each(&in_order(piece, wanted.iter().map(|place| &self.names[*place]))?)?,
                }
                rows += piece.row_count() as u64;
                progress(Piece { rows, of: self.rows });
                Ok(())
            };
            let complete = table::pieces(&part.path, &places, &mut texts, PIECE_ROWS, &mut hand_over).map_err(
                |error| match error {
                    GroupError::Table(error) if error.path.is_empty() => {
                        GroupError::Table(error.in_file(&part.named()))
                    }
                    other => other,
                },
            )?;
            if version(&part.path) != part.version {
                let error = TableError::new("the file changed while it was being read").in_file(&part.named());
                return Err(error.hint("audit a copy that nobody writes to").into());
            }
            if !complete {
                let is_text = |place: &usize| texts.contains(&part.places[*place]);
                self.texts = (0..self.names.len()).filter(is_text).collect();
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The columns of a piece in the order of these names.
fn in_order<'n>(piece: &Table, names: impl Iterator<Item = &'n String>) -> Result<Table, TableError> {
    let columns = names.filter_map(|name| Some((name.clone(), piece.column(name)?.data().clone())));
    Table::from_columns(columns.collect(), piece.row_count())
}

/// The CSV and Parquet files of a folder. What begins with a dot or an underscore is none of the table.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, TableError> {
    let refuse = |message: String| TableError::new(message).in_file(&folder.display().to_string());
    let entries = fs::read_dir(folder).map_err(|error| refuse(format!("the folder cannot be read: {error}")))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
            !name.starts_with(['.', '_']) && ["csv", "parquet", "pq"].contains(&ending.as_str()) && path.is_file()
        })
        .collect();
    files.sort();
    match files.is_empty() {
        false => Ok(files),
        true => {
            Err(refuse("the folder has no CSV and no Parquet files".to_owned()).hint("subfolders are not searched"))
        }
    }
}
