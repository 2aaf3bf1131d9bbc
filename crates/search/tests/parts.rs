//! Parts searched separately, on a game that is nothing but parts.

mod common;

use game::conformance::Conformance;
use game::decompose::{Decompose, Independent, PartGame};
use game::limits::Limits;
use game::rng::{Rng, mix};
use game::score::{Evaluate, Score};
use game::{Game, Outcome, Side};
use proptest::prelude::*;
use search::sum::Sum;
use search::{AlphaBeta, Minimax, Schedule, Subproblems, fixed};

/// Several small mazes with a token each; a move moves one token. Some places end the game.
#[derive(Debug)]
struct Mazes {
    mazes: Vec<Maze>,
    stuck_loses: bool,
}

#[derive(Debug)]
struct Maze {
    places: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    value: i32,
    winner: Option<Side>,
    /// Where each player can go.
    exits: [Vec<usize>; 2],
}

/// Where the tokens are; those of other parts are nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Tokens {
    places: Vec<Option<usize>>,
    player: Side,
}

#[derive(Clone, Debug)]
struct Part {
    maze: usize,
    tokens: Tokens,
}

impl Mazes {
    fn random(rng: &mut Rng, count: usize, winning: bool) -> Mazes {
        let stuck_loses = rng.below(2) == 0;
        let mut mazes = Vec::new();
        for _ in 0..count {
            let len = 2 + rng.below(4);
            let mut places = Vec::new();
            for at in 0..len {
                let exits = [0, 1].map(|_| {
                    let mut exits: Vec<usize> = (0..rng.below(3)).map(|_| rng.below(len)).collect();
                    exits.sort_unstable();
                    exits.dedup();
                    exits
                });
                let winner = (winning && at > 0 && rng.below(8) == 0)
                    .then(|| if rng.below(2) == 0 { Side::First } else { Side::Second });
                places.push(Place { value: rng.below(21) as i32 - 10, winner, exits });
            }
            mazes.push(Maze { places });
        }
        Mazes { mazes, stuck_loses }
    }

    fn start(&self) -> Tokens {
        Tokens { places: vec![Some(0); self.mazes.len()], player: Side::First }
    }

    fn standing<'a>(&'a self, tokens: &'a Tokens) -> impl Iterator<Item = (usize, &'a Place)> {
        let at = |(maze, place): (usize, &Option<usize>)| {
            Some((maze, &self.mazes[maze].places[(*place)?]))
        };
        tokens.places.iter().enumerate().filter_map(at)
    }

    fn won(&self, tokens: &Tokens) -> Option<Outcome> {
        self.standing(tokens).find_map(|(_, place)| place.winner).map(Outcome::Win)
    }

    fn push_all(&self, tokens: &Tokens, moves: &mut Vec<(usize, usize)>) {
        if self.won(tokens).is_some() {
            return;
        }
        for (maze, place) in self.standing(tokens) {
            // To stay is not a move.
            let exits = place.exits[tokens.player as usize].iter();
            let elsewhere = exits.filter(|exit| Some(**exit) != tokens.places[maze]);
            moves.extend(elsewhere.map(|&exit| (maze, exit)));
        }
    }
}

impl Game for Mazes {
    type Position = Tokens;
    type Move = (usize, usize);
    type Undo = Option<usize>;

    fn side_to_move(&self, tokens: &Tokens) -> Side {
        tokens.player
    }

    fn outcome(&self, tokens: &Tokens) -> Option<Outcome> {
        let moves = self.moves(tokens);
        self.won(tokens).or_else(|| moves.is_empty().then(|| self.stuck(tokens.player)))
    }

    fn push_moves(&self, tokens: &Tokens, moves: &mut Vec<(usize, usize)>) {
        self.push_all(tokens, moves);
    }

    fn make(&self, tokens: &mut Tokens, (maze, exit): (usize, usize)) -> Option<usize> {
        tokens.player = !tokens.player;
        tokens.places[maze].replace(exit)
    }

