//! Endgame tables: how fast they are built and probed on this machine, and how large they are.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use game::rng::Rng;
use jungle::board::{DENS, WATER};
use jungle::{Animal, Color, Piece, Position, Rules, Square};
use serde::{Deserialize, Serialize};
use tablebase::build::{Event, Options, Wanted, build, compare_solvers};
use tablebase::storage::Folder;
use tablebase::{Material, ProbeError, Tablebase};
use tempfile::TempDir;

use crate::parameter::text;
use crate::study::line;
use crate::{Context, Draft, Study, StudyError};

/// The speed and size of tables.
pub struct Tables;

/// Which tables.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// A preset, or a preset with switches as in leiden,repetition=draw
    #[arg(long, value_name = "RULES", default_value = "standard")]
    #[serde(with = "text")]
    pub rules: Rules,
    /// Build all classes of this many pieces into a scratch folder and time it
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub pieces: u32,
    /// Time these classes instead, after what they lead to
    #[arg(long, value_name = "EL-RT")]
    #[serde(with = "crate::parameter::list_of_text")]
    pub class: Vec<Material>,
    /// How many threads to use; all cores if left out
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Make the scratch folder in this one, to measure another disk than that of temporary files
    #[arg(long, value_name = "DIR")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
}

impl Default for Params {
    fn default() -> Params {
        Params { rules: Rules::STANDARD, pieces: 4, class: Vec::new(), threads: None, dir: None }
    }
}

/// How many random positions are looked up, and how often; the best round counts.
const PROBES: usize = 100_000;
const ROUNDS: usize = 5;
/// The class on which the two solvers are compared.
const COMPARED: &str = "LR-E";

/// A folder that is deleted at the end, in another one, which need not exist.
fn scratch_folder(parent: Option<&Path>) -> io::Result<TempDir> {
    let Some(parent) = parent else { return tempfile::tempdir() };
    std::fs::create_dir_all(parent)?;
    tempfile::tempdir_in(parent)
}

/// What was measured; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct TableSpeed {
    /// Canonical positions (mirror images together, either side to move) of the classes timed.
    positions: u64,
    classes: usize,
    threads: usize,
    seconds: f64,
    million_positions_a_second: f64,
    bytes: u64,
    outcome_bits: f64,
    distance_bits: f64,
    model_bits: f64,
    outcome_microseconds: f64,
    distance_microseconds: f64,
    plain_million_positions_a_second: f64,
    sweeping_million_positions_a_second: f64,
}

impl Study for Tables {
    const NAME: &'static str = "tb-bench";
    const TITLE: &'static str = "Building and probing endgame tables";
    const ABOUT: &'static str = "Building, probing and sizes of endgame tables on this machine";
    const TAKES: &'static str = "minutes for four pieces";

    type Params = Params;
    type Results = TableSpeed;

    fn run(params: &Params, _: &mut Context<'_>) -> Result<Option<TableSpeed>, StudyError> {
        let rules = params.rules;
        let scratch = scratch_folder(params.dir.as_deref())
            .map_err(|error| StudyError::resources("making a scratch folder", error))?;
        let options = Options { threads: params.threads, ..Options::default() };
        let pieces = params.class.iter().map(|class| class.pieces()).max().unwrap_or(params.pieces);
        let mut quiet = |_: Event<'_>| {};
        if !params.class.is_empty() {
            let below = Wanted::Pieces(pieces - 1);
            build(&rules, scratch.path(), &below, &options, &mut quiet)?;
        }
        let wanted = match params.class.as_slice() {
            [] => Wanted::Pieces(pieces),
            classes => Wanted::Classes(classes.to_vec()),
        };
        let mut built = Vec::new();
        let start = Instant::now();
        build(&rules, scratch.path(), &wanted, &options, &mut |event| {
            if let Event::Built { report, .. } = event {
                built.push((report.file.clone(), report.total().placements() / 2));
            }
        })?;
        let seconds = start.elapsed().as_secs_f64();

        let tablebase = Tablebase::new(&rules, pieces, Folder::new(scratch.path()));
        let mut report = sizes(&tablebase, &built)?;
        report.threads = params.threads.unwrap_or_else(rayon::current_num_threads);
        report.seconds = seconds;
        report.million_positions_a_second = report.positions as f64 / seconds / 1e6;
        let named: Vec<Material> = match params.class.as_slice() {
            [] => Material::all(pieces).collect(),
            classes => classes.to_vec(),
        };
        probe(&tablebase, &named, &mut report)?;
        compare(&rules, &mut report)?;
        Ok(Some(report))
    }

