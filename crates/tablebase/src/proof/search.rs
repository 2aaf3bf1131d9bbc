//! Finding proofs: parts, what their tempo tables say, and a search for a strategy that keeps the conditions.

use std::collections::{HashMap, HashSet};

use game::truth::{Truth, Wdl};
use jungle::board::{DEN, DENS, LAND};
use jungle::{Bitboard, ByColor, Color, Jungle, Move, Piece, Position, Rules, Square};

use super::certificate::{By, Certificate, Proof, Step};
use super::rest::Rest;
use crate::tempo::{Part, Passes};

/// The longest win that is looked for, in plies.
const LONGEST: u32 = 60;
/// How many plies longer than without other pieces a strategy may be.
const DETOUR: u32 = 8;
/// The most positions that are looked at for one part.
const MOST_NODES: usize = 100_000;

/// Finds proofs. The tables of parts that it has solved are kept.
pub struct Prover {
    rules: Rules,
    jungle: Jungle,
    within: Jungle,
    most: usize,
    tables: HashMap<(Vec<Piece>, bool, ByColor<bool>), Part>,
}

impl Prover {
    /// A prover that tries parts of up to so many pieces, at most three.
    pub fn new(rules: &Rules, most: usize) -> Prover {
        let jungle = Jungle::new(*rules);
        let within = jungle.within_part();
        Prover { rules: *rules, jungle, within, most: most.clamp(1, 3), tables: HashMap::new() }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// A proof, if one is found: by the smallest part, the player to move first.
    pub fn prove(&mut self, position: &Position) -> Option<Proof> {
        if self.jungle.ending(position).is_some() {
            return None;
        }
        let squares: Vec<Square> = position.occupied().into_iter().collect();
        for size in 1..=self.most.min(squares.len()) {
            for winner in [position.turn(), !position.turn()] {
                for part in subsets(&squares, size) {
                    let found = self.prove_by(position, winner, part);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }

    /// A proof by a given part.
    pub fn prove_by(
        &mut self,
        position: &Position,
        winner: Color,
        part: Bitboard,
    ) -> Option<Proof> {
        let ours = position.side(winner) & part;
        if ours.is_empty() {
            return None;
        }
        let far = position.side(!winner).without(part);
        if far.is_empty() && part.without(ours).is_empty() {
            return None;
        }
        if far.any() && !self.is_in_time(position, winner, ours, far) {
            return None;
        }
        let spares = spare_steps(position, winner, part);
        let found = self.prove_with(position, winner, part, None);
        if found.is_some() || part.without(ours).is_empty() {
            return found;
        }
        spares.into_iter().find_map(|spare| self.prove_with(position, winner, part, Some(spare)))
    }

    /// Whether the winner could be in the enemy's den before any far piece is in its own.
    fn is_in_time(
        &self,
        position: &Position,
        winner: Color,
        ours: Bitboard,
        far: Bitboard,
    ) -> bool {
        let fastest = |pieces: Bitboard, den: Square| -> u32 {
            let moves = pieces.into_iter().filter_map(|square| {
                let animal = position.animal_at(square)?;
                let movement = jungle::causality::Movement::of(animal, &self.rules);
                movement.distance(square, den).get()
            });
            moves.min().map_or(u32::MAX, u32::from)
        };
        let (our_moves, their_moves) = (fastest(ours, DEN[!winner]), fastest(far, DEN[winner]));
        if position.turn() == winner { our_moves <= their_moves } else { our_moves < their_moves }
    }

    fn prove_with(
        &mut self,
        position: &Position,
        winner: Color,
        part: Bitboard,
        spare: Option<[Square; 2]>,
    ) -> Option<Proof> {
        let is_far = !position.side(!winner).without(part).is_empty();
        let alone = alone(position, part);
        let (table, passes) = self.table(&alone, winner, spare.is_some(), is_far);
        let least = won_in(table.value(&alone, passes)?, alone.turn() == winner)?;
        let mut limit = least;
        while limit <= (least + DETOUR).min(LONGEST) {
            let rest =
                Rest::new(&self.jungle, position, winner, part, spare, limit as usize / 2 + 2);
            let (within, rules) = (&self.within, &self.rules);
            let table = &self.tables[&key(&alone, spare.is_some(), winner, is_far)];
            let mut search = Search {
                within,
                annihilation: rules.annihilation_wins,
                rest,
                table,
                passes,
                winner,
                first: alone.turn(),
                known: HashMap::new(),
                waited: false,
            };
            match search.wins(&alone, 0, limit) {
                None => return None,
                Some(true) => {
                    let mut strategy = Vec::new();
                    search.strategy(&alone, 0, &mut HashSet::new(), &mut strategy);
                    let runs = part.len() == 1;
                    let by = match (runs, search.waited) {
                        (true, _) => By::Race,
                        (false, false) => By::Part,
                        (false, true) => By::Tempo,
                    };
                    return Some(proof(position, winner, part, spare, limit, by, strategy));
                }
                Some(false) => limit += 2,
            }
        }
        None
    }

    /// The table of a part.
    fn table(
        &mut self,
        alone: &Position,
        winner: Color,
        spare: bool,
        is_far: bool,
    ) -> (&Part, [Passes; 2]) {
        let key = key(alone, spare, winner, is_far);
        let others = key.2;
        let passes = others_passes(others);
        let rules = self.rules;
        let table = self.tables.entry(key).or_insert_with_key(|(pieces, ..)| {
            Part::solve(&rules, pieces, others, passes.map(|passes| vec![passes]))
        });
        (table, passes)
    }
}

fn key(
    alone: &Position,
    spare: bool,
    winner: Color,
    is_far: bool,
) -> (Vec<Piece>, bool, ByColor<bool>) {
    let mut pieces: Vec<Piece> = alone.pieces().map(|(_, piece)| piece).collect();
    pieces.sort_by_key(|piece| (piece.color as usize, piece.animal.index()));
    let others = ByColor::from_fn(|color| if color == winner { spare } else { is_far });
    (pieces, spare, others)
}

fn others_passes(others: ByColor<bool>) -> [Passes; 2] {
    let of = |color: Color| if others[color] { Passes::Any } else { Passes::Times(0) };
    [of(Color::White), of(Color::Black)]
}

/// In how many plies the winner wins, if it does.
fn won_in(value: Truth, to_move: bool) -> Option<u32> {
    match value {
        Truth::Win(plies) if to_move => Some(plies),
        Truth::Loss(plies) if !to_move => Some(plies),
        _ => None,
    }
}

/// The pieces of a part alone on the board.
fn alone(position: &Position, part: Bitboard) -> Position {
    let pieces = position.pieces().filter(|(square, _)| part.contains(*square));
    let pieces: Vec<(Square, Piece)> = pieces.collect();
    Position::from_pieces(pieces, position.turn()).expect("parts of positions are positions")
}

/// All sets of so many squares.
fn subsets(squares: &[Square], size: usize) -> Vec<Bitboard> {
    if size == 0 {
        return vec![Bitboard::EMPTY];
    }
    let mut found = Vec::new();
    for (at, square) in squares.iter().enumerate() {
        let rest = subsets(&squares[at + 1..], size - 1);
        found.extend(rest.into_iter().map(|set| set | square.bitboard()));
    }
    found
}

/// Squares on land between which a piece beyond the part may step to and fro.
fn spare_steps(position: &Position, winner: Color, part: Bitboard) -> Vec<[Square; 2]> {
    let free = (!position.occupied() & LAND).without(DENS);
    let mut steps = Vec::new();
    for square in position.side(winner).without(part) & LAND {
        for beside in square.bitboard().neighbours() & free {
            steps.push([square, beside]);
        }
    }
    steps
}

fn proof(
    position: &Position,
    winner: Color,
    part: Bitboard,
    spare: Option<[Square; 2]>,
    plies: u32,
    by: By,
    strategy: Vec<Step>,
) -> Proof {
    let names = |squares: Bitboard| squares.into_iter().map(|square| square.to_string()).collect();
    let waits = by == By::Tempo;
    Proof {
        outcome: if winner == position.turn() { Wdl::Win } else { Wdl::Loss },
        plies,
        by,
        certificate: Certificate {
            fen: position.to_string(),
            winner,
            part: names(part),
            spare: spare.filter(|_| waits).map(|squares| squares.map(|square| square.to_string())),
            plies,
            strategy,
        },
    }
}

/// A search for a strategy within a number of plies.
struct Search<'a> {
    within: &'a Jungle,
    annihilation: bool,
    rest: Rest,
    table: &'a Part,
    passes: [Passes; 2],
    winner: Color,
    first: Color,
    /// By position and plies played: whether it is won, and by which move; the pass is none.
    known: HashMap<(Position, u32), (bool, Option<Move>)>,
    /// Whether the strategy passes.
    waited: bool,
}

/// What a move of the winner leads to.
enum Next {
    Won,
    To(Position),
}

impl Search<'_> {
    /// How many moves the enemy has made.
    fn moved(&self, played: u32) -> usize {
        let first = self.first != self.winner;
        (if first { played.div_ceil(2) } else { played / 2 }) as usize
    }

    /// Whether the winner wins within `left` plies; `None` if that is too much to search.
    fn wins(&mut self, position: &Position, played: u32, left: u32) -> Option<bool> {
        let to_move = position.turn() == self.winner;
        let value = self.table.value(position, self.passes);
        let least = value.and_then(|value| won_in(value, to_move));
        if least.is_none_or(|least| least > left) {
            return Some(false);
        }
        let at = (position.clone(), played);
        if let Some((won, _)) = self.known.get(&at) {
            return Some(*won);
        }
        if self.known.len() >= MOST_NODES {
            return None;
        }
        let (won, mv) = if to_move {
            self.attack(position, played, left)?
        } else {
            (self.defend(position, played, left)?, None)
        };
        self.known.insert(at, (won, mv));
        Some(won)
    }

    /// The winner's moves that keep the conditions, the quickest first; the pass is none.
    fn choices(&self, position: &Position, played: u32) -> Vec<(Option<Move>, Next)> {
        let moved = self.moved(played);
        let mut moves = Vec::new();
        self.within.for_each_capture(position, |mv| moves.push(mv));
        self.within.for_each_quiet(position, |mv| moves.push(mv));
        let mut found: Vec<(u32, Option<Move>, Next)> = Vec::new();
        let mut consider = |mv: Option<Move>, next: Position| {
            let value = self.table.value(&next, self.passes);
            let plies = value.and_then(|value| won_in(value, false));
            if let Some(plies) = plies
                && self.rest.spares(&next, moved + 1)
            {
                found.push((plies + 1, mv, Next::To(next)));
            }
        };
        let mut won = Vec::new();
        for mv in moves {
            if !self.rest.lets_pass(mv.animal, mv.from, mv.to, moved) {
                continue;
            }
            let mut next = position.clone();
            next.make(mv);
            let taken_all = next.side(!self.winner).is_empty();
            if mv.to == DEN[!self.winner] || taken_all && !self.rest.is_far() && self.annihilation {
                won.push((Some(mv), Next::Won));
            } else {
                consider(Some(mv), next);
            }
        }
        if self.rest.spare.is_some() {
            let spare = self.rest.spare_squares();
            let safe = !self.rest.reached(moved + 1).intersects(spare);
            if safe {
                consider(None, position.with_turn(!position.turn()));
            }
        }
        found.sort_by_key(|(plies, ..)| *plies);
        won.extend(found.into_iter().map(|(_, mv, next)| (mv, next)));
        won
    }

    fn attack(
        &mut self,
        position: &Position,
        played: u32,
        left: u32,
    ) -> Option<(bool, Option<Move>)> {
        for (mv, next) in self.choices(position, played) {
            let won = match next {
                Next::Won => true,
                Next::To(next) => self.wins(&next, played + 1, left - 1)?,
            };
            if won {
                return Some((true, mv));
            }
        }
        Some((false, None))
    }

    /// What the enemy can play; `None` if something of it is out of bounds.
    fn replies(&self, position: &Position, played: u32) -> Option<Vec<Position>> {
        let moved = self.moved(played);
        if self.rest.enters(moved + 1) || !self.rest.spares(position, moved + 1) {
            return None;
        }
        let mut moves = Vec::new();
        self.within.for_each_capture(position, |mv| moves.push(mv));
        self.within.for_each_quiet(position, |mv| moves.push(mv));
        let spare = self.rest.spare_squares();
        let mut replies = Vec::new();
        let mut certain = false;
        for mv in moves {
            if mv.to == DEN[self.winner] || spare.contains(mv.to) {
                return None;
            }
            certain |= self.rest.leaves(mv.from, mv.to, moved);
            let mut next = position.clone();
            next.make(mv);
            if next.side(self.winner).is_empty() {
                return None;
            }
            replies.push(next);
        }
        if self.rest.is_far() {
            replies.push(position.with_turn(!position.turn()));
        }
        if self.rest.stuck_draws && !certain {
            let near = self.rest.reached(moved + 1);
            let ours = self.rest.still | self.rest.spare_squares() | position.side(self.winner);
            let gone = position.side(!self.winner).is_empty();
            let roams = self.rest.is_far() && gone && !near.intersects(ours);
            if !roams {
                return None;
            }
        }
        Some(replies)
    }

    fn defend(&mut self, position: &Position, played: u32, left: u32) -> Option<bool> {
        let Some(replies) = self.replies(position, played) else { return Some(false) };
        for next in replies {
            if left == 0 || !self.wins(&next, played + 1, left - 1)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Writes down what the winner plays.
    fn strategy(
        &mut self,
        position: &Position,
        played: u32,
        seen: &mut HashSet<(Position, u32)>,
        steps: &mut Vec<Step>,
    ) {
        if !seen.insert((position.clone(), played)) {
            return;
        }
        if position.turn() != self.winner {
            for next in self.replies(position, played).unwrap_or_default() {
                self.strategy(&next, played + 1, seen, steps);
            }
            return;
        }
        let Some(&(true, chosen)) = self.known.get(&(position.clone(), played)) else { return };
        self.waited |= chosen.is_none();
        let text = chosen.map_or_else(|| "pass".to_owned(), |mv| mv.to_string());
        steps.push(Step { after: played, position: position.to_string(), mv: text });
        let next = match chosen {
            None => position.with_turn(!position.turn()),
            Some(mv) if mv.to == DEN[!self.winner] => return,
            Some(mv) => {
                let mut next = position.clone();
                next.make(mv);
                if next.side(!self.winner).is_empty() && !self.rest.is_far() && self.annihilation {
                    return;
                }
                next
            }
        };
        self.strategy(&next, played + 1, seen, steps);
    }
}
