//! The referee of one game: asks the players in turn, keeps the clocks, and decides how it ended.
//!
//! A game ends by the rules; by endgame tables, if they are used; when it has gone on for too long;
//! or when a player fails, which loses it. Tables are probed as soon as a capture leads to a class
//! that they hold. They ignore repetition and move limits, so they are used only where that makes
//! no difference: a win has to fit into what the rules leave of the game, and rules under which
//! repetition loses or is forbidden keep tables out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::truth::{Plies, Truth};
use jungle::pgn::GameResult;
use jungle::{ByColor, Color, EndReason, Jungle, Play, Repetition, Setup, SetupError};
use serde::{Deserialize, Serialize, Serializer};
use tablebase::Tablebase;

use crate::Settings;
use crate::player::{Choice, Fault, NewGame, Player, Turn};
use crate::time_control::{Clocks, TimeControl};

/// The conditions of a game.
pub struct Referee {
    jungle: Jungle,
    time_control: TimeControl,
    most_plies: usize,
    margin: Duration,
    patience: Duration,
    tables: Option<Arc<Tablebase>>,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Played {
    /// How it ended.
    #[serde(flatten)]
    pub decision: Decision,
    /// The moves, each with what the player reported.
    pub moves: Vec<PlayedMove>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// Who won, or `None` for a draw; written as in `1-0`.
    #[serde(rename = "result", serialize_with = "result")]
    pub winner: Option<Color>,
    /// What ended it.
    pub end: End,
    /// How it ended, in words.
    pub detail: String,
}

fn result<S: Serializer>(winner: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(GameResult::of_winner(*winner).as_str())
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayedMove {
    /// The move, and what the player reported.
    #[serde(flatten)]
    pub choice: Choice,
    /// How long it took.
    pub seconds: f64,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Endgame tables know how it would have gone on.
    Tablebase,
    /// It had gone on for too long.
    TooLong,
    /// A player crashed.
    Crash,
    /// A player did not answer in time.
    Timeout,
    /// A player wanted to make an illegal move.
    IllegalMove,
    /// The rules.
    #[serde(untagged)]
    Rules(EndReason),
}

impl End {
    /// Whether a player failed.
    pub fn is_fault(self) -> bool {
        matches!(self, End::Crash | End::Timeout | End::IllegalMove)
    }

    /// In words that fit before a number of games.
    pub fn as_str(self) -> &'static str {
        match self {
            End::Rules(EndReason::Den) => "den entered",
            End::Rules(EndReason::Annihilation) => "all pieces taken",
            End::Rules(EndReason::NoLegalMove) => "no legal move",
            End::Rules(EndReason::Repetition) => "repetition",
            End::Rules(EndReason::MoveLimit) => "move limit of the rules",
            End::Rules(EndReason::QuietLimit) => "no captures",
            End::Tablebase => "known to tables",
            End::TooLong => "too long",
            End::Crash => "crash",
            End::Timeout => "timeout",
            End::IllegalMove => "illegal move",
        }
    }
}

impl From<&Fault> for End {
    fn from(fault: &Fault) -> End {
        match fault {
            Fault::Crash(_) => End::Crash,
            Fault::Timeout { .. } => End::Timeout,
            Fault::Illegal(_) => End::IllegalMove,
        }
    }
}

impl Decision {
    fn lost(by: Color, fault: &Fault) -> Decision {
        let end = End::from(fault);
        let detail = format!("{by} loses by {}: {fault}", end.as_str());
        Decision { winner: Some(!by), end, detail }
    }
}

impl Referee {
    /// A referee for games under these settings; the tables are probed if there are any.
    pub fn new(settings: &Settings, tables: Option<Arc<Tablebase>>) -> Referee {
        let Settings { rules, time_control, move_limit, margin, patience, .. } = *settings;
        let unaffected = matches!(rules.repetition, Repetition::Ignored | Repetition::Draw);
        Referee {
            jungle: Jungle::new(rules),
            time_control,
            most_plies: 2 * move_limit as usize,
            margin,
            patience,
            tables: tables.filter(|_| unaffected),
        }
    }

    /// Plays a game.
    ///
    /// # Errors
    ///
    /// If it cannot begin at the opening.
    pub fn play(
        &self,
        opening: &Setup,
        mut players: ByColor<&mut dyn Player<Play>>,
        seeds: ByColor<u64>,
    ) -> Result<Played, SetupError> {
        let mut play = Play::new(self.jungle.clone(), opening)?;
        let mut moves = Vec::new();
        let decision = self.run(&mut play, &mut moves, &mut players, seeds);
        Ok(Played { decision, moves })
    }

