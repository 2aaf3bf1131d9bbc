//! The drawings of gadgets, and what is proved of those that are gates.

use std::sync::Arc;

use gadgets::circuit::Gate;
use gadgets::contract::{self, Contract};
use gadgets::gadget::{Gadget, Role};
use gadgets::{Direction, compose, library};
use jungle::Rules;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// Which gadgets.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct DrawingsRequest {
    /// The gadget of this name alone, with its contract; all if left out.
    #[cfg_attr(feature = "openapi", param(example = "mended-and"))]
    pub name: Option<String>,
}

/// A gadget.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsDrawing))]
pub struct Drawing {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: String,
    /// `published`, `composed`, `mended` or `stepping`.
    pub set: &'static str,
    /// The rows from the top: `~` water, `.` land, `w` and `b` White's and Black's traps, `A` and `B`
    /// their dens, and letters of pieces, capital for White.
    pub rows: Vec<String>,
    /// Where signals come and go.
    pub ports: Vec<DrawingPort>,
    /// The letter of a signal.
    pub signal: char,
    /// What is proved of it, if it is a gate of compiled boards and was asked for by name.
    pub contract: Option<GateContract>,
}

/// A port: a line through the edge of a drawing.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsPort))]
pub struct DrawingPort {
    /// Its name.
    pub name: String,
    /// `north`, `east`, `south` or `west`.
    pub edge: &'static str,
    /// The column (of the north and south edges) or row, from the top left, from 0.
    pub line: usize,
    /// Whether signals go in there, or come out.
    pub input: bool,
}

/// What is proved of a gate, both sides: see the report on hardness.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsContract))]
pub struct GateContract {
    /// Whether both sides do what the contract says.
    pub holds: bool,
    /// How many states Black's side has.
    pub black_states: usize,
    /// How often White can make Black answer in the gate, over the whole game.
    pub answers: Option<u32>,
    /// How many states White's side has.
    pub white_states: usize,
    /// In how many plies White forces the outputs, however long he has waited.
    pub plies: Option<u32>,
}

impl GateContract {
    fn of(contract: &Arc<Contract>) -> GateContract {
        GateContract {
            holds: contract.holds(),
            black_states: contract.held.len(),
            answers: contract.held.cost(),
            white_states: contract.forcing.states(),
            plies: contract.forcing.plies_after_waiting(),
        }
    }
}

impl Drawing {
    fn of(set: &'static str, gadget: &Gadget) -> Drawing {
        let port = |port: &gadgets::gadget::Port| DrawingPort {
            name: port.name.clone(),
            edge: match port.edge {
                Direction::North => "north",
                Direction::East => "east",
                Direction::South => "south",
                Direction::West => "west",
            },
            line: port.line,
            input: port.role == Role::In,
        };
        let text = gadget.board.to_string();
        Drawing {
            name: gadget.name.clone(),
            title: gadget.title.clone(),
            set,
            rows: text.lines().take(gadget.board.geometry().height()).map(str::to_owned).collect(),
            ports: gadget.ports.iter().map(port).collect(),
            signal: gadget.signal.letter(),
            contract: None,
        }
    }
}

impl DrawingsRequest {
    /// The gadgets asked for.
    ///
    /// # Errors
    ///
    /// If there is none of that name.
    pub fn answer(&self) -> Result<Vec<Drawing>, Refusal> {
        let sets = [
            ("published", library::published()),
            ("composed", compose::composed()),
            ("mended", library::mended()),
            ("stepping", library::stepping()),
        ];
        let all = sets
            .into_iter()
            .flat_map(|(set, gadgets)| gadgets.into_iter().map(move |gadget| (set, gadget)));
        let Some(name) = &self.name else {
            return Ok(all.map(|(set, gadget)| Drawing::of(set, &gadget)).collect());
        };
        let found = all.into_iter().find(|(_, gadget)| gadget.name == *name);
        let (set, gadget) = found
            .ok_or_else(|| Refusal::missing("no-gadget", format!("there is no gadget {name}")))?;
        let gates: Vec<Gate> = contract::kinds().into_iter().map(|(gate, _)| gate).collect();
        let is_it = |gate: &Gate| {
            contract::drawings(*gate).iter().any(|drawing| drawing.name == gadget.name)
        };
        let contract = gates
            .into_iter()
            .find(is_it)
            .and_then(|gate| contract::proved(gate, &gadget, Rules::LEIDEN))
            .map(|contract| GateContract::of(&contract));
        Ok(vec![Drawing { contract, ..Drawing::of(set, &gadget) }])
    }
}
