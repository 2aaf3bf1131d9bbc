//! Repair by enumeration: small changes of a drawing, tried until every claim holds.
//!
//! A change turns a square into something else: water, land, a trap, or one of a few pieces. Entrances stay
//! open. Candidates are tried in order, those with fewer changes first, and thrown away at the first
//! claim that fails; claims that were cheap to decide before are tried first.

use jungle::board::Terrain;
use jungle::{Animal, Color};

use crate::board::{Board, Cell};
use crate::gadget::Gadget;
use crate::generalised::BoardRules;
use crate::geometry::Spot;
use crate::lemma::Claim;

/// What a square can be changed to.
const CELLS: [Cell; 11] = [
    Cell::empty(Terrain::Water),
    Cell::empty(Terrain::Land),
    Cell::empty(Terrain::Trap(Color::White)),
    Cell::empty(Terrain::Trap(Color::Black)),
    Cell::occupied(Color::White, Animal::Cat),
    Cell::occupied(Color::White, Animal::Dog),
    Cell::occupied(Color::White, Animal::Panther),
    Cell::occupied(Color::White, Animal::Elephant),
    Cell::occupied(Color::Black, Animal::Dog),
    Cell::occupied(Color::Black, Animal::Panther),
    Cell::occupied(Color::Black, Animal::Elephant),
];

/// The result of a repair search.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The first gadget whose claims all hold.
    pub gadget: Option<Gadget>,
    /// How many changed drawings were tried.
    pub tried: usize,
    /// How many of them were given up because a claim had too many states.
    pub undecided: usize,
}

/// Searches for a repair: tries all ways to change one square, then (if `changes` is 2) all ways to change two,
/// until the claims hold. `limit` bounds the states of a single claim; `progress` gets the number tried.
pub fn repair(
    claims: &[Claim],
    changes: usize,
    rules: impl Into<BoardRules>,
    limit: usize,
    mut progress: impl FnMut(usize),
) -> Repair {
    let rules = rules.into();
    let mut found = Repair { gadget: None, tried: 0, undecided: 0 };
    let Some(first) = claims.first() else { return found };
    let gadget = &first.gadget;
    let mut order: Vec<(usize, &Claim)> = claims
        .iter()
        .map(|claim| {
            let verdict = claim.decide(rules, limit);
            // Claims that fail as drawn throw away most candidates.
            (if verdict.holds == Some(true) { verdict.states } else { verdict.states / 8 }, claim)
        })
        .collect();
    order.sort_by_key(|&(states, _)| states);
    let landings: Vec<usize> =
        gadget.ports.iter().filter_map(|port| port.landing(gadget.board.geometry())).collect();
    let squares: Vec<usize> =
        (0..gadget.board.geometry().len()).filter(|spot| !landings.contains(spot)).collect();
    let mut attempt = |edits: &[(Spot, Cell)]| -> bool {
        let Some(changed) = edited(gadget, edits) else { return false };
        found.tried += 1;
        progress(found.tried);
        for (_, claim) in &order {
            let verdict =
                Claim { gadget: changed.clone(), ..(*claim).clone() }.decide(rules, limit);
            match verdict.holds {
                Some(true) => {}
                Some(false) => return false,
                None => {
                    found.undecided += 1;
                    return false;
                }
            }
        }
        found.gadget = Some(changed);
        true
    };
    for &square in &squares {
        for cell in CELLS {
            if attempt(&[(square, cell)]) {
                return found;
            }
        }
    }
    if changes >= 2 {
        for (nth, &one) in squares.iter().enumerate() {
            for &two in &squares[nth + 1..] {
                for first in CELLS {
                    for second in CELLS {
                        if attempt(&[(one, first), (two, second)]) {
                            return found;
                        }
                    }
                }
            }
        }
    }
    found
}

/// The gadget with some squares changed; `None` if nothing changes or a port closes.
fn edited(gadget: &Gadget, edits: &[(Spot, Cell)]) -> Option<Gadget> {
    let width = gadget.board.geometry().width();
    let mut rows = gadget.board.rows();
    for &(spot, cell) in edits {
        let square = rows.get_mut(spot / width)?.get_mut(spot % width)?;
        if *square == cell {
            return None;
        }
        *square = cell;
    }
    let board = Board::from_rows(&rows, gadget.board.turn());
    let geometry = board.geometry();
    // Land on the border would be a new entrance.
    let border = (0..geometry.len()).filter(|&spot| {
        let (row, column) = (geometry.row(spot), geometry.column(spot));
        row == 0 || column == 0 || row + 1 == geometry.height() || column + 1 == geometry.width()
    });
    let old = gadget.board.geometry();
    let walls = border.into_iter().all(|spot| {
        old.terrain(spot) != Terrain::Water || geometry.terrain(spot) == Terrain::Water
    });
    let open = gadget.ports.iter().all(|port| port.landing(geometry) == port.landing(old));
    (walls && open).then(|| Gadget { board, ..gadget.clone() })
}

#[cfg(test)]
mod tests {
    use jungle::Rules;

    use super::*;
    use crate::lemma;

    /// The relay with plain land where its trap is: the elephant walks up to the lion and takes it.
    /// One change repairs it.
    #[test]
    fn the_search_finds_the_trap_of_the_relay() {
        let mut claims: Vec<Claim> = lemma::mended()
            .into_iter()
            .filter(|claim| claim.gadget.name == "mended-relay")
            .collect();
        for claim in &mut claims {
            claim.gadget.board = ".~~.\ne.~.\n~L~~\n".parse().unwrap();
        }
        assert!(
            claims.iter().any(|claim| claim.decide(Rules::LEIDEN, 10_000).holds == Some(false))
        );
        let found = repair(&claims, 1, Rules::LEIDEN, 10_000, |_| ());
        let drawing = found.gadget.unwrap().board.to_string();
        assert_eq!(drawing, ".~~.\new~.\n~L~~\n");
    }
}
