//! Games on compiled boards: what has been played, what may be played, and what the program replies.
//!
//! The side that wins the formula game is played by its contracts and never loses; for the other side the
//! program searches for a hole in them.

use gadgets::adversary::Adversary;
use gadgets::circuit::Gate;
use gadgets::formula::Formula;
use gadgets::layout::Layout;
use gadgets::strategy::{Place, Plan, Strategist};
use gadgets::{Board, BoardMove, BoardRules, GeneralisedJungle};
use game::{Game, Outcome, Side};
use jungle::{Color, Piece, Rules};
use serde::{Deserialize, Serialize};

use super::FormulaRequest;
use crate::refusal::Refusal;
use crate::request::MOST_PLIES;

/// A game on a formula's board: who began, and what was played since.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct BoardGameRequest {
    /// Who moves first; White if left out.
    pub first: Option<Side>,
    /// The moves played since, separated by commas.
    pub moves: Option<String>,
    /// Whether the program shall say what it would play.
    #[serde(default)]
    pub reply: bool,
}

/// A game on a compiled board, after the moves given.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsGame))]
pub struct BoardGame {
    /// The formula.
    pub formula: String,
    /// Who is to move.
    pub turn: Side,
    /// Who wins the formula game, and the board too if nothing is given away.
    pub strategist: Side,
    /// Who has won the board.
    pub winner: Option<Side>,
    /// All pieces.
    pub pieces: Vec<BoardPiece>,
    /// For every variable who has taken it.
    pub variables: Vec<Option<Side>>,
    /// How many squares Black's cat still has to run.
    pub left_to_run: usize,
    /// The gates, by number, of which the winner of the formula game can no longer do what the contract says:
    /// none, if he has played by strategy.
    pub broken: Vec<usize>,
    /// The moves given.
    pub played: Vec<BoardStep>,
    /// The legal moves.
    pub moves: Vec<BoardStep>,
    /// What the program would play, if it was asked.
    pub reply: Option<Reply>,
}

/// A piece on a board.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsPiece))]
pub struct BoardPiece {
    /// Where it stands.
    pub square: String,
    /// Its letter, capital for White.
    pub piece: char,
}

/// A move on a board.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsMove))]
pub struct BoardStep {
    /// The move: the names of both squares, one after the other.
    #[serde(rename = "move")]
    pub mv: String,
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// The letter of the piece.
    pub piece: char,
    /// The letter of what it takes.
    pub takes: Option<char>,
    /// The number of the gate it goes to, or, if it goes to none, it comes from.
    pub gate: Option<usize>,
    /// The number of the wire it goes along.
    pub wire: Option<usize>,
}

/// What the program would play.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsReply))]
pub struct Reply {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `strategy`, for the winner of the formula game, or `search`, for the other side.
    pub by: &'static str,
}

/// A move in full.
fn step(plan: &Plan<'_>, board: &Board, mv: BoardMove) -> BoardStep {
    let geometry = board.geometry();
    let places = [mv.to, mv.from].map(|spot| plan.place(spot));
    let gate = places.iter().find_map(|place| match place {
        Some(Place::Block(gate)) => Some(*gate),
        _ => None,
    });
    let wire = places.iter().find_map(|place| match place {
        Some(Place::Stone(wire, _)) => Some(*wire),
        _ => None,
    });
    BoardStep {
        mv: mv.name(geometry),
        from: geometry.name(mv.from),
        to: geometry.name(mv.to),
        piece: board.at(mv.from).map_or('?', Piece::letter),
        takes: mv.captured.map(Piece::letter),
        gate,
        wire,
    }
}

