//! The library of gadgets: the published drawings, and the repaired ("mended") set.
//!
//! **Published** (van Rijn & Vis, figures 3 and 4): signals are White panthers that walk. Inputs are
//! at the bottom, outputs at the top; OUTFLOW runs from left to right.
//!
//! **Mended**: signals are White lions that jump, and every gadget is an island. This one change
//! makes protectors needless: cats, dogs and elephants cannot leave,
//! wires cannot be walked by any piece except signals, and two wires cross without touching, one jumping
//! over the other's water. Inputs come from the north, outputs go east, so that gadgets can stand on
//! the diagonal of a board (see [`crate::layout`]).
//!
//! The workings, with `e` at home beside the square where signals land:
//! - VARIABLE: the side that moves first decides: the lion leaves, or the elephant takes it.
//! - AND: the first lion to land is taken, which draws the elephant away from the other landing.
//! - RELAY: a lion that lands must be taken, or it walks through; taking it draws the elephant away
//!   from the trap where it guards the relay's own lion, which leaves instead. Only one ever gets
//!   through, and none comes back. OR is a relay with two ways to land, on two sides of the elephant,
//!   so that nothing gets from one to the other without passing it.
//! - SPLIT: a dog pins the gadget's own lion against a trap; the lion that arrives takes the dog, and
//!   both are free. With a RELAY on each output this is FANOUT.
//! - CHOICE: a fork.

use jungle::Animal;

use crate::gadget::{Gadget, Passage};

/// The drawings of figures 3 and 4.
pub fn published() -> Vec<Gadget> {
    let gadget = |name, title, drawing, ports: &[&str]| {
        Gadget::drawn(name, title, drawing, Passage::Land, ports, Animal::Panther)
    };
    vec![
        gadget(
            "and",
            "AND (figure 3a)",
            "~~.~~\n~.w.~\n~wCw~\n~.w.~\n~.e.~\n~.w.~\n~wCw~\n~.w.~\n~.~.~\n",
            &["in1 S 1", "in2 S 3", "out N 2"],
        ),
        gadget(
            "or",
            "OR (figure 3b)",
            "~~.~~\n~.w.~\n~wCw~\n~.w.~\n~.e.~\n~.w.~\n~wCw~\n~.wP~\n~.~.~\n",
            &["in1 S 1", "in2 S 3", "out N 2"],
        ),
        gadget(
            "fanout",
            "FANOUT (figure 3c)",
            "~.~~.~\n~....~\n~bd..~\n~Pb..~\n~~~.~~\n",
            &["in S 3", "out1 N 1", "out2 N 4"],
        ),
        gadget(
            "choice",
            "CHOICE (figure 3d)",
            "~.~.~\n~...~\n~~.~~\n",
            &["in S 2", "out1 N 1", "out2 N 3"],
        ),
        gadget(
            "variable",
            "VARIABLE (figure 3e)",
            "~~.~~\n~...~\n~.p.~\n~.P.~\n~~.~~\n",
            &["out N 2", "back S 2"],
        ),
        gadget(
            "black-edge",
            "BLACK EDGE protector (figure 4a)",
            "~~~.~~~\n~~...~~\n~~.~.~~\n~.bdb.~\n~~~.~~~\n",
            &["in S 3", "out N 3"],
        ),
        gadget(
            "white-edge",
            "WHITE EDGE protector (figure 4b)",
            "~~.~~\n~.w.~\n~wCw~\n~.w.~\n~~.~~\n",
            &["in S 2", "out N 2"],
        ),
        gadget(
            "channel-core",
            "a BLACK EDGE between two WHITE EDGEs: the core of a one-way channel",
            "~~~.~~~\n~~.w.~~\n~~wCw~~\n~~.w.~~\n~~~.~~~\n~~~.~~~\n~~...~~\n~~.~.~~\n~.bdb.~\n~~~.~~~\n~~~.~~~\n~~.w.~~\n~~wCw~~\n~~.w.~~\n~~~.~~~\n",
            &["in S 3", "out N 3"],
        ),
        gadget(
            "outflow",
            "OUTFLOW protector (figure 4c)",
            "~~~~~~~~~\n~.w...w.~\n.wCwewCw.\n~Pw...w.~\n~~~~~~~~~\n",
            &["in W 2", "out E 2"],
        ),
    ]
}

