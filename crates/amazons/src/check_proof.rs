//! Checking proofs of who wins: a small program by itself.
//!
//! It shares nothing with the solver, nor with the rest of this crate: it reads text, has its own board of plain
//! cells and its own rules, and believes only what it has looked at. What it takes for granted is the
//! theory of one rule of counting:
//!
//! > In a region without amazons of the other side the winner can make as many moves as her longest run there. The
//! > loser can make at most her longest runs in regions of her own, and one move for every empty square
//! > that both sides can get to. If the winner has more moves for certain, or as many and the loser is to
//! > move, she wins.
//!
//! The [format](check) is text, for people and other programs to read.

use std::collections::{HashMap, HashSet};
use std::fmt;

/// A player: white or black.
type White = bool;

/// What a proof was found to prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The position at the start, as in the file.
    pub start: String,
    /// Whether the player to move there wins.
    pub first_wins: bool,
    /// Lines of the proof that were used, and positions looked at.
    pub lines: u64,
    /// Positions looked at.
    pub positions: u64,
}

/// Why a proof proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// A line cannot be read.
    Line(usize, String),
    /// The proof says nothing about a position in which the winner is to move.
    Missing(String),
    /// A move of the proof is not legal.
    Illegal(String),
    /// The loser is not beaten here.
    Refuted(String),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::Line(line, why) => write!(f, "line {line}: {why}"),
            ProofError::Missing(at) => write!(f, "the proof has no move for {at}"),
            ProofError::Illegal(at) => {
                write!(f, "the move that the proof gives is not legal: {at}")
            }
            ProofError::Refuted(at) => write!(f, "the winner does not win {at}"),
        }
    }
}

impl std::error::Error for ProofError {}

/// Checks a proof.
///
/// The first lines are `amazons proof 1`, `start` with a position, `winner` with `first` or `second`, and `search`
/// with a number of empty squares: positions with no more are searched by the checker itself. Every
/// further line is a position in which the winner is to move, ranks from the top, and her move; positions
/// stand for their images in the board's mirrors as well. `progress` sees the number of positions now and then.
///
/// # Errors
///
/// If it is not a proof.
pub fn check(text: &str, mut progress: impl FnMut(u64)) -> Result<Checked, ProofError> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let mut header = |name: &str| {
        let (at, line) = lines.next().unwrap_or((0, ""));
        let value = line.strip_prefix(name).map(str::trim);
        value.ok_or_else(|| ProofError::Line(at, format!("expected '{name}'"))).map(str::to_owned)
    };
    header("amazons proof 1")?;
    let start_text = header("start")?;
    let winner = header("winner")?;
    let search = header("search")?;
    let start = Cells::read(&start_text)
        .ok_or_else(|| ProofError::Line(2, format!("'{start_text}' is not a position")))?;
    let first_wins = match winner.as_str() {
        "first" => true,
        "second" => false,
        _ => return Err(ProofError::Line(3, "expected first or second".to_owned())),
    };
    let search = search
        .parse()
        .map_err(|_| ProofError::Line(4, "expected a number of squares".to_owned()))?;
    let winner: White = first_wins == start.white;
    let mut moves = HashMap::new();
    for (at, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let read = || {
            let (board, mv) = line.split_once(' ')?;
            let cells = Cells::read(&format!("{board} {}", if winner { 'w' } else { 'b' }))?;
            Some((cells, Step::read(mv)?))
        };
        let (cells, mv) =
            read().ok_or_else(|| ProofError::Line(at, format!("'{line}' is not understood")))?;
        moves.insert(cells, mv);
    }
    let mut checker = Checker {
        winner,
        search,
        moves,
        done: HashSet::new(),
        won: HashMap::new(),
        runs: HashMap::new(),
        lines: 0,
    };
    checker.winner_wins(&start, &mut progress)?;
    let positions = (checker.done.len() + checker.won.len()) as u64;
    Ok(Checked { start: start_text, first_wins, lines: checker.lines, positions })
}

