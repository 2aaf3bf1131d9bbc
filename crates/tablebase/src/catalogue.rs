//! What the tables of a class know that is worth looking at: mutual zugzwangs, fortresses, wins by one move only.
//!
//! Every placement is looked at with either side to move; mirror images are counted apart, as in statistics.
//!
//! - A **mutual zugzwang** is worth less to each side if it is its turn than if it were the other's. It is *full* if
//!   whoever moves loses, else *half*: whoever moves draws or loses what would be won or drawn.
//! - A **fortress** is drawn whoever is to move, though one side has less: fewer pieces, or as many of which none is
//!   stronger than the other side's, pair by pair in the order of strength, and one is weaker.
//! - An **only move** is the only one that wins, where others could be made.

use game::truth::Truth;
use jungle::{AnimalSet, Color, Position, Rules};
use rayon::prelude::*;

use crate::class::{ClassValues, Loader};
use crate::lookahead::Lookahead;
use crate::material::Material;
use crate::probe::ProbeError;

/// Positions of a kind.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    /// How many there are, mirror images counted apart.
    pub count: u64,
    /// The one with the longest way to the end of the game, the first of several; for a fortress, the first.
    pub example: Option<Example>,
}

/// A position of a kind.
#[derive(Clone, Debug)]
pub struct Example {
    /// The position.
    pub position: Position,
    /// What it is worth to the player to move.
    pub value: Truth,
    /// By what the longest is found.
    plies: u32,
}

/// The catalogue of a class.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// The class.
    pub class: Material,
    /// How many placements of its pieces there are.
    pub placements: u64,
    /// Placements in which whoever moves loses.
    pub full_zugzwangs: Kind,
    /// Placements in which whoever moves does worse than if the other moved, but not both lose.
    pub half_zugzwangs: Kind,
    /// The side with less, if one has.
    pub weaker: Option<Color>,
    /// Placements that are drawn whoever moves, although one side has less.
    pub fortresses: Kind,
    /// Positions, with either side to move, that are won.
    pub wins: u64,
    /// Those of them that only one of several moves wins.
    pub only_moves: Kind,
}

impl Kind {
    /// The findings of both, `self` first.
    fn plus(self, later: Kind) -> Kind {
        let longer = |one: &Example, other: &Example| other.plies > one.plies;
        let example = match (self.example, later.example) {
            (Some(one), Some(other)) => Some(if longer(&one, &other) { other } else { one }),
            (one, other) => one.or(other),
        };
        Kind { count: self.count + later.count, example }
    }

    fn add(
        &mut self,
        weight: u64,
        plies: u32,
        value: Truth,
        position: impl FnOnce() -> Option<Position>,
    ) {
        self.count += weight;
        if self.example.as_ref().is_none_or(|example| plies > example.plies) {
            let position = position();
            self.example = position.map(|position| Example { position, value, plies });
        }
    }
}

impl Catalogue {
    fn new(class: Material, rules: &Rules) -> Catalogue {
        let (empty, weaker) = (Kind::default, weaker(rules, class));
        Catalogue {
            class,
            placements: 0,
            full_zugzwangs: empty(),
            half_zugzwangs: empty(),
            weaker,
            fortresses: empty(),
            wins: 0,
            only_moves: empty(),
        }
    }

    /// Those of both, `self` first.
    fn plus(self, later: Catalogue) -> Catalogue {
        Catalogue {
            class: self.class,
            placements: self.placements + later.placements,
            full_zugzwangs: self.full_zugzwangs.plus(later.full_zugzwangs),
            half_zugzwangs: self.half_zugzwangs.plus(later.half_zugzwangs),
            weaker: self.weaker,
            fortresses: self.fortresses.plus(later.fortresses),
            wins: self.wins + later.wins,
            only_moves: self.only_moves.plus(later.only_moves),
        }
    }

    /// Goes through the placements of a row.
    fn row(&mut self, values: &ClassValues, ahead: &Lookahead, row: usize) {
        let mut white = Vec::new();
        values.row(row, Color::White, |at| white.push(at.value));
        let (mut white, mut moves) = (white.into_iter(), Vec::new());
        values.row(row, Color::Black, |at| {
            let Some(white) = white.next() else { return };
            let (black, weight) = (at.value, at.weight);
            let with = |turn| values.position(at.squares, turn);
            self.placements += weight;
            if white.outcome() < black.outcome().reversed() {
                let kind = match (white, black) {
                    (Truth::Loss(_), Truth::Loss(_)) => &mut self.full_zugzwangs,
                    _ => &mut self.half_zugzwangs,
                };
                let plies = white.plies().unwrap_or(0) + black.plies().unwrap_or(0);
                kind.add(weight, plies, white, || with(Color::White));
            }
            if self.weaker.is_some() && (white, black) == (Truth::Draw, Truth::Draw) {
                self.fortresses.add(weight, 0, Truth::Draw, || with(Color::White));
            }
            for (turn, value) in [(Color::White, white), (Color::Black, black)] {
                let Truth::Win(plies) = value else { continue };
                self.wins += weight;
                if ahead.is_only_win(at.squares, turn, &mut moves) {
                    self.only_moves.add(weight, plies, value, || with(turn));
                }
            }
        });
    }
}

