//! `mousetrap gadgets list`.

use std::io::Write;

use gadgets::circuit::Circuit;
use gadgets::{Gadget, compose, library};
use serde::Serialize;

use super::args::ListArgs;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Listed {
    name: String,
    set: &'static str,
    title: String,
    width: usize,
    height: usize,
    pieces: usize,
    ports: Vec<String>,
}

fn listed(set: &'static str) -> impl Fn(Gadget) -> Listed {
    move |gadget| Listed {
        set,
        width: gadget.board.geometry().width(),
        height: gadget.board.geometry().height(),
        pieces: gadget.board.pieces().count(),
        ports: gadget.ports.iter().map(|port| port.name.clone()).collect(),
        name: gadget.name,
        title: gadget.title,
    }
}

fn circuit(name: &str, title: &str, circuit: &Circuit) -> Listed {
    let layout = gadgets::layout::Layout::of(circuit);
    Listed {
        name: name.to_owned(),
        set: "composed",
        title: title.to_owned(),
        width: layout.board.geometry().width(),
        height: layout.board.geometry().height(),
        pieces: layout.board.pieces().count(),
        ports: ["in1", "in2", "out1", "out2"].map(str::to_owned).to_vec(),
    }
}

pub fn run(args: &ListArgs, output: &mut Output) -> Result<(), Failure> {
    let mut all: Vec<Listed> = library::published().into_iter().map(listed("published")).collect();
    all.extend(compose::composed().into_iter().map(listed("composed")));
    let half = "half crossover: three CHOICEs and three ORs";
    all.push(circuit("half-crossover", half, &Circuit::half_crossover()));
    let whole = "crossover: four half crossovers, three FANOUTs, three ANDs";
    all.push(circuit("crossover", whole, &Circuit::crossover()));
    all.extend(library::mended().into_iter().map(listed("mended")));
    all.extend(library::stepping().into_iter().map(listed("stepping")));
    for gadget in &all {
        if args.json {
            output.json(gadget)?;
        } else {
            let Listed { name, set, title, width, height, pieces, ports } = gadget;
            writeln!(
                output,
                "{set:<10} {name:<21} {:>9} {pieces:>3} pieces  {title} [{}]",
                format!("{width}x{height}"),
                ports.join(" ")
            )?;
        }
    }
    Ok(())
}
