//! The builder: one process building a set, layer by layer.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use jungle::Rules;

use super::claim::{self, Attempt, Claim, Claims};
use super::error::BuildError;
use super::forecast::Forecast;
use super::manifest::{Manifest, ManifestEntry};
use super::owner::Owner;
use super::plan::Wanted;
use super::store::{self, Disk};
use super::{BuildReport, BuildSummary, Event, Options};
use crate::material::Class;
use crate::payload::Budget;
use crate::probe::{ProbeError, Tablebase};
use crate::solved::{SolveError, Solver};
use crate::storage::{Folder, ReadAt, Storage};
use crate::table::{Stored, Table, TableError, file_name, write};

/// The name of the claim on the manifest; no class has such a name.
const MANIFEST_CLAIM: &str = "manifest";

/// How often to look whether another builder has finished.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// What is missing, in layers, and what it takes.
pub struct Plan {
    missing: Vec<Vec<usize>>,
    pub forecast: Forecast,
}

pub struct Builder<'a> {
    disk: &'a dyn Disk,
    rules: &'a Rules,
    folder: &'a Path,
    options: &'a Options,
    watch: &'a mut (dyn FnMut(Event<'_>) + Send),
    solver: Solver,
    /// The tables in the folder, to solve from.
    tables: Tablebase,
    claims: Claims,
    layers: Vec<Vec<usize>>,
    built: BTreeMap<String, ManifestEntry>,
}

