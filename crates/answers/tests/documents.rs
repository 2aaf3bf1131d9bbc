//! The documents as the library computes them.

mod samples;

use std::sync::Arc;
use std::time::Duration;

use answers::{
    Analysis, Cone, GameRequest, GameState, Line, Probe, Refusal, RuleBook, Split, SplitSearch,
    amazons, gadgets,
};
use engine::{Control, Engine, Options};
use game::Side;
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
fn the_gadgets() {
    let named = gadgets::DrawingsRequest { name: Some("mended-or".to_owned()) };
    hold("gadgets-drawing", value(named.answer().unwrap()));
    let formula =
        |text: &str| gadgets::FormulaRequest { formula: text.to_owned(), stepping: false };
    hold("gadgets-board", value(formula("x & x").answer().unwrap()));
    let board = formula("x | y");
    let game = gadgets::BoardGameRequest {
        moves: Some("c17h17,e15f15".to_owned()),
        reply: true,
        ..gadgets::BoardGameRequest::default()
    };
    hold("gadgets-play", value(game.answer(&board).unwrap()));
    refused("refusal-formula", formula("x & !y").answer().unwrap_err());
    let long = formula("a & b & c & d & e & f & g & h & i & j").answer().unwrap_err();
    assert_eq!(long.code, "formula-too-large");
    let unknown = gadgets::DrawingsRequest { name: Some("nothing".to_owned()) };
    assert_eq!(unknown.answer().unwrap_err().code, "no-gadget");
}

/// The side with the strategy wins against itself's replies, and nobody is ever at a loss for a move.
#[test]
fn a_game_by_replies_alone_is_won_by_the_strategist() {
    for (text, first) in [("x | y", Side::First), ("x & y", Side::First), ("x", Side::Second)] {
        let formula = gadgets::FormulaRequest { formula: text.to_owned(), stepping: true };
        let mut moves: Vec<String> = Vec::new();
        let over = loop {
            let request = gadgets::BoardGameRequest {
                first: Some(first),
                moves: Some(moves.join(",")),
                reply: true,
            };
            let game = request.answer(&formula).unwrap();
            let Some(reply) = &game.reply else { break game };
            let by = if game.turn == game.strategist { "strategy" } else { "search" };
            assert_eq!(reply.by, by);
            moves.push(reply.mv.clone());
        };
        assert_eq!(over.winner, Some(over.strategist), "{text}");
        assert!(over.broken.is_empty() && over.played.len() == moves.len());
    }
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
