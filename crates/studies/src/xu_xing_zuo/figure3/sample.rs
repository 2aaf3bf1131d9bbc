//! Figure 3 on large boards: games by a faster search, and a sample of their positions searched as published.
//!
//! The games are those of alpha-beta at the paper's depths: [`Champion::exact`] finds the same value at every
//! depth, in a fraction of the time. Where several moves have that value it may choose another one than plain
//! alpha-beta does. Or the champion plays them, with few nodes a move. A sample of the positions is then searched three times: by plain alpha-beta, by regions as in
//! the paper's pseudocode, which remembers nothing, and by regions with the table of shapes. All three begin with
//! nothing known. Times are those of the processor where the system tells them, so that other work on the machine
//! matters little.
//!
//! The paper's axis is read in two ways: sub-boards in which somebody can move, or all of them, as the text
//! suggests where it blames terminating sub-boards. For each number on either axis the sample is the same number
//! of positions, drawn without regard to anything else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use amazons::champion::{Champion, Settings};
use amazons::divide::{Divide, Found};
use amazons::evaluate::Weights;
use amazons::{Amazons, Move, Position, region};
use game::Game;
use game::limits::{Limits, Meter};
use game::rng::{Rng, mix};
use lab::schedule::Shard;
use search::Searcher;
use serde::{Deserialize, Serialize};

use super::Params;
use crate::journal::{self, Damage, Journal};
use crate::statistics::median;
use crate::xu_xing_zuo::{game as experiment, start};
use crate::{Context, StudyError};

/// A reading of the paper's axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// Sub-boards in which a player can move.
    Executing,
    /// All sub-boards, terminating ones too.
    All,
}

/// All sampled positions with this many sub-boards; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct SampledRow {
    pub(super) reading: Reading,
    pub(super) parts: u32,
    /// Positions in the games, in the sample, and those of the sample that all searches finished.
    pub(super) positions: u64,
    pub(super) sampled: u64,
    pub(super) timed: u64,
    pub(super) plain_nodes: u64,
    /// By regions, as published.
    divided_nodes: u64,
    pub(super) nodes_ratio: f64,
    pub(super) time_ratio: f64,
    pub(super) median_time_ratio: f64,
    /// By regions, with the table of shapes.
    table_nodes: u64,
    pub(super) table_nodes_ratio: f64,
    pub(super) table_time_ratio: f64,
    /// The search that plays the games.
    fast_nodes: u64,
    pub(super) fast_time_ratio: f64,
}

/// A game on file.
#[derive(Serialize, Deserialize)]
struct Generated {
    game: u64,
    size: String,
    seed: u64,
    /// Nodes a move, where the champion played.
    play_nodes: Option<u64>,
    moves: Vec<String>,
    seconds: f64,
}

