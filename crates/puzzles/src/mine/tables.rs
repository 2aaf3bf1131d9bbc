//! Candidates from endgame tables: every class is sampled, under any of its names.

use std::sync::Arc;

use game::Game;
use game::rng::{Rng, mix};
use game::truth::Truth;
use jungle::{Color, Jungle, Position, Square};
use tablebase::{Material, Tablebase};

use super::{MineError, Options, Sieve, Unit};
use crate::judge::{JudgeError, Tables};
use crate::{Goal, Proof};

/// A win has to take at least this many plies.
const LEAST_DISTANCE: u32 = 5;

/// A class of positions, and all names that it has: which animals they are makes no difference to the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    name: String,
    materials: Vec<Material>,
}

impl Class {
    /// The name of its table.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// All classes of up to this many pieces whose tables are there.
///
/// # Errors
///
/// If a table is missing.
pub fn classes(tables: &Tablebase, pieces: u32) -> Result<Vec<Class>, MineError> {
    let mut classes: Vec<Class> = Vec::new();
    for count in 2..=pieces {
        for material in Material::all(count) {
            let name = tables.file_of(material).map_err(JudgeError::from)?;
            match classes.iter_mut().find(|class| class.name == name) {
                Some(class) => class.materials.push(material),
                None => {
                    // Says whether the table is there.
                    tables.counts(material).map_err(JudgeError::from)?;
                    classes.push(Class { name, materials: vec![material] });
                }
            }
        }
    }
    Ok(classes)
}

/// Samples a class.
///
/// # Errors
///
/// If a table is missing or damaged.
pub fn unit(options: &Options, tables: &Arc<Tablebase>, class: &Class) -> Result<Unit, MineError> {
    let mut judge = Tables::new(Arc::clone(tables));
    let jungle = Jungle::new(*tables.rules());
    let mut sieve = Sieve::new(class.name.clone(), tables.rules());
    let name = class.name.bytes().fold(options.seed, |sum, byte| mix(sum ^ u64::from(byte)));
    let mut rng = Rng::new(name);
    for _ in 0..options.samples {
        if sieve.unit.found.len() >= options.enough {
            break;
        }
        let Some(&material) = rng.choose(&class.materials) else { break };
        let Some(position) = sample(&jungle, material, &mut rng) else { continue };
        let goal = match tables.probe(&position).map_err(JudgeError::from)? {
            Truth::Win(plies) if plies >= LEAST_DISTANCE => Some(Goal::Win),
            Truth::Draw => Some(Goal::Draw),
            Truth::Win(_) | Truth::Loss(_) => None,
        };
        sieve.look(&mut judge, &position, goal, Proof::Tables)?;
    }
    Ok(sieve.unit)
}

/// A position of a class at random, with either side to move; `None` if the pieces cannot stand so or the game is over.
pub fn sample(jungle: &Jungle, material: Material, rng: &mut Rng) -> Option<Position> {
    let turn = if rng.below(2) == 0 { Color::White } else { Color::Black };
    let mut free: Vec<Square> = Square::ALL.to_vec();
    let mut pieces = Vec::new();
    for piece in material.in_order() {
        let square = free.swap_remove(rng.below(free.len()));
        pieces.push((square, piece));
    }
    let position = Position::from_pieces(pieces, turn).ok()?;
    jungle.outcome(&position).is_none().then_some(position)
}
