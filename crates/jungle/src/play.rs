//! A game in progress: the move history, and the endings that depend on it.
//!
//! A [`Position`] has no history. [`Play`] keeps it, and so can say when a position
//! occurs for the third time, when the move limit is reached and when too many plies have passed
//! without a capture. An ending by the position itself comes before all of these, and repetition,
//! which may lose, comes before the limits, which only draw.
//!
//! Earlier positions are kept whole and compared one by one. Captures cannot be undone, so only the
//! positions since the last one are looked at, and those with the same side to move; a game seldom
//! has more than a few dozen.

use game::Game;
use game::player::InProgress;
use game::truth::Truth;

use crate::legality::{IllegalMove, IllegalReason};
use crate::{
    Color, EndReason, Ending, Jungle, Move, Position, Repetition, Rules, Setup, SetupError,
};

/// A game in progress, with its history.
///
/// ```
/// use jungle::{EndReason, Jungle, Play, Rules, parse_move};
///
/// let mut play = Play::start(Jungle::new(Rules::STANDARD));
/// for text in ["Ea4", "ra6", "Ea3", "ra7", "Ea4", "ra6", "Ea3", "ra7"] {
///     let mv = parse_move(play.jungle(), play.position(), text)?;
///     play.play(mv)?;
/// }
/// let ending = play.ending().expect("the start occurred three times");
/// assert_eq!(ending.reason, EndReason::Repetition);
/// assert_eq!(ending.to_string(), "draw by repetition");
/// assert_eq!(play.setup().move_number, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Play {
    jungle: Jungle,
    now: State,
    /// The states before each of the moves.
    before: Vec<State>,
    moves: Vec<Move>,
}

#[derive(Clone, Debug)]
struct State {
    position: Position,
    quiet_plies: u32,
    move_number: u32,
}

impl State {
    fn setup(&self) -> Setup {
        Setup {
            quiet_plies: self.quiet_plies,
            move_number: self.move_number,
            ..Setup::from(&self.position)
        }
    }

    fn after(&self, mv: Move) -> State {
        let mut position = self.position.clone();
        position.make(mv);
        // The counters of a FEN may be anything: at the end of their range they stay there.
        let black_moved = position.turn() == Color::White;
        State {
            position,
            quiet_plies: if mv.is_capture() { 0 } else { self.quiet_plies.saturating_add(1) },
            move_number: self.move_number.saturating_add(black_moved.into()),
        }
    }
}

impl InProgress for Play {
    type Game = Jungle;

    fn game(&self) -> &Jungle {
        &self.jungle
    }

    fn position(&self) -> &Position {
        &self.now.position
    }
}

impl Play {
    /// A game from the usual start.
    pub fn start(jungle: Jungle) -> Play {
        Play::from_state(
            jungle,
            State { position: Position::start(), quiet_plies: 0, move_number: 1 },
        )
    }

    /// A game from any position, with the counters that go with it.
    ///
    /// # Errors
    ///
    /// If the setup is not a position.
    pub fn new(jungle: Jungle, setup: &Setup) -> Result<Play, SetupError> {
        let Setup { quiet_plies, move_number, .. } = *setup;
        let position = setup.position()?;
        Ok(Play::from_state(jungle, State { position, quiet_plies, move_number }))
    }

    fn from_state(jungle: Jungle, now: State) -> Play {
        Play { jungle, now, before: Vec::new(), moves: Vec::new() }
    }

    /// The rules in force.
    pub fn jungle(&self) -> &Jungle {
        &self.jungle
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.now.position
    }