impl<'a> Builder<'a> {
    pub fn new(
        disk: &'a dyn Disk,
        rules: &'a Rules,
        folder: &'a Path,
        wanted: &Wanted,
        options: &'a Options,
        watch: &'a mut (dyn FnMut(Event<'_>) + Send),
    ) -> Result<Builder<'a>, BuildError> {
        let classes = wanted.classes(rules)?;
        let most = classes.list().last().map_or(0, |class| class.material.pieces());
        let tables = Tablebase::new(classes.rules(), most, Folder::new(folder));
        let solver = Solver::with_limit(classes, options.memory);
        let layers = wanted.layers(rules, &solver);
        let claims = Claims::new(folder, options.abandoned_after);
        let built = BTreeMap::new();
        Ok(Builder { disk, rules, folder, options, watch, solver, tables, claims, layers, built })
    }

    /// Builds all that is missing.
    pub fn run(mut self) -> Result<BuildSummary, BuildError> {
        store::make_folder(self.folder)?;
        let Plan { missing, forecast } = self.plan()?;
        self.check_memory(missing.iter().flatten())?;
        self.check_space(&forecast)?;
        let Forecast { classes, present, total, work, bytes, expected } = forecast;
        (self.watch)(Event::Planned { classes, present, work, total, bytes, expected });
        self.clear_up()?;
        let result = self.build_layers(missing);
        // Also after a failure: what was built until then is listed.
        let listed = self.update_manifest();
        result.and(listed)?;
        self.clear_up()?;
        Ok(BuildSummary { classes, built: self.built.len() })
    }

    /// What is missing.
    pub fn plan(&self) -> Result<Plan, BuildError> {
        let mut missing = Vec::new();
        let mut forecast = Forecast::default();
        for layer in &self.layers {
            let mut absent = Vec::new();
            for &class in layer {
                let bytes = self.present(class)?;
                forecast.add(self.solver.size(class), bytes);
                if bytes.is_none() {
                    absent.push(class);
                }
            }
            missing.push(absent);
        }
        Ok(Plan { missing, forecast })
    }

    fn build_layers(&mut self, missing: Vec<Vec<usize>>) -> Result<(), BuildError> {
        for layer in missing {
            let before = self.built.len();
            self.build_layer(layer)?;
            if self.built.len() > before {
                self.update_manifest()?;
            }
        }
        Ok(())
    }

    /// Builds the classes of a layer that no other builder builds, and waits for the others.
    fn build_layer(&mut self, mut open: Vec<usize>) -> Result<(), BuildError> {
        let mut reported = HashSet::new();
        while !open.is_empty() {
            let mut held = Vec::new();
            let before = open.len();
            for class in open {
                if self.options.stop.load(Relaxed) {
                    return Err(BuildError::Stopped);
                }
                if let Some(owner) = self.build_or_find(class)? {
                    held.push((class, owner));
                }
            }
            if held.len() == before {
                for (class, owner) in held.iter().filter(|(class, _)| reported.insert(*class)) {
                    let class = self.solver.classes().list()[*class].material;
                    (self.watch)(Event::Waiting { class, owner: owner.as_ref() });
                }
                std::thread::sleep(LOOK_AGAIN);
            }
            open = held.into_iter().map(|(class, _)| class).collect();
        }
        Ok(())
    }

    /// Builds a class unless it is there. If someone else is building it, says who, as far as that is
    /// known.
    fn build_or_find(&mut self, class: usize) -> Result<Option<Option<Owner>>, BuildError> {
        if self.is_present(class)? {
            self.found(class);
            return Ok(None);
        }
        let name = self.class(class).material.to_string();
        match self.claims.attempt(&name)? {
            Attempt::Held(owner) => Ok(Some(owner)),
            // The builder that held the claim until just now may have finished.
            Attempt::Mine(_claim) if self.is_present(class)? => {
                self.found(class);
                Ok(None)
            }
            Attempt::Mine(claim) => {
                self.build(class, &claim)?;
                Ok(None)
            }
        }
    }

    fn build(&mut self, class: usize, claim: &Claim) -> Result<(), BuildError> {
        let start = Instant::now();
        (self.watch)(Event::Started { class: self.solver.classes().list()[class].material });
        store::clear(self.folder, &self.class(class).material.to_string())?;
        let solved = self
            .solver
            .solve_from(class, &self.tables)
            .map_err(|error| self.solve_error(class, error))?;
        let work = self.solver.size(class);
        let stored = self.wanted_of(class);
        let class = self.class(class).clone();
        let bytes = Arc::new(write(self.rules, class.material, &solved, stored));
        let file = file_name(class.material);
        let path = self.folder.join(&file);
        // Opening it finds the counts, and that it can be opened.
        let table = self
            .open(&class, Box::new(bytes.clone()))
            .map_err(|error| BuildError::Damaged { path, error })?;
        let counts = table.header().counts;
        store::put(self.disk, self.folder, &file, claim.owner(), &bytes)?;
        self.built.insert(file.clone(), ManifestEntry::of(&bytes));
        let (class, time) = (class.material, start.elapsed());
        let report = BuildReport { class, file, counts, time, bytes: bytes.len() as u64 };
        (self.watch)(Event::Built { report: &report, work });
        Ok(())
    }

    fn open(&self, class: &Class, file: Box<dyn ReadAt>) -> Result<Table, TableError> {
        Table::open(self.rules, class, file, Arc::new(Budget::new(0)))
    }

    fn found(&mut self, class: usize) {
        let work = self.solver.size(class);
        (self.watch)(Event::Found { class: self.solver.classes().list()[class].material, work });
    }

    fn class(&self, class: usize) -> &Class {
        &self.solver.classes().list()[class]
    }

    /// What the table of a class has to store: options change the largest tables only.
    fn wanted_of(&self, class: usize) -> Stored {
        let largest = self.solver.classes().list().last().map(|class| class.material.pieces());
        if Some(self.class(class).material.pieces()) == largest {
            let Options { wdl_only, both_sides, .. } = *self.options;
            Stored { distances: !wdl_only, both_sides }
        } else {
            Stored::USUAL
        }
    }

    /// Whether the class has a usable table; a damaged one is an error.
    fn is_present(&self, class: usize) -> Result<bool, BuildError> {
        Ok(self.present(class)?.is_some())
    }

    /// The size of the class's table, if there is a usable one; a damaged one is an error.
    fn present(&self, class: usize) -> Result<Option<u64>, BuildError> {
        // Opened again: the tables that classes are solved from stay open, and this one may still be replaced
        // by a usable one.
        let file = file_name(self.class(class).material);
        let path = self.folder.join(&file);
        let opened = Folder::new(self.folder).open(&file);
        let Some(opened) = opened.map_err(BuildError::io("reading", &path))? else {
            return Ok(None);
        };
        let bytes = opened.size().map_err(BuildError::io("reading", &path))?;
        match self.open(self.class(class), opened) {
            Ok(table) if table.header().stored.covers(self.wanted_of(class)) => Ok(Some(bytes)),
            Ok(_) => Ok(None),
            // Of an older version: rebuilt, and replaced when that is done.
            Err(error) if error.is_outdated() => Ok(None),
            Err(error) => Err(BuildError::Damaged { path, error }),
        }
    }

    /// Before anything is begun, so that it does not fail after hours of work.
    fn check_memory<'c>(&self, classes: impl Iterator<Item = &'c usize>) -> Result<(), BuildError> {
        let needs = classes.map(|&class| (self.solver.need(class), class));
        match needs.max() {
            Some((need, class)) if need > self.options.memory => Err(BuildError::Memory {
                class: self.class(class).material,
                need,
                limit: self.options.memory,
            }),
            _ => Ok(()),
        }
    }

    /// As for memory. Where the system does not tell, there is room until it says otherwise.
    fn check_space(&self, forecast: &Forecast) -> Result<(), BuildError> {
        // Without distances, tables are smaller than forecast by a factor that nobody has to know.
        let need = match (self.options.wdl_only, self.options.both_sides) {
            (true, _) => 0,
            (false, true) => 2 * forecast.space(),
            (false, false) => forecast.space(),
        };
        match store::free(self.folder) {
            Some(free) if free < need => {
                Err(BuildError::Space { folder: self.folder.to_owned(), need, free })
            }
            _ => Ok(()),
        }
    }

    /// Removes temporary files that are not being written, and claims of builders killed after they had
    /// put their table in place.
    fn clear_up(&mut self) -> Result<(), BuildError> {
        let names = store::names(self.folder)?;
        let passing = names
            .iter()
            .filter(|name| name.ends_with(store::TEMPORARY) || name.ends_with(claim::SUFFIX));
        let of: HashSet<&str> = passing.filter_map(|name| Some(name.split_once('.')?.0)).collect();
        for name in of {
            if let Attempt::Mine(_claim) = self.claims.attempt(name)? {
                store::clear(self.folder, name)?;
            }
        }
        Ok(())
    }

    fn update_manifest(&mut self) -> Result<(), BuildError> {
        loop {
            if let Attempt::Mine(claim) = self.claims.attempt(MANIFEST_CLAIM)? {
                let (disk, owner) = (self.disk, claim.owner());
                return Manifest::update(self.rules, self.folder, disk, owner, &self.built);
            }
            std::thread::sleep(LOOK_AGAIN / 10);
        }
    }

    fn solve_error(&self, class: usize, error: SolveError) -> BuildError {
        match error {
            SolveError::Memory { need, limit } => {
                BuildError::Memory { class: self.class(class).material, need, limit }
            }
            SolveError::Table(error) => self.probe_error(error),
        }
    }

    fn probe_error(&self, error: ProbeError) -> BuildError {
        let io = |file: String, error| BuildError::io("reading", self.folder.join(file))(error);
        match error {
            ProbeError::CorruptTable { file, error } => {
                BuildError::Damaged { path: self.folder.join(file), error }
            }
            ProbeError::Unreadable { file, error } => io(file, error),
            ProbeError::MissingTable { file } => io(file, std::io::ErrorKind::NotFound.into()),
            // The tables were opened for all pieces that are built.
            ProbeError::TooManyPieces { .. } => io(String::new(), std::io::Error::other(error)),
        }
    }
}