    fn run(
        &self,
        play: &mut Play,
        moves: &mut Vec<PlayedMove>,
        players: &mut ByColor<&mut dyn Player<Play>>,
        seeds: ByColor<u64>,
    ) -> Decision {
        for color in Color::ALL {
            let game = NewGame { game: &self.jungle, seed: seeds[color], patience: self.patience };
            let player = &mut players[color];
            if let Err(fault) = guarded(|| player.new_game(&game)) {
                return Decision::lost(color, &fault);
            }
        }
        let mut clocks = Clocks::new(self.time_control);
        loop {
            if let Some(decision) = self.decided(play) {
                return decision;
            }
            let color = play.position().turn();
            let turn = clocks.turn(color, self.margin, self.patience);
            let start = Instant::now();
            let player = &mut players[color];
            let choice = guarded(|| player.choose(play, &turn));
            let took = start.elapsed();
            let choice = choice.and_then(|choice| self.in_time(choice, took, &turn));
            let choice = match choice {
                Ok(choice) => choice,
                Err(fault) => return Decision::lost(color, &fault),
            };
            if let Err(error) = play.play(choice.mv) {
                return Decision::lost(color, &Fault::Illegal(error.to_string()));
            }
            let seconds = (took.as_secs_f64() * 1e6).round() / 1e6;
            // A player that does not report its nodes is charged all that it was allowed.
            let nodes = choice.info.nodes.or(turn.limits.nodes_for_move()).unwrap_or_default();
            moves.push(PlayedMove { choice, seconds });
            clocks.charge(color, took, nodes);
        }
    }

    fn in_time(&self, choice: Choice, took: Duration, turn: &Turn) -> Result<Choice, Fault> {
        if self.time_control.is_timed() && took > turn.patience {
            return Err(Fault::Timeout { took, had: turn.patience });
        }
        Ok(choice)
    }

    fn decided(&self, play: &Play) -> Option<Decision> {
        if let Some(ending) = play.ending() {
            let detail = ending.to_string();
            return Some(Decision {
                winner: ending.winner,
                end: End::Rules(ending.reason),
                detail,
            });
        }
        if let Some(decision) = self.tables.as_ref().and_then(|tables| self.known(tables, play)) {
            return Some(decision);
        }
        (play.moves().len() >= self.most_plies).then(|| Decision {
            winner: None,
            end: End::TooLong,
            detail: format!("drawn after {} moves of each side", self.most_plies / 2),
        })
    }

    /// The verdict of the tables, if they have one. A missing or damaged table has none.
    fn known(&self, tables: &Tablebase, play: &Play) -> Option<Decision> {
        let at_a_beginning = play.moves().last().is_none_or(|mv| mv.is_capture());
        let limited =
            self.jungle.rules().move_limit.is_some() || self.jungle.rules().quiet_limit.is_some();
        if !at_a_beginning && !limited {
            return None;
        }
        let position = play.position();
        let turn = position.turn();
        let (winner, detail) = match tables.probe(position).ok()? {
            Truth::Draw => (None, "a draw, as tables know".to_owned()),
            Truth::Win(plies) if self.fits(play, plies) => {
                (Some(turn), format!("{turn} wins in {}, as tables know", Plies(plies)))
            }
            Truth::Loss(plies) if self.fits(play, plies) => {
                (Some(!turn), format!("{} wins in {}, as tables know", !turn, Plies(plies)))
            }
            _ => return None,
        };
        Some(Decision { winner, end: End::Tablebase, detail })
    }

