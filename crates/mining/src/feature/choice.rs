//! Feature selection from text: a comma-separated list of groups, kinds and names.

use jungle::Piece;

use super::Feature;
use super::list::{UnknownFeature, available, select};

/// The default groups for a tree of one class.
pub const USUAL: &[&str] = &["table3", "cones"];

/// Why no features were selected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// A name is unknown.
    #[error(transparent)]
    Unknown(#[from] UnknownFeature),
    /// All are left out.
    #[error("no features are left: choose more of them, or exclude fewer")]
    Nothing,
}

/// The features for these pieces that `wanted` lists, or those of the `usual` groups, without those
/// that `without` lists. `any` is as for [`available`].
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
        // Features that do not exist for these pieces are not requested.
        None => usual
            .iter()
            .filter(|name| all.iter().any(|(group, _)| group.name() == **name))
            .map(|name| (*name).to_owned())
            .collect(),
    };
    let mut chosen = select(&all, &wanted)?;
    if let Some(list) = without {
        let gone = select(&all, &words(list))?;
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
