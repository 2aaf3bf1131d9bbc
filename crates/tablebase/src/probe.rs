//! Probing: the truth about a position, from the tables.

use std::cmp::Reverse;
use std::io;
use std::sync::{Arc, OnceLock, Weak};

use game::Game;
use game::truth::{Truth, Wdl};
use jungle::rules::NoLegalMove;
use jungle::{Color, Jungle, Move, Piece, Position, Rules, Square};
use thiserror::Error;

use crate::build::MOST_PIECES;
use crate::codec::Sizes;
use crate::grid::MAX_PIECES;
use crate::material::{Class, Classes, Mapping, Material, table_rules};
use crate::payload::{Budget, GiveUp};
use crate::remedy::Remedy;
use crate::storage::{ReadAt, Storage};
use crate::table::{Counts, Table, TableError, class_of_file, file_name};
use crate::verify::ledger::Identity;

/// How many bytes of verified file contents a tablebase keeps without a budget of its own: more than all
/// tables of four pieces take.
const USUAL_BUDGET: u64 = 1 << 30;

/// Endgame tables for given rules, opened as they are needed. They can be shared between threads.
pub struct Tablebase {
    rules: Rules,
    jungle: Jungle,
    classes: Classes,
    storage: Box<dyn Storage>,
    tables: Arc<Tables>,
    budget: Arc<Budget>,
}

/// The tables that were opened, by the place of their class in [`Classes::list`].
struct Tables(Vec<OnceLock<Table>>);

impl Tables {
    /// None is open yet; what will be kept of them counts for the budget.
    fn new(classes: &Classes, budget: &Budget) -> Arc<Tables> {
        let tables = Arc::new(Tables(classes.list().iter().map(|_| OnceLock::new()).collect()));
        let sharer: Weak<Tables> = Arc::downgrade(&tables);
        budget.share(sharer);
        tables
    }
}

