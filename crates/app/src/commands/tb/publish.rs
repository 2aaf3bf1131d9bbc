//! `mousetrap tb publish`: a set as one would give it to a data archive.

use std::io::{IsTerminal, Write};
use std::path::Path;

use serde::Serialize;
use tablebase::export::{ExportError, atomically};
use tablebase::publish::{Progress, Samples, Summary, publish};
use tablebase::rules_name;

use crate::commands::contest::program;
use crate::commands::tb::args::PublishArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

/// What was published or fetched; the names are a contract with other programs.
#[derive(Serialize)]
pub struct SummaryRow {
    pub rules: String,
    pub tables: usize,
    pub bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<usize>,
}

pub fn run(args: &PublishArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open_as_it_is(&args.set)?;
    if set.largest() == 0 {
        return Err(set.empty(None).into());
    }
    let samples = Samples { pieces: args.sample_pieces, positions: args.sample, seed: args.seed };
    let summary = publish(&set, &args.out, samples, &mut progress)?;
    let rules = rules_name(set.rules());
    write(&args.out.join(&rules).join("README.md"), &card(&set, &rules, &summary)?)?;
    write(&args.out.join("CITATION.cff"), &citation())?;
    let Summary { tables, bytes, verified, samples } = summary;
    if args.json {
        let (verified, samples) = (Some(verified), Some(samples));
        return output.json(&SummaryRow { rules, tables, bytes, verified, samples });
    }
    writeln!(
        output,
        "{tables} tables under {rules}, {bytes} bytes, {verified} of them verified position by position, \
         and {samples} samples are in {}",
        args.out.display()
    )?;
    Ok(())
}

/// Shown on a terminal only.
pub fn progress(at: Progress<'_>) {
    if std::io::stderr().is_terminal() {
        let percent = 100 * at.done / at.of.max(1);
        anstream::eprint!("\r{percent}% {}\u{1b}[K\r", at.file);
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    atomically::<ExportError>(path, |file| {
        file.write_all(text.as_bytes())
            .map_err(|error| ExportError::Io { path: path.to_owned(), error })
    })?;
    Ok(())
}

/// The data card.
fn card(set: &Set, rules: &str, summary: &Summary) -> Result<String, Failure> {
    let mut layers = String::new();
    for pieces in 2..=set.largest() {
        if set.check(pieces).is_ok() {
            let row = set.stats(pieces)?;
            layers += &format!(
                "| {pieces} | {} | {} | {} | {} | {} |\n",
                row.placements, row.wins, row.losses, row.draws, row.longest
            );
        }
    }
    let Summary { tables, bytes, verified, samples } = summary;
    let version = program::version();
    Ok(format!(
        "# Endgame tables of Dou Shou Qi (Jungle)\n\n\
         The truth about every position of the classes of material that are listed here: who wins with best play, and\n\
         in how many plies, for the player to move, without regard to repetition and limits of moves. Exact, by\n\
         retrograde analysis; a table serves all classes that are the same game under other names.\n\n\
         - **Rules:** `{rules}`; `mousetrap rules` explains the presets.\n\
         - **Tables:** {tables}, {bytes} bytes; {verified} of them were verified position by position against their\n\
         \u{20} successors (`verified.jsonl` says by which version of the program).\n\
         - **Format:** docs/tablebase-format.md of Mousetrap, enough to write a reader from; a small one in Python is\n\
         \u{20} among its examples. `manifest.json` has the size and the BLAKE3 of every file.\n\
         - **Statistics:** `statistics.jsonl`, a line for each class by name, White to move, mirror images\n\
         \u{20} counted apart.\n\
         - **Samples:** {samples} files in `samples`, Parquet: squares (0 is a1, 62 is g9), outcome (1, 0, -1)\n\
         \u{20} and plies for White, who is to move.\n\
         - **Made by** Mousetrap {version}; the same tables on every machine, to the last byte.\n\
         - **Licence:** that of the program, MIT or Apache-2.0.\n\n\
         | pieces | placements | wins | losses | draws | longest, plies |\n|---|---|---|---|---|---|\n{layers}\n\
         To use them: `mousetrap tb fetch URL --rules {rules}`, or copy this folder into a folder of tables, as `{rules}`;\n\
         `mousetrap tb verify --rules {rules} --dir DIR` checks the files.\n"
    ))
}

fn citation() -> String {
    format!(
        "cff-version: 1.2.0\n\
         message: \"If you use these tables in your work, please cite them.\"\n\
         type: dataset\n\
         title: \"Endgame tables of Dou Shou Qi (Jungle)\"\n\
         authors:\n  - name: \"The Mousetrap developers\"\n\
         version: {}\n\
         license:\n  - MIT\n  - Apache-2.0\n\
         keywords:\n  - Dou Shou Qi\n  - Jungle\n  - endgame tablebases\n  - retrograde analysis\n",
        env!("CARGO_PKG_VERSION")
    )
}