/// A board of plain cells, and who is to move.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Cells {
    /// `.`, `W`, `B` or `x`, from a1 along the ranks.
    cells: Vec<u8>,
    files: i32,
    white: White,
}

/// A move: three squares, as file and rank from 0.
#[derive(Clone, Copy)]
struct Step([(i32, i32); 3]);

const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl Step {
    /// Reads `a1b2/c3`.
    fn read(text: &str) -> Option<Step> {
        let mut squares = [(0, 0); 3];
        let mut rest = text.trim();
        for (at, square) in squares.iter_mut().enumerate() {
            if at == 2 {
                rest = rest.strip_prefix('/')?;
            }
            let file = i32::from(*rest.as_bytes().first()?) - i32::from(b'a');
            let digits = rest[1..].chars().take_while(char::is_ascii_digit).count();
            let rank: i32 = rest[1..=digits].parse().ok()?;
            *square = (file, rank - 1);
            rest = &rest[1 + digits..];
        }
        rest.is_empty().then_some(Step(squares))
    }
}

impl Cells {
    /// Reads ranks from the top, divided by slashes, and the side to move.
    fn read(text: &str) -> Option<Cells> {
        let (board, turn) = text.trim().split_once(' ')?;
        let mut ranks: Vec<Vec<u8>> = Vec::new();
        for rank in board.split('/') {
            let mut row = Vec::new();
            let mut number = 0;
            for c in rank.bytes() {
                if c.is_ascii_digit() {
                    number = number * 10 + usize::from(c - b'0');
                    continue;
                }
                row.extend(std::iter::repeat_n(b'.', number));
                number = 0;
                if !matches!(c, b'W' | b'B' | b'x') {
                    return None;
                }
                row.push(c);
            }
            row.extend(std::iter::repeat_n(b'.', number));
            ranks.push(row);
        }
        let files = ranks.first()?.len();
        if files == 0 || files > 10 || ranks.len() > 10 || ranks.iter().any(|r| r.len() != files) {
            return None;
        }
        ranks.reverse();
        let white = match turn.trim() {
            "w" => true,
            "b" => false,
            _ => return None,
        };
        Some(Cells { cells: ranks.concat(), files: files as i32, white })
    }

    fn ranks(&self) -> i32 {
        self.cells.len() as i32 / self.files
    }

    fn at(&self, (file, rank): (i32, i32)) -> Option<usize> {
        let inside = file >= 0 && file < self.files && rank >= 0 && rank < self.ranks();
        inside.then(|| (rank * self.files + file) as usize)
    }

    fn place(&self, at: usize) -> (i32, i32) {
        (at as i32 % self.files, at as i32 / self.files)
    }

    fn amazon(white: White) -> u8 {
        if white { b'W' } else { b'B' }
    }

    fn empty(&self) -> usize {
        self.cells.iter().filter(|&&cell| cell == b'.').count()
    }

    /// The squares that a queen reaches from here.
    fn reach(&self, from: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for (files, ranks) in DIRECTIONS {
            let (mut file, mut rank) = self.place(from);
            loop {
                (file, rank) = (file + files, rank + ranks);
                match self.at((file, rank)) {
                    Some(next) if self.cells[next] == b'.' => found.push(next),
                    _ => break,
                }
            }
        }
        found
    }

    /// The positions after all legal moves.
    fn after_all(&self) -> Vec<Cells> {
        let mut found = Vec::new();
        let amazon = Cells::amazon(self.white);
        for from in (0..self.cells.len()).filter(|&at| self.cells[at] == amazon) {
            for to in self.reach(from) {
                let mut moved = self.clone();
                moved.white = !self.white;
                moved.cells[from] = b'.';
                moved.cells[to] = amazon;
                for arrow in moved.reach(to) {
                    let mut shot = moved.clone();
                    shot.cells[arrow] = b'x';
                    found.push(shot);
                }
            }
        }
        found
    }

