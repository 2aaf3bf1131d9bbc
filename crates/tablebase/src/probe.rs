//! Asking tables about positions.

use std::cmp::Reverse;
use std::io;
use std::sync::{Arc, OnceLock};

use game::Game;
use game::truth::{Truth, Wdl};
use jungle::rules::NoLegalMove;
use jungle::{AnimalSet, Color, Jungle, Move, Piece, Position, Rules, Square};
use thiserror::Error;

use crate::grid::MAX_PIECES;
use crate::material::{Classes, Material, table_rules};
use crate::source::Source;
use crate::table::{Table, TableError, file_name};

/// A set of tables for given rules, opened as they are needed. It can be shared between threads.
pub struct Tablebase {
    rules: Rules,
    jungle: Jungle,
    classes: Classes,
    source: Box<dyn Source>,
    tables: Vec<OnceLock<Arc<Table>>>,
}

/// Why a position could not be looked up.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The position has more pieces than any table.
    #[error("the position has {found} pieces, and tables go up to {most}")]
    TooManyPieces {
        /// How many it has.
        found: u32,
        /// The most that tables are looked for.
        most: u32,
    },
    /// A table is not there.
    #[error("the table {file} is missing")]
    MissingTable {
        /// The file's name.
        file: String,
    },
    /// A table is there but damaged, or of another version.
    #[error("the table {file}: {error}")]
    CorruptTable {
        /// The file's name.
        file: String,
        /// What is wrong with it.
        #[source]
        error: TableError,
    },
    /// A table is there but cannot be read.
    #[error("the table {file} cannot be read: {error}")]
    Unreadable {
        /// The file's name.
        file: String,
        /// Why.
        #[source]
        error: io::Error,
    },
}

/// A move with the truth about the position it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbedMove {
    /// The move.
    pub mv: Move,
    /// What it achieves, for the player who makes it, counted from before the move.
    pub value: Truth,
}

/// A position looked up with all its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// The truth about the position, for the player to move.
    pub value: Truth,
    /// All legal moves, best first: the shortest win, then draws, then the longest loss. None if the
    /// game is over.
    pub moves: Vec<ProbedMove>,
}

impl Tablebase {
    /// Tables for these rules, of up to `pieces` pieces, from this source.
    pub fn new(rules: &Rules, pieces: u32, source: impl Source + 'static) -> Tablebase {
        let classes = Classes::new(&table_rules(rules), pieces);
        let tables = classes.list().iter().map(|_| OnceLock::new()).collect();
        Tablebase {
            rules: *rules,
            jungle: Jungle::new(*rules),
            classes,
            source: Box::new(source),
            tables,
        }
    }

