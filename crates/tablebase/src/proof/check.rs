//! The checker of certificates: it plays a strategy through against every reply.
//!
//! It is written to be read beside the conditions in the [module](super), and shares nothing with the search: moves come from
//! the reference generator of `jungle::naive`, distances from walks of lone pieces by the same, and whether one animal
//! takes another from a board with the two of them. A certificate that it accepts needs no trust in tables.

use std::collections::{HashMap, HashSet};

use game::Game;
use jungle::board::{self, DEN, Terrain};
use jungle::naive::{Board, Naive};
use jungle::rules::{NoLegalMove, Traps};
use jungle::{Animal, Color, Move, Piece, Position, Rules, Square};

use super::Certificate;

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A text is not what it should be.
    #[error("'{0}' is not a position, a square or a move")]
    Text(String),
    /// The part or the spare do not stand in the position.
    #[error("there is no such part in the position")]
    Part,
    /// The strategy has no answer.
    #[error("there is no move for {position} after {after} plies")]
    Silent {
        /// The pieces of the part.
        position: String,
        /// How many plies had been played.
        after: u32,
    },
    /// The strategy's move is not a move, or can be stopped.
    #[error("{mv} cannot be relied on in {position} after {after} plies")]
    Move {
        /// The pieces of the part.
        position: String,
        /// How many plies had been played.
        after: u32,
        /// The move.
        mv: String,
    },
    /// The enemy has a way out.
    #[error("the enemy is not lost in {position} after {after} plies: {how}")]
    Enemy {
        /// The pieces of the part.
        position: String,
        /// How many plies had been played.
        after: u32,
        /// What is wrong.
        how: &'static str,
    },
}

type Pieces = Vec<(Square, Piece)>;

/// Whether a certificate proves what it says, under these rules.
///
/// # Errors
///
/// Says what it does not prove.
pub fn check(certificate: &Certificate, rules: &Rules) -> Result<(), Fault> {
    let whole: Position =
        certificate.fen.parse().map_err(|_| Fault::Text(certificate.fen.clone()))?;
    let squares: HashSet<Square> =
        certificate.part.iter().map(|text| square(text)).collect::<Result<_, _>>()?;
    let all: Pieces = whole.pieces().collect();
    let part: Pieces = all.iter().copied().filter(|(at, _)| squares.contains(at)).collect();
    if part.len() != squares.len()
        || !part.iter().any(|(_, piece)| piece.color == certificate.winner)
    {
        return Err(Fault::Part);
    }
    let rest: Pieces = all.iter().copied().filter(|(at, _)| !squares.contains(at)).collect();
    let spare = match &certificate.spare {
        None => Vec::new(),
        Some(texts) => texts.iter().map(|text| square(text)).collect::<Result<Vec<_>, _>>()?,
    };
    if let [from, to] = spare[..] {
        let own = rest.iter().any(|(at, one)| *at == from && one.color == certificate.winner);
        let land = |at: Square| matches!(board::terrain(at), Terrain::Land | Terrain::Trap(_));
        let step = from.file().abs_diff(to.file()) + from.rank().abs_diff(to.rank()) == 1;
        let free = all.iter().all(|(at, _)| *at != to);
        if !(own && land(from) && land(to) && step && free) {
            return Err(Fault::Part);
        }
    }
    let mut strategy = HashMap::new();
    for step in &certificate.strategy {
        strategy.insert((step.after, step.position.clone()), step.mv.clone());
    }
    let (winner, first) = (certificate.winner, whole.turn());
    let mut check = Check {
        rules: *rules,
        within: Naive { rules: Rules { annihilation_wins: false, ..*rules } },
        winner,
        first,
        far: Vec::new(),
        still: rest.iter().copied().filter(|(_, one)| one.color == winner).collect(),
        spare,
        strategy,
        plies: certificate.plies,
        met: HashSet::new(),
    };
    for (at, piece) in rest.into_iter().filter(|(_, one)| one.color != winner) {
        check.far.push((piece.animal, check.walk(at, piece)));
    }
    check.play(&part, first, 0)
}

