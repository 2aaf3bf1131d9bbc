//! The documents as the library computes them.

mod samples;

use std::sync::Arc;
use std::time::Duration;

use answers::{
    Analysis, Cone, GameRequest, GameState, Line, Probe, Refusal, RuleBook, Split, SplitSearch,
    amazons,
};
use engine::{Control, Engine, Options};
use game::limits::Limits;
use jungle::causality::Causality;
use jungle::{Jungle, Piece, Play, Position, Rules, Setup};
use samples::{CUT, DECIDED, DRAWN, FIGURE_13, LOST, STALEMATE, TACTIC, WON, hold};
use serde::Serialize;
use serde_json::Value;
use tablebase::Remedy;

fn value(answer: impl Serialize) -> Value {
    serde_json::to_value(answer).unwrap()
}

fn play(rules: Rules, fen: &str) -> Play {
    let setup: Setup = fen.parse().unwrap();
    Play::new(Jungle::new(rules), &setup).unwrap()
}

#[test]
fn moves_and_rules() {
    let leiden = Rules::LEIDEN;
    hold("moves-start", value(GameState::of(&Play::start(Jungle::new(leiden)))));
    hold("moves-decided", value(GameState::of(&play(Rules::STANDARD, DECIDED))));
    hold("moves-stalemate", value(GameState::of(&play(leiden, STALEMATE))));
    hold("rules", value(RuleBook::presets()));
}

#[test]
fn probes_and_lines() {
    let folder = tempfile::tempdir().unwrap();
    let set = samples::build_tables(folder.path());
    let (tables, jungle) = (set.tablebase(), Jungle::new(Rules::LEIDEN));
    let position = |fen: &str| -> Position { fen.parse().unwrap() };
    for (name, fen) in
        [("lost", LOST), ("drawn", DRAWN), ("decided", DECIDED), ("stalemate", STALEMATE)]
    {
        let probe = Probe::of(tables, &jungle, &position(fen)).unwrap();
        hold(&format!("probe-{name}"), value(probe));
    }
    for (name, fen) in
        [("won", WON), ("drawn", DRAWN), ("decided", DECIDED), ("stalemate", STALEMATE)]
    {
        let line = Line::of(tables, &jungle, &position(fen)).unwrap();
        hold(&format!("line-{name}"), value(line));
    }
    let four = position("7/7/3e3/7/3c3/7/3E3/3C3/7 w");
    let missing = Probe::of(tables, &jungle, &four).map_err(Refusal::from).unwrap_err();
    assert_eq!(
        (missing.code, missing.remedy),
        ("missing-table", Some(Remedy::Build { pieces: 4 }))
    );
    // As the server words the remedy.
    let words = "build the tables of up to 4 pieces for these rules on the server, by `POST /api/tablebase/build` or \
         with `mousetrap tb build`";
    refused("refusal-missing-table", missing.advised(|_| words.to_owned()));
    let start = Probe::of(tables, &jungle, &Position::start()).map_err(Refusal::from).unwrap_err();
    refused("refusal-too-many-pieces", start);
}

#[test]
fn analyses() {
    let folder = tempfile::tempdir().unwrap();
    let set = samples::build_tables(folder.path());
    let mut engine = Engine::new();
    let options = Options { hash: 4, lines: 2, ..Options::default() };
    engine.set_options(options).unwrap();
    engine.set_tables(Some(set.tablebase().clone()));
    for (name, fen, depth) in [
        ("analysis", TACTIC, 6),
        ("analysis-decided", DECIDED, 1),
        ("analysis-stalemate", STALEMATE, 1),
    ] {
        let play = play(Rules::LEIDEN, fen);
        let answer = engine.think(&play, Limits::depth(depth), &Control::new(false), &mut |_| ());
        hold(name, value(Analysis::new(&play, &answer)));
    }
}

#[test]
fn splits_and_cones() {
    let (rules, position) = (Rules::TUFTS, FIGURE_13.parse::<Position>().unwrap());
    let causality = Arc::new(Causality::new(&rules));
    let split = Split::new(&rules, &causality, &position, 4);
    hold("split", value(&split));
    let search = SplitSearch::new(rules, causality, &position, 4, &Limits::depth(4));
    hold("split-searched", value(split.searched(search)));
    let tiger = Piece::from_letter('t').unwrap();
    hold("cone", value(Cone::new(&Rules::STANDARD, "a1".parse().unwrap(), tiger)));
}

#[test]
fn the_amazons() {
    let request = |fen| amazons::GameRequest {
        fen: Some(String::from(fen)),
        ..amazons::GameRequest::default()
    };
    for (name, fen) in [("amazons-position", CUT), ("amazons-over", "Wx2/xx2/4/3B w")] {
        let (position, played) = request(fen).play().unwrap();
        hold(name, value(amazons::Position::new(&position, played)));
    }
    let (position, _) = request(CUT).play().unwrap();
    let mut question = amazons::Question {
        algorithm: amazons::Algorithm::Regions,
        limits: Limits::depth(3).with_time(Duration::from_secs(60)),
        solving: None,
    };
    hold("amazons-regions", value(amazons::Analysis::new(&position, &question)));
    question.solving = Some(amazons::Solving {
        steps: u64::MAX,
        steps_each: 200_000,
        value_steps: 200_000,
        portion: 200_000,
        longest_value: 60,
    });
    hold("amazons-solved", value(amazons::Analysis::new(&position, &question)));
}

#[test]
fn refusals() {
    let illegal = GameRequest { moves: Some("c3c4".to_owned()), ..GameRequest::default() };
    refused("refusal-illegal", illegal.play().unwrap_err());
    let fen = Some("7/7/7/1W5/7/7/7/7/7 w".to_owned());
    let in_water = GameRequest { fen, ..GameRequest::default() };
    refused("refusal-in-water", in_water.play().unwrap_err());
}

/// As every refusal is sent over HTTP.
fn refused(name: &str, refusal: Refusal) {
    hold(name, serde_json::json!({ "error": refusal }));
}
