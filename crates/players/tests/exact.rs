//! Parts put together again give what minimax gives on the whole board.

use game::Game;
use game::decompose::{Decompose, Independent, PartGame};
use game::limits::Limits;
use game::rng::Rng;
use game::score::Score;
use jungle::decompose::{Cut, PartedJungle, Threshold};
use jungle::{BurnettEval, Color, Jungle, Position, Rules, Setup, Square};
use players::{Algorithm, BurnettPlayer, SplitStatistics};
use search::sum::Sum;
use search::{AlphaBeta, Minimax, PathRepetition, Schedule, Subproblems, deepen, fixed};

/// A random position with few pieces, so that some are far apart.
fn scattered(rng: &mut Rng) -> Position {
    let all: Setup = jungle::fen::START.parse().unwrap();
    loop {
        let mut setup = Setup::empty();
        let share = 2 + rng.below(5);
        for (_, piece) in all.pieces() {
            if rng.below(10) < share {
                let square = Square::ALL[rng.below(Square::COUNT)];
                let before = setup.board[square.index()].replace(piece);
                if setup.position().is_err() {
                    setup.board[square.index()] = before;
                }
            }
        }
        if rng.below(2) == 0 {
            setup.turn = Color::Black;
        }
        if let Ok(position) = setup.position()
            && Jungle::new(Rules::TUFTS).outcome(&position).is_none()
            && Jungle::new(Rules::STANDARD).outcome(&position).is_none()
        {
            return position;
        }
    }
}

/// The exact search asks for the parts it needs, whatever this says.
const EXACT: Cut = Cut::Threshold(Threshold::Plies(4));

/// House rules that change who moves where, besides the presets.
const RULES: [&str; 5] = [
    "tufts",
    "leiden",
    "standard",
    "standard,panther-jumps=sideways",
    "tufts,annihilation-wins=no",
];

#[test]
fn sums_of_parts_are_minimax() {
    let mut rng = Rng::new(2_010);
    let mut cut = [0; 7];
    let games = RULES.map(|rules| PartedJungle::new(rules.parse().unwrap(), EXACT));
    for round in 0..400 {
        let parted = &games[round % RULES.len()];
        let (jungle, rules) = (parted.jungle(), *parted.jungle().rules());
        let position = scattered(&mut rng);
        for depth in 0..=6 {
            let limits = Limits::nodes(15_000);
            let Some(oracle) =
                fixed(&mut Minimax::new(jungle, &BurnettEval), &position, depth, &limits)
            else {
                break;
            };
            let mut sum = Sum::new(parted, &BurnettEval);
            let report = fixed(&mut sum, &position, depth, &Limits::none()).unwrap();
            assert_eq!(report.score, oracle.score, "depth {depth}, {rules}, {position:?}");
            if let Some(mv) = report.best() {
                let after = jungle.after(&position, mv);
                let mut minimax = Minimax::new(jungle, &BurnettEval);
                let reply = fixed(&mut minimax, &after, depth - 1, &Limits::none()).unwrap();
                assert_eq!(reply.score.deeper(), oracle.score, "{mv:?} in {position:?}");
            }
            let parts = parted.independent_parts(&position, depth);
            cut[depth as usize] += u32::from(parts.len() > 1);
        }
    }
    assert!(cut[2] > 100 && cut[4] > 30, "too few fell apart at each depth: {cut:?}");
}

/// The last two enemies stand far apart, and both fall within three plies: neither part sees it alone.
#[test]
fn annihilation_is_a_matter_of_the_whole() {
    let position: Position = "7/7/7/7/7/7/7/L5E/c3T1d w".parse().unwrap();
    for (rules, wins) in [("tufts", true), ("tufts,annihilation-wins=no", false)] {
        let parted = PartedJungle::new(rules.parse().unwrap(), EXACT);
        let oracle =
            fixed(&mut Minimax::new(&parted, &BurnettEval), &position, 3, &Limits::none()).unwrap();
        let sum =
            fixed(&mut Sum::new(&parted, &BurnettEval), &position, 3, &Limits::none()).unwrap();
        assert_eq!(sum.score, oracle.score, "{rules}");
        assert_eq!(oracle.score == Score::win_in(3), wins, "{rules}");
    }
}

