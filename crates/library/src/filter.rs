//! Filters: which games are meant.

use jungle::Rules;
use jungle::pgn::GameResult;

use crate::day;
use crate::entry::{GameId, Kept, Source};
use crate::key::PositionKey;

/// Which games are meant: those that satisfy all that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Those with these names; any if there is none.
    pub ids: Vec<GameId>,
    /// Those that come from here.
    pub source: Option<Source>,
    /// Those of a player whose name has this in it, large and small letters alike.
    pub player: Option<String>,
    /// Those with this result.
    pub result: Option<GameResult>,
    /// Those by these rules.
    pub rules: Option<Rules>,
    /// Those of this day and later, or in this month or year and later; as [`Filter::day`] gives it.
    pub since: Option<String>,
    /// Those up to this day, month or year.
    pub until: Option<String>,
    /// Those in which this position occurred.
    pub position: Option<PositionKey>,
}

/// A text is not a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a day: write 2026-11-18, 2026-11 or 2026")]
pub struct BadDay(String);

impl Filter {
    /// A day, month or year as text: `2026-11-18`, `2026-11`, `2026`, or with points.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn day(text: &str) -> Result<String, BadDay> {
        day::given(text.trim()).ok_or_else(|| BadDay(text.to_owned()))
    }

    /// Whether it leaves nothing out.
    pub fn is_all(&self) -> bool {
        *self == Filter::default()
    }

    /// The first text that is after all days up to [`until`](Filter::until).
    pub(crate) fn after(&self) -> Option<String> {
        self.until.as_ref().map(|day| format!("{day}~"))
    }

    /// A player's name as it is compared.
    pub(crate) fn folded(name: &str) -> String {
        name.to_lowercase()
    }

    /// Whether a game is meant, its positions left aside.
    pub(crate) fn admits(&self, game: &Kept) -> bool {
        let day = |after: bool, limit: Option<&String>| {
            limit.is_none_or(|limit| {
                game.date.as_ref().is_some_and(|day| if after { day >= limit } else { day < limit })
            })
        };
        (self.ids.is_empty() || self.ids.contains(&game.id))
            && self.source.is_none_or(|source| source == game.source)
            && self.player.as_ref().is_none_or(|player| {
                let player = Filter::folded(player);
                [&game.white, &game.black]
                    .into_iter()
                    .any(|it| Filter::folded(it).contains(&player))
            })
            && self.result.is_none_or(|result| result.as_str() == game.result)
            && self.rules.is_none_or(|rules| rules.to_string() == game.rules)
            && day(true, self.since.as_ref())
            && day(false, self.after().as_ref())
    }
}

/// Which of the games found are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many are left out at the beginning.
    pub offset: u64,
    /// The most that are wanted.
    pub limit: u64,
}

impl Default for Page {
    fn default() -> Page {
        Page { offset: 0, limit: 50 }
    }
}
