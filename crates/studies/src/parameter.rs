//! Parameters of studies: their names, and how values with a text form are kept in JSON.

use std::any::TypeId;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Args, Command};
use serde::Serialize;

use crate::StudyError;

/// A parameter of a study, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Its name; on a command line, with dashes for underscores.
    pub name: String,
    /// `flag`, `integer`, `number`, `path` or `text`, and `list of` these.
    pub kind: String,
    /// Its default; none if it follows from something else, as the help says.
    pub default: Option<String>,
    /// What it means.
    pub help: String,
}

/// The parameters of a study.
pub(crate) fn parameters<P: Args>() -> Vec<Parameter> {
    P::augment_args(Command::new("study")).get_arguments().map(Parameter::of).collect()
}

impl Parameter {
    fn of(arg: &Arg) -> Parameter {
        let defaults: Vec<&str> =
            arg.get_default_values().iter().filter_map(|value| value.to_str()).collect();
        Parameter {
            name: arg.get_id().to_string(),
            kind: kind(arg),
            default: (!defaults.is_empty()).then(|| defaults.join(",")),
            help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
        }
    }
}

fn kind(arg: &Arg) -> String {
    let of = arg.get_value_parser().type_id();
    let is_one_of = |types: &[TypeId]| types.iter().any(|one| of == *one);
    let one = if matches!(arg.get_action(), ArgAction::SetTrue) {
        "flag"
    } else if is_one_of(&[
        TypeId::of::<u8>(),
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<usize>(),
    ]) {
        "integer"
    } else if of == TypeId::of::<f64>() {
        "number"
    } else if of == TypeId::of::<PathBuf>() {
        "path"
    } else {
        "text"
    };
    let many = matches!(arg.get_action(), ArgAction::Append);
    if many { format!("list of {one}") } else { one.to_owned() }
}

/// Checks that a number is in the range that the command line accepts.
pub(crate) fn within<N>(
    name: &'static str,
    value: N,
    range: RangeInclusive<N>,
) -> Result<(), StudyError>
where
    N: PartialOrd + std::fmt::Display,
{
    if range.contains(&value) {
        return Ok(());
    }
    let reason = format!("{value} is not in {}..={}", range.start(), range.end());
    Err(StudyError::parameter(name, reason))
}

/// Reads a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, &'static str> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && (0.0..=1e7).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds, as in 2.5"),
    }
}

/// Values that are written as text.
pub(crate) mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// Values that are written as text, if they are there.
pub(crate) mod optional_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => to.collect_str(value),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, T, D>(from: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}

/// Lists of values that are written as text.
pub(crate) mod list_of_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<T: Display, S: Serializer>(values: &[T], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.iter().map(ToString::to_string))
    }

    pub fn deserialize<'de, T, D>(from: D) -> Result<Vec<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
    }
}