    /// The position after a move; none if it is not legal.
    fn after(&self, Step([from, to, arrow]): Step) -> Option<Cells> {
        let (from, to, arrow) = (self.at(from)?, self.at(to)?, self.at(arrow)?);
        let amazon = Cells::amazon(self.white);
        if self.cells[from] != amazon || !self.reach(from).contains(&to) {
            return None;
        }
        let mut next = self.clone();
        next.white = !self.white;
        next.cells[from] = b'.';
        next.cells[to] = amazon;
        if !next.reach(to).contains(&arrow) {
            return None;
        }
        next.cells[arrow] = b'x';
        Some(next)
    }

    /// The images of the board in its mirrors that have the same files and ranks: as functions of a place.
    fn mirror(&self, number: u8, (file, rank): (i32, i32)) -> (i32, i32) {
        let (file, rank) = if number & 4 != 0 { (rank, file) } else { (file, rank) };
        let file = if number & 1 != 0 { self.files - 1 - file } else { file };
        let rank = if number & 2 != 0 { self.ranks() - 1 - rank } else { rank };
        (file, rank)
    }

    fn mirrors(&self) -> std::ops::Range<u8> {
        0..if self.files == self.ranks() { 8 } else { 4 }
    }

    fn image(&self, number: u8) -> Cells {
        let mut image = self.clone();
        for at in 0..self.cells.len() {
            let to =
                self.at(self.mirror(number, self.place(at))).expect("a mirror keeps the board");
            image.cells[to] = self.cells[at];
        }
        image
    }

    fn least_image(&self) -> Cells {
        self.mirrors().map(|number| self.image(number)).min().expect("there are four at least")
    }

    /// The regions: cells that kings could walk, arrows apart.
    fn regions(&self) -> Vec<Vec<usize>> {
        let mut seen: Vec<bool> = self.cells.iter().map(|&cell| cell == b'x').collect();
        let mut regions = Vec::new();
        for start in 0..self.cells.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut region = vec![start];
            let mut next = 0;
            while next < region.len() {
                let (file, rank) = self.place(region[next]);
                next += 1;
                for (files, ranks) in DIRECTIONS {
                    if let Some(at) = self.at((file + files, rank + ranks))
                        && !std::mem::replace(&mut seen[at], true)
                    {
                        region.push(at);
                    }
                }
            }
            regions.push(region);
        }
        regions
    }
}

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in self.cells.chunks(self.files as usize).rev() {
            write!(f, "{}/", String::from_utf8_lossy(rank))?;
        }
        f.write_str(if self.white { " w" } else { " b" })
    }
}

struct Checker {
    winner: White,
    search: usize,
    moves: HashMap<Cells, Step>,
    /// Positions in which the winner was found to win.
    done: HashSet<Cells>,
    /// Whether the player to move wins, of positions that were searched.
    won: HashMap<Cells, bool>,
    /// Longest runs of regions with amazons of one side.
    runs: HashMap<Cells, i32>,
    lines: u64,
}

impl Checker {
    fn winner_wins(
        &mut self,
        board: &Cells,
        progress: &mut impl FnMut(u64),
    ) -> Result<(), ProofError> {
        if self.counts(board) {
            return Ok(());
        }
        let least = board.least_image();
        if self.done.contains(&least) {
            return Ok(());
        }
        if board.empty() <= self.search {
            let wins = self.mover_wins(&least) == (board.white == self.winner);
            return if wins { Ok(()) } else { Err(ProofError::Refuted(board.to_string())) };
        }
        if board.white == self.winner {
            let next = self.follow(board)?;
            self.lines += 1;
            self.winner_wins(&next, progress)?;
        } else {
            for next in board.after_all() {
                self.winner_wins(&next, progress)?;
            }
        }
        self.done.insert(least);
        if self.done.len().is_multiple_of(10_000) {
            progress((self.done.len() + self.won.len()) as u64);
        }
        Ok(())
    }

    /// The position after the move of the proof.
    fn follow(&self, board: &Cells) -> Result<Cells, ProofError> {
        for number in board.mirrors() {
            let image = board.image(number);
            if let Some(&mv) = self.moves.get(&image) {
                return image.after(mv).ok_or_else(|| ProofError::Illegal(image.to_string()));
            }
        }
        Err(ProofError::Missing(board.to_string()))
    }

