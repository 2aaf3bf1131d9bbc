//! Positions and games for the tests.

#![allow(dead_code)]

use game::rng::{Rng, mix};
use game::score::Evaluate;
use game::{Game, Outcome, Side};
use jungle::{Jungle, Position, Setup, Square};

/// A random position with up to `most` pieces a side, and the random game that led to it.
pub fn random_game(
    jungle: &Jungle,
    rng: &mut Rng,
    most: usize,
    plies: usize,
) -> (Vec<Position>, Position) {
    let all: Setup = jungle::fen::START.parse().unwrap();
    loop {
        let mut setup = Setup::empty();
        for color in jungle::Color::ALL {
            let mut left = 1 + rng.below(most);
            for (_, piece) in all.pieces().filter(|(_, piece)| piece.color == color) {
                if left == 0 || rng.below(3) == 0 {
                    continue;
                }
                left -= 1;
                let square = Square::ALL[rng.below(Square::COUNT)];
                let before = setup.board[square.index()].replace(piece);
                if setup.position().is_err() {
                    setup.board[square.index()] = before;
                }
            }
        }
        let Ok(mut position) = setup.position() else {
            continue;
        };
        let mut history = Vec::new();
        for _ in 0..plies {
            if let Some(&mv) = rng.choose(&jungle.moves(&position)) {
                history.push(position.clone());
                jungle.make(&mut position, mv);
            }
        }
        if jungle.outcome(&position).is_none() {
            return (history, position);
        }
    }
}

/// A game on a small graph full of cycles: a token moves along edges, the players in turn.
#[derive(Debug)]
pub struct Maze {
    /// Where each player can go from each place.
    edges: [Vec<Vec<usize>>; 2],
    values: Vec<i32>,
    /// The plies from each state to each other one, if the game reports them.
    distances: Option<Vec<Vec<u32>>>,
}

/// The place of the token, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    pub place: usize,
    pub player: Side,
}

impl Maze {
    pub fn random(rng: &mut Rng, places: usize, tells_distances: bool) -> Maze {
        let mut edges = [Vec::new(), Vec::new()];
        for edges in &mut edges {
            for _ in 0..places {
                let degree = if rng.below(12) == 0 { 0 } else { 1 + rng.below(3) };
                let mut to: Vec<usize> = (0..degree).map(|_| rng.below(places)).collect();
                to.sort_unstable();
                to.dedup();
                edges.push(to);
            }
        }
        let values = (0..places).map(|_| rng.below(41) as i32 - 20).collect();
        let mut maze = Maze { edges, values, distances: None };
        if tells_distances {
            let states = 2 * places;
            maze.distances = Some((0..states).map(|from| maze.distances_from(from)).collect());
        }
        maze
    }

    pub fn start(&self) -> Token {
        Token { place: 0, player: Side::First }
    }

    fn distances_from(&self, from: usize) -> Vec<u32> {
        let places = self.values.len();
        let mut distances = vec![u32::MAX; 2 * places];
        distances[from] = 0;
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            let (place, player) = (state / 2, state % 2);
            for &to in &self.edges[player][place] {
                let next = 2 * to + (1 - player);
                if distances[next] == u32::MAX {
                    distances[next] = distances[state] + 1;
                    queue.push_back(next);
                }
            }
        }
        distances
    }
}

impl Token {
    fn state(self) -> usize {
        2 * self.place + self.player as usize
    }
}

impl Game for Maze {
    type Position = Token;
    type Move = usize;
    type Undo = Token;

    fn side_to_move(&self, position: &Token) -> Side {
        position.player
    }

    fn outcome(&self, position: &Token) -> Option<Outcome> {
        let stuck = self.edges[position.player as usize][position.place].is_empty();
        let outcome = match self.values[position.place] {
            ..-5 => Outcome::Win(Side::Second),
            -5..=5 => Outcome::Draw,
            _ => Outcome::Win(Side::First),
        };
        stuck.then_some(outcome)
    }

    fn push_moves(&self, position: &Token, moves: &mut Vec<usize>) {
        moves.extend(&self.edges[position.player as usize][position.place]);
    }

    fn make(&self, position: &mut Token, mv: usize) -> Token {
        std::mem::replace(position, Token { place: mv, player: !position.player })
    }

    fn unmake(&self, position: &mut Token, _: usize, undo: Token) {
        *position = undo;
    }

    fn key(&self, position: &Token) -> u64 {
        mix(position.state() as u64 + 1)
    }

    fn fresh_key(&self, position: &Token) -> u64 {
        self.key(position)
    }

    fn plies_between(&self, from: &Token, to: &Token) -> u32 {
        self.distances.as_ref().map_or(0, |distances| distances[from.state()][to.state()])
    }
}

/// The value written on the place, seen by the player to move.
pub struct Written;

impl Evaluate<Maze> for Written {
    fn evaluate(&self, maze: &Maze, position: &Token) -> i32 {
        match position.player {
            Side::First => maze.values[position.place],
            Side::Second => -maze.values[position.place],
        }
    }
}
