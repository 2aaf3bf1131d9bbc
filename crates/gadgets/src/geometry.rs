//! Geometry of generalised boards: any size, with water, traps and dens anywhere.
//!
//! Squares are numbered row by row from the top, as a drawing is read. Their names continue those of
//! the ordinary board: columns `a`–`z`, then `aa`, `ab` and so on; ranks are counted from the bottom.

use std::fmt;

use jungle::Color;
use jungle::board::Terrain;

/// The index of a square on some board: row by row from the top left.
pub type Spot = usize;

/// The four directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Up the drawing.
    North,
    /// To the right.
    East,
    /// Down the drawing.
    South,
    /// To the left.
    West,
}

impl Direction {
    /// All four, clockwise.
    pub const ALL: [Direction; 4] =
        [Direction::North, Direction::East, Direction::South, Direction::West];

    /// The way back.
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::North => Direction::South,
            Direction::East => Direction::West,
            Direction::South => Direction::North,
            Direction::West => Direction::East,
        }
    }
}

/// In words, as in `north`.
impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::North => "north",
            Direction::East => "east",
            Direction::South => "south",
            Direction::West => "west",
        })
    }
}

/// A rectangle of squares: its size and the terrain of each.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Geometry {
    width: usize,
    terrain: Vec<Terrain>,
}

impl Geometry {
    /// A rectangle of one terrain.
    ///
    /// # Panics
    ///
    /// If a side is zero.
    pub fn new(width: usize, height: usize, terrain: Terrain) -> Geometry {
        assert!(width > 0 && height > 0, "a board has squares");
        Geometry { width, terrain: vec![terrain; width * height] }
    }

    /// How many columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many rows.
    pub fn height(&self) -> usize {
        self.terrain.len() / self.width
    }

    /// How many squares.
    pub fn len(&self) -> usize {
        self.terrain.len()
    }

    /// Never: every board has squares.
    pub fn is_empty(&self) -> bool {
        self.terrain.is_empty()
    }

    /// What a square is.
    pub fn terrain(&self, spot: Spot) -> Terrain {
        self.terrain[spot]
    }

    /// Changes the terrain of a square.
    pub fn set(&mut self, spot: Spot, terrain: Terrain) {
        self.terrain[spot] = terrain;
    }

    /// Whether a square is water.
    pub fn is_water(&self, spot: Spot) -> bool {
        self.terrain[spot] == Terrain::Water
    }

    /// The square in this row, from the top, and column, from the left.
    pub fn spot(&self, row: usize, column: usize) -> Spot {
        debug_assert!(column < self.width);
        row * self.width + column
    }

    /// The row, from the top.
    pub fn row(&self, spot: Spot) -> usize {
        spot / self.width
    }

    /// The column, from the left.
    pub fn column(&self, spot: Spot) -> usize {
        spot % self.width
    }

    /// The neighbour in a direction, unless the board ends.
    pub fn next(&self, spot: Spot, direction: Direction) -> Option<Spot> {
        match direction {
            Direction::North => spot.checked_sub(self.width),
            Direction::South => Some(spot + self.width).filter(|&next| next < self.len()),
            Direction::East => Some(spot + 1).filter(|&next| !next.is_multiple_of(self.width)),
            Direction::West => (!spot.is_multiple_of(self.width)).then(|| spot - 1),
        }
    }

    /// All squares that are not water.
    pub fn land(&self) -> impl Iterator<Item = Spot> {
        (0..self.len()).filter(|&spot| !self.is_water(spot))
    }

    /// The dens that a side has to defend.
    pub fn dens(&self, owner: Color) -> impl Iterator<Item = Spot> {
        (0..self.len()).filter(move |&spot| self.terrain[spot] == Terrain::Den(owner))
    }

    /// The name of a square, as in `d9` or `ab120`.
    pub fn name(&self, spot: Spot) -> String {
        let mut letters = Vec::new();
        let mut column = self.column(spot);
        loop {
            letters.push(char::from(b'a' + (column % 26) as u8));
            column /= 26;
            if column == 0 {
                break;
            }
            column -= 1;
        }
        let letters: String = letters.into_iter().rev().collect();
        format!("{letters}{}", self.height() - self.row(spot))
    }

    /// The square with this name.
    pub fn find(&self, name: &str) -> Option<Spot> {
        let digits = name.find(|c: char| !c.is_ascii_lowercase())?;
        let (letters, rank) = name.split_at(digits);
        let rank: usize = rank.parse().ok().filter(|_| !rank.starts_with(['+', '0']))?;
        let mut column = 0_usize;
        for letter in letters.bytes() {
            column = column.checked_mul(26)?.checked_add(usize::from(letter - b'a') + 1)?;
        }
        let column = column.checked_sub(1).filter(|&column| column < self.width)?;
        let row = self.height().checked_sub(rank)?;
        Some(self.spot(row, column))
    }
}

impl fmt::Debug for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Geometry({} by {})", self.width, self.height())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_far_beyond_z() {
        let geometry = Geometry::new(1000, 3, Terrain::Land);
        for spot in 0..geometry.len() {
            assert_eq!(geometry.find(&geometry.name(spot)), Some(spot));
        }
        assert_eq!(geometry.name(geometry.spot(2, 25)), "z1");
        assert_eq!(geometry.name(geometry.spot(0, 26)), "aa3");
        for bad in ["", "a", "a0", "a4", "a01", "alm1", "A1", "1", "a+1"] {
            assert_eq!(geometry.find(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_edge_ends_the_board() {
        let geometry = Geometry::new(3, 2, Terrain::Land);
        let ways = |spot| Direction::ALL.map(|direction| geometry.next(spot, direction));
        assert_eq!(ways(0), [None, Some(1), Some(3), None]);
        assert_eq!(ways(5), [Some(2), None, None, Some(4)]);
    }
}