    /// The rules as the caller gave them.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The classes that the tables are for.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The table of a class, by its place in [`Classes::list`].
    ///
    /// # Errors
    ///
    /// If it is missing or damaged.
    pub fn table(&self, class: usize) -> Result<&Table, ProbeError> {
        if let Some(table) = self.tables[class].get() {
            return Ok(table);
        }
        let wanted = &self.classes.list()[class];
        let file = file_name(wanted.material);
        let bytes = match self.source.open(&file) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err(ProbeError::MissingTable { file }),
            Err(error) => return Err(ProbeError::Unreadable { file, error }),
        };
        match Table::open(self.classes.rules(), wanted, bytes) {
            Ok(table) => Ok(self.tables[class].get_or_init(|| Arc::new(table))),
            Err(error) => Err(ProbeError::CorruptTable { file, error }),
        }
    }

    /// The truth about a position, for the player to move, without regard to repetition and move
    /// limits.
    ///
    /// # Errors
    ///
    /// If a table that is needed is missing or damaged.
    pub fn probe(&self, position: &Position) -> Result<Truth, ProbeError> {
        self.look_up(position, Table::value, Truth::one_ply_earlier)
    }

    /// Who wins, without asking how soon: quicker than [`probe`](Tablebase::probe).
    ///
    /// # Errors
    ///
    /// If a table that is needed is missing or damaged.
    pub fn probe_outcome(&self, position: &Position) -> Result<Wdl, ProbeError> {
        self.look_up(position, Table::outcome, Wdl::reversed)
    }

    fn look_up<T: Known>(
        &self,
        position: &Position,
        stored: impl Fn(&Table, Color, usize) -> Result<Option<T>, TableError> + Copy,
        earlier: impl Fn(T) -> T + Copy,
    ) -> Result<T, ProbeError> {
        if let Some(ending) = self.jungle.decided(position) {
            let winner = ending.winner.expect("a den or the last piece was taken");
            return Ok(if winner == position.turn() { T::WON } else { T::LOST });
        }
        let den = jungle::board::DEN[!position.turn()].bitboard();
        if den.neighbours().intersects(position.side(position.turn())) {
            return Ok(T::WINS_AT_ONCE);
        }
        let (table, turn, number) = self.place(position)?;
        let mut best = stored(table, turn, number).map_err(|error| self.corrupt(table, error))?;
        if table.is_complete_for(turn) {
            return Ok(best.unwrap_or(T::DRAWN));
        }
        let mut captures = Vec::new();
        self.jungle.for_each_capture(position, |mv| captures.push(mv));
        for mv in captures {
            let value = earlier(self.look_up(&self.jungle.after(position, mv), stored, earlier)?);
            best = Some(best.map_or(value, |best| best.max(value)));
        }
        Ok(best.unwrap_or(match self.rules.no_legal_move {
            NoLegalMove::Draw => T::DRAWN,
            NoLegalMove::Loss => T::LOST,
        }))
    }

    /// The truth about a position, for the player to move, with all its moves, best first.
    ///
    /// # Errors
    ///
    /// If a table that is needed is missing or damaged.
    pub fn probe_position(&self, position: &Position) -> Result<Probed, ProbeError> {
        let moves = self.probe_moves(position)?;
        // A position is worth what its best move achieves: no need to ask again.
        let value = match moves.first() {
            Some(best) => best.value,
            None => self.probe(position)?,
        };
        Ok(Probed { value, moves })
    }

    /// The compiled rules as the caller gave them.
    pub(crate) fn jungle(&self) -> &Jungle {
        &self.jungle
    }

    /// All legal moves with what they achieve, best first: the shortest win, then draws, then the
    /// longest loss.
    ///
    /// # Errors
    ///
    /// If a table that is needed is missing or damaged.
    pub fn probe_moves(&self, position: &Position) -> Result<Vec<ProbedMove>, ProbeError> {
        let mut moves = Vec::new();
        for mv in self.jungle.moves(position) {
            let value = self.probe(&self.jungle.after(position, mv))?.one_ply_earlier();
            moves.push(ProbedMove { mv, value });
        }
        moves.sort_by_key(|probed| Reverse(probed.value));
        Ok(moves)
    }

    /// Where a position in which the game goes on stands: its table, the side to move there, and its
    /// number.
    fn place(&self, position: &Position) -> Result<(&Table, Color, usize), ProbeError> {
        let named = Material::of(position);
        let renamed = |set: AnimalSet| set.iter().map(|a| self.rules.by_strength(a)).collect();
        let material = Material { white: renamed(named.white), black: renamed(named.black) };
        let Some(mapping) = self.classes.mapping(material) else {
            let most = self.classes.list().last().map_or(0, |class| class.material.pieces());
            return Err(ProbeError::TooManyPieces { found: material.pieces(), most });
        };
        let table = self.table(mapping.class)?;
        let mut squares = [Square::A1; MAX_PIECES];
        for (square, &slot) in squares.iter_mut().zip(table.grid().slots()) {
            let Piece { color, animal } = mapping.pieces[slot];
            let found = position.square_of(color, self.rules.by_strength(animal));
            let found = found.expect("the material says it is there");
            *square = if mapping.swapped { found.rotate() } else { found };
        }
        let turn = if mapping.swapped { !position.turn() } else { position.turn() };
        let number = table.grid().number(&squares[..table.grid().pieces().len()]);
        Ok((table, turn, number.expect("pieces stand where they can while the game goes on")))
    }

    fn corrupt(&self, table: &Table, error: TableError) -> ProbeError {
        ProbeError::CorruptTable { file: file_name(table.header().material), error }
    }
}

/// What a probe can tell: who wins, perhaps with how soon.
trait Known: Ord + Copy {
    const WON: Self;
    const WINS_AT_ONCE: Self;
    const DRAWN: Self;
    const LOST: Self;
}

impl Known for Truth {
    const WON: Truth = Truth::Win(0);
    const WINS_AT_ONCE: Truth = Truth::Win(1);
    const DRAWN: Truth = Truth::Draw;
    const LOST: Truth = Truth::Loss(0);
}

impl Known for Wdl {
    const WON: Wdl = Wdl::Win;
    const WINS_AT_ONCE: Wdl = Wdl::Win;
    const DRAWN: Wdl = Wdl::Draw;
    const LOST: Wdl = Wdl::Loss;
}
