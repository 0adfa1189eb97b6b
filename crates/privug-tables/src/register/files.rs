//! The files of a table that is larger than the memory, gone through piece by piece.

use std::fs;
use std::path::{Path, PathBuf};

use super::grouper::{GroupError, Grouper, Rows};
use super::groups::Groups;
use crate::table::{self, Table, TableError};

/// Rows of a CSV file that are handed over at once.
const PIECE_ROWS: usize = 1 << 16;

/// A table in one or several CSV and Parquet files.
#[derive(Debug, Clone)]
pub struct Register {
    files: Vec<PathBuf>,
    names: Vec<String>,
    /// Places of columns that are taken as texts, as they are spelled.
    texts: Vec<usize>,
    rows: Option<u64>,
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
        let mut register = Register { files, names: Vec::new(), texts: Vec::new(), rows: Some(0) };
        for (place, file) in register.files.iter().enumerate() {
            let (names, rows) = table::outline(file)?;
            register.rows = register.rows.zip(rows).map(|(so_far, more)| so_far + more);
            if place == 0 {
                register.names = names;
            } else if names != register.names {
                let first = register.files[0].display();
                let error = TableError::new(format!("the columns are others than those of {first}"));
                return Err(error
                    .in_file(&file.display().to_string())
                    .hint("give all files the same columns, in the same order"));
            }
        }
        Ok(register)
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many bytes the files have together.
    pub fn bytes(&self) -> u64 {
        self.files.iter().filter_map(|file| fs::metadata(file).ok()).map(|metadata| metadata.len()).sum()
    }

    /// Groups people by the columns `wanted` that are neither the secret nor everybody's own prior means; the other columns are
    /// never read. The grouper can tell afterwards which group everybody is in.
    pub fn group(
        &mut self,
        wanted: &[String],
        secret: &str,
        prior_means: Option<&str>,
        max_groups: usize,
        progress: &dyn Fn(Piece),
    ) -> Result<(Groups, Grouper), GroupError> {
        let read: Vec<String> =
            self.names.iter().filter(|name| *name == secret || wanted.contains(name)).cloned().collect();
        let unread: Vec<String> = self.names.iter().filter(|name| !read.contains(name)).cloned().collect();
        let Some(place) = read.iter().position(|name| name == secret) else {
            return Err(TableError::new(format!("the table has no column `{secret}`")).into());
        };
        let prior_means = prior_means.and_then(|wanted| read.iter().position(|name| name == wanted));
        loop {
            let mut grouper = Grouper::new(&read, place, prior_means, max_groups);
            if self.pass(&read, progress, &mut |piece| grouper.add(piece))? {
                return Ok((grouper.finish(unread)?, grouper));
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
                return Err(TableError::new("the table has changed while it was read").into());
            }
            each(&rows)
        })?;
        match complete {
            true => Ok(()),
            false => Err(TableError::new("the table has changed while it was read").into()),
        }
    }

    /// One pass; false if it has to begin again.
    fn pass(
        &mut self,
        read: &[String],
        progress: &dyn Fn(Piece),
        each: &mut dyn FnMut(&Table) -> Result<(), GroupError>,
    ) -> Result<bool, GroupError> {
        let places: Vec<usize> = (0..self.names.len()).filter(|place| read.contains(&self.names[*place])).collect();
        let mut rows = 0;
        for file in &self.files {
            let mut hand_over = |piece: &Table| {
                each(piece)?;
                rows += piece.row_count() as u64;
                progress(Piece { rows, of: self.rows });
                Ok(())
            };
            let complete = table::pieces(file, &places, &mut self.texts, PIECE_ROWS, &mut hand_over).map_err(
                |error| match error {
                    GroupError::Table(error) if error.path.is_empty() => {
                        GroupError::Table(error.in_file(&file.display().to_string()))
                    }
                    other => other,
                },
            )?;
            if !complete {
                return Ok(false);
            }
        }
        Ok(true)
    }
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
            Err(refuse("the folder has no CSV and no Parquet files".to_owned()).hint("subfolders are not looked into"))
        }
    }
}
