//! Which features to use, as somebody writes it down: a list with commas of groups, kinds and names.

use std::fmt;

use jungle::Piece;

use super::Feature;
use super::list::{UnknownFeature, available, select};

/// The groups that a tree of one class uses unless told otherwise.
pub const USUAL: &[&str] = &["table3", "cones"];

/// Why there are no features to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceError {
    /// A name is unknown.
    Unknown(UnknownFeature),
    /// All are left out.
    Nothing,
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChoiceError::Unknown(error) => write!(f, "bad features: {error}"),
            ChoiceError::Nothing => f.write_str(
                "no features are left: name some with --features, or exclude fewer with --without",
            ),
        }
    }
}

impl std::error::Error for ChoiceError {}

/// The features for these pieces that `wanted` lists, or those of the `usual` groups, without those that
/// `without` lists. `any` is as for [`available`].
///
/// # Errors
///
/// If a name is unknown or nothing is left.
pub fn choose(
    pieces: &[Piece],
    any: bool,
    wanted: Option<&str>,
    without: Option<&str>,
    usual: &[&str],
) -> Result<Vec<Feature>, ChoiceError> {
    let all = available(pieces, any);
    let wanted = match wanted {
        Some(list) => words(list),
        // What does not exist for these pieces is not asked for.
        None => usual
            .iter()
            .filter(|name| all.iter().any(|(group, _)| group.name() == **name))
            .map(|name| (*name).to_owned())
            .collect(),
    };
    let mut chosen = select(&all, &wanted).map_err(ChoiceError::Unknown)?;
    if let Some(list) = without {
        let gone = select(&all, &words(list)).map_err(ChoiceError::Unknown)?;
        chosen.retain(|feature| !gone.iter().any(|other| other.name == feature.name));
    }
    if chosen.is_empty() { Err(ChoiceError::Nothing) } else { Ok(chosen) }
}

/// The words of a list with commas; those within brackets do not count.
fn words(list: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut depth = 0;
    for letter in list.chars() {
        match letter {
            ',' if depth == 0 => words.push(String::new()),
            _ => {
                depth += i32::from(letter == '(') - i32::from(letter == ')');
                words.last_mut().expect("there is one").push(letter);
            }
        }
    }
    words.into_iter().map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn commas_within_brackets_are_part_of_a_name() {
        assert_eq!(super::words("table3, gap(E,l),parity"), ["table3", "gap(E,l)", "parity"]);
        assert!(super::words(" , ").is_empty());
    }
}