/// The mended set.
pub fn mended() -> Vec<Gadget> {
    let gadget = |name, title, drawing, ports: &[&str]| {
        Gadget::drawn(name, title, drawing, Passage::Water, ports, Animal::Lion)
    };
    vec![
        gadget("mended-and", "AND, mended", ".e.\n~~~\n.~.\n", &["in1 N 0", "in2 N 2", "out E 2"]),
        gadget(
            "mended-or",
            "OR, mended: a relay with two inputs",
            "~.~~.\n.ew~.\n~~L~~\n.~~~.\n",
            &["in1 N 0", "in2 N 1", "out E 3"],
        ),
        gadget(
            "mended-relay",
            "RELAY: one-way channel, outflow and gadget protector in one, mended",
            ".~~.\new~.\n~L~~\n",
            &["in N 0", "out E 0"],
        ),
        gadget(
            "mended-split",
            "SPLIT: the core of FANOUT, mended",
            "~L~~\ndb~.\n~~~.\n",
            &["in N 0", "out1 E 1", "out2 E 2"],
        ),
        gadget(
            "mended-guarded-split",
            "SPLIT behind a RELAY: nothing comes back",
            ".~~.~.~~~\n\
             ew~.~~~~~\n\
             ~L~~~~~~~\n\
             ~~~~~~~~~\n\
             ~~~~~~L~~\n\
             ~~~~~db~.\n\
             ~~~~~~~~.\n",
            &["in N 0", "out1 E 5", "out2 E 6"],
        ),
        gadget(
            "mended-fanout",
            "FANOUT, mended: SPLIT with a RELAY on each output",
            "~L~~~~~~~~~~\n\
             db~..~~~~~~~\n\
             ~~~.~~~~.~~~\n\
             ~~~~.~~.~~~~\n\
             ~~~~ew~.~~~~\n\
             ~~~~~L~~~~~~\n\
             ~~~~~~~~.~~.\n\
             ~~~~~~~~ew~.\n\
             ~~~~~~~~~L~~\n",
            &["in N 0", "out1 E 3", "out2 E 6"],
        ),
        gadget("mended-choice", "CHOICE, mended", ".\n.\n", &["in N 0", "out1 E 0", "out2 E 1"]),
        gadget("mended-variable", "VARIABLE, mended", "eL\n", &["out E 0"]),
    ]
}

/// The mended gates drawn so that their ports lie on the lattice of a board of stepping stones
/// ([`crate::layout::Layout::stepping`]); the others fit as they are.
pub fn stepping() -> Vec<Gadget> {
    let gadget = |name, title, drawing, ports: &[&str]| {
        Gadget::drawn(name, title, drawing, Passage::Water, ports, Animal::Lion)
    };
    vec![
        gadget(
            "stepping-and",
            "AND with stepping stones",
            "~~.~~.~~.\n~~~~~~~~~\n.e.~~~~~~\n~~~~~~~~~\n.~.~~~~~~\n",
            &["in1 N 0", "in2 N 8", "out E 4"],
        ),
        gadget(
            "stepping-or",
            "OR with stepping stones",
            "~.~~~.~~.\n.~~~~~~~~\n~~~~~~~~~\n~~~~~~~~~\n~.~~.~~~~\n.ew~.~~~~\n~~L~~~~~~\n.~~~.~~~~\n",
            &["in1 N 0", "in2 N 8", "out E 7"],
        ),
        gadget(
            "stepping-split",
            "SPLIT with stepping stones",
            "~L~~\ndb~.\n~~~.\n~~~~\n~~~~\n~~~~\n~~~.\n~~~~\n~~~~\n~~~.\n",
            &["in N 0", "out1 E 1", "out2 E 9"],
        ),
    ]
}

/// A gadget by name.
pub fn find(name: &str) -> Option<Gadget> {
    published().into_iter().chain(mended()).chain(stepping()).find(|gadget| gadget.name == name)
}
