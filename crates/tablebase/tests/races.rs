//! The race rule on every position of two and three pieces.

use jungle::Rules;
use jungle::causality::Races;
use tablebase::Tablebase;
use tablebase::build::{Wanted, in_memory};
use tablebase::class::Loader;
use tablebase::verify::{RaceReport, races};

/// Judges all classes of up to this many pieces.
fn judge(rules: &Rules, pieces: u32) -> RaceReport {
    let files = in_memory(rules, &Wanted::Pieces(pieces)).unwrap();
    let tablebase = Tablebase::new(rules, pieces, files);
    let rule = Races::new(rules);
    let mut loader = Loader::new(&tablebase);
    let mut total = RaceReport::default();
    for class in tablebase.classes() {
        total = total.plus(races(&loader.load(class).unwrap(), &rule));
    }
    total
}

fn check(rules: &str, pieces: u32) -> RaceReport {
    let report = judge(&rules.parse().unwrap(), pieces);
    assert_eq!(report.false_claims, 0, "{rules}: {:?}", report.example);
    assert!(report.claimed_wins > 0 && report.claimed_losses > 0);
    report
}

/// All house rules on which the rule depends, with the presets.
#[test]
fn no_claim_about_two_pieces_is_false() {
    for rules in [
        "standard",
        "leiden",
        "tufts",
        "tufts,traps=everybody",
        "leiden,annihilation-wins=no",
        "standard,annihilation-wins=no,shore=open",
        "tufts,panther-jumps=sideways,tiger-jumps=lengthwise",
    ] {
        check(rules, 2);
    }
}

#[test]
fn no_claim_about_three_pieces_is_false_where_no_move_draws() {
    let report = check("leiden", 3);
    // The rule applies often enough to be worth using.
    assert!(3 * report.claimed_wins > report.wins, "{report:?}");
}

#[test]
fn no_claim_about_three_pieces_is_false_where_no_move_loses() {
    check("standard", 3);
}
