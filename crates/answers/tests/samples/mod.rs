//! Sample questions, and the documents that answer them: every front end is asked the same and held to the same
//! files in `tests/documents`.
#![allow(dead_code, reason = "no front end needs everything")]

use std::path::Path;

use serde_json::Value;

/// A question, as each front end is asked it; nothing where a front end is not asked.
pub struct Sample {
    /// The name of the document.
    pub name: &'static str,
    /// The arguments of the command line, `--json` left out.
    pub command: &'static [&'static str],
    /// The address over HTTP.
    pub path: &'static str,
}

const fn sample(
    name: &'static str,
    command: &'static [&'static str],
    path: &'static str,
) -> Sample {
    Sample { name, command, path }
}

/// Both sides have an elephant: lost in 12 plies.
pub const LOST: &str = "7/7/3e3/7/7/7/3E3/7/7 w - - 0 1";
/// Won in 19 plies.
pub const WON: &str = "t6/7/T6/7/7/7/7/7/7 w - - 0 1";
/// Neither side can force a win.
pub const DRAWN: &str = "d6/7/7/7/7/7/5C1/7/7 w - - 0 1";
/// White stands in the den: Black, who would be to move, has lost.
pub const DECIDED: &str = "3C3/7/7/7/7/7/7/7/6r b - - 0 1";
/// White has no legal move, which draws by Leiden's rules.
pub const STALEMATE: &str = "7/7/7/7/7/7/7/e6/Cl5 w - - 0 1";
/// A win in five that a search finds.
pub const TACTIC: &str = "5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w - - 0 1";
/// Burnett's Figure 13: two parts.
pub const FIGURE_13: &str = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w - - 0 1";
/// An endgame of the Amazons in five regions.
pub const CUT: &str = "W2xB1/2xx2/xxxxxx/W1Bx1x/3xxx/1B1xW1 w";

/// All questions; those about tables and games by Leiden's rules.
pub const SAMPLES: &[Sample] = &[
    sample("moves-start", &["show", "--rules", "leiden"], "/api/moves?rules=leiden"),
    sample("moves-decided", &["show", DECIDED], "/api/moves?fen=3C3/7/7/7/7/7/7/7/6r%20b"),
    sample(
        "moves-stalemate",
        &["show", STALEMATE, "--rules", "leiden"],
        "/api/moves?rules=leiden&fen=7/7/7/7/7/7/7/e6/Cl5%20w",
    ),
    sample("rules", &["rules"], "/api/rules"),
    sample("probe-lost", &["tb", "probe", LOST], "/api/tablebase?fen=7/7/3e3/7/7/7/3E3/7/7%20w"),
    sample("probe-drawn", &["tb", "probe", DRAWN], "/api/tablebase?fen=d6/7/7/7/7/7/5C1/7/7%20w"),
    sample(
        "probe-decided",
        &["tb", "probe", DECIDED],
        "/api/tablebase?fen=3C3/7/7/7/7/7/7/7/6r%20b",
    ),
    sample(
        "probe-stalemate",
        &["tb", "probe", STALEMATE],
        "/api/tablebase?fen=7/7/7/7/7/7/7/e6/Cl5%20w",
    ),
    sample("line-won", &["tb", "line", WON], "/api/tablebase/line?fen=t6/7/T6/7/7/7/7/7/7%20w"),
    sample(
        "line-drawn",
        &["tb", "line", DRAWN],
        "/api/tablebase/line?fen=d6/7/7/7/7/7/5C1/7/7%20w",
    ),
    sample(
        "line-decided",
        &["tb", "line", DECIDED],
        "/api/tablebase/line?fen=3C3/7/7/7/7/7/7/7/6r%20b",
    ),
    sample(
        "line-stalemate",
        &["tb", "line", STALEMATE],
        "/api/tablebase/line?fen=7/7/7/7/7/7/7/e6/Cl5%20w",
    ),
    sample(
        "analysis",
        &["analyse", TACTIC, "--depth", "6", "--lines", "2", "--hash", "4"],
        "/api/analyse?fen=5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7%20w&depth=6&lines=2",
    ),
    sample("analysis-decided", &["analyse", DECIDED, "--depth", "1"], ""),
    sample("analysis-stalemate", &["analyse", STALEMATE, "--depth", "1"], ""),
    sample(
        "split",
        &["split", FIGURE_13, "--rules", "tufts"],
        "/api/split?scores=false&rules=tufts&fen=7/7/1cd1e2/4R2/7/7/1C5/r1P4/7%20w",
    ),
    sample("split-searched", &["split", FIGURE_13, "--rules", "tufts", "--depth", "4"], ""),
    sample("cone", &["cone", "a1", "t"], "/api/cone?square=a1&fen=7/7/7/7/7/7/7/7/t5R%20w"),
    sample(
        "amazons-position",
        &["amazons", "show", CUT],
        "/api/amazons/position?fen=W2xB1/2xx2/xxxxxx/W1Bx1x/3xxx/1B1xW1%20w",
    ),
    sample(
        "amazons-over",
        &["amazons", "show", "Wx2/xx2/4/3B w"],
        "/api/amazons/position?fen=Wx2/xx2/4/3B%20w",
    ),
    sample(
        "amazons-regions",
        &[],
        "/api/amazons/analyse?algorithm=regions&depth=3&nodes=1000000&seconds=15&\
         fen=W2xB1/2xx2/xxxxxx/W1Bx1x/3xxx/1B1xW1%20w",
    ),
    sample(
        "amazons-solved",
        &["amazons", "analyse", CUT, "--depth", "3", "--seconds", "60", "--steps", "200000"],
        "",
    ),
    sample("gadgets-drawing", &[], "/api/gadgets?name=mended-or"),
    sample("gadgets-board", &[], "/api/gadgets/board?formula=x%20%26%20x"),
    sample(
        "gadgets-play",
        &[],
        "/api/gadgets/play?formula=x%20%7C%20y&moves=c17h17,e15f15&reply=true",
    ),
    sample("refusal-formula", &[], "/api/gadgets/board?formula=x%20%26%20!y"),
    sample("refusal-illegal", &[], "/api/moves?moves=c3c4"),
    sample("refusal-in-water", &[], "/api/moves?fen=7/7/7/1W5/7/7/7/7/7%20w"),
    sample("refusal-too-many-pieces", &[], "/api/tablebase"),
    sample("refusal-missing-table", &[], "/api/tablebase?fen=7/7/3e3/7/3c3/7/3E3/3C3/7%20w"),
];

/// Tables of up to three pieces by Leiden's rules, in a folder below this one.
pub fn build_tables(folder: &Path) -> tablebase::Set {
    let rules = jungle::Rules::LEIDEN;
    let folder = tablebase::set_folder(folder, &rules);
    tablebase::Set::open_or_build(&rules, folder).expect("tables")
}

/// Whether a question is by Leiden's rules without saying so.
pub fn is_leiden(name: &str) -> bool {
    ["probe", "line", "analysis", "refusal-missing"].iter().any(|kind| name.starts_with(kind))
}

/// Holds an answer to its document. What depends on the machine is left out.
pub fn hold(name: &str, mut answer: Value) {
    redact(&mut answer);
    let documents = concat!(env!("CARGO_MANIFEST_DIR"), "/../answers/tests/documents");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(documents);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_json_snapshot!(name, answer));
}

/// Replaces times and speeds.
fn redact(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                if ["time", "nps", "hashfull"].contains(&key.as_str()) && value.is_number() {
                    *value = Value::from(0);
                } else {
                    redact(value);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(redact),
        _ => {}
    }
}
