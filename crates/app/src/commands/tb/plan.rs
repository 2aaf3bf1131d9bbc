//! `mousetrap tb plan`: what building would take, and the same as jobs for Slurm.
//!
//! An array holds classes of one layer that need about as much memory, and a task asks for what the largest class of
//! its array needs. Arrays of a layer wait until all of the layer before it have ended well. Tasks run
//! `tb build` for one class, whose claims and atomic files make them safe to be requeued, doubled or run anywhere.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use serde::Serialize;
use tablebase::Material;
use tablebase::build::{PlannedClass, Wanted, outline};
use tablebase::export::{ExportError, atomically};

use crate::commands::tb::args::PlanArgs;
use crate::commands::tb::tables_folder;
use crate::failure::Failure;
use crate::output::Output;

/// What a task takes beside classes and tables.
const PROGRAM: u64 = 512 << 20;

/// The least memory that a band goes up to.
const LEAST_BAND: u64 = 1 << 30;

/// The most tasks of an array: a cluster that was not configured otherwise takes 1001.
const MOST_TASKS: usize = 1000;

/// How many times the estimate a task may take, and how many minutes more.
const TIME_FACTOR: f64 = 6.0;
const TIME_MORE: f64 = 15.0;

/// A class of the plan; the names are a contract with other programs.
#[derive(Serialize)]
struct PlanRow {
    class: String,
    pieces: u32,
    /// The classes it is solved from.
    below: Vec<String>,
    /// Positions that it has indices for.
    positions: u64,
    /// In bytes.
    memory: u64,
    memory_wide: u64,
    /// Of its table, in bytes.
    bytes: u64,
    /// On one thread.
    seconds: f64,
}

impl PlanRow {
    fn new(class: &PlannedClass) -> PlanRow {
        PlanRow {
            class: class.class.to_string(),
            pieces: class.class.pieces(),
            below: class.below.iter().map(Material::to_string).collect(),
            positions: class.work,
            memory: class.memory,
            memory_wide: class.memory_wide,
            bytes: class.bytes,
            seconds: class.seconds(1),
        }
    }
}

/// The tasks of one array.
struct Array<'a> {
    name: String,
    layer: usize,
    classes: Vec<&'a PlannedClass>,
}

pub fn run(args: &PlanArgs, output: &mut Output) -> Result<(), Failure> {
    let wanted = match args.pieces {
        Some(pieces) => Wanted::Pieces(pieces),
        None => Wanted::Classes(args.class.clone()),
    };
    let layers = outline(&args.set.rules.rules, &wanted)?;
    if args.json {
        let mut classes = layers.iter().flatten();
        classes.try_for_each(|class| output.json(&PlanRow::new(class)))?;
    } else {
        table(&layers, output)?;
    }
    let Some(folder) = &args.slurm else { return Ok(()) };
    let arrays = arrays(&layers, |class| memory(args, class));
    write_jobs(args, folder, &arrays)?;
    if !args.json {
        let tasks: usize = arrays.iter().map(|array| array.classes.len()).sum();
        writeln!(
            output,
            "{tasks} tasks in {} arrays are in {}; `sh {}/submit.sh` submits them",
            arrays.len(),
            folder.display(),
            folder.display()
        )?;
    }
    Ok(())
}

fn table(layers: &[Vec<PlannedClass>], output: &mut Output) -> Result<(), Failure> {
    writeln!(
        output,
        "{:<7}{:>8}{:>18}{:>16}{:>16}{:>12}{:>12}",
        "pieces", "classes", "positions", "largest memory", "two bytes", "tables", "core hours"
    )?;
    for layer in layers {
        let pieces = layer.first().map_or(0, |class| class.class.pieces());
        let sum = |of: fn(&PlannedClass) -> u64| layer.iter().map(of).sum::<u64>();
        let most = |of: fn(&PlannedClass) -> u64| layer.iter().map(of).max().unwrap_or(0);
        let hours = layer.iter().map(|class| class.seconds(1)).sum::<f64>() / 3600.0;
        writeln!(
            output,
            "{pieces:<7}{:>8}{:>18}{:>14} G{:>14} G{:>10} G{hours:>12.2}",
            layer.len(),
            sum(|class| class.work),
            gibibytes(most(|class| class.memory)),
            gibibytes(most(|class| class.memory_wide)),
            gibibytes(sum(|class| class.bytes)),
        )?;
    }
    Ok(())
}

fn gibibytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / (1_u64 << 30) as f64)
}

/// What classes and tables of a class may take.
fn memory(args: &PlanArgs, class: &PlannedClass) -> u64 {
    if args.wide { class.memory_wide } else { class.memory }
}

/// The layers, each divided by memory and by the most tasks of an array.
fn arrays(layers: &[Vec<PlannedClass>], memory: impl Fn(&PlannedClass) -> u64) -> Vec<Array<'_>> {
    let mut arrays = Vec::new();
    for (layer, classes) in layers.iter().enumerate() {
        let mut bands: Vec<(u64, Vec<&PlannedClass>)> = Vec::new();
        for class in classes {
            let band = band(memory(class));
            match bands.iter_mut().find(|(of, _)| *of == band) {
                Some((_, held)) => held.push(class),
                None => bands.push((band, vec![class])),
            }
        }
        bands.sort_by_key(|(band, _)| *band);
        for (band, held) in bands {
            for (part, classes) in held.chunks(MOST_TASKS).enumerate() {
                let pieces = classes[0].class.pieces();
                let name = format!("pieces-{pieces}-{}M-{}", band >> 20, part + 1);
                arrays.push(Array { name, layer, classes: classes.to_vec() });
            }
        }
    }
    arrays
}

