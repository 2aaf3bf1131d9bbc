//! Gates for games without end: a variable of Black's that is set and unset for ever, and read without a capture.
//!
//! The elephant stands at one end of a corridor or at the other; where it stands no lion can land. The square in the
//! middle is White's trap: while his cat is beside it, the elephant cannot change over.

use gadgets::Gadget;
use gadgets::gadget::Passage;
use gadgets::local::{Goal, Local, Traffic};
use gadgets::solve::solve;
use jungle::{Animal, Color, Rules};

/// Switches one above the other, through all of which a lion has to go: each a corridor with its elephant, and the square
/// of the cat.
fn switches(corridors: &[&str], cat: char) -> Gadget {
    let one = |corridor: &&str| format!("{corridor}\n~~{cat}~~\n");
    let drawing = corridors.iter().map(one).collect::<Vec<_>>().join("~~~~~\n");
    let out = format!("out W {}", 3 * (corridors.len() - 1));
    let ports = ["in N 0", &out];
    Gadget::drawn("switches", "SWITCHes", &drawing, Passage::Water, &ports, Animal::Lion)
}

/// Whether White forces so many lions through, all of which wait at the input.
fn passes(gadget: &Gadget, lions: usize, turn: Color) -> bool {
    let waiting = [(0, gadget.signal, lions)];
    let local = Local::new(gadget, &waiting, Traffic::Open, turn, Rules::LEIDEN);
    let goal = Goal::Signals { ports: vec![1], at_least: lions };
    let start = [local.start()];
    let solution = solve(&local, &start, Color::White, &goal, None, 1_000_000).unwrap();
    solution.plies(local.start()).is_some()
}

const OPEN: &str = "..we.";
const SHUT: &str = ".ew..";
const CAT: char = 'C';
const NO_CAT: char = '.';

/// It lets lions pass or stops them, one after the other, and nothing need be taken for it.
#[test]
fn switches_are_read_again_and_again_while_cats_are_at_their_posts() {
    assert!(passes(&switches(&[OPEN], CAT), 3, Color::Black));
    assert!(passes(&switches(&[OPEN, OPEN], CAT), 2, Color::Black));
    for cat in [CAT, NO_CAT] {
        assert!(!passes(&switches(&[SHUT], cat), 1, Color::White));
    }
}

/// Without cats a single switch is read in time, but not two: the second is shut meanwhile.
#[test]
fn two_switches_without_cats_are_not_read_at_one_moment() {
    assert!(passes(&switches(&[OPEN], NO_CAT), 1, Color::Black));
    assert!(!passes(&switches(&[OPEN, OPEN], NO_CAT), 1, Color::Black));
}