/// A position of the sample on file, with the costs of the searches; none if one of them was given up.
#[derive(Clone, Serialize, Deserialize)]
struct Timed {
    /// Board, seed and players of the games.
    of: String,
    game: u64,
    step: u32,
    depth: u32,
    cap: u64,
    costs: Option<Costs>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Costs {
    plain: Cost,
    divided: Cost,
    table: Cost,
    fast: Cost,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Cost {
    nodes: u64,
    ns: u64,
}

/// A position of a game.
struct Place {
    game: u64,
    step: u32,
    position: Position,
    counts: [u32; 2],
}

/// Plays and times what is missing; `None` if other shards have to play first.
pub(super) fn run(
    params: &Params,
    sample: u64,
    context: &mut Context<'_>,
) -> Result<Option<(usize, Vec<SampledRow>)>, StudyError> {
    let folder = context.folder.as_ref().map(|folder| folder.join("sample"));
    if let Some(folder) = &folder {
        fs::create_dir_all(folder).map_err(StudyError::io("making", folder))?;
    }
    let games = generate(params, folder.as_deref(), context)?;
    if (games.len() as u64) < params.games {
        return Ok(None);
    }
    let places = places(&games)?;
    let drawn = draw(&places, sample, params.seed);
    let timed = time(params, &places, &drawn, folder.as_deref(), context)?;
    Ok(Some((games.len(), rows(&places, &drawn, &timed))))
}

fn share(params: &Params) -> Shard {
    params.shard.unwrap_or(Shard { index: 1, of: 1 })
}

fn read<T: serde::de::DeserializeOwned>(
    folder: Option<&Path>,
    name: &str,
) -> Result<Vec<T>, StudyError> {
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(StudyError::io("reading", folder))? {
        let path = entry.map_err(StudyError::io("reading", folder))?.path();
        let file = path.file_name().and_then(|file| file.to_str()).unwrap_or_default();
        if file.starts_with(name) && file.ends_with(".jsonl") {
            found.extend(journal::read::<T>(&path, Damage::Refused)?.found);
        }
    }
    Ok(found)
}

fn generate(
    params: &Params,
    folder: Option<&Path>,
    context: &mut Context<'_>,
) -> Result<BTreeMap<u64, Generated>, StudyError> {
    let size = params.size.to_string();
    let known = read::<Generated>(folder, "games")?.into_iter();
    let mut games: BTreeMap<u64, Generated> = known
        .filter(|game| game.size == size && game.seed == params.seed && game.game < params.games)
        .filter(|game| game.play_nodes == params.play_nodes)
        .map(|game| (game.game, game))
        .collect();
    let Shard { index, of } = share(params);
    let missing: Vec<u64> = (0..params.games)
        .filter(|number| number % of == index - 1 && !games.contains_key(number))
        .collect();
    if missing.is_empty() {
        return Ok(games);
    }
    let mut journal = match folder {
        Some(folder) => {
            let path = folder.join(format!("games-{index}-of-{of}.jsonl"));
            Some(Journal::open::<Generated>(&path, Damage::Refused)?.0)
        }
        None => None,
    };
    context.progress.begin("games", Some(missing.len() as u64));
    for number in missing {
        let begun = Instant::now();
        let moves = play(params, number, |step| {
            context.progress.message(&format!("game {number}, move {step}"));
        });
        let moves = moves.iter().map(ToString::to_string).collect();
        let seconds = begun.elapsed().as_secs_f64();
        let game = Generated {
            game: number,
            size: size.clone(),
            seed: params.seed,
            play_nodes: params.play_nodes,
            moves,
            seconds,
        };
        if let Some(journal) = &mut journal {
            journal.append(&game)?;
        }
        games.insert(number, game);
        context.advance()?;
    }
    context.progress.end();
    Ok(games)
}

/// A game at the paper's depths.
fn play(params: &Params, number: u64, mut watch: impl FnMut(usize)) -> Vec<Move> {
    let mut position = start(params.size);
    let mut search = match params.play_nodes {
        Some(_) => Champion::new(Settings::DEFAULT),
        None => Champion::exact(experiment::weights(params.seed, number)),
    };
    // The champion's weights do not vary, so its first moves do.
    let mut rng = Rng::new(params.seed ^ mix(number + 1));
    let mut moves = Vec::new();
    while Amazons.outcome(&position).is_none() {
        watch(moves.len() + 1);
        let depth = experiment::depth(params.size, moves.len() as u32 + 1);
        let mv = match params.play_nodes {
            Some(_) if moves.len() < 2 => *rng.choose(&Amazons.moves(&position)).expect("a move"),
            Some(nodes) => {
                let report = search.think(&position, &Limits::nodes(nodes), |_| ());
                report.best().expect("a game that goes on has a move")
            }
            None => {
                let mut meter = Meter::new(&Limits::none());
                search.search(&position, depth, &mut meter).expect("nothing stops it").pv[0]
            }
        };
        Amazons.make(&mut position, mv);
        moves.push(mv);
    }
    moves
}

/// All positions of all games.
fn places(games: &BTreeMap<u64, Generated>) -> Result<Vec<Place>, StudyError> {
    let mut places = Vec::new();
    for (&number, game) in games {
        let size = game.size.parse();
        let mut position =
            start(size.map_err(|_| StudyError::parameter("size", "of a game on file"))?);
        for (at, text) in game.moves.iter().enumerate() {
            places.push(Place {
                game: number,
                step: at as u32 + 1,
                position,
                counts: counts(&position),
            });
            let mv = Amazons.read_move(&position, text).map_err(|error| {
                StudyError::parameter("out", format!("game {number} on file: {error}"))
            })?;
            Amazons.make(&mut position, mv);
        }
    }
    Ok(places)
}

/// How many sub-boards there are, by either reading.
pub(super) fn counts(position: &Position) -> [u32; 2] {
    let regions = region::regions(position);
    // An area without amazons is no sub-board of anybody.
    let all = regions.iter().filter(|region| region.squares.intersects(position.all_amazons()));
    let executing = regions.iter().filter(|region| region.kind.is_executing());
    [executing.count() as u32, all.count() as u32]
}

/// For either reading and every number of sub-boards, the places drawn.
type Drawn = BTreeMap<(Reading, u32), Vec<usize>>;

fn draw(places: &[Place], sample: u64, seed: u64) -> Drawn {
    let mut drawn = Drawn::new();
    for (at, place) in places.iter().enumerate() {
        for (reading, parts) in [Reading::Executing, Reading::All].into_iter().zip(place.counts) {
            drawn.entry((reading, parts)).or_default().push(at);
        }
    }
    for stratum in drawn.values_mut() {
        let lot = |&at: &usize| mix(seed ^ mix(places[at].game << 16 | u64::from(places[at].step)));
        stratum.sort_by_key(lot);
        stratum.truncate(usize::try_from(sample).unwrap_or(usize::MAX));
    }
    drawn
}

fn time(
    params: &Params,
    places: &[Place],
    drawn: &Drawn,
    folder: Option<&Path>,
    context: &mut Context<'_>,
) -> Result<BTreeMap<(u64, u32), Timed>, StudyError> {
    let known = read::<Timed>(folder, "timed")?.into_iter();
    let games = format!("{}, seed {}, {}", params.size, params.seed, params.players());
    let mut timed: BTreeMap<(u64, u32), Timed> = known
        .filter(|timed| timed.of == games)
        .filter(|timed| timed.costs.is_some() || timed.cap >= params.most_nodes)
        .map(|timed| ((timed.game, timed.step), timed))
        .collect();
    // Those drawn first for every number of sub-boards come first, so that an unfinished run is a smaller sample.
    let mut wanted: Vec<usize> = Vec::new();
    let deepest = drawn.values().map(Vec::len).max().unwrap_or(0);
    let mut seen = BTreeSet::new();
    for rank in 0..deepest {
        wanted.extend(
            drawn.values().filter_map(|stratum| stratum.get(rank)).filter(|&&at| seen.insert(at)),
        );
    }
    let Shard { index, of } = share(params);
    let missing: Vec<usize> = wanted
        .into_iter()
        .filter(|&at| at as u64 % of == index - 1)
        .filter(|&at| !timed.contains_key(&(places[at].game, places[at].step)))
        .collect();
    if missing.is_empty() {
        return Ok(timed);
    }
    let mut journal = match folder {
        Some(folder) => {
            let path = folder.join(format!("timed-{index}-of-{of}.jsonl"));
            Some(Journal::open::<Timed>(&path, Damage::Refused)?.0)
        }
        None => None,
    };
    context.progress.begin("positions", Some(missing.len() as u64));
    for at in missing {
        let place = &places[at];
        context.progress.message(&format!("game {}, move {}", place.game, place.step));
        let depth = experiment::depth(params.size, place.step);
        let weights = experiment::weights(params.seed, place.game);
        let costs = costs(weights, &place.position, depth, params.most_nodes);
        let found = Timed {
            of: games.clone(),
            game: place.game,
            step: place.step,
            depth,
            cap: params.most_nodes,
            costs,
        };
        if let Some(journal) = &mut journal {
            journal.append(&found)?;
        }
        timed.insert((place.game, place.step), found);
        context.advance()?;
    }
    context.progress.end();
    Ok(timed)
}

fn costs(weights: Weights, position: &Position, depth: u32, cap: u64) -> Option<Costs> {
    let by = |mut search: Divide| {
        timed(cap, |meter| {
            search.find(position, depth, meter).ok().map(|Found { value, .. }| value)
        })
    };
    let (value, plain) = by(Divide::plain(weights))?;
    let mut fast = Champion::exact(weights);
    let (score, fast) =
        timed(cap, |meter| fast.search(position, depth, meter).ok().map(|line| line.score))?;
    assert_eq!(score, amazons::divide::score(value), "{position} to depth {depth}");
    let (_, table) = by(Divide::new(weights))?;
    let (_, divided) = by(Divide::new(weights).keeps(false))?;
    Some(Costs { plain, divided, table, fast })
}

fn timed<T>(cap: u64, search: impl FnOnce(&mut Meter) -> Option<T>) -> Option<(T, Cost)> {
    let limits = if cap == 0 { Limits::none() } else { Limits::nodes(cap) };
    let mut meter = Meter::new(&limits);
    let (begun, ran) = (Instant::now(), ran());
    let found = search(&mut meter)?;
    let elapsed = begun.elapsed();
    let time = self::ran().zip(ran).map_or(elapsed, |(now, then)| now.saturating_sub(then));
    let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    Some((found, Cost { nodes: meter.nodes(), ns }))
}

/// How long this thread has had a processor, where the system says so: on a busy machine the clock on the wall
/// measures the others.
fn ran() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn rows(places: &[Place], drawn: &Drawn, timed: &BTreeMap<(u64, u32), Timed>) -> Vec<SampledRow> {
    let mut found = Vec::new();
    for (&(reading, parts), stratum) in drawn {
        let costs: Vec<Costs> = stratum
            .iter()
            .filter_map(|&at| timed.get(&(places[at].game, places[at].step))?.costs)
            .collect();
        let nodes = |of: fn(&Costs) -> Cost| costs.iter().map(|cost| of(cost).nodes).sum::<u64>();
        let time = |of: fn(&Costs) -> Cost| costs.iter().map(|cost| of(cost).ns).sum::<u64>();
        let ratio = |one: u64, other: u64| one as f64 / other as f64;
        let plain: fn(&Costs) -> Cost = |cost| cost.plain;
        let divided: fn(&Costs) -> Cost = |cost| cost.divided;
        let table: fn(&Costs) -> Cost = |cost| cost.table;
        let fast: fn(&Costs) -> Cost = |cost| cost.fast;
        let ratios = costs.iter().map(|cost| ratio(cost.divided.ns, cost.plain.ns)).collect();
        let which = usize::from(reading == Reading::All);
        found.push(SampledRow {
            reading,
            parts,
            positions: places.iter().filter(|place| place.counts[which] == parts).count() as u64,
            sampled: stratum.len() as u64,
            timed: costs.len() as u64,
            plain_nodes: nodes(plain),
            divided_nodes: nodes(divided),
            nodes_ratio: ratio(nodes(divided), nodes(plain)),
            time_ratio: ratio(time(divided), time(plain)),
            median_time_ratio: median(ratios).unwrap_or(f64::NAN),
            table_nodes: nodes(table),
            table_nodes_ratio: ratio(nodes(table), nodes(plain)),
            table_time_ratio: ratio(time(table), time(plain)),
            fast_nodes: nodes(fast),
            fast_time_ratio: ratio(time(fast), time(plain)),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_every_number_of_sub_boards_and_repeats() {
        let params =
            Params { size: "5".parse().unwrap(), games: 3, sample: Some(2), ..Params::default() };
        let exact = |rows: &[SampledRow]| -> Vec<_> {
            rows.iter()
                .map(|row| (row.reading, row.parts, row.plain_nodes, row.divided_nodes))
                .collect()
        };
        let run = || run(&params, 2, &mut Context::default()).unwrap().unwrap().1;
        let rows = run();
        assert_eq!(exact(&rows), exact(&run()));
        assert!(rows.iter().all(|row| row.sampled <= 2 && row.timed == row.sampled));
        for reading in [Reading::Executing, Reading::All] {
            let numbers: Vec<u32> =
                rows.iter().filter(|row| row.reading == reading).map(|row| row.parts).collect();
            assert!(numbers.contains(&1) && numbers.contains(&2), "{numbers:?}");
        }
    }

    #[test]
    fn terminating_sub_boards_count_by_one_reading_only() {
        let position: Position = "W1xxB/1xxxx/xxxxx/BWxWx/3xx b".parse().unwrap();
        let [executing, all] = counts(&position);
        assert!(all > executing, "{executing} {all}");
    }
}