fn square(text: &str) -> Result<Square, Fault> {
    text.parse().map_err(|_| Fault::Text(text.to_owned()))
}

struct Check {
    rules: Rules,
    /// The game of a part, where taking the last piece decides nothing.
    within: Naive,
    winner: Color,
    first: Color,
    /// Far animals, with how many moves every square is away.
    far: Vec<(Animal, HashMap<Square, usize>)>,
    still: Pieces,
    spare: Vec<Square>,
    strategy: HashMap<(u32, String), String>,
    plies: u32,
    met: HashSet<(String, u32)>,
}

impl Check {
    /// How many moves a piece needs to every square when it is alone.
    fn walk(&self, from: Square, piece: Piece) -> HashMap<Square, usize> {
        let mut away = HashMap::from([(from, 0)]);
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for mv in self.moves(&[(at, piece)], piece.color) {
                if !away.contains_key(&mv.to) {
                    away.insert(mv.to, away[&at] + 1);
                    queue.push_back(mv.to);
                }
            }
        }
        away
    }

    fn moves(&self, pieces: &[(Square, Piece)], turn: Color) -> Vec<Move> {
        match Position::from_pieces(pieces.iter().copied(), turn) {
            Ok(position) => self.within.moves(&Board::from(&position)),
            Err(_) => Vec::new(),
        }
    }

    /// Whether an animal takes another in the open.
    fn takes(&self, attacker: Animal, victim: Animal) -> bool {
        let pieces = [
            (Square::A2, Piece { color: Color::White, animal: attacker }),
            (Square::A3, Piece { color: Color::Black, animal: victim }),
        ];
        self.moves(&pieces, Color::White).iter().any(|mv| mv.to == Square::A3)
    }

    fn is_near(&self, to: Square, moves: usize) -> bool {
        self.far.iter().any(|(_, away)| away.get(&to).is_some_and(|needed| *needed <= moves))
    }

    /// Whether a far piece may take this one with the enemy's move of this number.
    fn is_in_danger(&self, at: Square, animal: Animal, moves: usize) -> bool {
        let weak = match board::terrain(at) {
            Terrain::Trap(owner) => owner != self.winner || self.rules.traps == Traps::Everybody,
            _ => false,
        };
        self.far.iter().any(|(far, away)| {
            let rats = *far == Animal::Rat || animal == Animal::Rat;
            away.get(&at).is_some_and(|needed| *needed <= moves)
                && (weak || rats || self.takes(*far, animal))
        })
    }

    fn play(&mut self, pieces: &[(Square, Piece)], turn: Color, played: u32) -> Result<(), Fault> {
        let position = Position::from_pieces(pieces.iter().copied(), turn)
            .map_err(|_| Fault::Part)?
            .to_string();
        if !self.met.insert((position.clone(), played)) {
            return Ok(());
        }
        // How many moves the enemy has made.
        let moved = if self.first == self.winner { played / 2 } else { played.div_ceil(2) };
        if turn == self.winner {
            self.own(pieces, position, played, moved as usize)
        } else {
            self.enemy(pieces, position, played, moved as usize)
        }
    }

    /// The strategy's move.
    fn own(
        &mut self,
        pieces: &[(Square, Piece)],
        position: String,
        played: u32,
        moved: usize,
    ) -> Result<(), Fault> {
        let Some(text) = self.strategy.get(&(played, position.clone())).cloned() else {
            return Err(Fault::Silent { position, after: played });
        };
        let fault = || Fault::Move { position: position.clone(), after: played, mv: text.clone() };
        if played >= self.plies {
            return Err(fault());
        }
        if text == "pass" {
            let waits =
                self.spare.len() == 2 && self.spare.iter().all(|at| !self.is_near(*at, moved + 1));
            return if waits { self.play(pieces, !self.winner, played + 1) } else { Err(fault()) };
        }
        let moves = self.moves(pieces, self.winner);
        let mv = *moves.iter().find(|mv| mv.to_string() == text).ok_or_else(fault)?;
        let over = between(mv.from, mv.to);
        let kept = self
            .still
            .iter()
            .any(|(at, piece)| *at == mv.to || piece.animal == Animal::Rat && over.contains(at));
        let goes_on = self.rules.annihilation_wins || self.rules.no_legal_move == NoLegalMove::Loss;
        let stopped = self.far.iter().any(|(far, away)| {
            let within = |at: &Square| away.get(at).is_some_and(|needed| *needed <= moved);
            let taken = goes_on
                && *far != Animal::Rat
                && mv.animal != Animal::Rat
                && self.takes(mv.animal, *far);
            within(&mv.to) && !taken || *far == Animal::Rat && over.iter().any(within)
        });
        if kept || self.spare.contains(&mv.to) || stopped {
            return Err(fault());
        }
        let next = after(pieces, mv);
        let enemies = next.iter().any(|(_, piece)| piece.color != self.winner);
        let taken_all = !enemies && self.far.is_empty() && self.rules.annihilation_wins;
        if mv.to == DEN[!self.winner] || taken_all {
            return Ok(());
        }
        self.play(&next, !self.winner, played + 1)
    }

    /// Every reply.
    fn enemy(
        &mut self,
        pieces: &[(Square, Piece)],
        position: String,
        played: u32,
        moved: usize,
    ) -> Result<(), Fault> {
        let fault = |how| Fault::Enemy { position: position.clone(), after: played, how };
        if self.is_near(DEN[self.winner], moved + 1) {
            return Err(fault("a far piece can be in the den"));
        }
        let ours = pieces.iter().filter(|(_, piece)| piece.color == self.winner);
        if ours.clone().any(|(at, piece)| self.is_in_danger(*at, piece.animal, moved + 1)) {
            return Err(fault("a far piece can take one of the part"));
        }
        let own_squares: Vec<Square> = ours.map(|(at, _)| *at).collect();
        let moves = self.moves(pieces, !self.winner);
        let mut certain = false;
        for mv in &moves {
            if mv.to == DEN[self.winner] {
                return Err(fault("a piece of the part enters the den"));
            }
            if self.spare.contains(&mv.to) {
                return Err(fault("a piece of the part reaches the spare piece"));
            }
            let clear = !self.is_near(mv.to, moved)
                && self.still.iter().all(|(at, _)| *at != mv.to)
                && between(mv.from, mv.to).is_empty();
            certain |= clear;
            let next = after(pieces, *mv);
            if next.iter().all(|(_, piece)| piece.color != self.winner) {
                return Err(fault("the last piece of the part is taken"));
            }
            self.play(&next, self.winner, played + 1)?;
        }
        if self.rules.no_legal_move == NoLegalMove::Draw && !certain {
            let gone = pieces.iter().all(|(_, piece)| piece.color == self.winner);
            let mut around = self.still.iter().map(|(at, _)| *at).chain(own_squares);
            let apart = around.all(|at| !self.is_near(at, moved + 1))
                && self.spare.iter().all(|at| !self.is_near(*at, moved + 1));
            if !(gone && !self.far.is_empty() && apart) {
                return Err(fault("it may have no move, which draws"));
            }
        }
        if self.far.is_empty() { Ok(()) } else { self.play(pieces, self.winner, played + 1) }
    }
}

/// The squares between two that are not neighbours.
fn between(from: Square, to: Square) -> Vec<Square> {
    let on_the_way = |at: &Square| {
        let within = |one: u8, two: u8, middle: u8| one.min(two) < middle && middle < one.max(two);
        from.file() == to.file()
            && at.file() == from.file()
            && within(from.rank(), to.rank(), at.rank())
            || from.rank() == to.rank()
                && at.rank() == from.rank()
                && within(from.file(), to.file(), at.file())
    };
    Square::ALL.into_iter().filter(on_the_way).collect()
}

fn after(pieces: &[(Square, Piece)], mv: Move) -> Pieces {
    let left = pieces.iter().filter(|(at, _)| *at != mv.to);
    left.map(|&(at, piece)| (if at == mv.from { mv.to } else { at }, piece)).collect()
}
