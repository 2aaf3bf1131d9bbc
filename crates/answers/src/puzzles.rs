//! Puzzles: a collection, chosen from by theme and rating, and the puzzle of the day.

use std::time::{SystemTime, UNIX_EPOCH};

use puzzles::{Book, Date, Puzzle, Theme};
use serde::{Deserialize, Serialize};

use crate::refusal::{Kind, Refusal};

/// Which puzzles.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct PuzzlesRequest {
    /// The puzzle of this name alone.
    pub id: Option<String>,
    /// Those with this theme.
    #[cfg_attr(feature = "openapi", param(example = "block-jump"))]
    pub theme: Option<String>,
    /// Those rated this or higher.
    pub from: Option<u32>,
    /// Those rated this or lower.
    pub to: Option<u32>,
    /// At most so many; all if left out.
    pub limit: Option<usize>,
}

/// Which day.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct DailyRequest {
    /// The day; today (UTC) if left out.
    #[cfg_attr(feature = "openapi", param(example = "2026-12-24"))]
    pub date: Option<String>,
}

/// A puzzle: exactly one move keeps the result, and after every reply exactly one again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleDocument {
    /// Its name.
    pub id: String,
    /// The rules.
    pub rules: String,
    /// The position; the solver is to move.
    pub fen: String,
    /// What the solver has to keep: `win` or `draw`.
    pub goal: &'static str,
    /// The moves of both sides as coordinates, the solver's first and last.
    pub solution: Vec<String>,
    /// What it is about.
    pub themes: Vec<&'static str>,
    /// How hard it is, on the scale of the engine's levels.
    pub rating: u32,
    /// How every node of the solution is proved: `tables` or `search`.
    pub proved: &'static str,
}

/// Puzzles that were asked for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PuzzleList {
    /// How many there are in all.
    pub count: usize,
    /// How many there are of each theme.
    pub themes: Vec<ThemeCount>,
    /// Those asked for.
    pub puzzles: Vec<PuzzleDocument>,
}

/// How many puzzles have a theme.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ThemeCount {
    /// The theme.
    pub theme: &'static str,
    /// What it means.
    pub about: &'static str,
    /// How many have it.
    pub count: usize,
}

impl PuzzleDocument {
    /// A puzzle as a document.
    pub fn of(puzzle: &Puzzle) -> PuzzleDocument {
        PuzzleDocument {
            id: puzzle.id.clone(),
            rules: puzzle.rules.to_string(),
            fen: puzzle.fen(),
            goal: puzzle.goal.name(),
            solution: puzzle.solution.iter().map(ToString::to_string).collect(),
            themes: puzzle.themes.iter().map(Theme::name).collect(),
            rating: puzzle.rating,
            proved: puzzle.proof.name(),
        }
    }
}

impl PuzzlesRequest {
    /// The puzzles of a book that are asked for.
    ///
    /// # Errors
    ///
    /// If there is no such theme or puzzle.
    pub fn answer(&self, book: &Book) -> Result<PuzzleList, Refusal> {
        let theme: Option<Theme> = match &self.theme {
            Some(name) => {
                Some(name.parse().map_err(|error| Refusal::because(Kind::Bad, "theme", error))?)
            }
            None => None,
        };
        if let Some(id) = self.id.as_ref().filter(|id| book.find(id).is_none()) {
            return Err(Refusal::missing("no-puzzle", format!("there is no puzzle '{id}'")));
        }
        let ratings = self.from.unwrap_or(0)..=self.to.unwrap_or(u32::MAX);
        let wanted = |puzzle: &&Puzzle| {
            self.id.as_ref().is_none_or(|id| puzzle.id == *id)
                && theme.is_none_or(|theme| puzzle.themes.contains(theme))
                && ratings.contains(&puzzle.rating)
        };
        let all = book.puzzles();
        let count = |theme: Theme| all.iter().filter(|one| one.themes.contains(theme)).count();
        let chosen = all.iter().filter(wanted).take(self.limit.unwrap_or(usize::MAX));
        Ok(PuzzleList {
            count: all.len(),
            themes: Theme::ALL
                .into_iter()
                .map(|theme| ThemeCount {
                    theme: theme.name(),
                    about: theme.about(),
                    count: count(theme),
                })
                .collect(),
            puzzles: chosen.map(PuzzleDocument::of).collect(),
        })
    }
}

impl DailyRequest {
    /// The puzzle of the day.
    ///
    /// # Errors
    ///
    /// If it is not a date, or the book is empty.
    pub fn answer(&self, book: &Book) -> Result<PuzzleDocument, Refusal> {
        let date = match &self.date {
            Some(text) => {
                text.parse().map_err(|error| Refusal::because(Kind::Bad, "date", error))?
            }
            None => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Date::from_number((now.as_secs() / 86_400) as i64)
            }
        };
        let puzzle = book.daily(date).map(PuzzleDocument::of);
        puzzle.ok_or_else(|| Refusal::missing("no-puzzle", "there are no puzzles"))
    }
}
