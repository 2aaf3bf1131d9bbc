//! `Position`: a board with its past, which moves can be made on.

use std::fmt::Display;

use jungle::picture::{Picture, PieceSet, Rgb, Stroke, Terminal};
use jungle::{Animal, Color, Jungle, Piece, Play, Setup, Square};
use numpy::PyArray2;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::causality;
use crate::convert::{self, color, color_name};
use crate::failure;
use crate::moves::{Move, Outcome};
use crate::rules::Rules;

/// A position with its game history, under given rules: moves can be taken back, and repetition and
/// limits count. Without arguments, the usual start under the standard rules.
///
/// ```python
/// >>> position = mousetrap.Position()
/// >>> position.push("Ea4")
/// Move('a3a4')
/// >>> position.fen
/// 'l5t/1d3c1/r1p1w1e/7/7/E6/2W1P1R/1C3D1/T5L b - - 1 1'
/// >>> position.turn, len(position.moves())
/// ('black', 24)
/// ```
#[pyclass(module = "mousetrap")]
pub struct Position {
    pub play: Play,
}

/// The side and the animal of a number of the board's array; `None` for 0.
fn piece(number: i64) -> PyResult<Option<Piece>> {
    let wrong = || {
        failure::input(format!(
            "{number} is not a piece: they go from 1 (rat) to 8 (elephant) for Red, -1 to -8 for \
             Blue, and 0 is an empty square"
        ))
    };
    if number == 0 {
        return Ok(None);
    }
    let color = if number > 0 { Color::White } else { Color::Black };
    let at = usize::try_from(number.unsigned_abs() - 1).map_err(|_| wrong())?;
    let animal = Animal::ALL.get(at).copied().ok_or_else(wrong)?;
    Ok(Some(Piece { color, animal }))
}

/// The number of a piece in the board's array.
fn number(piece: Option<Piece>) -> i8 {
    piece.map_or(0, |piece| {
        let number = piece.animal.index() as i8 + 1;
        if piece.color == Color::White { number } else { -number }
    })
}

impl Position {
    pub fn of(play: Play) -> Position {
        Position { play }
    }

    fn from_setup(setup: &Setup, rules: jungle::Rules) -> PyResult<Position> {
        let play = Play::new(Jungle::new(rules), setup);
        Ok(Position { play: play.map_err(|error| failure::bad("impossible position", error))? })
    }