/// A position of the game may be one ply away, where parts would not see it.
#[test]
fn what_has_been_may_return_at_once() {
    let parted = PartedJungle::new(Rules::STANDARD, EXACT);
    let mut rng = Rng::new(12);
    let (mut returned, mut cut) = (0, 0);
    for _ in 0..300 {
        let mut position = scattered(&mut rng);
        let (mut history, mut played) = (Vec::new(), Vec::<jungle::Move>::new());
        for _ in 0..7 {
            // Pieces go to and fro.
            let own = played.len().checked_sub(2).and_then(|at| played.get(at));
            let moves = parted.moves(&position);
            let back =
                |mv: &&jungle::Move| own.is_some_and(|own| (mv.from, mv.to) == (own.to, own.from));
            let Some(&mv) = moves.iter().find(back).or_else(|| rng.choose(&moves)) else { break };
            played.push(mv);
            let next = parted.after(&position, mv);
            if parted.outcome(&next).is_some() {
                break;
            }
            history.push(std::mem::replace(&mut position, next));
        }
        for depth in 1..=3 {
            let value = |repetition| {
                let mut search =
                    AlphaBeta::new(&parted, &BurnettEval).repetition(repetition).history(&history);
                fixed(&mut search, &position, depth, &Limits::none()).unwrap().score
            };
            let with = value(PathRepetition::Draw);
            let mut sum =
                Sum::new(&parted, &BurnettEval).repetition(PathRepetition::Draw, &history);
            let found = fixed(&mut sum, &position, depth, &Limits::none()).unwrap().score;
            assert_eq!(found, with, "depth {depth}, {position:?}");
            returned += u32::from(with != value(PathRepetition::Ignored));
            cut += u32::from(parted.independent_parts(&position, depth).len() > 1);
        }
    }
    assert!(returned > 20 && cut > 100, "{returned} {cut}");
}

/// Larger boards, deeper, with alpha-beta as the oracle.
#[test]
fn sums_of_parts_are_alpha_beta_deeper_down() {
    let mut rng = Rng::new(7);
    let mut cut = 0;
    let parted = PartedJungle::new(Rules::TUFTS, EXACT);
    while cut < 25 {
        let position = scattered(&mut rng);
        let depth = 4 + cut % 3;
        if parted.independent_parts(&position, depth).len() < 2 {
            continue;
        }
        cut += 1;
        let exact =
            fixed(&mut AlphaBeta::new(&parted, &BurnettEval), &position, depth, &Limits::none());
        let sum = fixed(&mut Sum::new(&parted, &BurnettEval), &position, depth, &Limits::none());
        assert_eq!(sum.unwrap().score, exact.unwrap().score, "depth {depth}, {position:?}");
    }
}

/// What independence promises: whatever is played within the plies, the moves of the whole are those
/// of the parts.
#[test]
fn independent_parts_have_the_moves_of_the_whole() {
    let mut rng = Rng::new(99);
    let mut compared = 0;
    let games = RULES.map(|rules| PartedJungle::new(rules.parse().unwrap(), EXACT));
    for round in 0..600 {
        let parted = &games[round % RULES.len()];
        let mut whole = scattered(&mut rng);
        let plies = 1 + rng.below(8) as u32;
        let parts = parted.independent_parts(&whole, plies);
        if parts.len() < 2 {
            continue;
        }
        let mut alone: Vec<Position> =
            parts.iter().map(|part| parted.part_position(part)).collect();
        for _ in 0..=plies {
            let mut moves = parted.moves(&whole);
            let of_parts: Vec<Vec<_>> = parts
                .iter()
                .zip(&alone)
                .map(|(part, position)| {
                    let mut moves = Vec::new();
                    parted.push_part_moves(part, position, &mut moves);
                    moves
                })
                .collect();
            let over = parts
                .iter()
                .zip(&alone)
                .find_map(|(part, position)| parted.part_outcome(part, position));
            if over.is_some() || moves.is_empty() {
                let stuck = parted.stuck(parted.side_to_move(&whole));
                assert_eq!(parted.outcome(&whole), Some(over.unwrap_or(stuck)), "{whole:?}");
                break;
            }
            let mut all = of_parts.concat();
            let text = |mv: &jungle::Move| format!("{mv:?}");
            all.sort_by_key(text);
            moves.sort_by_key(text);
            assert_eq!(all, moves, "{whole:?}");
            compared += 1;

            // Pieces that seek each other's company find out sooner.
            let mv = *rng.choose(&moves).unwrap();
            let owner = of_parts.iter().position(|moves| moves.contains(&mv)).unwrap();
            parted.make(&mut whole, mv);
            for (at, position) in alone.iter_mut().enumerate() {
                if at == owner {
                    parted.make(position, mv);
                } else {
                    parted.pass(position);
                }
            }
        }
    }
    assert!(compared > 500, "only {compared} positions compared");
}

/// Burnett's score exactly as printed, with minimax in every part.
fn printed(game: &PartedJungle, position: &Position, depth: u32) -> Option<i32> {
    let legal = game.moves(position);
    let mut scores = Vec::new();
    for part in game.parts(position, depth) {
        let alone = game.part_position(&part);
        let part = PartGame { game, part };
        let evaluate = |part: &PartGame<'_, PartedJungle>, position: &Position| {
            game::score::Evaluate::evaluate(&BurnettEval, part.game, position)
        };
        let after = |mv| {
            let next = part.after(&alone, mv);
            let mut minimax = Minimax::new(&part, &evaluate);
            fixed(&mut minimax, &next, depth - 1, &Limits::none()).unwrap().score.deeper()
        };
        let moves =
            part.moves(&alone).into_iter().filter(|mv| mv.is_some_and(|mv| legal.contains(&mv)));
        scores.push((moves.map(after).max(), after(None)));
    }
    let all = || scores.iter().flat_map(|(best, wait)| best.iter().chain([wait]));
    if all().any(|score| score.is_decided()) {
        return None;
    }
    let waiting: i32 = scores.iter().map(|(_, wait)| wait.value()).sum();
    scores.iter().filter_map(|(best, wait)| Some((*best)?.value() - wait.value() + waiting)).max()
}

