//! Proofs by parts: against tables that hold the whole position, and for positions of games that no table holds.

use std::fmt::Write;

use clap::Args;
use game::Game;
use game::limits::Limits;
use game::rng::Rng;
use game::truth::{Truth, Wdl};
use jungle::board::DENS;
use jungle::{BurnettEval, Color, Jungle, Piece, Position, Rules, Square};
use players::StrongestFirst;
use search::{AlphaBeta, PathRepetition, Schedule, Table, deepen};
use serde::{Deserialize, Serialize};
use tablebase::build::{Wanted, in_memory};
use tablebase::proof::{Prover, check};
use tablebase::{Material, Tablebase};

use crate::parameter::{text, within};
use crate::study::each;
use crate::{Context, Draft, Study, StudyError};

/// Proofs by parts.
pub struct Proofs;

/// What is proved.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// A class of material to check against its table; may be given several times
    #[arg(long, value_name = "CLASS")]
    pub class: Vec<String>,
    /// How many random positions of each class; 0 for all of them
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub positions: u64,
    /// How many positions of five to eight pieces from games of `ordering` with itself, where no class is given
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub games: u64,
    /// How many nodes the search visits that is compared with it in games
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The most pieces of a part
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=3))]
    pub pieces: u32,
    /// The seed of the positions
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// A preset, or a preset with switches as in leiden,repetition=draw
    #[arg(long, value_name = "RULES", default_value = "standard")]
    #[serde(with = "text")]
    pub rules: Rules,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            class: Vec::new(),
            positions: 2000,
            games: 200,
            nodes: 20_000,
            pieces: 2,
            seed: 1,
            rules: Rules::STANDARD,
        }
    }
}

/// The proofs of a class, or of positions from games; the names are a contract with other programs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// The class, or `games`.
    of: String,
    positions: u64,
    /// How many are won or lost; null where no table says.
    decided: Option<u64>,
    /// Proofs by a race, by a part, and by a part with a piece to wait.
    race: u64,
    part: u64,
    tempo: u64,
    /// Proofs that the table contradicts: there must be none.
    false_claims: u64,
    /// Proofs that the checker refuses: there must be none.
    refused: u64,
    /// The longest proved win or loss, in plies.
    longest: u32,
    /// How many the search decides, and how many of those are not proved; null against tables.
    searched: Option<u64>,
    /// How many are proved that the search does not decide.
    only_proved: Option<u64>,
}

impl Row {
    fn proved(&self) -> u64 {
        self.race + self.part + self.tempo
    }
}

impl Study for Proofs {
    const NAME: &'static str = "bench-proofs";
    const TITLE: &'static str = "Proofs by parts, against tables and beside a search";
    const ABOUT: &'static str = "Proofs by parts: against tables, and beside a search in games";
    const TAKES: &'static str = "minutes";

    type Params = Params;
    type Results = Vec<Row>;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Vec<Row>>, StudyError> {
        within("pieces", params.pieces, 1..=3)?;
        if params.class.is_empty() {
            return Ok(Some(vec![in_games(params, context)?]));
        }
        let mut rows = Vec::new();
        for class in &params.class {
            let material: Material =
                class.parse().map_err(|error: tablebase::ParseMaterialError| {
                    StudyError::parameter("class", error.to_string())
                })?;
            rows.push(against_table(params, material, context)?);
        }
        Ok(Some(rows))
    }

    fn render(params: &Params, rows: &Vec<Row>) -> String {
        let mut text = format!(
            "{}, parts of up to {} pieces\n{:<10} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8} {:>8} {:>6} {:>8} {:>9} {:>12}\n",
            params.rules,
            params.pieces,
            "",
            "positions",
            "decided",
            "proved",
            "race",
            "part",
            "tempo",
            "longest",
            "false",
            "refused",
            "searched",
            "only proved"
        );
        let or_dash = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), |n| n.to_string());
        for row in rows {
            let _ = writeln!(
                text,
                "{:<10} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8} {:>8} {:>6} {:>8} {:>9} {:>12}",
                row.of,
                row.positions,
                or_dash(row.decided),
                row.proved(),
                row.race,
                row.part,
                row.tempo,
                row.longest,
                row.false_claims,
                row.refused,
                or_dash(row.searched),
                or_dash(row.only_proved)
            );
        }
        text
    }

    fn lines(rows: &Vec<Row>) -> serde_json::Result<Vec<String>> {
        each(rows)
    }

    fn record(params: &Params, rows: &Vec<Row>, draft: Draft) -> Draft {
        draft
            .rules(params.rules)
            .seed(params.seed)
            .parameter("pieces", params.pieces)
            .parameter("nodes", params.nodes)
            .results(rows)
    }
}

/// Tries to prove a position, and counts what comes of it.
fn attempt(prover: &mut Prover, position: &Position, row: &mut Row) -> Option<Truth> {
    use tablebase::proof::By;
    row.positions += 1;
    let proof = prover.prove(position)?;
    match proof.by {
        By::Race => row.race += 1,
        By::Part => row.part += 1,
        By::Tempo => row.tempo += 1,
    }
    row.longest = row.longest.max(proof.plies);
    row.refused += u64::from(check(&proof.certificate, prover.rules()).is_err());
    Some(proof.truth())
}

