//! The registry: all studies by name, whatever their parameters and results.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::study::{Prepared, Ready};
use crate::{
    Parameter, Study, StudyError, bench, burnett, krad_petrakos, van_rijn_vis, xu_xing_zuo,
};

/// A study, as listed.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name it is run by.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The publication whose result it reproduces; none for a measurement.
    pub source: Option<&'static str>,
    /// Roughly how long it takes.
    pub takes: &'static str,
    parameters: fn() -> Vec<Parameter>,
    augment: fn(Command) -> Command,
    from_matches: fn(&ArgMatches) -> Result<Box<dyn Ready>, clap::Error>,
    from_json: FromJson,
}

/// Makes a study from parameters by name.
type FromJson = fn(&Map<String, Value>) -> Result<Box<dyn Ready>, StudyError>;

/// A study as data; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    /// The name it is run by.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The publication whose result it reproduces, if it does.
    pub source: Option<&'static str>,
    /// Roughly how long it takes.
    pub takes: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// All studies: published results first, in the order of their publications, then measurements.
pub static ALL: &[Entry] = &[
    Entry::of::<van_rijn_vis::Table1>(),
    Entry::of::<van_rijn_vis::Depth14>(),
    Entry::of::<van_rijn_vis::Branching>(),
    Entry::of::<van_rijn_vis::Table2>(),
    Entry::of::<van_rijn_vis::Figure2>(),
    Entry::of::<burnett::Figures>(),
    Entry::of::<burnett::PredictedGain>(),
    Entry::of::<burnett::Figure19>(),
    Entry::of::<burnett::Figure20>(),
    Entry::of::<burnett::Figure21>(),
    Entry::of::<burnett::Figure22>(),
    Entry::of::<burnett::Likelihood>(),
    Entry::of::<burnett::Splitting>(),
    Entry::of::<krad_petrakos::Complexity>(),
    Entry::of::<burnett::Depth30>(),
    Entry::of::<xu_xing_zuo::Figure3>(),
    Entry::of::<bench::MoveGeneration>(),
    Entry::of::<bench::Threads>(),
    Entry::of::<bench::Parts>(),
    Entry::of::<bench::Proofs>(),
    Entry::of::<bench::Splits>(),
    Entry::of::<bench::SpanningTrees>(),
    Entry::of::<bench::EscapeMemory>(),
    Entry::of::<bench::Clock>(),
    Entry::of::<bench::Tables>(),
    Entry::of::<bench::AmazonsSpeed>(),
    Entry::of::<xu_xing_zuo::Exactness>(),
    Entry::of::<xu_xing_zuo::Duel>(),
];

/// The study with this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

/// The studies that reproduce a published result.
pub fn published() -> impl Iterator<Item = &'static Entry> {
    ALL.iter().filter(|entry| entry.source.is_some())
}

impl Entry {
    const fn of<S: Study + 'static>() -> Entry {
        Entry {
            name: S::NAME,
            title: S::ABOUT,
            source: S::SOURCE,
            takes: S::TAKES,
            parameters: crate::parameter::parameters::<S::Params>,
            augment: S::Params::augment_args,
            from_matches: |matches| {
                Ok(Box::new(Prepared::<S>(S::Params::from_arg_matches(matches)?)))
            },
            from_json: |parameters| {
                let value = Value::Object(parameters.clone());
                let params = serde_json::from_value(value).map_err(StudyError::Value)?;
                Ok(Box::new(Prepared::<S>(params)))
            },
        }
    }

    /// Its parameters.
    pub fn parameters(&self) -> Vec<Parameter> {
        (self.parameters)()
    }

    /// Its description as data.
    pub fn describe(&self) -> Description {
        let Entry { name, title, source, takes, .. } = *self;
        Description { name, title, source, takes, parameters: self.parameters() }
    }

    /// A command with its parameters as flags.
    pub fn command(&self) -> Command {
        let about = format!("{}\n\nTakes {}.", self.title, self.takes);
        (self.augment)(Command::new(self.name).about(self.title).long_about(about))
    }

    /// The study with the parameters of a command line.
    ///
    /// # Errors
    ///
    /// If the matches are those of another command.
    pub fn asked(&self, matches: &ArgMatches) -> Result<Box<dyn Ready>, clap::Error> {
        (self.from_matches)(matches)
    }

    /// The study with parameters by name; those left out have their defaults.
    ///
    /// # Errors
    ///
    /// If there is no such parameter, or a value has the wrong type.
    pub fn with(&self, parameters: &Map<String, Value>) -> Result<Box<dyn Ready>, StudyError> {
        let known: Vec<String> = self.parameters().into_iter().map(|one| one.name).collect();
        match parameters.keys().find(|name| !known.contains(name)) {
            Some(name) => Err(StudyError::UnknownParameter { name: name.clone(), known }),
            None => (self.from_json)(parameters),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_commands_are_sound() {
        for (at, entry) in ALL.iter().enumerate() {
            assert!(ALL[..at].iter().all(|other| other.name != entry.name), "{}", entry.name);
            entry.command().debug_assert();
            assert!(entry.parameters().iter().all(|one| !one.help.is_empty()), "{}", entry.name);
        }
        let measurements = ALL.iter().skip_while(|entry| entry.source.is_some());
        assert!(
            measurements.clone().all(|entry| entry.source.is_none()),
            "published results first"
        );
        assert!(published().count() > 0 && measurements.count() > 0);
    }

    #[test]
    fn defaults_are_the_same_for_the_command_line_and_for_programs() {
        for entry in ALL {
            let asked = entry.command().try_get_matches_from([entry.name]).unwrap();
            let folder = entry.asked(&asked).unwrap().folder();
            assert_eq!(entry.with(&Map::new()).unwrap().folder(), folder);
        }
    }

    #[test]
    fn unknown_parameters_are_refused() {
        let wrong = serde_json::json!({ "ply": 3 });
        let error = find("table1").unwrap().with(wrong.as_object().unwrap()).err().unwrap();
        assert_eq!(error.to_string(), "there is no parameter 'ply'; there are plies");
    }
}
