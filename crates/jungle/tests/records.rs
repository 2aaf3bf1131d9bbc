//! Round trips: moves, positions and games read back as they were written. And a game in progress is
//! adjudicated as a plain count over its whole past would.

use game::rng::Rng;
use game::{Game, Symmetric};
use jungle::pgn::{Comment, GameRecord, GameResult, Line, Node};
use jungle::rules::NoLegalMove;
use jungle::{
    Color, EndReason, Ending, Jungle, Move, Notation, Play, Position, Repetition, Rules, Setup,
    Square, parse_move,
};
use proptest::prelude::*;

mod common;

use common::{random_position, random_rules};

const NOTATIONS: [Notation; 3] = [
    Notation::Coordinates,
    Notation::Algebraic { marks: false },
    Notation::Algebraic { marks: true },
];

proptest! {
    #[test]
    fn moves_round_trip_in_both_notations(seed: u64) {
        let mut rng = Rng::new(seed);
        let jungle = Jungle::new(random_rules(&mut rng));
        let mut position = random_start(&mut rng);
        for _ in 0..30 {
            let moves = jungle.moves(&position);
            for &mv in &moves {
                for notation in NOTATIONS {
                    let text = notation.write(&jungle, &position, mv);
                    prop_assert_eq!(parse_move(&jungle, &position, &text), Ok(mv));
                    let lower = text.to_lowercase();
                    prop_assert_eq!(parse_move(&jungle, &position, &lower), Ok(mv));
                }
            }
            match rng.choose(&moves) {
                Some(&mv) => jungle.make(&mut position, mv),
                None => break,
            }
        }
    }

    #[test]
    fn symmetries_commute_with_notation(seed: u64) {
        let mut rng = Rng::new(seed);
        let jungle = Jungle::new(random_rules(&mut rng));
        let position = random_start(&mut rng);
        for symmetry in jungle.symmetries() {
            let image = jungle.transform(symmetry, &position);
            for mv in jungle.moves(&position) {
                let image_mv = jungle.transform_move(symmetry, mv);
                for notation in NOTATIONS {
                    let text = notation.write(&jungle, &image, image_mv);
                    prop_assert_eq!(parse_move(&jungle, &image, &text), Ok(image_mv));
                    let plain = notation.write(&jungle, &position, mv);
                    prop_assert_eq!(plain.ends_with('#'), text.ends_with('#'));
                }
            }
        }
    }

    /// Between every two squares: a fault is found exactly where there is no legal move.
    #[test]
    fn illegal_moves_and_only_those_have_a_fault(seed: u64) {
        let mut rng = Rng::new(seed);
        let jungle = Jungle::new(random_rules(&mut rng));
        let position = random_start(&mut rng);
        let mut legal = jungle.moves(&position);
        for from in Square::ALL {
            for to in Square::ALL {
                let listed = legal.iter().position(|mv| (mv.from, mv.to) == (from, to));
                let found = jungle.find_move(&position, from, to).ok();
                prop_assert_eq!(found, listed.map(|index| legal.swap_remove(index)));
            }
        }
    }

    #[test]
    fn setups_round_trip_through_fen(seed: u64, quiet_plies: u32, move_number: u32) {
        let position = random_position(&mut Rng::new(seed));
        let setup = Setup { quiet_plies, move_number, ..Setup::from(&position) };
        let again: Setup = setup.to_string().parse().unwrap();
        prop_assert_eq!(again.position(), Ok(position));
        prop_assert_eq!(again, setup);
    }

    #[test]
    fn records_round_trip_through_pgn(
        seed: u64,
        comments in prop::collection::vec(any::<String>(), 1..4),
        tags in prop::collection::vec(("[A-Za-z0-9_]{1,8}", any::<String>()), 0..4),
    ) {
        let mut rng = Rng::new(seed);
        let comments: Vec<_> = comments.iter().map(|text| Comment::new(text)).collect();
        let record = random_record(&mut rng, &comments, &tags);
        let text = record.to_string();
        let again: GameRecord = text.parse().unwrap();
        prop_assert_eq!(&again, &record, "{}", text);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn games_are_adjudicated_as_by_a_plain_count(seed: u64) {
        let mut rng = Rng::new(seed);
        let rules = random_play_rules(&mut rng);
        // Few pieces and short memories make repetitions likely.
        let mut setup = Setup::from(&random_start(&mut rng));
        setup.quiet_plies = rng.below(20) as u32;
        setup.move_number = rng.below(20) as u32;
        let mut play = Play::new(Jungle::new(rules), &setup).unwrap();
        for _ in 0..60 {
            let plain = PlainPlay { rules, setup: &setup, moves: play.moves() };
            prop_assert_eq!(play.ending(), plain.ending());
            prop_assert_eq!(play.occurrences(), plain.occurrences(play.moves().len()));
            let legal = play.legal_moves();
            prop_assert_eq!(&legal, &plain.legal_moves());
            prop_assert_eq!(legal.is_empty(), play.ending().is_some());
            for mv in play.jungle().moves(play.position()) {
                prop_assert_eq!(play.clone().play(mv).is_ok(), legal.contains(&mv));
            }
            // Going back to the last square is what repeats positions.
            let back = play.moves().iter().rev().nth(1).map(|mv| (mv.to, mv.from));
            let back = legal.iter().find(|mv| Some((mv.from, mv.to)) == back);
            let Some(&mv) = back.filter(|_| rng.below(8) > 0).or_else(|| rng.choose(&legal)) else {
                break;
            };
            let before = play.setup();
            play.play(mv).unwrap();
            prop_assert_eq!(play.undo(), Some(mv));
            prop_assert_eq!(play.setup(), before);
            play.play(mv).unwrap();
        }
        let record = GameRecord::from_play(&play);
        let replayed = record.play().unwrap();
        prop_assert_eq!(replayed.setup(), play.setup());
        prop_assert_eq!(GameResult::from(replayed.ending()), record.result);
    }
}

/// The usual start, or anything.
fn random_start(rng: &mut Rng) -> Position {
    if rng.below(4) == 0 { Position::start() } else { random_position(rng) }
}

/// Random rules that are likely to say something about repetition and limits.
fn random_play_rules(rng: &mut Rng) -> Rules {
    let repetition = [Repetition::Ignored, Repetition::Draw, Repetition::Loss, Repetition::Illegal];
    Rules { repetition: repetition[rng.below(4)], ..random_rules(rng) }
}

/// A record with comments, annotations and variations all over.
fn random_record(rng: &mut Rng, comments: &[Comment], tags: &[(String, String)]) -> GameRecord {
    let rules = random_rules(rng);
    let position = random_start(rng);
    let mut start = Setup::from(&position);
    if rng.below(2) == 0 {
        start.quiet_plies = rng.next_u64() as u32;
        start.move_number = rng.next_u64() as u32;
    }
    let mut record = GameRecord::new(rules, start);
    for (name, value) in tags {
        // Names that follow from other fields are refused, which is as well.
        let _ = record.tags.set(name, value);
    }
    record
        .tags
        .set("Black", &tags.iter().map(|(_, value)| value.as_str()).collect::<String>())
        .unwrap();
    record.line = random_line(rng, &Jungle::new(rules), position, comments, 3);
    let results = [
        GameResult::Win(Color::White),
        GameResult::Win(Color::Black),
        GameResult::Draw,
        GameResult::Unfinished,
    ];
    record.result = results[rng.below(4)];
    record
}

fn random_line(
    rng: &mut Rng,
    jungle: &Jungle,
    mut position: Position,
    comments: &[Comment],
    depth: u32,
) -> Line {
    let some_comments = |rng: &mut Rng| {
        let count = rng.below(8).saturating_sub(5);
        (0..count).map(|_| comments[rng.below(comments.len())].clone()).collect::<Vec<_>>()
    };
    let mut line = Line { comments: some_comments(rng), moves: Vec::new() };
    for _ in 0..rng.below(12) {
        let moves = jungle.moves(&position);
        let Some(&mv) = rng.choose(&moves) else {
            break;
        };
        let mut node = Node { comments: some_comments(rng), ..mv.into() };
        for _ in 0..rng.below(6).saturating_sub(3) {
            node.nags.push(if rng.below(2) == 0 { rng.below(8) } else { rng.below(256) } as u8);
        }
        if depth > 0 {
            for _ in 0..rng.below(7).saturating_sub(4) {
                let variation = random_line(rng, jungle, position.clone(), comments, depth - 1);
                node.variations.push(variation);
            }
        }
        line.moves.push(node);
        jungle.make(&mut position, mv);
    }
    line
}

/// A game as its start and its moves; everything is computed afresh from these.
struct PlainPlay<'a> {
    rules: Rules,
    setup: &'a Setup,
    moves: &'a [Move],
}