fn against_table(
    params: &Params,
    material: Material,
    context: &mut Context<'_>,
) -> Result<Row, StudyError> {
    let memory = in_memory(&params.rules, &Wanted::Classes(vec![material]))
        .map_err(|error| StudyError::parameter("class", error.to_string()))?;
    let tables = Tablebase::new(&params.rules, material.pieces(), memory);
    let pieces = material.in_order();
    let all = 2 * (Square::COUNT as u64).pow(pieces.len() as u32);
    let mut rng = Rng::new(params.seed);
    let mut prover = Prover::new(&params.rules, params.pieces as usize);
    let mut row = Row { of: material.to_string(), decided: Some(0), ..Row::default() };
    let wanted = if params.positions == 0 { all } else { params.positions };
    context.progress.begin("positions", Some(wanted));
    let mut tried = 0;
    while tried < wanted {
        let number = if params.positions == 0 { tried } else { rng.next_u64() % all };
        tried += u64::from(params.positions == 0);
        let Some(position) = placed(&pieces, number) else { continue };
        tried += u64::from(params.positions != 0);
        let Ok(truth) = tables.probe(&position) else { continue };
        let claimed = attempt(&mut prover, &position, &mut row);
        let decided = truth.outcome() != Wdl::Draw;
        row.decided = row.decided.map(|count| count + u64::from(decided));
        let holds = match (claimed, truth) {
            (None, _) => true,
            (Some(Truth::Win(most)), Truth::Win(plies))
            | (Some(Truth::Loss(most)), Truth::Loss(plies)) => plies <= most,
            _ => false,
        };
        row.false_claims += u64::from(!holds);
        context.advance()?;
    }
    context.progress.end();
    Ok(row)
}

/// The placement with this number, unless it is none.
fn placed(pieces: &[Piece], number: u64) -> Option<Position> {
    let turn = if number.is_multiple_of(2) { Color::White } else { Color::Black };
    let mut rest = (number / 2) as usize;
    let mut placement = Vec::new();
    for &piece in pieces {
        placement.push((Square::ALL[rest % Square::COUNT], piece));
        rest /= Square::COUNT;
    }
    let position = Position::from_pieces(placement, turn).ok()?;
    let whole = position.occupied().len() as usize == pieces.len();
    (whole && !position.occupied().intersects(DENS)).then_some(position)
}

/// The most plies of a game.
const MOST_PLIES: usize = 300;
/// The table of the search, in MiB.
const HASH: usize = 16;
/// How deep the search may go.
const DEEPEST: u32 = 60;

/// Positions of five to eight pieces from games in which all moves are searched two plies deep, ties at random.
fn in_games(params: &Params, context: &mut Context<'_>) -> Result<Row, StudyError> {
    let jungle = Jungle::new(params.rules);
    let mut prover = Prover::new(&params.rules, params.pieces as usize);
    let mut row =
        Row { of: "games".into(), searched: Some(0), only_proved: Some(0), ..Row::default() };
    let mut rng = Rng::new(params.seed);
    context.progress.begin("positions", Some(params.games));
    while row.positions < params.games {
        for position in game_of(params.rules, &jungle, &mut rng) {
            if row.positions == params.games {
                break;
            }
            let claimed = attempt(&mut prover, &position, &mut row);
            let mut search = AlphaBeta::new(&jungle, &BurnettEval)
                .order(StrongestFirst)
                .repetition(PathRepetition::Ignored);
            if let Ok(table) = Table::new(HASH) {
                search = search.table(table);
            }
            let limits = Limits::nodes(params.nodes).with_depth(DEEPEST);
            let found = deepen(&mut search, &position, Schedule::EVERY_PLY, &limits, |_| ());
            let decided = found.score.is_decided();
            row.searched = row.searched.map(|count| count + u64::from(decided));
            let only = claimed.is_some() && !decided;
            row.only_proved = row.only_proved.map(|count| count + u64::from(only));
            if let Some(claimed) = claimed.filter(|_| decided) {
                let won = found.score.is_win();
                row.false_claims += u64::from(won != (claimed.outcome() == Wdl::Win));
            }
            context.advance()?;
        }
    }
    context.progress.end();
    Ok(row)
}

/// Every fifth position of a game that has five to eight pieces.
fn game_of(rules: Rules, jungle: &Jungle, rng: &mut Rng) -> Vec<Position> {
    let style = "ties=random".parse().expect("this is a style");
    let mut player =
        players::BurnettPlayer::new(players::Algorithm::Ordering, rules).with_style(style);
    let mut position = Position::start();
    let mut found = Vec::new();
    for ply in 0..MOST_PLIES {
        if jungle.outcome(&position).is_some() {
            break;
        }
        if ply % 5 == 0 && (5..=8).contains(&position.occupied().len()) {
            found.push(position.clone());
        }
        player.reseed(rng.next_u64());
        let random = ply < 10 || rng.below(8) == 0;
        let mv = match random {
            true => rng.choose(&jungle.moves(&position)).copied(),
            false => player.choose(&position, &Limits::depth(2)).report.best(),
        };
        let Some(mv) = mv else { break };
        position = jungle.after(&position, mv);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_claimed_that_a_table_denies() {
        let params = Params {
            class: vec!["C-D".into(), "CD-D".into()],
            positions: 300,
            ..Params::default()
        };
        let rows = Proofs::run(&params, &mut Context::default()).unwrap().unwrap();
        assert_eq!(rows.len(), 2);
        for row in &rows {
            assert_eq!((row.positions, row.false_claims, row.refused), (300, 0, 0), "{}", row.of);
            assert!(row.proved() > 0 && row.proved() <= row.decided.unwrap());
        }
        let wrong = Params { class: vec!["X".into()], ..params };
        assert!(Proofs::run(&wrong, &mut Context::default()).is_err());
    }
}
