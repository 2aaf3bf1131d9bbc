//! What came out of mining, for people.

use std::collections::BTreeMap;
use std::fmt;

use super::{Filter, Funnel, MOST_LEVELS, Options, Unit, by_level};
use crate::rate::{Found, LEVELS};
use crate::theme::Theme;
use crate::{Goal, Proof, Puzzle};

/// What came out of mining.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    options: Options,
    tables: (usize, Funnel),
    games: (usize, Funnel),
    selected: usize,
    levels: [usize; LEVELS],
    nobody: usize,
    kept: Kept,
}

/// A collection, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// All.
    pub puzzles: usize,
    /// By how they are proved.
    pub search: usize,
    /// How many are draws to be held.
    pub draws: usize,
    /// With Red to move.
    pub red: usize,
    /// By the number of pieces.
    pub pieces: BTreeMap<u32, usize>,
    /// By the plies of the solution.
    pub plies: BTreeMap<usize, usize>,
    /// By rating, in steps of 300.
    pub ratings: BTreeMap<u32, usize>,
    /// By theme.
    pub themes: Vec<(Theme, usize)>,
}

impl Kept {
    /// Counts.
    pub fn of(puzzles: &[Puzzle]) -> Kept {
        let mut kept = Kept { puzzles: puzzles.len(), ..Kept::default() };
        for puzzle in puzzles {
            kept.search += usize::from(puzzle.proof == Proof::Search);
            kept.draws += usize::from(puzzle.goal == Goal::Draw);
            kept.red += usize::from(puzzle.start.turn() == jungle::Color::White);
            *kept.pieces.entry(puzzle.pieces()).or_default() += 1;
            *kept.plies.entry(puzzle.solution.len()).or_default() += 1;
            *kept.ratings.entry(puzzle.rating / 300 * 300).or_default() += 1;
        }
        let with = |theme: Theme| puzzles.iter().filter(|one| one.themes.contains(theme)).count();
        kept.themes = Theme::ALL.into_iter().map(|theme| (theme, with(theme))).collect();
        kept
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Kept { puzzles, search, draws, red, .. } = self;
        writeln!(
            f,
            "{puzzles} puzzles: {} proved by tables, {search} by search; {} to win, {draws} to hold; {red} with Red to move",
            puzzles - search,
            puzzles - draws
        )?;
        let list = |items: Vec<String>| items.join(", ");
        let pieces = self.pieces.iter().map(|(n, count)| format!("{n}: {count}")).collect();
        writeln!(f, "by pieces   {}", list(pieces))?;
        let plies = self.plies.iter().map(|(n, count)| format!("{n}: {count}")).collect();
        writeln!(f, "by plies    {}", list(plies))?;
        let ratings = |(from, count): (&u32, &usize)| format!("{from}-{}: {count}", from + 299);
        writeln!(f, "by rating   {}", list(self.ratings.iter().map(ratings).collect()))?;
        let themes = self.themes.iter().map(|(theme, count)| format!("{theme}: {count}")).collect();
        writeln!(f, "by theme    {}", list(themes))
    }
}

impl Report {
    pub(super) fn new(
        options: &Options,
        units: &[Unit],
        selected: &[Puzzle],
        levels: &[Found],
        kept: &[Puzzle],
    ) -> Report {
        let sum = |games: bool| {
            let of = units.iter().filter(|unit| unit.name.starts_with("games") == games);
            of.fold((0, Funnel::default()), |(units, sum), unit| {
                (units + 1, std::array::from_fn(|at| sum[at] + unit.funnel[at]))
            })
        };
        Report {
            options: options.clone(),
            tables: sum(false),
            games: sum(true),
            selected: selected.len(),
            levels: by_level(levels),
            nobody: levels.iter().filter(|found| found.levels() == 0).count(),
            kept: Kept::of(kept),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { options, tables, games, .. } = self;
        writeln!(
            f,
            "{} classes of up to {} pieces and {} games, seed {}, rules {}\n",
            tables.0, options.pieces, options.games, options.seed, options.rules
        )?;
        writeln!(f, "{:<62}{:>12}{:>12}", "survive", "tables", "games")?;
        for filter in Filter::ALL {
            let at = filter as usize;
            writeln!(f, "{:<62}{:>12}{:>12}", filter.about(), tables.1[at], games.1[at])?;
        }
        let (selected, kept) = (self.selected, self.kept.puzzles);
        writeln!(f, "{:<62}{selected:>24}", "selected for variety, and tried by the levels")?;
        let hard = format!("found by at most {MOST_LEVELS} of {LEVELS} levels");
        writeln!(f, "{hard:<62}{kept:>24}\n")?;
        writeln!(f, "how many of the {selected} each level finds, 0 to 20:")?;
        for (level, found) in self.levels.iter().enumerate() {
            writeln!(f, "  level {level:>2}{found:>7}{:>7.1} %", percent(*found, selected))?;
        }
        writeln!(f, "  no level{:>7}{:>7.1} %\n", self.nobody, percent(self.nobody, selected))?;
        write!(f, "{}", self.kept)
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