impl PlainPlay<'_> {
    /// The position after some of the moves.
    fn position(&self, plies: usize) -> Position {
        let mut position = self.setup.position().unwrap();
        self.moves[..plies].iter().for_each(|&mv| position.make(mv));
        position
    }

    /// How often the position after this many plies has occurred by then.
    fn occurrences(&self, plies: usize) -> usize {
        let now = self.position(plies);
        (0..=plies).filter(|&earlier| self.position(earlier) == now).count()
    }

    /// The moves that the board allows and the rule on repetition does not forbid.
    fn moves_that_do_not_repeat(&self) -> Vec<Move> {
        let jungle = Jungle::new(self.rules);
        let plies = self.moves.len();
        let position = self.position(plies);
        let mut moves = jungle.moves(&position);
        if self.rules.repetition == Repetition::Illegal {
            let past: Vec<_> = (0..=plies).map(|earlier| self.position(earlier)).collect();
            moves.retain(|&mv| {
                let after = jungle.after(&position, mv);
                past.iter().filter(|earlier| **earlier == after).count() < 2
            });
        }
        moves
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.ending().is_some() { Vec::new() } else { self.moves_that_do_not_repeat() }
    }

    fn ending(&self) -> Option<Ending> {
        let jungle = Jungle::new(self.rules);
        let plies = self.moves.len();
        let position = self.position(plies);
        if let Some(ending) = jungle.ending(&position) {
            return Some(ending);
        }
        let turn = position.turn();
        let won = |color, reason| Some(Ending { winner: Some(color), reason });
        let drawn = |reason| Some(Ending { winner: None, reason });
        if self.moves_that_do_not_repeat().is_empty() {
            return match self.rules.no_legal_move {
                NoLegalMove::Loss => won(!turn, EndReason::NoLegalMove),
                NoLegalMove::Draw => drawn(EndReason::NoLegalMove),
            };
        }
        if self.occurrences(plies) >= 3 && self.rules.repetition == Repetition::Draw {
            return drawn(EndReason::Repetition);
        }
        if self.occurrences(plies) >= 3 && self.rules.repetition == Repetition::Loss {
            return won(turn, EndReason::Repetition);
        }
        let by_black = (0..plies).filter(|&ply| self.position(ply).turn() == Color::Black).count();
        let number = self.setup.move_number as usize + by_black;
        if self.rules.move_limit.is_some_and(|limit| number > limit.get() as usize) {
            return drawn(EndReason::MoveLimit);
        }
        let quiet = match self.moves.iter().rev().position(|mv| mv.is_capture()) {
            Some(since) => since,
            None => plies + self.setup.quiet_plies as usize,
        };
        if self.rules.quiet_limit.is_some_and(|limit| quiet >= limit.get() as usize) {
            return drawn(EndReason::QuietLimit);
        }
        None
    }
}
