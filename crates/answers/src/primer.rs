//! A primer: how the game is played, in a few sentences that follow from the rules in force.

use jungle::board::Axis;
use jungle::rules::{NoLegalMove, Repetition, Shore, Traps, WolfOrDog};
use jungle::{Animal, Rules};
use serde::Serialize;

/// One topic of the primer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Topic {
    /// What it is about, in a word: `goal`, `moves`, `captures`, `water`, `traps`, `draws`.
    pub topic: &'static str,
    /// What a player has to know.
    pub text: String,
}

/// How to play by these rules, in the order in which one learns it.
pub fn primer(rules: &Rules) -> Vec<Topic> {
    let topic = |topic, text| Topic { topic, text };
    vec![
        topic("goal", goal(rules)),
        topic("moves", moves(rules)),
        topic("captures", captures(rules)),
        topic("water", water(rules)),
        topic("traps", traps(rules)),
        topic("draws", draws(rules)),
    ]
}

fn goal(rules: &Rules) -> String {
    let mut text = "Move a piece into the enemy's den, and you win.".to_owned();
    if rules.annihilation_wins {
        text += " Taking the last enemy piece wins, too.";
    }
    if rules.no_legal_move == NoLegalMove::Loss {
        text += " Whoever cannot move loses.";
    }
    text
}

fn moves(rules: &Rules) -> String {
    let jumpers = jumpers(rules);
    let more = if jumpers.is_empty() { "" } else { ", or jumps over the water" };
    format!(
        "Red begins, and players take turns. A piece moves one square up, down, left or right{more}; it never enters \
         its own den, and never a square where a friend stands."
    )
}

fn captures(rules: &Rules) -> String {
    let (weaker, stronger) = match rules.weaker {
        WolfOrDog::Wolf => ("wolf", "dog"),
        WolfOrDog::Dog => ("dog", "wolf"),
    };
    let elephant =
        if rules.elephant_takes_rat { "" } else { ", and the elephant does not take the rat" };
    format!(
        "A piece takes an enemy of equal or lower strength by moving onto it. From weak to strong: rat, \
         cat, {weaker}, {stronger}, panther, tiger, lion, elephant. But the rat takes the elephant{elephant}."
    )
}

fn water(rules: &Rules) -> String {
    let mut text = "Only the rat swims. ".to_owned();
    text += &jumpers(rules);
    text += match rules.shore {
        Shore::Closed => "A rat takes nothing when it steps ashore or into the water.",
        Shore::Rats | Shore::NotElephant => {
            "When it steps ashore or into the water, a rat takes only another rat."
        }
        Shore::Open => "A rat may take when it steps ashore or into the water.",
    };
    text
}

/// Sentences about those that jump; empty if none does.
fn jumpers(rules: &Rules) -> String {
    let jumps = [
        (Animal::Lion, rules.lion_jumps),
        (Animal::Tiger, rules.tiger_jumps),
        (Animal::Panther, rules.panther_jumps),
    ];
    let mut ways: Vec<(&str, Vec<String>)> = Vec::new();
    for (animal, jumps) in jumps {
        let way = match (jumps.allow(Axis::Lengthwise), jumps.allow(Axis::Sideways)) {
            (false, false) => continue,
            (true, false) => "lengthwise over the water",
            (false, true) => "sideways over the water",
            (true, true) => "over the water, both ways",
        };
        let name = animal.to_string().to_lowercase();
        match ways.iter_mut().find(|(known, _)| *known == way) {
            Some((_, animals)) => animals.push(name),
            None => ways.push((way, vec![name])),
        }
    }
    let mut text = String::new();
    for (way, animals) in &ways {
        let (who, verb) = match animals.as_slice() {
            [one] => (one.clone(), "jumps"),
            [most @ .., last] => (format!("{} and {last}", most.join(", ")), "jump"),
            [] => continue,
        };
        let who = who[..1].to_uppercase() + &who[1..];
        text += &format!("{who} {verb} {way}. ");
    }
    if !text.is_empty() {
        text += "A rat of either side in the way blocks the jump. ";
    }
    text
}

fn traps(rules: &Rules) -> String {
    let whom = match rules.traps {
        Traps::Enemies => {
            "A piece in a trap beside the enemy's den can be taken by any enemy piece."
        }
        Traps::Everybody => {
            "A piece in any trap, its own side's too, can be taken by any enemy piece."
        }
    };
    format!("{whom} Three traps surround each den.")
}

fn draws(rules: &Rules) -> String {
    let mut text = Vec::new();
    if rules.no_legal_move == NoLegalMove::Draw {
        text.push("A player who cannot move draws.".to_owned());
    }
    text.push(
        match rules.repetition {
            Repetition::Ignored => "Positions may repeat.",
            Repetition::Draw => "The third time a position occurs, the game is drawn.",
            Repetition::Loss => "Who brings about a position for the third time loses.",
            Repetition::Illegal => {
                "A move that brings about a position for the third time is illegal."
            }
        }
        .to_owned(),
    );
    if let Some(limit) = rules.move_limit {
        text.push(format!("After {limit} moves of each side the game is drawn."));
    }
    if let Some(limit) = rules.quiet_limit {
        text.push(format!("After {limit} moves in a row, of both sides together, without a capture the game is drawn."));
    }
    text.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rules: &str) -> String {
        let rules = rules.parse().expect("these are rules");
        primer(&rules).into_iter().map(|topic| topic.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_primer_follows_the_rules_in_force() {
        assert!(text("standard").contains("the elephant does not take the rat"));
        assert!(!text("leiden").contains("the elephant does not take the rat"));
        assert!(text("standard").contains("cat, dog, wolf, panther"));
        assert!(text("leiden").contains("cat, wolf, dog, panther"));
        assert!(text("standard").contains("Whoever cannot move loses."));
        assert!(text("leiden").contains("A player who cannot move draws."));
        assert!(text("tufts").contains("After 200 moves of each side"));
        assert!(text("standard").contains("Lion and tiger jump over the water, both ways."));
        assert!(text("standard,tiger-jumps=sideways,panther-jumps=lengthwise").contains(
            "Lion jumps over the water, both ways. Tiger jumps sideways over the water. Panther jumps lengthwise"
        ));
        let none = text("standard,lion-jumps=none,tiger-jumps=none");
        assert!(!none.contains("jump"), "{none}");
    }

    #[test]
    fn every_switch_is_in_the_primer() {
        for switch in &jungle::rules::SWITCHES {
            let texts: Vec<String> = switch
                .values
                .iter()
                .map(|value| if *value == "N" { "7" } else { *value })
                .map(|value| text(&format!("standard,{}={value}", switch.name)))
                .collect();
            assert!(texts.iter().any(|text| *text != texts[0]), "{}: {}", switch.name, texts[0]);
        }
    }
}