    /// Whether the rules leave this many plies. Captures on the way would only leave more.
    fn fits(&self, play: &Play, plies: u32) -> bool {
        let rules = self.jungle.rules();
        let setup = play.setup();
        let moves_made = |plies: u32| setup.move_number.saturating_add(plies / 2 + 1);
        rules.move_limit.is_none_or(|limit| moves_made(plies) <= limit.get())
            && rules
                .quiet_limit
                .is_none_or(|limit| setup.quiet_plies.saturating_add(plies) < limit.get())
    }
}

/// Asks a player; a built-in player that panics has crashed, and the contest goes on.
fn guarded<T>(ask: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Fault::Crash(format!("it panicked: {}", text.unwrap_or("no message"))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;
    use crate::player::Info;
    use jungle::{Move, Rules};

    /// A player that does what a test wants.
    struct Puppet<F>(F);

    impl<F: FnMut(&Play) -> Result<Move, Fault> + Send> Player<Play> for Puppet<F> {
        fn new_game(&mut self, _: &NewGame<'_>) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, play: &Play, _: &Turn) -> Result<Choice, Fault> {
            (self.0)(play).map(|mv| Choice { mv, info: Info::default() })
        }
    }

    fn settings(rules: &str) -> Settings {
        let players = vec!["random".parse::<Spec>().unwrap(); 2];
        let rules: Rules = rules.parse().unwrap();
        Settings { rules, move_limit: 30, ..Settings::new(players, TimeControl::Nodes(1)) }
    }

    fn first_move(play: &Play) -> Result<Move, Fault> {
        Ok(play.legal_moves()[0])
    }

    fn against(
        black: impl FnMut(&Play) -> Result<Move, Fault> + Send,
        settings: &Settings,
    ) -> Played {
        let (mut white, mut black) = (Puppet(first_move), Puppet(black));
        let players: ByColor<&mut dyn Player<Play>> =
            ByColor { white: &mut white, black: &mut black };
        let start = jungle::fen::START.parse().unwrap();
        let seeds = ByColor::default();
        Referee::new(settings, None).play(&start, players, seeds).unwrap()
    }

    #[test]
    fn games_end_by_the_rules_or_when_they_are_too_long() {
        let played = against(first_move, &settings("standard"));
        assert_eq!(played.decision.end, End::Rules(EndReason::Repetition));
        let played = against(first_move, &settings("leiden"));
        assert_eq!((played.decision.end, played.decision.winner), (End::TooLong, None));
        assert_eq!(played.moves.len(), 60);
        let played = against(first_move, &settings("leiden,move-limit=5"));
        let limit = End::Rules(EndReason::MoveLimit);
        assert_eq!((played.decision.end, played.moves.len()), (limit, 10));
    }

    /// Spends two fifths of what is left, and reports it.
    struct Spender(Vec<u64>);

    impl Player<Play> for Spender {
        fn new_game(&mut self, _: &NewGame<'_>) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, play: &Play, turn: &Turn) -> Result<Choice, Fault> {
            let left = turn.limits.game_nodes.expect("nodes are counted over the game");
            assert_eq!(turn.limits.nodes_for_move(), Some((left / 30).max(1)));
            self.0.push(left);
            let info = Info { nodes: Some(left * 2 / 5), ..Info::default() };
            Ok(Choice { mv: first_move(play)?, info })
        }
    }

    #[test]
    fn nodes_of_a_game_are_carried_from_move_to_move() {
        let mut settings = settings("leiden,move-limit=4");
        settings.time_control = TimeControl::GameNodes(1000);
        let (mut white, mut black) = (Spender(Vec::new()), Spender(Vec::new()));
        let players: ByColor<&mut dyn Player<Play>> =
            ByColor { white: &mut white, black: &mut black };
        let start = jungle::fen::START.parse().unwrap();
        Referee::new(&settings, None).play(&start, players, ByColor::default()).unwrap();
        assert_eq!(white.0, [1000, 600, 360, 216]);
        assert_eq!(black.0, white.0);
    }

    #[test]
    fn whoever_fails_loses_and_the_reason_is_kept() {
        let played = against(|_| Err(Fault::Crash("gone".to_owned())), &settings("standard"));
        let (winner, detail) = (Some(Color::White), "Blue loses by crash: gone".to_owned());
        assert_eq!(played.decision, Decision { winner, end: End::Crash, detail });
        assert_eq!(played.moves.len(), 1);

        let panic = against(|_| panic!("on purpose"), &settings("standard")).decision;
        assert_eq!(panic.detail, "Blue loses by crash: it panicked: on purpose");

        // White's first move is not Black's.
        let illegal = |play: &Play| Ok(play.moves()[0]);
        let illegal = against(illegal, &settings("standard")).decision;
        assert_eq!(illegal.end, End::IllegalMove);
        assert!(illegal.detail.contains("is illegal"), "{}", illegal.detail);

        let slow = |play: &Play| {
            std::thread::sleep(Duration::from_millis(30));
            first_move(play)
        };
        let mut settings = settings("standard");
        settings.time_control = TimeControl::Time(Duration::from_millis(5));
        settings.margin = Duration::from_millis(5);
        assert_eq!(against(slow, &settings).decision.end, End::Timeout);
        settings.time_control = TimeControl::clock("0.05").unwrap();
        let decision = against(slow, &settings).decision;
        assert_eq!((decision.end, decision.winner), (End::Timeout, Some(Color::White)));
    }
}