    /// Whether the player to move wins, by trying everything.
    fn mover_wins(&mut self, board: &Cells) -> bool {
        if let Some(&known) = self.won.get(board) {
            return known;
        }
        let wins = board.after_all().iter().any(|next| !self.mover_wins(&next.least_image()));
        self.won.insert(board.clone(), wins);
        wins
    }

    /// Whether the winner wins by counting.
    fn counts(&mut self, board: &Cells) -> bool {
        let (mut winner, mut loser) = (0, 0);
        for region in board.regions() {
            let has = |cell: u8| region.iter().any(|&at| board.cells[at] == cell);
            let empty = region.iter().filter(|&&at| board.cells[at] == b'.').count() as i32;
            let own = has(Cells::amazon(self.winner));
            match (own, has(Cells::amazon(!self.winner))) {
                _ if empty == 0 => {}
                (false, false) => {}
                (true, true) => loser += empty,
                (true, false) => winner += self.run(board, &region, self.winner),
                (false, true) => loser += self.run(board, &region, !self.winner),
            }
        }
        winner > loser || winner == loser && board.white != self.winner
    }

    /// The longest run of the owner of a region.
    fn run(&mut self, board: &Cells, region: &[usize], owner: White) -> i32 {
        let mut alone = Cells { cells: vec![b'x'; board.cells.len()], white: owner, ..*board };
        for &at in region {
            alone.cells[at] = board.cells[at];
        }
        self.longest(&alone)
    }

    fn longest(&mut self, alone: &Cells) -> i32 {
        if let Some(&known) = self.runs.get(alone) {
            return known;
        }
        let (amazon, most) = (Cells::amazon(alone.white), self.within_reach(alone));
        let mut best = 0;
        for mut next in alone.after_all() {
            next.white = alone.white;
            // Squares that no amazon can get to any more are lost.
            for region in next.regions() {
                if !region.iter().any(|&at| next.cells[at] == amazon) {
                    region.into_iter().for_each(|at| next.cells[at] = b'x');
                }
            }
            if 1 + next.empty() as i32 > best {
                best = best.max(1 + self.longest(&next));
            }
            if best == most {
                break;
            }
        }
        self.runs.insert(alone.clone(), best);
        best
    }

    fn within_reach(&self, alone: &Cells) -> i32 {
        alone.empty() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// White fills two squares against one of Black's, and Black, to move, has lost.
    #[test]
    fn counting_needs_no_lines() {
        let proof = "amazons proof 1\nstart W2x/xxxx/xxxx/B1xx b\nwinner second\nsearch 0\n";
        let checked = check(proof, |_| ()).unwrap();
        assert!(!checked.first_wins && checked.lines == 0);
        let wrong = proof.replace("second", "first");
        assert!(matches!(check(&wrong, |_| ()), Err(ProofError::Missing(_))));
    }

    #[test]
    fn lines_are_followed_and_believed_only_if_legal() {
        // In one region: White, to move, shuts Black in.
        let start = "W1B/xxx/xxx/xxx w";
        let proof = |mv: &str| {
            format!(
                "amazons proof 1\nstart {start}\nwinner first\nsearch 0\nW1B/xxx/xxx/xxx {mv}\n"
            )
        };
        assert_eq!(check(&proof("a4b4/a4"), |_| ()).unwrap().lines, 1);
        assert!(matches!(check(&proof("a4b4/c4"), |_| ()), Err(ProofError::Illegal(_))));
        assert!(matches!(check(&proof("a4b4"), |_| ()), Err(ProofError::Line(5, _))));
        let searched = format!("amazons proof 1\nstart {start}\nwinner first\nsearch 1\n");
        assert!(check(&searched, |_| ()).is_ok());
        let lie = searched.replace("first", "second");
        assert!(matches!(check(&lie, |_| ()), Err(ProofError::Refuted(_))));
    }
}
