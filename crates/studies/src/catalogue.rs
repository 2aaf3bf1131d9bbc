//! What endgame tables know that is worth looking at, class by class: rows for programs, and a page with diagrams.

use std::fmt::Write as _;

use game::truth::Truth;
use jungle::Color;
use jungle::picture::Picture;
use serde::Serialize;
use tablebase::catalogue::{Catalogue, Example, Kind};

/// The findings in a class; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct CatalogueRow {
    /// The class.
    pub class: String,
    /// How many placements of its pieces there are, mirror images counted apart, as everywhere here.
    pub placements: u64,
    /// Placements in which whoever moves loses.
    pub full_zugzwangs: KindRow,
    /// Placements in which whoever moves does worse than if the other side moved, but not both lose.
    pub half_zugzwangs: KindRow,
    /// The side with less, if one has.
    pub weaker: Option<Color>,
    /// Placements that are drawn whoever moves, although one side has less.
    pub fortresses: KindRow,
    /// Won positions, with either side to move.
    pub wins: u64,
    /// Those of them that only one of several moves wins.
    pub only_moves: KindRow,
}

/// Positions of a kind.
#[derive(Clone, Debug, Serialize)]
pub struct KindRow {
    /// How many there are.
    pub count: u64,
    /// One of them.
    pub example: Option<ExampleRow>,
}

/// A position with its value for the player to move.
#[derive(Clone, Debug, Serialize)]
pub struct ExampleRow {
    /// The position.
    pub fen: String,
    /// Its value.
    #[serde(flatten)]
    pub value: Truth,
}

impl CatalogueRow {
    /// The row of a class.
    pub fn new(found: &Catalogue) -> CatalogueRow {
        CatalogueRow {
            class: found.class.to_string(),
            placements: found.placements,
            full_zugzwangs: KindRow::new(&found.full_zugzwangs),
            half_zugzwangs: KindRow::new(&found.half_zugzwangs),
            weaker: found.weaker,
            fortresses: KindRow::new(&found.fortresses),
            wins: found.wins,
            only_moves: KindRow::new(&found.only_moves),
        }
    }
}

impl KindRow {
    fn new(kind: &Kind) -> KindRow {
        let example = |Example { position, value, .. }: &Example| ExampleRow {
            fen: position.to_string(),
            value: *value,
        };
        KindRow { count: kind.count, example: kind.example.as_ref().map(example) }
    }
}

/// The kinds in the order of the page, with their headings.
fn kinds(found: &Catalogue) -> [(&'static str, &Kind); 4] {
    [
        ("whoever moves loses", &found.full_zugzwangs),
        ("whoever moves does worse", &found.half_zugzwangs),
        ("fortress", &found.fortresses),
        ("only move", &found.only_moves),
    ]
}

const STYLE: &str = "body{font:16px/1.4 sans-serif;max-width:72em;margin:2em auto;padding:0 1em}\
table{border-collapse:collapse}td,th{padding:.1em .8em;text-align:right}\
section{display:flex;flex-wrap:wrap;gap:1em}figure{margin:0;width:15em}figcaption{font-size:85%}\
svg{width:100%;height:auto}";

/// A page of a catalogue: a table of all classes, and a diagram for each kind of position that a class has.
pub fn page(rules: &str, found: &[Catalogue]) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>What the tables know: {rules}</title>\n\
         <style>{STYLE}</style>\n<h1>What the tables know: {rules}</h1>\n"
    );
    html += "<table>\n<tr><th>class<th>placements<th>whoever moves loses<th>whoever moves does worse\
             <th>fortresses<th>wins<th>by one move only\n";
    for class in found {
        let _ = writeln!(
            html,
            "<tr><td><a href=\"#{0}\">{0}</a><td>{1}<td>{2}<td>{3}<td>{4}<td>{5}<td>{6}",
            class.class,
            class.placements,
            class.full_zugzwangs.count,
            class.half_zugzwangs.count,
            class.fortresses.count,
            class.wins,
            class.only_moves.count
        );
    }
    html += "</table>\n";
    for class in found {
        let _ = writeln!(html, "<h2 id=\"{0}\">{0}</h2>\n<section>", class.class);
        for (heading, kind) in kinds(class) {
            let Some(Example { position, value, .. }) = &kind.example else { continue };
            let svg = Picture::of(position).square_size(32).to_svg();
            let _ = writeln!(
                html,
                "<figure>{svg}<figcaption>{heading}, one of {}: {} to move, {value}<br><code>{position}</code>\
                 </figcaption></figure>",
                kind.count,
                position.turn()
            );
        }
        html += "</section>\n";
    }
    html + "</html>\n"
}