#[test]
fn split_searches_as_printed() {
    let mut rng = Rng::new(5);
    let mut compared = 0;
    for threshold in [1, 2, 4, 4, 4].into_iter().cycle().take(150) {
        let game = PartedJungle::new(Rules::TUFTS, Cut::Threshold(Threshold::Plies(threshold)));
        let position = scattered(&mut rng);
        if game.parts(&position, 3).len() < 2 || position.occupied().len() > 7 {
            continue;
        }
        let found = Subproblems::new(&game, &BurnettEval)
            .schedule(Schedule { first: 3, step: 1 })
            .search(&position, &Limits::depth(3));
        if let Some(score) = printed(&game, &position, 3) {
            assert_eq!(found.report.score, Score::estimate(score), "{position:?}");
            compared += 1;
        }
        let best = found.report.best().unwrap();
        assert!(game.moves(&position).contains(&best));
    }
    assert!(compared > 20, "only {compared} compared");
}

/// One ply deep the implied score is exact where parts are independent; two deep it is too low, for the
/// opponent answers in every part.
#[test]
fn implied_scores_are_exact_for_one_ply_only() {
    let mut rng = Rng::new(31);
    let game = PartedJungle::new(Rules::TUFTS, Cut::Independent(2));
    let (mut compared, mut differing) = (0, 0);
    for _ in 0..300 {
        let position = scattered(&mut rng);
        if game.parts(&position, 3).len() < 2 {
            continue;
        }
        let implied = |depth| {
            let schedule = Schedule { first: depth, step: 1 };
            let search = Subproblems::new(&game, &BurnettEval).schedule(schedule);
            search.search(&position, &Limits::depth(depth)).report.score
        };
        let exact = |depth| {
            let mut search = AlphaBeta::new(&game, &BurnettEval);
            fixed(&mut search, &position, depth, &Limits::none()).unwrap().score
        };
        assert_eq!(implied(1), exact(1), "{position:?}");
        compared += 1;
        if !exact(2).is_decided() && !implied(2).is_decided() {
            assert!(implied(2) <= exact(2), "{position:?}");
            differing += u32::from(implied(2) < exact(2));
        }
    }
    assert!(compared > 20 && differing > 10, "{differing} of {compared} differ");
}

#[test]
fn players_differ_only_in_how() {
    let limits = Limits::depth(4);
    let position: Position = "7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w".parse().unwrap();
    let choices = Algorithm::ALL
        .map(|algorithm| BurnettPlayer::new(algorithm, Rules::TUFTS).choose(&position, &limits));
    let [plain, ordering, ..] = &choices;
    assert_eq!(plain.report.score, ordering.report.score);
    assert_eq!(plain.parts, [9]);
    let jungle = Jungle::new(Rules::TUFTS);
    let exact = deepen(
        &mut AlphaBeta::new(&jungle, &BurnettEval),
        &position,
        Schedule::EVERY_MOVE,
        &limits,
        |_| (),
    );
    assert_eq!(plain.report, exact);
    for choice in &choices {
        assert_eq!(choice.report.depth, 4);
        assert!(choice.report.best().is_some());
    }
}

#[test]
fn games_between_players_keep_count() {
    let start: Position = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w".parse().unwrap();
    let mut statistics = SplitStatistics::default();
    let jungle = Jungle::new(Rules::TUFTS);
    let mut position = start;
    let player = BurnettPlayer::new(Algorithm::ALL[3], Rules::TUFTS);
    for _ in 0..12 {
        let choice = player.choose(&position, &Limits::nodes(20_000));
        let Some(mv) = choice.report.best() else {
            break;
        };
        assert!(choice.report.nodes <= 20_000);
        assert!(jungle.moves(&position).contains(&mv));
        statistics.record(&choice.parts);
        jungle.make(&mut position, mv);
    }
    assert!(statistics.splits > 0, "the first position is cut in two");
    let parts: u64 = statistics.sizes[&2].values().sum();
    assert_eq!(parts % 2, 0);
}

/// Out of time, or out of the game, there is still an answer.
#[test]
fn there_is_always_an_answer() {
    for algorithm in Algorithm::ALL {
        let player = BurnettPlayer::new(algorithm, Rules::TUFTS);
        let found = player.choose(&Position::start(), &Limits::nodes(1)).report;
        assert_eq!(found.depth, 0);
        assert!(found.best().is_some());
        let won = "7/7/7/7/7/7/7/7/C6 b".parse().unwrap();
        let found = player.choose(&won, &Limits::depth(4)).report;
        assert_eq!((found.best(), found.score), (None, Score::loss_in(0)));
        let den = "7/3C3/7/7/7/7/7/4d2/6r w".parse().unwrap();
        let found = player.choose(&den, &Limits::none().with_nodes(1_000_000)).report;
        assert_eq!(found.best().unwrap().to_string(), "d8d9");
        assert!(found.score.is_win());
    }
}