    /// The moves made so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The positions that were on the board before each of the moves, the first one first.
    pub fn earlier_positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        self.before.iter().map(|state| &state.position)
    }

    /// The board with its counters, to be written down.
    pub fn setup(&self) -> Setup {
        self.now.setup()
    }

    /// The board with its counters before the first move.
    pub fn initial_setup(&self) -> Setup {
        self.before.first().unwrap_or(&self.now).setup()
    }

    /// How often the position on the board has occurred in this game, this time included.
    pub fn occurrences(&self) -> usize {
        let two_back = self.before.split_last().map_or(&[][..], |(_, before)| before);
        1 + Play::count(self.position(), two_back)
    }

    /// How often a position occurred two plies, four plies, … before it came about, where `before`
    /// ends with the state two plies before.
    fn count(position: &Position, before: &[State]) -> usize {
        let pieces = position.occupied().len();
        let same_turn = before.iter().rev().step_by(2);
        same_turn
            .take_while(|state| state.position.occupied().len() == pieces)
            .filter(|state| state.position == *position)
            .count()
    }

    /// What the finished game is worth to the side that would be to move; `None` while it goes on.
    pub fn truth(&self) -> Option<Truth> {
        let outcome = self.ending()?.outcome();
        Some(Truth::of_outcome(&self.jungle, self.position(), outcome))
    }

    /// How and why the game ended; `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        if let Some(ending) = self.jungle.decided(self.position()) {
            return Some(ending);
        }
        if self.unlimited_moves().is_empty() {
            let winner = self.rules().no_legal_move.winner(self.position().turn());
            return Some(Ending { winner, reason: EndReason::NoLegalMove });
        }
        self.ending_by_history()
    }

    /// The ending by repetition or a limit.
    fn ending_by_history(&self) -> Option<Ending> {
        let repeated = || self.occurrences() >= 3;
        let drawn = |reason| Some(Ending { winner: None, reason });
        match self.rules().repetition {
            Repetition::Draw if repeated() => return drawn(EndReason::Repetition),
            Repetition::Loss if repeated() => {
                // The player to move is not the one who brought it about.
                let winner = Some(self.position().turn());
                return Some(Ending { winner, reason: EndReason::Repetition });
            }
            _ => {}
        }
        let Rules { move_limit, quiet_limit, .. } = self.rules();
        if move_limit.is_some_and(|limit| self.now.move_number > limit.get()) {
            drawn(EndReason::MoveLimit)
        } else if quiet_limit.is_some_and(|limit| self.now.quiet_plies >= limit.get()) {
            drawn(EndReason::QuietLimit)
        } else {
            None
        }
    }

    /// All legal moves: none when the game is over, and none that the rules against repetition
    /// forbid.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.ending_by_history().is_some() { Vec::new() } else { self.unlimited_moves() }
    }

    /// The legal moves, ignoring repetition that ends the game and limits.
    fn unlimited_moves(&self) -> Vec<Move> {
        let mut moves = self.jungle.moves(self.position());
        if self.rules().repetition == Repetition::Illegal {
            moves.retain(|&mv| !self.repeats(mv));
        }
        moves
    }

    /// Whether a move brings about a third occurrence.
    fn repeats(&self, mv: Move) -> bool {
        Play::count(&self.jungle.after(self.position(), mv), &self.before) >= 2
    }

    /// Makes a move.
    ///
    /// # Errors
    ///
    /// If the move is not legal; the game stays as it is.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        let after = self.now.after(mv);
        self.before.push(std::mem::replace(&mut self.now, after));
        self.moves.push(mv);
        Ok(())
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        let illegal = |reason| self.jungle.illegal(self.position(), mv.from, mv.to, reason);
        if let Some(ending) = self.ending() {
            return Err(IllegalMove { legal: Vec::new(), ..illegal(IllegalReason::Over(ending)) });
        }
        let legal = self.jungle.find_move(self.position(), mv.from, mv.to)?;
        if legal.animal != mv.animal {
            let (color, found) = (self.position().turn(), self.position().piece_at(mv.from));
            return Err(illegal(IllegalReason::NoSuchPiece {
                color,
                animal: Some(mv.animal),
                found,
            }));
        }
        if legal.captured != mv.captured {
            let (named, found) = (mv.captured, legal.captured);
            return Err(illegal(IllegalReason::WrongVictim { named, found }));
        }
        if self.rules().repetition == Repetition::Illegal && self.repeats(mv) {
            let mut error = illegal(IllegalReason::Repetition);
            error.legal.retain(|&mv| !self.repeats(mv));
            return Err(error);
        }
        Ok(())
    }

    /// Takes back the last move, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        self.now = self.before.pop()?;
        self.moves.pop()
    }

    fn rules(&self) -> &Rules {
        self.jungle.rules()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legality::IllegalReason;
    use crate::{Animal, Square, parse_move};

    fn begin(rules: &str, fen: &str) -> Play {
        let jungle = Jungle::new(rules.parse().unwrap());
        Play::new(jungle, &fen.parse().unwrap()).unwrap()
    }

    fn try_play(play: &mut Play, text: &str) -> Result<(), IllegalMove> {
        let mv = parse_move(play.jungle(), play.position(), text).unwrap();
        play.play(mv)
    }

    fn play_all(play: &mut Play, moves: &str) {
        for text in moves.split_whitespace() {
            assert_eq!(play.ending(), None, "before {text}");
            try_play(play, text).unwrap();
        }
    }

    fn words(play: &Play) -> String {
        play.ending().map_or_else(|| "goes on".to_owned(), |ending| ending.to_string())
    }

    const SHUFFLE: &str = "Ea4 ra6 Ea3 ra7 ";

    #[test]
    fn third_occurrence_by_rule() {
        let start = crate::fen::START;
        let twice = SHUFFLE.repeat(2);
        let mut play = begin("standard", start);
        play_all(&mut play, &twice);
        assert_eq!((play.occurrences(), words(&play)), (3, "draw by repetition".to_owned()));
        assert!(play.legal_moves().is_empty());
        assert!(matches!(
            play.play(Move {
                animal: Animal::Elephant,
                from: Square::A3,
                to: Square::A4,
                captured: None
            }),
            Err(IllegalMove { reason: IllegalReason::Over(_), .. })
        ));

        let mut play = begin("standard,repetition=loss", start);
        play_all(&mut play, &twice);
        assert_eq!(words(&play), "Red wins: Blue repeated the position a third time");

        let mut play = begin("leiden", start);
        play_all(&mut play, &twice);
        assert_eq!(words(&play), "goes on");

        let mut play = begin("standard,repetition=illegal", start);
        play_all(&mut play, twice.trim_end_matches("ra7 "));
        let error = try_play(&mut play, "ra7").unwrap_err();
        assert_eq!(error.reason, IllegalReason::Repetition);
        assert!(error.legal.iter().all(|mv| mv.to != Square::A7) && !error.legal.is_empty());
        assert!(
            play.legal_moves().iter().all(|mv| mv.to != Square::A7 || mv.animal != Animal::Rat)
        );
    }

    #[test]
    fn no_way_left_but_to_repeat_is_no_legal_move() {
        // Black's cat is shut in on a1 and b1 while White's tiger goes to and fro.
        let cage = "7/7/7/7/6T/7/7/LW5/c1E4 w";
        let moves = "Tg6 cb1 Tg5 ca1 Tg6 cb1 Tg5";
        let mut play = begin("standard,repetition=illegal", cage);
        play_all(&mut play, moves);
        assert_eq!(words(&play), "Red wins: Blue has no legal move");
        assert!(play.legal_moves().is_empty());
        let mut play = begin("standard,repetition=illegal,no-legal-move=draw", cage);
        play_all(&mut play, moves);
        assert_eq!(words(&play), "draw by want of a legal move");
        let mut play = begin("standard", cage);
        play_all(&mut play, moves);
        assert_eq!(words(&play), "goes on");
    }

    #[test]
    fn limits_draw() {
        let mut play = begin("standard,move-limit=2", crate::fen::START);
        play_all(&mut play, "Ea4 ra6 Ea5 rb6");
        assert_eq!(words(&play), "draw by the move limit");
        let mut play = begin("standard,move-limit=12", "7/7/7/7/7/7/7/6e/Tc5 b - - 7 12");
        play_all(&mut play, "g2g3");
        assert_eq!(words(&play), "draw by the move limit");

        let mut play = begin("standard,quiet-limit=2", "7/7/7/7/7/7/7/6e/Tc5 b - - 0 1");
        play_all(&mut play, "g2g3 Txb1 eg4 Tb2");
        assert_eq!(words(&play), "draw by the limit on moves without a capture");
        assert!(play.legal_moves().is_empty());
    }

    #[test]
    fn an_ending_on_the_board_comes_before_the_limits() {
        let rules = "standard,quiet-limit=1,move-limit=1";
        let mut play = begin(rules, "7/7/7/7/7/7/7/3r3/L6 b - - 0 1");
        play_all(&mut play, "rd1");
        assert_eq!(words(&play), "Blue wins by entering the den");
        let mut play = begin(rules, "7/7/7/7/7/7/L6/7/cT5 w - - 0 1");
        play_all(&mut play, "La2");
        assert_eq!(words(&play), "Red wins: Blue has no legal move");
        let mut play = begin("standard,move-limit=1", "7/7/7/7/7/7/7/7/tC5 b - - 0 1");
        play_all(&mut play, "txb1");
        assert_eq!(words(&play), "Blue wins by taking the last piece");
    }

    #[test]
    fn a_move_that_does_not_fit_the_board_is_refused() {
        let mut play = begin("standard", "7/7/7/7/7/7/7/7/Tc4e w");
        let mv = Move { animal: Animal::Tiger, from: Square::A1, to: Square::B1, captured: None };
        let reason = |error: Result<(), IllegalMove>| error.unwrap_err().reason.to_string();
        assert_eq!(reason(play.play(mv)), "the move does not name the cat that it takes");
        let dog = Some(Animal::Dog);
        assert_eq!(
            reason(play.play(Move { captured: dog, ..mv })),
            "no dog stands there to be taken"
        );
        assert_eq!(
            reason(play.play(Move { animal: Animal::Lion, ..mv })),
            "no red lion is there, but Red's tiger is"
        );
        assert!(play.moves().is_empty());
        assert_eq!(play.play(Move { captured: Some(Animal::Cat), ..mv }), Ok(()));
    }

    #[test]
    fn counters_follow_the_game_and_come_back() {
        let mut play = begin("standard", "7/7/7/7/7/7/7/6e/Tc5 b - - 7 12");
        play_all(&mut play, "g2g3");
        assert_eq!(play.setup().to_string(), "7/7/7/7/7/7/6e/7/Tc5 w - - 8 13");
        play_all(&mut play, "Txb1");
        assert_eq!(play.setup().to_string(), "7/7/7/7/7/7/6e/7/1T5 b - - 0 13");
        assert_eq!(play.initial_setup().to_string(), "7/7/7/7/7/7/7/6e/Tc5 b - - 7 12");
        assert!(play.undo().is_some_and(Move::is_capture));
        assert_eq!(play.setup().to_string(), "7/7/7/7/7/7/6e/7/Tc5 w - - 8 13");
        assert!(play.undo().is_some() && play.undo().is_none());
        let max = "7/7/7/7/7/7/7/6e/Tc5 b - - 4294967295 4294967295";
        let mut play = begin("standard", max);
        play_all(&mut play, "g2g3 a1a2");
        assert_eq!(play.setup().move_number, u32::MAX);
    }
}