    fn unmake(&self, tokens: &mut Tokens, (maze, _): (usize, usize), undo: Option<usize>) {
        tokens.player = !tokens.player;
        tokens.places[maze] = undo;
    }

    fn key(&self, tokens: &Tokens) -> u64 {
        let player = mix(tokens.player as u64 + 7);
        let place = |(maze, place): (usize, &Option<usize>)| {
            mix(1000 * (maze as u64 + 1) + place.map_or(0, |place| place as u64 + 1))
        };
        tokens.places.iter().enumerate().map(place).fold(player, u64::wrapping_add)
    }

    fn fresh_key(&self, tokens: &Tokens) -> u64 {
        self.key(tokens)
    }
}

impl Decompose for Mazes {
    type Part = Part;

    fn parts(&self, tokens: &Tokens, _: u32) -> Vec<Part> {
        let alone = |maze: usize| {
            let places = tokens.places.iter().enumerate();
            let places = places.map(|(at, place)| place.filter(|_| at == maze)).collect();
            Part { maze, tokens: Tokens { places, player: tokens.player } }
        };
        (0..self.mazes.len()).map(alone).collect()
    }

    fn part_size(&self, part: &Part) -> usize {
        self.mazes[part.maze].places.len()
    }

    fn part_position(&self, part: &Part) -> Tokens {
        part.tokens.clone()
    }

    fn part_outcome(&self, _: &Part, tokens: &Tokens) -> Option<Outcome> {
        self.won(tokens)
    }

    fn push_part_moves(&self, _: &Part, tokens: &Tokens, moves: &mut Vec<(usize, usize)>) {
        self.push_all(tokens, moves);
    }

    fn pass(&self, tokens: &mut Tokens) {
        tokens.player = !tokens.player;
    }
}

impl Independent for Mazes {
    fn independent_parts(&self, tokens: &Tokens, plies: u32) -> Vec<Part> {
        self.parts(tokens, plies)
    }

    fn stuck(&self, player: Side) -> Outcome {
        if self.stuck_loses { Outcome::Win(!player) } else { Outcome::Draw }
    }
}

/// The sum of what is written where the tokens stand.
struct Written;

impl Evaluate<Mazes> for Written {
    fn evaluate(&self, mazes: &Mazes, tokens: &Tokens) -> i32 {
        let sum: i32 = mazes.standing(tokens).map(|(_, place)| place.value).sum();
        match tokens.player {
            Side::First => sum,
            Side::Second => -sum,
        }
    }
}

fn minimax<G: Game>(game: &G, evaluate: &impl Evaluate<G>, at: &G::Position, depth: u32) -> Score {
    fixed(&mut Minimax::new(game, evaluate), at, depth, &Limits::none()).unwrap().score
}

#[test]
fn mazes_conform() {
    let mut rng = Rng::new(11);
    for _ in 0..20 {
        let mazes = Mazes::random(&mut rng, 3, true);
        let legal = |tokens: &Tokens| mazes.moves(tokens);
        Conformance::new(&mazes, legal).random_games(&mazes.start(), 10, 10, &mut rng);
        for part in mazes.parts(&mazes.start(), 2) {
            let position = mazes.part_position(&part);
            let part = PartGame { game: &mazes, part };
            let legal = |tokens: &Tokens| part.moves(tokens);
            Conformance::new(&part, legal).random_games(&position, 10, 10, &mut rng);
        }
    }
}

