//! Table 2 of van Rijn & Vis (2013, 2014): endgame tables of two, three and four pieces under their
//! rules.
//!
//! Their positions leave out those without a legal move, and so do `draws` here. The four-piece row
//! was never right as printed: its wins, losses and draws add up to sixteen more than its positions.
//! Our rows add up, and `tb verify --full` vouches for them.

use std::io::Write;
use std::path::Path;

use jungle::Rules;
use lab::study::Table;
use serde::Serialize;
use tablebase::build::{Event, Options, Wanted, build};

use super::record;
use crate::cli::{ReproArgs, RulesArg};
use crate::commands::tb::set::Set;
use crate::commands::tb::stats::{Row, layer_row};
use crate::commands::tb::{self, args::SetArgs};
use crate::failure::Failure;
use crate::output::Output;

const TITLE: &str = "van Rijn & Vis (2013), Table 2: endgames of two to four pieces";

/// A row as it was printed.
#[derive(Clone, Copy, Serialize)]
struct Published {
    positions: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    longest: u32,
}

/// The rows for two, three and four pieces.
const PUBLISHED: [(u32, Published); 3] = [
    (2, Published { positions: 160_068, wins: 82_852, losses: 64_501, draws: 12_715, longest: 34 }),
    (
        3,
        Published {
            positions: 54_354_684,
            wins: 30_297_857,
            losses: 23_369_820,
            draws: 687_007,
            longest: 67,
        },
    ),
    (
        4,
        Published {
            positions: 9_685_020_510,
            wins: 5_468_841_129,
            losses: 4_001_236_829,
            draws: 214_942_568,
            longest: 117,
        },
    ),
];

/// The names are a contract with other programs.
#[derive(Serialize)]
struct Compared {
    ours: Row,
    published: Published,
    equal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
}

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    let rules = RulesArg { rules: Rules::LEIDEN };
    let wanted = SetArgs { rules, dir: args.dir.clone() };
    build_missing(&tb::folder(&wanted)?, args.pieces.unwrap_or(4))?;
    let set = Set::open(&wanted)?;
    let mut rows = Vec::new();
    for (pieces, published) in PUBLISHED {
        if args.pieces.is_some_and(|wanted| wanted != pieces) {
            continue;
        }
        let compared = compare(layer_row(&set, pieces)?, published);
        if args.json {
            output.json(&compared)?;
        } else {
            print(pieces, &compared, output)?;
        }
        rows.push((pieces, compared));
    }
    let results: Vec<&Compared> = rows.iter().map(|(_, compared)| compared).collect();
    let mut study = record::study("table2", TITLE)
        .rules(Rules::LEIDEN)
        .parameter("pieces", rows.iter().map(|(pieces, _)| *pieces).collect::<Vec<_>>())
        .results(&results)
        .note("Positions without a legal move are left out, as they did.")
        .table("table2", "Wins, losses and draws, ours beside theirs", table(&rows));
    for remark in results.iter().filter_map(|compared| compared.remark.clone()) {
        study = study.note(remark);
    }
    record::write(args, "table2", &study, output)
}

fn table(rows: &[(u32, Compared)]) -> Table {
    let mut table =
        Table::new(["pieces", "whose", "positions", "wins", "losses", "draws", "longest", "equal"]);
    for (pieces, compared) in rows {
        let ours = numbers(&compared.ours).all();
        for (whose, row) in [("ours", ours), ("published", compared.published.all())] {
            let mut cells = vec![pieces.to_string(), whose.to_owned()];
            cells.extend(row.map(|number| number.to_string()));
            cells.push(if compared.equal { "yes" } else { "no" }.to_owned());
            table.row(cells);
        }
    }
    table
}

/// Our row as they count.
fn numbers(ours: &Row) -> Published {
    Published {
        positions: ours.placements - ours.stalemates,
        wins: ours.wins,
        losses: ours.losses,
        draws: ours.draws,
        longest: ours.longest,
    }
}

/// Builds what is missing, telling of each class on the error output so that JSON stays clean.
fn build_missing(folder: &Path, pieces: u32) -> Result<(), Failure> {
    let mut watch = |event: Event<'_>| {
        if let Event::Built { report, .. } = event {
            let seconds = report.time.as_secs_f64();
            anstream::eprintln!("built {} in {seconds:.2} s", report.class.material);
        }
    };
    build(&Rules::LEIDEN, folder, &Wanted::Pieces(pieces), &Options::default(), &mut watch)
        .map(drop)
        .map_err(tb::failure)
}

fn compare(ours: Row, published: Published) -> Compared {
    Compared {
        equal: numbers(&ours).all() == published.all(),
        remark: published.remark(),
        ours,
        published,
    }
}

impl Published {
    fn all(self) -> [u64; 5] {
        [self.positions, self.wins, self.losses, self.draws, self.longest.into()]
    }

    /// Why the row cannot be right, if it cannot.
    fn remark(self) -> Option<String> {
        let sum = self.wins + self.losses + self.draws;
        (sum != self.positions).then(|| {
            format!(
                "the published row cannot be right: its wins, losses and draws add up to {sum}, \
                 {} more than its positions",
                i128::from(sum) - i128::from(self.positions)
            )
        })
    }
}

fn print(pieces: u32, compared: &Compared, output: &mut Output) -> Result<(), Failure> {
    let Compared { ours, published, equal, remark } = compared;
    writeln!(output, "{pieces} pieces")?;
    writeln!(
        output,
        "  {:<10} {:>15} {:>9} {:>15} {:>15} {:>12} {:>8}",
        "", "positions", "no move", "wins", "losses", "draws", "longest"
    )?;
    writeln!(
        output,
        "  {:<10} {:>15} {:>9} {:>15} {:>15} {:>12} {:>8}",
        "ours",
        ours.placements - ours.stalemates,
        ours.stalemates,
        ours.wins,
        ours.losses,
        ours.draws,
        ours.longest
    )?;
    writeln!(
        output,
        "  {:<10} {:>15} {:>9} {:>15} {:>15} {:>12} {:>8}",
        "published",
        published.positions,
        "",
        published.wins,
        published.losses,
        published.draws,
        published.longest
    )?;
    writeln!(output, "  {}", if *equal { "equal" } else { "different" })?;
    if let Some(remark) = remark {
        writeln!(output, "  {remark}")?;
    }
    output.flush()
}
