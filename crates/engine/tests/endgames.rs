//! The engine against the truth: endgame tables of two and three pieces.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use engine::{Control, Engine, Options};
use game::limits::Limits;
use game::rng::Rng;
use game::score::Verdict;
use game::truth::Truth;
use jungle::{Animal, Color, Jungle, Piece, Play, Position, Rules, Setup, Square};
use tablebase::storage::Folder;
use tablebase::{Set, Tablebase};

/// Two presets with their tables of up to three pieces, built once.
fn sets() -> &'static [(Rules, Arc<Tablebase>, tempfile::TempDir)] {
    static SETS: OnceLock<Vec<(Rules, Arc<Tablebase>, tempfile::TempDir)>> = OnceLock::new();
    let build = |rules: Rules| {
        let folder = tempfile::tempdir().unwrap();
        let set = Set::open_or_build(&rules, folder.path()).unwrap();
        (rules, set.tablebase().clone(), folder)
    };
    SETS.get_or_init(|| vec![build(Rules::STANDARD), build(Rules::LEIDEN)])
}

fn random_position(rng: &mut Rng, count: usize) -> Option<Position> {
    let mut pieces: Vec<(Square, Piece)> = Vec::new();
    for at in 0..count {
        let color = Color::ALL[if at < 2 { at } else { rng.below(2) }];
        let animal = Animal::ALL[rng.below(8)];
        pieces.push((Square::ALL[rng.below(63)], Piece { color, animal }));
    }
    let turn = Color::ALL[rng.below(2)];
    let position = Position::from_pieces(pieces, turn).ok()?;
    (position.occupied().len() == count as u32).then_some(position)
}

/// Random positions of this many pieces in which the game goes on.
fn sample(rules: Rules, seed: u64, pieces: RangeInclusive<usize>, count: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let going = |position: &Position| play_of(rules, position).ending().is_none();
    let rounds = pieces.cycle();
    let drawn = rounds.filter_map(|pieces| random_position(&mut rng, pieces).filter(going));
    drawn.take(count).collect()
}

fn play_of(rules: Rules, position: &Position) -> Play {
    Play::new(Jungle::new(rules), &Setup::from(position)).unwrap()
}

/// The result of a search without tables on sampled positions.
#[derive(Default)]
struct Claims {
    /// Lines that claimed a win or a loss.
    lines: u32,
    /// Positions decided within the depth of the search.
    within: u32,
    /// Those of them whose outcome its last line had.
    found: u32,
}

/// Searches `count` positions without tables; a line that contradicts the table is a failure.
fn search_without_tables(
    rules: Rules,
    tables: &Tablebase,
    sample: &[Position],
    nodes: u64,
) -> Claims {
    let mut claims = Claims::default();
    let mut engine = Engine::new();
    for position in sample {
        let play = play_of(rules, position);
        // Every line, not just the last, and what is left in the table is used again.
        let mut seen = Vec::new();
        let limits = Limits::nodes(nodes);
        engine.think(&play, limits.clone(), &Control::new(false), &mut |line| {
            seen.push((line.depth, line.score));
        });
        let truth = tables.probe(position).unwrap();
        for &(_, score) in &seen {
            let fine = match (score.truth(), truth) {
                (Some(Truth::Win(claimed)), Truth::Win(plies)) => plies <= claimed,
                (Some(Truth::Loss(claimed)), Truth::Loss(plies)) => plies <= claimed,
                (None, _) => true,
                _ => false,
            };
            assert!(fine, "{rules}: {position} is {truth:?}, and the search says {score}");
            claims.lines += u32::from(score.is_decided());
        }
        if let (Truth::Win(plies) | Truth::Loss(plies), Some(&(depth, score))) =
            (truth, seen.last())
            && plies <= depth
        {
            claims.within += 1;
            claims.found += u32::from(score.is_decided());
        }
    }
    claims
}

/// Plays positions to their end with tables, both sides; returns how many were decided.
fn play_with_tables(rules: Rules, tables: &Arc<Tablebase>, sample: &[Position]) -> u32 {
    let mut engine = Engine::new();
    engine.set_tables(Some(tables.clone()));
    let mut won = 0;
    for position in sample {
        let mut play = play_of(rules, position);
        let (winner, longest) = match tables.probe(position).unwrap() {
            Truth::Win(plies) => (Some(position.turn()), plies),
            Truth::Loss(plies) => (Some(!position.turn()), plies),
            Truth::Draw => (None, 30),
        };
        for _ in 0..longest {
            if play.ending().is_some() {
                break;
            }
            let truth = tables.probe(play.position()).unwrap();
            let answer = engine.think(&play, Limits::nodes(300), &Control::new(false), &mut |_| ());
            let mv = answer.best.unwrap();
            match truth {
                Truth::Win(_) | Truth::Loss(_) => {
                    assert_eq!(answer.score().truth(), Some(truth));
                }
                Truth::Draw => assert!(answer.lines[0].drawn),
            }
            play.play(mv).unwrap();
        }
        match winner {
            Some(color) => {
                let ending = play.ending().unwrap_or_else(|| panic!("{position} is not over"));
                assert_eq!(ending.winner, Some(color), "{position}");
                won += 1;
            }
            None => {
                assert_eq!(play.ending().and_then(|ending| ending.winner), None, "{position}");
            }
        }
    }
    won
}