/// Search-Subproblems as it is printed, with minimax; `None` if no part has a move.
fn printed(mazes: &Mazes, tokens: &Tokens, depth: u32) -> Option<i32> {
    let mut scores = Vec::new();
    for part in mazes.parts(tokens, 2) {
        let position = mazes.part_position(&part);
        let part = PartGame { game: mazes, part };
        let evaluate =
            |part: &PartGame<'_, Mazes>, tokens: &Tokens| Written.evaluate(part.game, tokens);
        let after = |mv| {
            let after = part.after(&position, mv);
            minimax(&part, &evaluate, &after, depth - 1).deeper().value()
        };
        let moves = part.moves(&position).into_iter().filter(Option::is_some);
        scores.push((moves.map(after).max(), after(None)));
    }
    let waiting: i32 = scores.iter().map(|(_, wait)| wait).sum();
    scores.iter().filter_map(|(best, wait)| Some((*best)? - wait + waiting)).max()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sums_are_minimax(seed: u64, count in 1usize..4, winning: bool) {
        let mazes = Mazes::random(&mut Rng::new(seed), count, winning);
        let start = mazes.start();
        for depth in 0..7 {
            let limits = Limits::nodes(20_000);
            let Some(oracle) = fixed(&mut Minimax::new(&mazes, &Written), &start, depth, &limits)
            else {
                break;
            };
            let mut sum = Sum::new(&mazes, &Written);
            let report = fixed(&mut sum, &start, depth, &Limits::none()).unwrap();
            prop_assert_eq!(report.score, oracle.score, "depth {}", depth);
            if let Some(mv) = report.best() {
                let after = mazes.after(&start, mv);
                let value = minimax(&mazes, &Written, &after, depth - 1).deeper();
                prop_assert_eq!(value, oracle.score, "the move has the value");
            }
        }
    }

    #[test]
    fn implied_scores_are_as_printed(seed: u64, count in 2usize..4) {
        let mazes = Mazes::random(&mut Rng::new(seed), count, false);
        let start = mazes.start();
        let depth = 4;
        let found = Subproblems::new(&mazes, &Written).search(&start, &Limits::depth(depth));
        match printed(&mazes, &start, depth) {
            Some(score) => {
                prop_assert_eq!(found.report.score.value(), score);
                prop_assert_eq!(found.report.depth, depth);
                prop_assert_eq!(found.parts.len(), count);
                let mut tokens = start.clone();
                for &mv in &found.report.pv {
                    prop_assert!(mazes.moves(&tokens).contains(&mv));
                    mazes.make(&mut tokens, mv);
                }
            }
            None => prop_assert!(found.report.pv.is_empty()),
        }
    }
}

/// One ply deep no side can answer twice, so the implied score is exact.
#[test]
fn one_ply_is_exact() {
    let mut compared = 0;
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed);
        let mazes = Mazes::random(&mut rng, 2 + seed as usize % 2, seed % 3 == 0);
        let start = mazes.start();
        // A part does not know that the other player may be stuck everywhere.
        let stuck = |mv: &(usize, usize)| mazes.moves(&mazes.after(&start, *mv)).is_empty();
        if mazes.outcome(&start).is_some() || mazes.moves(&start).iter().any(stuck) {
            continue;
        }
        let search = Subproblems::new(&mazes, &Written).schedule(Schedule::EVERY_PLY);
        let report = search.search(&start, &Limits::depth(1)).report;
        assert_eq!(report.score, minimax(&mazes, &Written, &start, 1), "seed {seed}");
        compared += 1;
    }
    assert!(compared > 500, "only {compared} compared");
}

/// Two plies deep the opponent answers in every part at once, and that is not minimax.
#[test]
fn two_plies_are_not() {
    let mut differing = 0;
    for seed in 0..100 {
        let mazes = Mazes::random(&mut Rng::new(seed), 3, false);
        let start = mazes.start();
        if mazes.outcome(&start).is_some() {
            continue;
        }
        let implied = Subproblems::new(&mazes, &Written).search(&start, &Limits::depth(2)).report;
        let exact = fixed(&mut AlphaBeta::new(&mazes, &Written), &start, 2, &Limits::none());
        differing += u32::from(implied.score != exact.unwrap().score);
    }
    assert!(differing > 30, "only {differing} of 100 differ");
}