    fn render(_: &Params, report: &TableSpeed) -> String {
        let TableSpeed { positions, classes, threads, seconds, bytes, .. } = report;
        let mut text = format!(
            "build    {classes} classes, {positions} canonical positions, {threads} threads: {seconds:.1} s, \
             {:.1} M positions/s\n",
            report.million_positions_a_second
        );
        let _ = writeln!(
            text,
            "size     {bytes} bytes: outcomes {:.4}, distances {:.4}, models {:.4} bits a position",
            report.outcome_bits, report.distance_bits, report.model_bits
        );
        let _ = writeln!(
            text,
            "probe    outcome {:.2} µs, with distance {:.2} µs (random positions, warm, one thread)",
            report.outcome_microseconds, report.distance_microseconds
        );
        let _ = writeln!(
            text,
            "solver   {COMPARED} on one thread: plain {:.2}, sweeping {:.2} M positions/s",
            report.plain_million_positions_a_second, report.sweeping_million_positions_a_second
        );
        text
    }

    fn lines(report: &TableSpeed) -> serde_json::Result<Vec<String>> {
        line(report)
    }

    fn record(params: &Params, report: &TableSpeed, draft: Draft) -> Draft {
        draft.rules(params.rules).parameter("pieces", params.pieces).results(report)
    }
}

fn sizes(tablebase: &Tablebase, built: &[(String, u64)]) -> Result<TableSpeed, StudyError> {
    let positions: u64 = built.iter().map(|(_, positions)| positions).sum();
    let mut bytes = [0; 3];
    for class in built.iter().filter_map(|(file, _)| tablebase.class_of_file(file)) {
        let sizes = tablebase.sizes(class).map_err(unexpected)?;
        for (sum, size) in bytes.iter_mut().zip([sizes.outcomes, sizes.distances, sizes.models]) {
            *sum += size;
        }
    }
    let bits = |bytes: u64| bytes as f64 * 8.0 / positions.max(1) as f64;
    Ok(TableSpeed {
        positions,
        classes: built.len(),
        threads: 0,
        seconds: 0.0,
        million_positions_a_second: 0.0,
        bytes: bytes.iter().sum(),
        outcome_bits: bits(bytes[0]),
        distance_bits: bits(bytes[1]),
        model_bits: bits(bytes[2]),
        outcome_microseconds: f64::INFINITY,
        distance_microseconds: f64::INFINITY,
        plain_million_positions_a_second: 0.0,
        sweeping_million_positions_a_second: 0.0,
    })
}

/// Times random positions of the named classes, either side to move, on one thread.
fn probe(
    tablebase: &Tablebase,
    named: &[Material],
    report: &mut TableSpeed,
) -> Result<(), StudyError> {
    let mut rng = Rng::new(1);
    let positions: Vec<Position> = (0..PROBES)
        .map(|_| {
            let material = named[rng.below(named.len())];
            random_position(&mut rng, material)
        })
        .collect();
    let microseconds = |start: Instant| start.elapsed().as_secs_f64() * 1e6 / PROBES as f64;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for position in &positions {
            std::hint::black_box(tablebase.probe_outcome(position).map_err(unexpected)?);
        }
        report.outcome_microseconds = report.outcome_microseconds.min(microseconds(start));
        let start = Instant::now();
        for position in &positions {
            std::hint::black_box(tablebase.probe(position).map_err(unexpected)?);
        }
        report.distance_microseconds = report.distance_microseconds.min(microseconds(start));
    }
    Ok(())
}

fn random_position(rng: &mut Rng, material: Material) -> Position {
    let mut placed: Vec<(Square, Piece)> = Vec::new();
    for color in Color::ALL {
        for animal in material.side(color).iter() {
            let square = loop {
                let square = Square::ALL[rng.below(Square::COUNT)];
                let dry = animal == Animal::Rat || !WATER.contains(square);
                if dry && !DENS.contains(square) && placed.iter().all(|(other, _)| *other != square)
                {
                    break square;
                }
            };
            placed.push((square, Piece { color, animal }));
        }
    }
    let turn = if rng.below(2) == 0 { Color::White } else { Color::Black };
    Position::from_pieces(placed, turn).expect("the pieces stand where they can")
}

/// The plain solver and the sweeping one on the same class, one thread each.
fn compare(rules: &Rules, report: &mut TableSpeed) -> Result<(), StudyError> {
    let class: Material = COMPARED.parse().expect("a class");
    let times = compare_solvers(rules, class)?;
    let positions = times.positions as f64 / 1e6;
    report.plain_million_positions_a_second = positions / times.plain.as_secs_f64();
    // The sweeping solver counts mirror images once.
    report.sweeping_million_positions_a_second = positions / 2.0 / times.sweeping.as_secs_f64();
    Ok(())
}

fn unexpected(error: ProbeError) -> StudyError {
    StudyError::resources("in the middle of the measurement", error)
}