#[test]
fn claims_of_the_search_are_true() {
    let mut lines = 0;
    for &(rules, ref tables, _) in sets() {
        lines += search_without_tables(rules, tables, &sample(rules, 21, 2..=3, 140), 3000).lines;
    }
    assert!(lines > 500, "only {lines} claims");
}

#[test]
fn with_tables_endgames_are_played_right() {
    for &(rules, ref tables, _) in sets() {
        let won = play_with_tables(rules, tables, &sample(rules, 22, 2..=3, 55));
        assert!(won > 20, "only {won} wins");
    }
}

/// `cargo xtask deep` runs this, with four-piece tables in the folder it names.
#[test]
#[ignore = "ten thousand positions under each preset, and tables of four pieces"]
#[expect(clippy::print_stdout, reason = "its figures are the report")]
fn ten_thousand_endgames() {
    let folder = std::env::var("MOUSETRAP_TB_DIR").expect("MOUSETRAP_TB_DIR names a folder");
    for preset in Rules::PRESETS {
        let rules = preset.rules;
        let set = Set::open(&rules, Path::new(&folder).join(preset.name)).unwrap();
        let tables = set.tablebase().clone();
        let positions = sample(rules, 23, 2..=4, 10_000);
        let won = play_with_tables(rules, &tables, &positions);
        let claims = search_without_tables(rules, &tables, &positions, 20_000);
        println!(
            "{}: 10000 positions of two to four pieces played out with tables, {won} of them \
             decided, none played wrong; without tables {} lines claimed a win or a loss, none \
             falsely; of {} positions decided within the depth searched, {} were found",
            preset.name, claims.lines, claims.within, claims.found
        );
        assert!(claims.within > 5000 && claims.found * 100 >= claims.within * 99);
    }
}

#[test]
fn tables_under_other_rules_and_broken_tables_do_no_harm() {
    let (rules, tables, _) = &sets()[0];
    let position: Position = "7/7/3e3/7/7/7/3E3/7/7 w".parse().unwrap();
    let mut engine = Engine::new();
    engine.set_tables(Some(tables.clone()));
    let leiden = play_of(Rules::LEIDEN, &position);
    let answer = engine.think(&leiden, Limits::nodes(2000), &Control::new(false), &mut |_| ());
    assert!(answer.best.is_some() && answer.nodes > 0, "searched, not looked up");

    let folder = tempfile::tempdir().unwrap();
    for class in tables.classes() {
        let path = folder.path().join(tables.file_of(class).unwrap());
        std::fs::write(path, b"damaged").unwrap();
    }
    let broken = Tablebase::new(rules, 3, Folder::new(folder.path()));
    engine.set_tables(Some(Arc::new(broken)));
    let answer = engine.think(
        &play_of(*rules, &position),
        Limits::nodes(2000),
        &Control::new(false),
        &mut |_| (),
    );
    assert!(answer.best.is_some() && answer.nodes > 0);
}

#[test]
fn several_lines_from_the_tables() {
    let (rules, tables, _) = &sets()[0];
    let mut engine = Engine::new();
    engine.set_tables(Some(tables.clone()));
    engine.set_options(Options { lines: 3, ..Options::default() }).unwrap();
    let position: Position = "7/7/3e3/7/7/7/3E3/7/7 w".parse().unwrap();
    let play = play_of(*rules, &position);
    let answer = engine.think(&play, Limits::depth(3), &Control::new(false), &mut |_| ());
    let known = tables.probe_position(&position).unwrap().moves;
    assert_eq!(answer.lines.len(), 3);
    for (line, probed) in answer.lines.iter().zip(known) {
        let verdict = match probed.value {
            Truth::Win(_) | Truth::Loss(_) => Verdict::Known(probed.value),
            Truth::Draw => Verdict::Estimate(0),
        };
        assert_eq!(line.score.verdict(), verdict);
        let mut play = play.clone();
        for &mv in &line.pv {
            play.play(mv).unwrap();
        }
    }
}
