//! Move generation: the designs of counting in `docs/decisions/0002-move-generation.md`, compared in turns.

use std::fmt::Write;
use std::time::Instant;

use clap::Args;
use game::perft::perft;
use game::{Delegate, Game};
use jungle::naive::{Board, Naive};
use jungle::{Jungle, Position, Rules};
use serde::{Deserialize, Serialize};

use crate::parameter::{text, within};
use crate::study::each;
use crate::{Context, Draft, Study, StudyError};

/// The speed of move generation.
pub struct MoveGeneration;

/// What is counted.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How deep to count; both generators count to this depth
    #[arg(long, value_name = "PLIES", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=8))]
    pub depth: u32,
    /// How many times each generator counts
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// A preset, or a preset with switches as in leiden,repetition=draw
    #[arg(long, value_name = "RULES", default_value = "standard")]
    #[serde(with = "text")]
    pub rules: Rules,
}

impl Default for Params {
    fn default() -> Params {
        Params { depth: 6, rounds: 5, rules: Rules::STANDARD }
    }
}

/// A way of counting; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Design {
    name: &'static str,
    nodes: u64,
    /// The best of the rounds: noise only ever slows a run down.
    seconds: f64,
    nps: u64,
    /// How many times faster than the naive generator.
    ratio: f64,
}

impl Study for MoveGeneration {
    const NAME: &'static str = "bench-perft";
    const TITLE: &'static str = "Move generation: the fast generator beside the naive one";
    const ABOUT: &'static str =
        "Move generation: the fast generator beside the naive one, in turns";
    const TAKES: &'static str = "seconds";

    type Params = Params;
    type Results = Vec<Design>;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Vec<Design>>, StudyError> {
        within("depth", params.depth, 1..=8)?;
        within("rounds", params.rounds, 1..=1000)?;
        let (rules, depth) = (params.rules, params.depth);
        let (jungle, naive) = (Jungle::new(rules), Naive { rules });
        let start = Position::start();
        let board = Board::from(&start);
        let counts: [(&'static str, &dyn Fn() -> u64); 4] = [
            ("naive generator, last ply in bulk", &|| perft(&OnePly(&naive), &board, depth)),
            ("bitboards, moves listed at every ply", &|| perft(&Listed(&jungle), &start, depth)),
            ("bitboards, last ply in bulk", &|| perft(&OnePly(&jungle), &start, depth)),
            ("bitboards, last two plies in bulk", &|| perft(&jungle, &start, depth)),
        ];
        let mut best = [f64::INFINITY; 4];
        let mut nodes = [0; 4];
        context.progress.begin("rounds", Some(params.rounds.into()));
        for _ in 0..params.rounds {
            for (at, (_, count)) in counts.iter().enumerate() {
                let clock = Instant::now();
                nodes[at] = count();
                best[at] = best[at].min(clock.elapsed().as_secs_f64());
            }
            context.advance()?;
        }
        context.progress.end();
        if nodes.iter().any(|&count| count != nodes[0]) {
            return Err(StudyError::Contradiction(format!("the generators disagree: {nodes:?}")));
        }
        let design = |at: usize| Design {
            name: counts[at].0,
            nodes: nodes[at],
            seconds: best[at],
            nps: (nodes[at] as f64 / best[at]) as u64,
            ratio: best[0] / best[at],
        };
        Ok(Some((0..counts.len()).map(design).collect()))
    }

    fn render(params: &Params, designs: &Vec<Design>) -> String {
        let mut text = format!(
            "perft {}, {}, one thread, best of {} rounds\n",
            params.depth, params.rules, params.rounds
        );
        for Design { name, nodes, seconds, nps, ratio } in designs {
            let million = *nps as f64 / 1e6;
            let _ = writeln!(
                text,
                "{name:<37} {nodes:>12} leaves {seconds:>8.3} s {million:>8.1} M/s {ratio:>6.1} x"
            );
        }
        text
    }

    fn lines(designs: &Vec<Design>) -> serde_json::Result<Vec<String>> {
        each(designs)
    }

    fn record(params: &Params, designs: &Vec<Design>, draft: Draft) -> Draft {
        draft
            .rules(params.rules)
            .parameter("depth", params.depth)
            .parameter("rounds", params.rounds)
            .results(designs)
    }
}

/// A game that counts only the last ply in bulk.
struct OnePly<'a, G>(&'a G);

/// A game that lists its moves even to count them.
struct Listed<'a>(&'a Jungle);

impl<G: Game> Delegate for OnePly<'_, G> {
    type Inner = G;
    const BULK_PLIES: u32 = 1;

    fn inner(&self) -> &G {
        self.0
    }
}

impl Delegate for Listed<'_> {
    type Inner = Jungle;
    const BULK_PLIES: u32 = 0;

    fn inner(&self) -> &Jungle {
        self.0
    }
}