impl BoardGameRequest {
    /// The game on the board of a formula.
    ///
    /// # Errors
    ///
    /// If the formula or a move is not understood or not possible.
    pub fn answer(&self, formula: &FormulaRequest) -> Result<BoardGame, Refusal> {
        let (formula, layout) = formula.compile()?;
        let rules = BoardRules { leap: layout.leap, ..Rules::LEIDEN.into() };
        let plan = Plan::new(&formula, &layout, rules);
        let first = self.first.map_or(Color::White, Color::from);
        let mut board = layout.board.clone();
        board.set_turn(first);
        let mut table = Table {
            winner: plan.winner(first),
            players: Color::ALL.map(|side| Strategist::new(&plan, side)),
            jungle: GeneralisedJungle::new(rules),
            plan: &plan,
            rules,
            board,
        };
        let texts = self.moves.as_deref().unwrap_or("").split(',').filter(|text| !text.is_empty());
        let mut played = Vec::new();
        for text in texts {
            if played.len() == MOST_PLIES {
                let message = format!("a game has at most {MOST_PLIES} moves");
                return Err(Refusal::bad("too-long", message));
            }
            played.push(table.make(text.trim())?);
        }
        Ok(table.show(&formula, &layout, played, self.reply))
    }
}

/// A board, and both sides' players, who keep track.
struct Table<'a> {
    plan: &'a Plan<'a>,
    jungle: GeneralisedJungle,
    rules: BoardRules,
    board: Board,
    players: [Strategist<'a>; 2],
    winner: Color,
}

impl<'a> Table<'a> {
    fn player(&self, side: Color) -> &Strategist<'a> {
        &self.players[usize::from(side == Color::Black)]
    }

    fn make(&mut self, text: &str) -> Result<BoardStep, Refusal> {
        let geometry = self.board.geometry();
        let legal = self.jungle.moves(&self.board);
        let mv = legal.into_iter().find(|mv| mv.name(geometry) == text).ok_or_else(|| {
            Refusal::bad("illegal", format!("{text} is not a legal move on this board now"))
        })?;
        let step = step(self.plan, &self.board, mv);
        for player in &mut self.players {
            player.note(&self.board, mv);
        }
        self.jungle.make(&mut self.board, mv);
        Ok(step)
    }

    fn reply(&self) -> Option<Reply> {
        let turn = self.board.turn();
        let (mv, by) = if turn == self.winner {
            (self.player(turn).clone().choose(&self.board), "strategy")
        } else {
            let mut adversary = Adversary::new(self.plan, self.rules, 1);
            (adversary.choose(&self.board, self.player(self.winner)), "search")
        };
        // A strategy that somebody else did not follow may be at a loss.
        let mv = mv.or_else(|| self.jungle.moves(&self.board).first().copied())?;
        Some(Reply { mv: mv.name(self.board.geometry()), by })
    }

    fn show(
        &self,
        formula: &Formula,
        layout: &Layout,
        played: Vec<BoardStep>,
        reply: bool,
    ) -> BoardGame {
        let board = &self.board;
        let piece = |(spot, piece): (_, Piece)| BoardPiece {
            square: board.geometry().name(spot),
            piece: piece.letter(),
        };
        let taken = |variable| {
            let block =
                layout.blocks.iter().find(|block| block.gate == Gate::Variable(variable))?;
            let (landing, home) = (block.landing(board.geometry(), 0), board.geometry());
            let left = played
                .iter()
                .find(|step| step.from == home.name(landing) || step.to == home.name(landing))?;
            // White's lion has left, or Black's elephant has come.
            Some(if left.piece.is_uppercase() { Side::First } else { Side::Second })
        };
        let over = self.jungle.outcome(board);
        let moves = self.jungle.moves(board);
        BoardGame {
            formula: formula.to_string(),
            turn: board.turn().player(),
            strategist: self.winner.player(),
            winner: match over {
                Some(Outcome::Win(side)) => Some(side),
                _ => None,
            },
            pieces: board.pieces().map(piece).collect(),
            variables: (0..formula.names().len()).map(taken).collect(),
            left_to_run: self.plan.runner(board).map_or(0, |at| layout.track.len() - 1 - at),
            broken: self.player(self.winner).broken().to_vec(),
            moves: moves.into_iter().map(|mv| step(self.plan, board, mv)).collect(),
            played,
            reply: if reply && over.is_none() { self.reply() } else { None },
        }
    }
}
