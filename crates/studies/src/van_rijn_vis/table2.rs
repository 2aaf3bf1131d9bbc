//! Table 2 of van Rijn & Vis (2013, 2014): endgame tables of two, three and four pieces under their
//! rules.
//!
//! Their positions leave out those without a legal move, and so do `draws` here. The four-piece row
//! was never right as printed: its wins, losses and draws add up to sixteen more than its positions.
//! Our rows add up, and full verification confirms them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use jungle::Rules;
use serde::{Deserialize, Serialize};
use tablebase::build::{Event, Options, Wanted, build};
use tablebase::{ClassStats, Set, set_folder};

use super::PAPER_2013;
use crate::parameter::within;
use crate::study::each;
use crate::{Context, Draft, Study, StudyError, Table};

/// Table 2, under their rules.
pub struct Table2;

/// The parameters of Table 2.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// Only the row of this many pieces
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=4))]
    pub pieces: Option<u32>,
    /// The folder of tables; the user's data folder if left out
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// A row as it was printed.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Published {
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

/// A number of pieces, ours beside theirs; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct LayerRow {
    #[serde(skip)]
    pieces: u32,
    /// Our counts.
    pub ours: ClassStats,
    /// Theirs.
    pub published: Published,
    /// Whether they are the same.
    pub equal: bool,
    /// Why the published row cannot be right, if it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

impl Study for Table2 {
    const NAME: &'static str = "table2";
    const TITLE: &'static str = "van Rijn & Vis (2013), Table 2: endgames of two to four pieces";
    const ABOUT: &'static str =
        "van Rijn & Vis (2013), Table 2: wins, losses and draws of two to four pieces";
    const SOURCE: Option<&'static str> = Some(PAPER_2013);
    const TAKES: &'static str = "minutes; more if the tables are still to be built";

    type Params = Params;
    type Results = Vec<LayerRow>;

    fn run(
        params: &Params,
        context: &mut Context<'_>,
    ) -> Result<Option<Vec<LayerRow>>, StudyError> {
        let most = params.pieces.unwrap_or(4);
        within("pieces", most, 2..=4)?;
        let tables = context.tables(params.dir.as_ref())?;
        let folder = set_folder(&tables, &Rules::LEIDEN);
        build_missing(&folder, most, context)?;
        let set = Set::open_or_build(&Rules::LEIDEN, folder)?;
        let mut rows = Vec::new();
        for (pieces, published) in PUBLISHED {
            if params.pieces.is_none_or(|wanted| wanted == pieces) {
                rows.push(LayerRow::new(pieces, set.stats(pieces)?, published));
            }
        }
        Ok(Some(rows))
    }

    fn render(_: &Params, rows: &Vec<LayerRow>) -> String {
        rows.iter().map(LayerRow::render).collect()
    }

    fn lines(rows: &Vec<LayerRow>) -> serde_json::Result<Vec<String>> {
        each(rows)
    }

    fn record(_: &Params, rows: &Vec<LayerRow>, draft: Draft) -> Draft {
        let draft = draft
            .rules(Rules::LEIDEN)
            .parameter("pieces", rows.iter().map(|row| row.pieces).collect::<Vec<_>>())
            .results(rows)
            .note("Positions without a legal move are left out, as they did.")
            .table("table2", "Wins, losses and draws, ours beside theirs", table(rows));
        rows.iter().filter_map(|row| row.remark.clone()).fold(draft, Draft::note)
    }
}

fn table(rows: &[LayerRow]) -> Table {
    let mut table =
        Table::new(["pieces", "whose", "positions", "wins", "losses", "draws", "longest", "equal"]);
    for compared in rows {
        let ours = numbers(&compared.ours).all();
        for (whose, row) in [("ours", ours), ("published", compared.published.all())] {
            let mut cells = vec![compared.pieces.to_string(), whose.to_owned()];
            cells.extend(row.map(|number| number.to_string()));
            cells.push(if compared.equal { "yes" } else { "no" }.to_owned());
            table.row(cells);
        }
    }
    table
}

/// Our row as they count.
fn numbers(ours: &ClassStats) -> Published {
    Published {
        positions: ours.placements - ours.stalemates,
        wins: ours.wins,
        losses: ours.losses,
        draws: ours.draws,
        longest: ours.longest,
    }
}

/// Builds what is missing, and reports each class.
fn build_missing(folder: &Path, pieces: u32, context: &mut Context<'_>) -> Result<(), StudyError> {
    let mut watch = |event: Event<'_>| {
        if let Event::Built { report, .. } = event {
            let seconds = report.time.as_secs_f64();
            context.progress.note(&format!("built {} in {seconds:.2} s", report.class));
        }
    };
    build(&Rules::LEIDEN, folder, &Wanted::Pieces(pieces), &Options::default(), &mut watch)?;
    Ok(())
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

impl LayerRow {
    fn new(pieces: u32, ours: ClassStats, published: Published) -> LayerRow {
        LayerRow {
            pieces,
            equal: numbers(&ours).all() == published.all(),
            remark: published.remark(),
            ours,
            published,
        }
    }

    fn render(&self) -> String {
        let LayerRow { pieces, ours, published, equal, remark } = self;
        let mut text = format!("{pieces} pieces\n");
        let mut line = |name: &str, cells: [String; 6]| {
            let [positions, no_move, wins, losses, draws, longest] = cells;
            let _ = writeln!(
                text,
                "  {name:<10} {positions:>15} {no_move:>9} {wins:>15} {losses:>15} {draws:>12} \
                 {longest:>8}"
            );
        };
        line("", ["positions", "no move", "wins", "losses", "draws", "longest"].map(str::to_owned));
        for (name, row, no_move) in [
            ("ours", numbers(ours), ours.stalemates.to_string()),
            ("published", *published, String::new()),
        ] {
            let [positions, wins, losses, draws, longest] = row.all().map(|n| n.to_string());
            line(name, [positions, no_move, wins, losses, draws, longest]);
        }
        let _ = writeln!(text, "  {}", if *equal { "equal" } else { "different" });
        remark.iter().for_each(|remark| {
            let _ = writeln!(text, "  {remark}");
        });
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_row_of_four_pieces_does_not_add_up() {
        let remarks = PUBLISHED.map(|(_, row)| row.remark());
        assert_eq!(remarks[..2], [None, None]);
        assert!(remarks[2].as_deref().is_some_and(|remark| remark.contains("16 more than")));
    }
}