/// Up to how much memory the band of a class goes: four bands from one power of two to the next.
fn band(memory: u64) -> u64 {
    let step = memory.next_power_of_two() / 8;
    if memory <= LEAST_BAND { LEAST_BAND } else { memory.next_multiple_of(step) }
}

fn write_jobs(args: &PlanArgs, folder: &Path, arrays: &[Array<'_>]) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::outside(format!("making {}", folder.display()), error))?;
    let tables = std::path::absolute(tables_folder(args.set.dir.clone())?)
        .map_err(|error| Failure::outside("finding the folder of tables", error))?;
    for array in arrays {
        let list: String = array.classes.iter().map(|class| format!("{}\n", class.class)).collect();
        write(&folder.join(format!("{}.classes", array.name)), &list)?;
        write(&folder.join(format!("{}.sbatch", array.name)), &job(args, array, &tables))?;
    }
    write(&folder.join("submit.sh"), &submission(arrays))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    atomically::<ExportError>(path, |file| {
        file.write_all(text.as_bytes())
            .map_err(|error| ExportError::Io { path: path.to_owned(), error })
    })?;
    Ok(())
}

/// A job array.
fn job(args: &PlanArgs, array: &Array<'_>, tables: &Path) -> String {
    let most = array.classes.iter().map(|class| memory(args, class)).max().unwrap_or(0);
    let threads = usize::from(args.threads);
    let seconds = array.classes.iter().map(|class| class.seconds(threads)).fold(0.0, f64::max);
    let minutes = (seconds * TIME_FACTOR / 60.0 + TIME_MORE).ceil() as u64;
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let more = if args.wdl_only { " --wdl-only" } else { "" };
    format!(
        "#!/bin/sh\n\
         # Classes of {name}, one a task; written by `mousetrap tb plan`. A task that is requeued, or\n\
         # submitted again, finds the tables that are there.\n\
         #\n\
         # MOUSETRAP  the program\n\
         #SBATCH --job-name=mousetrap-{name}\n\
         #SBATCH --array=1-{tasks}\n\
         #SBATCH --cpus-per-task={threads}\n\
         #SBATCH --mem={mem}M\n\
         #SBATCH --time={minutes}\n\
         #SBATCH --requeue\n\
         #SBATCH --open-mode=append\n\
         #SBATCH --output=%x-%a.log\n\n\
         class=$(sed -n \"${{SLURM_ARRAY_TASK_ID}}p\" '{name}.classes')\n\
         exec \"${{MOUSETRAP:-mousetrap}}\" tb build --class \"$class\" --rules '{rules}' --dir '{dir}' \\\n    \
         --threads \"${{SLURM_CPUS_PER_TASK:-{threads}}}\" --memory {limit}M{more}\n",
        name = array.name,
        tasks = array.classes.len(),
        mem = mebibytes(most + most / 16 + PROGRAM),
        limit = mebibytes(most),
        rules = args.set.rules.rules,
        dir = tables.display(),
    )
}

/// Submits all arrays, each layer to wait for the one before it.
fn submission(arrays: &[Array<'_>]) -> String {
    let mut text = "#!/bin/sh\n\
        # Submits all arrays; those of a layer wait for the layer before. Written by `mousetrap tb plan`.\n\
        #\n\
        # SBATCH  the command that submits, with options of the site, as in SBATCH='sbatch -p long'\n\
        set -eu\n\
        cd \"$(dirname \"$0\")\"\n\
        : \"${SBATCH:=sbatch}\"\n\
        after=\n"
        .to_owned();
    for (at, array) in arrays.iter().enumerate() {
        if at == 0 || arrays[at - 1].layer != array.layer {
            text += "\nlayer=\n";
        }
        let _ = writeln!(
            text,
            "job=$($SBATCH --parsable ${{after:+--dependency=afterok$after --kill-on-invalid-dep=yes}} {}.sbatch)\n\
             layer=$layer:${{job%%;*}}",
            array.name
        );
        if arrays.get(at + 1).is_none_or(|next| next.layer != array.layer) {
            text += "after=$layer\n";
        }
    }
    text + "\necho \"submitted; the last layer is$after\"\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_hold_one_layer_and_like_memory() {
        let layers = outline(&jungle::Rules::LEIDEN, &Wanted::Pieces(5)).unwrap();
        let all = arrays(&layers, |class| class.memory);
        assert_eq!(all.iter().map(|array| array.classes.len()).sum::<usize>(), 526);
        for array in &all {
            let pieces = array.classes[0].class.pieces();
            assert!(array.classes.iter().all(|class| class.class.pieces() == pieces));
            let memory = array.classes.iter().map(|class| class.memory.max(LEAST_BAND));
            let (most, least) = (memory.clone().max().unwrap(), memory.min().unwrap());
            assert!(4 * most <= 5 * least, "{most} and {least} bytes in one array");
        }
        assert!(all.is_sorted_by_key(|array| array.layer));
        let text = submission(&all);
        assert_eq!(text.matches("--parsable").count(), all.len());
        assert_eq!(text.matches("after=$layer").count(), layers.len());
    }
}
