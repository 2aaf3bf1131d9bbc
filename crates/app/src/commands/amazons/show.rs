//! `mousetrap amazons show`: a position in the terminal, as a picture, or as data.

use std::io::Write;

use amazons::picture::Picture;
use amazons::region::{self, Kind, Region};
use amazons::{Amazons, player_name};
use game::{Game, Outcome};
use serde::Serialize;

use super::args::ShowArgs;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Shown {
    position: String,
    size: String,
    turn: &'static str,
    key: String,
    moves: Vec<String>,
    regions: Vec<ShownRegion>,
    winner: Option<&'static str>,
}

/// A region as data; other commands print it too.
#[derive(Serialize)]
pub struct ShownRegion {
    pub kind: &'static str,
    pub owner: Option<&'static str>,
    pub squares: Vec<String>,
}

impl From<&Region> for ShownRegion {
    fn from(region: &Region) -> ShownRegion {
        let (kind, owner) = match region.kind {
            Kind::Terminating => ("terminating", None),
            Kind::Competing => ("competing", None),
            Kind::Filling(owner) => ("filling", Some(player_name(owner))),
        };
        let squares = region.squares.into_iter().map(|square| square.to_string()).collect();
        ShownRegion { kind, owner, squares }
    }
}

impl ShownRegion {
    /// `filling (White): a1 a2 b1`.
    pub fn describe(&self) -> String {
        let owner = self.owner.map(|owner| format!(" ({owner})")).unwrap_or_default();
        format!("{}{owner}: {}", self.kind, self.squares.join(" "))
    }
}

pub fn run(args: &ShowArgs, output: &mut Output) -> Result<(), Failure> {
    let position = super::position(&args.position)?;
    let picture = Picture::of(&position).regions(args.regions);
    if let Some(path) = &args.svg {
        std::fs::write(path, picture.to_svg())
            .map_err(|error| Failure::outside(format!("writing {}", path.display()), error))?;
    }
    let regions: Vec<ShownRegion> =
        region::regions(&position).iter().map(ShownRegion::from).collect();
    let winner = Amazons.outcome(&position).and_then(|outcome| match outcome {
        Outcome::Win(player) => Some(player_name(player)),
        Outcome::Draw => None,
    });
    if args.json {
        return output.json(&Shown {
            position: position.to_string(),
            size: position.size().to_string(),
            turn: player_name(position.turn()),
            key: format!("{:016x}", position.key()),
            moves: Amazons.moves(&position).iter().map(ToString::to_string).collect(),
            regions,
            winner,
        });
    }
    write!(output, "{}", picture.to_terminal())?;
    writeln!(output, "{position}")?;
    if let Some(winner) = winner {
        writeln!(output, "The game is over: {winner} wins")?;
    }
    if args.regions {
        writeln!(output, "{} regions", regions.len())?;
        for region in &regions {
            writeln!(output, "  {}", region.describe())?;
        }
    }
    if args.moves {
        let moves: Vec<String> = Amazons.moves(&position).iter().map(ToString::to_string).collect();
        writeln!(output, "{} legal moves", moves.len())?;
        for row in moves.chunks(8) {
            writeln!(output, "  {}", row.join("  "))?;
        }
    }
    Ok(())
}