    /// A move that is given as such or as text.
    pub fn read(&self, given: &Bound<'_, PyAny>) -> PyResult<jungle::Move> {
        if let Ok(given) = given.cast::<Move>() {
            return Ok(given.get().0);
        }
        let text = given
            .cast::<PyString>()
            .map_err(|_| PyTypeError::new_err("a move is a Move or its text, as in 'a3b3'"))?;
        jungle::parse_move(self.play.jungle(), self.play.position(), &text.to_cow()?)
            .map_err(failure::illegal)
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (fen=None, rules=None))]
    fn new(fen: Option<&str>, rules: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
        let text = fen.unwrap_or(jungle::fen::START);
        let setup: Setup = text.parse().map_err(|error| failure::bad("bad FEN", error))?;
        Position::from_setup(&setup, convert::rules(rules)?)
    }

    /// The usual start.
    ///
    /// ```python
    /// >>> mousetrap.Position.start("leiden") == mousetrap.Position(rules="leiden")
    /// True
    /// ```
    #[staticmethod]
    #[pyo3(signature = (rules=None))]
    fn start(rules: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
        Ok(Position { play: Play::start(Jungle::new(convert::rules(rules)?)) })
    }

    /// A position by its FEN.
    ///
    /// ```python
    /// >>> mousetrap.Position.from_fen("7/7/3e3/7/7/7/3E3/7/7 w").pieces()
    /// {'d3': 'E', 'd7': 'e'}
    /// ```
    #[staticmethod]
    #[pyo3(signature = (fen, rules=None))]
    fn from_fen(fen: &str, rules: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
        Position::new(Some(fen), rules)
    }

    /// A position by its pieces: letters of the notation by square, upper case for White.
    ///
    /// ```python
    /// >>> mousetrap.Position.setup({"d3": "E", "d7": "e"}, turn="black").fen
    /// '7/7/3e3/7/7/7/3E3/7/7 b - - 0 1'
    /// ```
    #[staticmethod]
    #[pyo3(signature = (pieces, turn="white", rules=None))]
    fn setup(
        pieces: &Bound<'_, PyDict>,
        turn: &str,
        rules: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Position> {
        let mut setup = Setup { turn: color(turn)?, ..Setup::empty() };
        for (square, letter) in pieces {
            let square = convert::square(&square.cast::<PyString>()?.to_cow()?)?;
            let text = letter.cast::<PyString>()?.to_cow()?.into_owned();
            let mut letters = text.chars();
            let found = letters.next().filter(|_| letters.next().is_none());
            let found = found.and_then(Piece::from_letter).ok_or_else(|| {
                failure::input(format!(
                    "'{text}' is not a piece: expected one of RCWDPTLE, lower case for Blue"
                ))
            })?;
            setup.board[square.index()] = Some(found);
        }
        Position::from_setup(&setup, convert::rules(rules)?)
    }

    /// A position by its array, as `board` gives it.
    ///
    /// ```python
    /// >>> start = mousetrap.Position()
    /// >>> mousetrap.Position.from_board(start.board()) == start
    /// True
    /// ```
    #[staticmethod]
    #[pyo3(signature = (board, turn="white", rules=None))]
    fn from_board(
        board: &Bound<'_, PyAny>,
        turn: &str,
        rules: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Position> {
        let numbers = crate::batch::integers(board)?;
        if numbers.len() != Square::COUNT {
            let len = numbers.len();
            return Err(failure::input(format!("a board has 63 squares, not {len}")));
        }
        let mut setup = Setup { turn: color(turn)?, ..Setup::empty() };
        for (square, number) in setup.board.iter_mut().zip(numbers) {
            *square = piece(number)?;
        }
        Position::from_setup(&setup, convert::rules(rules)?)
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(*self.play.jungle().rules())
    }

    /// The position as FEN, with its counters.
    #[getter]
    fn fen(&self) -> String {
        self.play.setup().to_string()
    }

    /// Who is to move: `'white'` or `'black'`.
    #[getter]
    fn turn(&self) -> &'static str {
        color_name(self.play.position().turn())
    }

    /// The Zobrist key: a 64-bit hash of the pieces and the side to move.
    #[getter]
    fn key(&self) -> u64 {
        self.play.position().key()
    }

    /// The moves made so far.
    #[getter]
    fn history(&self) -> Vec<Move> {
        self.play.moves().iter().map(|&mv| Move(mv)).collect()
    }

    /// All legal moves: none when the game is over.
    ///
    /// ```python
    /// >>> [str(move) for move in mousetrap.Position("7/3C3/7/7/7/7/7/7/6r b").moves()]
    /// ['g1f1', 'g1g2']
    /// ```
    fn moves(&self) -> Vec<Move> {
        self.play.legal_moves().into_iter().map(Move).collect()
    }

    /// Everything as plain data, with the legal moves in both notations: what `mousetrap show --json` prints.
    ///
    /// ```python
    /// >>> data = mousetrap.Position("7/3C3/7/7/7/7/7/7/6r w").data()
    /// >>> data["turn"], data["moves"][0], data["ending"]
    /// ('white', {'move': 'd8d7', 'san': 'Cd7', 'captures': None}, None)
    /// ```
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        Ok(convert::plain(py, &answers::GameState::of(&self.play))?.cast_into()?)
    }

    /// Reads a move in any of the forms: `'a3b3'`, `'Eb3'`, `'Ea3xb3'`. It has to be legal.
    ///
    /// ```python
    /// >>> mousetrap.Position().parse("Wc4")
    /// Traceback (most recent call last):
    ///     ...
    /// mousetrap.errors.IllegalMoveError: c3c4 is illegal: the wolf cannot enter the water; it can go to c2, b3 or d3
    /// ```
    fn parse(&self, text: &str) -> PyResult<Move> {
        jungle::parse_move(self.play.jungle(), self.play.position(), text)
            .map(Move)
            .map_err(failure::illegal)
    }

    /// Makes a move, given as a `Move` or as text, and returns it.
    ///
    /// ```python
    /// >>> position = mousetrap.Position()
    /// >>> position.push("Ea4"), position.push("ra6")
    /// (Move('a3a4'), Move('a7a6'))
    /// ```
    #[pyo3(signature = (move_, /))]
    fn push(&mut self, move_: &Bound<'_, PyAny>) -> PyResult<Move> {
        let mv = self.read(move_)?;
        self.play.play(mv).map_err(failure::illegal)?;
        Ok(Move(mv))
    }

    /// Takes back the last move and returns it.
    ///
    /// ```python
    /// >>> position = mousetrap.Position()
    /// >>> _ = position.push("Ea4")
    /// >>> position.pop()
    /// Move('a3a4')
    /// >>> position == mousetrap.Position()
    /// True
    /// ```
    fn pop(&mut self) -> PyResult<Move> {
        let undone = self.play.undo();
        undone.map(Move).ok_or_else(|| PyIndexError::new_err("there is no move to take back"))
    }

    /// How the game ended; `None` while it goes on.
    ///
    /// ```python
    /// >>> print(mousetrap.Position().outcome())
    /// None
    /// >>> print(mousetrap.Position("3C3/7/7/7/7/7/7/7/6r b").outcome())
    /// Red wins by entering the den
    /// ```
    fn outcome(&self) -> Option<Outcome> {
        self.play.ending().map(Outcome)
    }

    /// The mirror image, left to right, without its history.
    ///
    /// ```python
    /// >>> mousetrap.Position("7/7/7/7/7/7/E6/7/6r w").mirror().pieces()
    /// {'a1': 'r', 'g3': 'E'}
    /// ```
    fn mirror(&self) -> PyResult<Position> {
        let mirrored = Setup::from(&self.play.position().mirror());
        Position::from_setup(&mirrored, *self.play.jungle().rules())
    }

    /// The position with the colours exchanged and the board turned round, without its history.
    ///
    /// ```python
    /// >>> mousetrap.Position("7/7/7/7/7/7/E6/7/6r w").flip().fen
    /// 'R6/7/6e/7/7/7/7/7/7 b - - 0 1'
    /// ```
    fn flip(&self) -> PyResult<Position> {
        let flipped = Setup::from(&self.play.position().flip());
        Position::from_setup(&flipped, *self.play.jungle().rules())
    }

    /// The board as an array of type `int8` and shape (9, 7): `board[0, 0]` is a1, `board[8, 6]` is g9.
    /// White's pieces are 1 (rat) to 8 (elephant), Black's -1 to -8, and 0 is an empty square.
    ///
    /// ```python
    /// >>> board = mousetrap.Position().board()
    /// >>> int(board[2, 0]), int(board[6, 6]), int(abs(board).sum())
    /// (8, -8, 72)
    /// ```
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        convert::board(py, |square| number(self.play.position().piece_at(square)))
    }

    /// The pieces by square, as letters of the notation, from a1 along the ranks.
    ///
    /// ```python
    /// >>> list(mousetrap.Position().pieces().items())[:3]
    /// [('a1', 'T'), ('g1', 'L'), ('b2', 'C')]
    /// ```
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (square, piece) in self.play.position().pieces() {
            dict.set_item(square.to_string(), piece.letter())?;
        }
        Ok(dict)
    }

    /// Perft: how many sequences of this many moves there are.
    ///
    /// ```python
    /// >>> [mousetrap.Position().perft(depth) for depth in range(4)]
    /// [1, 24, 576, 12240]
    /// ```
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        let (jungle, position) = (self.play.jungle(), self.play.position());
        py.detach(|| ::game::perft::perft(jungle, position, depth))
    }

    /// A copy with the same history.
    ///
    /// ```python
    /// >>> position = mousetrap.Position()
    /// >>> other = position.copy()
    /// >>> _ = other.push("Ea4")
    /// >>> len(position.history), len(other.history)
    /// (0, 1)
    /// ```
    fn copy(&self) -> Position {
        Position { play: self.play.clone() }
    }

    /// A picture as SVG: animals or hanzi (`pieces`), arrows as moves or pairs of squares, with Black below
    /// if `flipped`. In a notebook a position shows itself.
    ///
    /// ```python
    /// >>> mousetrap.Position().svg(arrows=["a3a4", ("a7", "a6")])[:4]
    /// '<svg'
    /// ```
    #[pyo3(signature = (*, pieces="animals", arrows=None, flipped=false, size=None, title=None))]
    fn svg(
        &self,
        pieces: &str,
        arrows: Option<&Bound<'_, PyList>>,
        flipped: bool,
        size: Option<u32>,
        title: Option<String>,
    ) -> PyResult<String> {
        let set: PieceSet = pieces.parse().map_err(failure::input)?;
        let mut picture = Picture::of(self.play.position()).pieces(set).flipped(flipped);
        if let Some(last) = self.play.moves().last() {
            picture = picture.last_move(last.from, last.to);
        }
        if let Some(size) = size {
            picture = picture.square_size(size.clamp(8, 1024));
        }
        if let Some(title) = title {
            picture = picture.title(title);
        }
        for (arrow, color) in arrows.into_iter().flatten().zip(Rgb::PALETTE.into_iter().cycle()) {
            let (from, to) = ends(&arrow)?;
            picture = picture.arrow(Stroke::new(from, to).color(color));
        }
        Ok(picture.to_svg())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg("animals", None, false, Some(48), None)
    }

    /// Decomposition into parts that cannot affect each other for a while, as plain data with the keys
    /// of `mousetrap split --json`: `parts`, `tree` and `edges` of the spanning tree, `times` between all
    /// pieces, the `owner` of each square. With `depth` the parts are searched to that depth, and `search`
    /// has their values.
    ///
    /// ```python
    /// >>> position = mousetrap.Position("7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w", rules="tufts")
    /// >>> split = position.split(threshold=4)
    /// >>> split["parts"], split["tree"]
    /// ([['a2', 'b3', 'c2'], ['b7', 'c7', 'e6', 'e7']], [0, 1, 1, 2, 3, 5])
    /// ```
    #[pyo3(signature = (threshold=4, *, depth=None))]
    fn split<'py>(
        &self,
        py: Python<'py>,
        threshold: u8,
        depth: Option<u32>,
    ) -> PyResult<Bound<'py, PyDict>> {
        causality::split(py, &self.play, threshold, depth)
    }

    /// A picture of the parts and of the spanning tree, as SVG.
    ///
    /// ```python
    /// >>> "parts at threshold 3" in mousetrap.Position().split_svg(3)
    /// False
    /// >>> "1 part at threshold 9" in mousetrap.Position().split_svg(9)
    /// True
    /// ```
    #[pyo3(signature = (threshold=4))]
    fn split_svg(&self, threshold: u8) -> String {
        causality::split_svg(&self.play, threshold)
    }

    /// The effect cone of the piece on a square, where it can be and when: arrays of shape (9, 7) of `moves`, of plies if its
    /// side moves first (`a`) or second (`b`), with -1 for never.
    ///
    /// ```python
    /// >>> cone = mousetrap.Position("7/7/7/7/7/7/E6/7/6r w").cone("a3")
    /// >>> cone["movement"], cone["moves"][8].tolist()
    /// ('walker', [6, 7, 8, 9, 10, 11, 12])
    /// ```
    fn cone<'py>(&self, py: Python<'py>, square: &str) -> PyResult<Bound<'py, PyDict>> {
        causality::cone(py, &self.play, convert::square(square)?)
    }

    fn __str__(&self) -> String {
        Terminal::of(self.play.position()).to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}', rules='{}')", self.fen(), self.play.jungle().rules())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.extract::<PyRef<'_, Position>>().is_ok_and(|other| {
            other.play.position() == self.play.position()
                && other.play.jungle().rules() == self.play.jungle().rules()
        })
    }

    fn __copy__(&self) -> Position {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Position {
        self.copy()
    }

    fn __setstate__(&mut self, moves: Vec<String>) -> PyResult<()> {
        for text in moves {
            let mv = self.parse(&text)?.0;
            self.play.play(mv).map_err(failure::illegal)?;
        }
        Ok(())
    }

    #[expect(clippy::type_complexity, reason = "what Python's pickle wants")]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, String), Vec<String>)> {
        let play = &slf.try_borrow()?.play;
        let begin = (play.initial_setup().to_string(), play.jungle().rules().to_string());
        Ok((slf.get_type().into_any(), begin, texts(play.moves())))
    }
}

fn texts(items: &[impl Display]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

/// Where an arrow begins and ends.
fn ends(arrow: &Bound<'_, PyAny>) -> PyResult<(Square, Square)> {
    if let Ok(mv) = arrow.cast::<Move>() {
        return Ok((mv.get().0.from, mv.get().0.to));
    }
    if let Ok((from, to)) = arrow.extract::<(String, String)>() {
        return Ok((convert::square(&from)?, convert::square(&to)?));
    }
    let text: String = arrow.extract()?;
    let halves = text.split_at_checked(2);
    let (from, to) = halves.ok_or_else(|| failure::input(format!("'{text}' is not an arrow")))?;
    Ok((convert::square(from)?, convert::square(to)?))
}