/// Goes through all positions of a class.
///
/// # Errors
///
/// If a table that is needed is missing or damaged, or the class has too many pieces.
pub fn catalogue(loader: &mut Loader<'_>, class: Material) -> Result<Catalogue, ProbeError> {
    let tablebase = loader.tablebase();
    let values = loader.load(class)?;
    let ahead = Lookahead::new(loader, tablebase.jungle(), values.pieces())?;
    let empty = || Catalogue::new(class, tablebase.rules());
    let rows = (0..values.rows()).into_par_iter().with_min_len(64);
    let found = rows.fold(empty, |mut found, row| {
        found.row(&values, &ahead, row);
        found
    });
    Ok(found.reduce(empty, Catalogue::plus))
}

/// The side with less.
fn weaker(rules: &Rules, class: Material) -> Option<Color> {
    let (white, black) = (strengths(rules, class.white), strengths(rules, class.black));
    if white.len() != black.len() {
        return Some(if white.len() < black.len() { Color::White } else { Color::Black });
    }
    let none_above = |one: &[usize], other: &[usize]| one.iter().zip(other).all(|(a, b)| a <= b);
    match (none_above(&white, &black), none_above(&black, &white)) {
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        _ => None,
    }
}

/// The ranks of the animals, in ascending order.
fn strengths(rules: &Rules, animals: AnimalSet) -> Vec<usize> {
    let mut ranks: Vec<usize> =
        animals.iter().map(|animal| rules.by_strength(animal).index()).collect();
    ranks.sort_unstable();
    ranks
}

#[cfg(test)]
mod tests {
    use jungle::{Rules, Square};

    use super::*;
    use crate::build::{Wanted, in_memory};
    use crate::probe::Tablebase;

    /// All positions of a class, found without rows and weights.
    fn by_probing(tablebase: &Tablebase, class: Material) -> [u64; 6] {
        let mut found = [0; 6];
        for white in Square::ALL {
            for black in Square::ALL.into_iter().filter(|&black| black != white) {
                let placed = || [white, black].into_iter().zip(class.in_order());
                let Ok(position) = Position::from_pieces(placed(), Color::White) else { continue };
                let turned = position.with_turn(Color::Black);
                let truths = [position, turned].map(|position| {
                    let is_over = tablebase.jungle().decided(&position).is_some();
                    (!is_over).then(|| tablebase.probe_position(&position).unwrap())
                });
                let [Some(white), Some(black)] = truths else { continue };
                found[0] += 1;
                let is_less = |one: Truth, other: Truth| one.outcome() < other.outcome().reversed();
                let losses = [&white, &black].map(|probed| matches!(probed.value, Truth::Loss(_)));
                found[1] += u64::from(losses == [true; 2]);
                found[2] += u64::from(is_less(white.value, black.value) && losses != [true; 2]);
                found[3] += u64::from([white.value, black.value] == [Truth::Draw; 2]);
                for probed in [white, black] {
                    let wins = |value| matches!(value, Truth::Win(_));
                    let winning = probed.moves.iter().filter(|mv| wins(mv.value)).count();
                    found[4] += u64::from(wins(probed.value));
                    found[5] += u64::from(winning == 1 && probed.moves.len() > 1);
                }
            }
        }
        found
    }

    #[test]
    fn a_catalogue_has_what_probing_finds() {
        for rules in [Rules::LEIDEN, Rules::STANDARD] {
            let files = in_memory(&rules, &Wanted::Pieces(2)).unwrap();
            let tablebase = Tablebase::new(&rules, 2, files);
            let mut loader = Loader::new(&tablebase);
            let mut kinds = [false; 4];
            for name in ["C-C", "E-T", "R-E", "D-W", "P-L"] {
                let class: Material = name.parse().unwrap();
                let [placements, full, half, drawn, wins, only] = by_probing(&tablebase, class);
                let found = catalogue(&mut loader, class).unwrap();
                assert_eq!((found.placements, found.wins), (placements, wins), "{name}");
                assert_eq!(found.full_zugzwangs.count, full, "{name}");
                assert_eq!(found.half_zugzwangs.count, half, "{name}");
                assert_eq!(found.only_moves.count, only, "{name}");
                let fortresses = if found.weaker.is_some() { drawn } else { 0 };
                assert_eq!(found.fortresses.count, fortresses, "{name}");
                let of_kind = [
                    &found.full_zugzwangs,
                    &found.half_zugzwangs,
                    &found.fortresses,
                    &found.only_moves,
                ];
                for (kind, seen) in of_kind.into_iter().zip(&mut kinds) {
                    assert_eq!(kind.example.is_some(), kind.count > 0);
                    let Some(Example { position, value, .. }) = &kind.example else { continue };
                    *seen = true;
                    assert_eq!(Material::of(position), class);
                    assert_eq!(tablebase.probe(position).unwrap(), *value);
                }
            }
            assert!(kinds.iter().any(|&seen| seen) && kinds[3]);
        }
    }

    #[test]
    fn less_is_fewer_or_weaker_throughout() {
        let weaker = |class: &str| weaker(&Rules::LEIDEN, class.parse().unwrap());
        assert_eq!(weaker("EL-T"), Some(Color::Black));
        assert_eq!(weaker("L-E"), Some(Color::White));
        assert_eq!(weaker("TC-LW"), Some(Color::White));
        assert_eq!((weaker("TC-ER"), weaker("T-T")), (None, None));
        let standard = super::weaker(&Rules::STANDARD, "W-D".parse().unwrap());
        assert_eq!((weaker("W-D"), standard), (Some(Color::White), Some(Color::Black)));
    }
}
