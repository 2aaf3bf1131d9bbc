//! The screen as it is drawn, and the keys as they are pressed.

use std::time::{Duration, Instant};

use engine::Level;
use jungle::{Color, Jungle, Play, Rules, Setup};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;

use super::{Screen, Task};

const START: &str = jungle::fen::START;

fn screen(fen: &str, you: Option<Color>) -> Screen {
    let setup: Setup = fen.parse().unwrap();
    let play = Play::new(Jungle::new(Rules::STANDARD), &setup).unwrap();
    let weakest = Level::new(0).unwrap();
    let mut screen = Screen::new(play, you, weakest, None);
    screen.next();
    screen
}

/// What is on a screen of this size.
fn seen(screen: &Screen, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen.draw(frame)).unwrap();
    terminal.backend().to_string()
}

fn press(screen: &mut Screen, keys: &[KeyCode]) {
    for &key in keys {
        screen.key(key);
    }
}

fn type_move(screen: &mut Screen, text: &str) {
    text.chars().for_each(|letter| screen.key(KeyCode::Char(letter)));
    screen.key(KeyCode::Enter);
}

/// Waits until the engine has done what it was asked for.
fn wait(screen: &mut Screen) {
    let begun = Instant::now();
    while screen.task.is_some() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the engine answers");
        std::thread::sleep(Duration::from_millis(2));
        screen.listen();
    }
}

#[test]
fn the_board_is_drawn_with_its_names_and_both_ways_round() {
    let mut screen = screen(START, None);
    let text = seen(&screen, 80, 24);
    for piece in ["9   l    ", "3   E  ", "  a    b    c    d    e    f    g  ", "Red: capitals"] {
        assert!(text.contains(piece), "{piece}\n{text}");
    }
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[1].contains("9 ") && rows[9].contains("1 "), "{text}");
    press(&mut screen, &[KeyCode::F(3)]);
    let text = seen(&screen, 80, 24);
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[1].contains("1 ") && rows[9].contains("9 "), "{text}");
    assert!(text.contains("  g    f    e    d    c    b    a  "), "{text}");
}

#[test]
fn a_small_window_says_how_large_it_must_be() {
    let screen = screen(START, None);
    assert!(seen(&screen, 59, 18).contains("make it at least 60 by 19"));
    assert!(seen(&screen, 20, 5).contains("The window is 20"));
    let text = seen(&screen, 60, 19);
    assert!(text.contains("Move: _") && text.contains("Engine (F2)"), "{text}");
}

#[test]
fn pieces_move_by_arrows_and_by_typing_and_refusals_have_reasons() {
    let mut screen = screen(START, None);
    // From d3 to the elephant on a3, and a step forward.
    press(&mut screen, &[KeyCode::Left, KeyCode::Left, KeyCode::Left, KeyCode::Enter]);
    let text = seen(&screen, 80, 24);
    assert!(text.contains("{ E }") && text.contains("(   )"), "{text}");
    press(&mut screen, &[KeyCode::Up, KeyCode::Enter]);
    assert_eq!(screen.play.moves()[0].to_string(), "a3a4");
    type_move(&mut screen, "ra6");
    assert_eq!(screen.play.moves()[1].to_string(), "a7a6");
    type_move(&mut screen, "Wc4");
    assert!(screen.message.contains("water"), "{}", screen.message);
    press(&mut screen, &[KeyCode::Up, KeyCode::Up, KeyCode::Right, KeyCode::Enter]);
    assert!(screen.message.contains("Pick up a piece of Red"), "{}", screen.message);
    press(&mut screen, &[KeyCode::Tab]);
    assert_eq!(screen.play.moves().len(), 1, "two people take back one move");
}

#[test]
fn the_engine_replies_and_both_moves_are_taken_back() {
    let mut screen = screen(START, Some(Color::White));
    type_move(&mut screen, "Ea4");
    assert!(screen.task == Some(Task::Reply));
    type_move(&mut screen, "Ea5");
    assert_eq!(screen.message, "It is the engine's move.");
    wait(&mut screen);
    assert_eq!(screen.play.moves().len(), 2);
    press(&mut screen, &[KeyCode::Esc, KeyCode::Tab]);
    assert!(screen.play.moves().is_empty());
    press(&mut screen, &[KeyCode::F(1)]);
    wait(&mut screen);
    assert!(screen.message.starts_with("Try "), "{}", screen.message);
}

#[test]
fn the_last_moves_of_a_long_game_are_seen() {
    let mut screen = screen(START, None);
    // Back and forth with ever different pieces, so that nothing repeats three times.
    let pairs =
        [("a3", "a4"), ("a7", "a6"), ("g1", "g2"), ("a9", "a8"), ("b2", "b3"), ("b8", "c8")];
    for round in 0..4 {
        for (from, to) in pairs {
            let there = round % 2 == 0;
            type_move(
                &mut screen,
                &if there { format!("{from}{to}") } else { format!("{to}{from}") },
            );
        }
    }
    assert_eq!(screen.play.moves().len(), 24, "{}", screen.message);
    let text = seen(&screen, 70, 19);
    assert!(text.contains(" 12. ") && !text.contains("  1. "), "{text}");
}

#[test]
fn the_end_is_told_and_a_new_game_asks_before_it_throws_one_away() {
    let mut screen = screen("7/7/3T3/7/7/7/7/6c/7 w", None);
    type_move(&mut screen, "d7d8");
    press(&mut screen, &[KeyCode::F(4)]);
    assert_eq!(screen.play.moves().len(), 1, "not at once");
    press(&mut screen, &[KeyCode::Left, KeyCode::F(4)]);
    assert_eq!(screen.play.moves().len(), 1, "another key in between means no");
    for text in ["g2g3", "d8d9"] {
        type_move(&mut screen, text);
    }
    let text = seen(&screen, 80, 24);
    assert!(text.contains("The game is over"), "{text}");
    type_move(&mut screen, "g3g4");
    assert!(screen.message.contains("F4 starts another"), "{}", screen.message);
    press(&mut screen, &[KeyCode::Esc, KeyCode::F(4)]);
    assert!(screen.play.moves().is_empty());
}