impl GiveUp for Tables {
    fn give_up_unused(&self) {
        self.0.iter().filter_map(OnceLock::get).for_each(Table::give_up_unused);
    }
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

impl ProbeError {
    /// What would help, if anything would.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            ProbeError::TooManyPieces { found, .. } => {
                (*found <= MOST_PIECES).then_some(Remedy::Build { pieces: *found })
            }
            ProbeError::MissingTable { file } => {
                let pieces = class_of_file(file).map_or(MOST_PIECES, Material::pieces);
                Some(Remedy::Build { pieces })
            }
            ProbeError::CorruptTable { error, .. } => Some(error.remedy()),
            ProbeError::Unreadable { .. } => None,
        }
    }

    /// Whether the cause is outside, such as a disk, and not the request.
    pub fn is_outside(&self) -> bool {
        !matches!(self, ProbeError::TooManyPieces { .. })
    }
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
    /// Tables for these rules, of up to `pieces` pieces, from this storage.
    pub fn new(rules: &Rules, pieces: u32, storage: impl Storage + 'static) -> Tablebase {
        let classes = Classes::new(&table_rules(rules), pieces);
        let budget = Arc::new(Budget::new(USUAL_BUDGET));
        Tablebase {
            rules: *rules,
            jungle: Jungle::new(*rules),
            tables: Tables::new(&classes, &budget),
            classes,
            storage: Box::new(storage),
            budget,
        }
    }

    /// The same tables, none of them open, within a memory budget that others may share.
    #[must_use]
    pub fn with_budget(self, budget: &Arc<Budget>) -> Tablebase {
        let tables = Tables::new(&self.classes, budget);
        Tablebase { tables, budget: Arc::clone(budget), ..self }
    }

    /// The rules as the caller gave them.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The rules as far as tables depend on them: without repetition and move limits, and with the wolf
    /// as the weaker of wolf and dog, whose names are exchanged if need be.
    pub fn table_rules(&self) -> &Rules {
        self.classes.rules()
    }

    /// Whether the tables answer for games under these rules too: they ignore repetition and
    /// move limits.
    pub fn is_for(&self, rules: &Rules) -> bool {
        table_rules(rules) == table_rules(&self.rules) && rules.weaker == self.rules.weaker
    }

    /// The most pieces that tables are looked for.
    pub fn most_pieces(&self) -> u32 {
        self.classes.list().last().map_or(0, |class| class.material.pieces())
    }

    /// The classes that have a table of their own, one for each isomorphism class, under the names that
    /// the rules give the animals; fewer pieces first. The tables need not be there.
    pub fn classes(&self) -> impl Iterator<Item = Material> {
        self.classes.list().iter().map(|class| class.material.renamed(&self.rules))
    }

    /// The class that stands for all classes isomorphic to this one, the colours staying as they are:
    /// two classes have the same one if and only if they are the same game.
    ///
    /// # Errors
    ///
    /// If the class has too many pieces.
    pub fn representative(&self, class: Material) -> Result<Material, ProbeError> {
        let mapping = self.mapping(class)?;
        let Class { material, symmetric, .. } = &self.classes.list()[mapping.class];
        let named = material.renamed(&self.rules);
        Ok(if mapping.swapped && !symmetric { named.flip() } else { named })
    }

    /// The name of the file with the table of a class.
    ///
    /// # Errors
    ///
    /// If the class has too many pieces.
    pub fn file_of(&self, class: Material) -> Result<String, ProbeError> {
        Ok(file_name(self.classes.list()[self.mapping(class)?.class].material))
    }

    /// The class whose table has this file name, under the names that the rules give the animals; `None`
    /// if no table has it.
    pub fn class_of_file(&self, file: &str) -> Option<Material> {
        let named = class_of_file(file)?;
        let known = self.classes.list().iter().any(|class| class.material == named);
        known.then(|| named.renamed(&self.rules))
    }

    /// How many positions of a class are won, lost and drawn with White to move, mirror images counted
    /// apart, as the header of its table says.
    ///
    /// # Errors
    ///
    /// If the table is missing or damaged, or the class has too many pieces.
    pub fn counts(&self, class: Material) -> Result<Counts, ProbeError> {
        let mapping = self.mapping(class)?;
        let turn = if mapping.swapped { Color::Black } else { Color::White };
        Ok(self.table(mapping.class)?.header().counts[turn])
    }

    /// Which table serves a class, and which those are that it relies on, as a ledger of what was verified knows
    /// them. All of them are opened.
    ///
    /// # Errors
    ///
    /// If one is missing or damaged, or the class has too many pieces.
    pub fn identity(&self, class: Material) -> Result<Identity, ProbeError> {
        let class = self.mapping(class)?.class;
        let known = |class: usize| {
            let file = file_name(self.classes.list()[class].material);
            Ok((file, self.table(class)?.hash().to_owned()))
        };
        let (file, header) = known(class)?;
        let below = self.classes.below(class).into_iter().map(known);
        Ok(Identity { file, header, below: below.collect::<Result<_, ProbeError>>()? })
    }

    /// How many bytes the parts of a class's table take.
    ///
    /// # Errors
    ///
    /// If the table is missing or damaged, or the class has too many pieces.
    pub fn sizes(&self, class: Material) -> Result<Sizes, ProbeError> {
        Ok(self.table(self.mapping(class)?.class)?.sizes())
    }

    /// The compiled rules as the caller gave them.
    pub(crate) fn jungle(&self) -> &Jungle {
        &self.jungle
    }

    /// The classes that the tables are for.
    pub(crate) fn class_list(&self) -> &Classes {
        &self.classes
    }

    /// Which table serves a class, and how.
    pub(crate) fn mapping(&self, class: Material) -> Result<&Mapping, ProbeError> {
        self.classes.mapping(class.renamed(&self.rules)).ok_or_else(|| ProbeError::TooManyPieces {
            found: class.pieces(),
            most: self.most_pieces(),
        })
    }

    /// The file of a class, by its place in [`Classes::list`], newly opened.
    pub(crate) fn file(&self, class: usize) -> Result<Box<dyn ReadAt>, ProbeError> {
        let file = file_name(self.classes.list()[class].material);
        match self.storage.open(&file) {
            Ok(Some(opened)) => Ok(opened),
            Ok(None) => Err(ProbeError::MissingTable { file }),
            Err(error) => Err(ProbeError::Unreadable { file, error }),
        }
    }

    /// The table of a class, by its place in [`Classes::list`].
    #[inline]
    pub(crate) fn table(&self, class: usize) -> Result<&Table, ProbeError> {
        match self.tables.0[class].get() {
            Some(table) => Ok(table),
            None => self.open(class),
        }
    }

    #[cold]
    fn open(&self, class: usize) -> Result<&Table, ProbeError> {
        let file = self.file(class)?;
        let list = self.classes.list();
        match Table::open(self.classes.rules(), &list[class], file, self.budget.clone()) {
            Ok(table) => Ok(self.tables.0[class].get_or_init(|| table)),
            Err(error) => Err(failed(list[class].material, error)),
        }
    }

    /// The truth about a position, for the player to move, without regard to repetition and move
    /// limits.
    ///
    /// # Errors
    ///
    /// If a table that is needed is missing or damaged.
    pub fn probe(&self, position: &Position) -> Result<Truth, ProbeError> {
        let value = self.look_up(position, Table::value, Truth::one_ply_earlier);
        self.make_room();
        value
    }

    /// Who wins, without asking how soon: quicker than [`probe`](Tablebase::probe).
    ///
    /// # Errors
    ///
    /// If a table that is needed is missing or damaged.
    pub fn probe_outcome(&self, position: &Position) -> Result<Wdl, ProbeError> {
        let outcome = self.look_up(position, Table::outcome, Wdl::reversed);
        self.make_room();
        outcome
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
        let mut best =
            stored(table, turn, number).map_err(|error| failed(table.header().material, error))?;
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
        // A position is worth what its best move achieves: no second probe is needed.
        let value = match moves.first() {
            Some(best) => best.value,
            None => self.probe(position)?,
        };
        Ok(Probed { value, moves })
    }

    /// All legal moves with what they achieve, best first: the shortest win, then draws, then the
    /// longest loss.
    ///
    /// # Errors
    ///
    /// If a table that is needed is missing or damaged.
    pub(crate) fn probe_moves(&self, position: &Position) -> Result<Vec<ProbedMove>, ProbeError> {
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
        let mapping = self.mapping(Material::of(position))?;
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

    /// Evicts what is kept beyond the budget, least recently used first.
    #[inline]
    pub(crate) fn make_room(&self) {
        self.budget.make_room();
    }
}

/// What is wrong with a table that was found.
pub(crate) fn failed(class: Material, error: TableError) -> ProbeError {
    let file = file_name(class);
    match error {
        TableError::Read(error) => ProbeError::Unreadable { file, error },
        error => ProbeError::CorruptTable { file, error },
    }
}

/// What a probe asks for: who wins, perhaps with how soon.
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
