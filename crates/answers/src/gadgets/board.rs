//! The board that a formula is compiled to: what does not change while a game is played on it.

use gadgets::circuit::Gate;
use gadgets::formula::Formula;
use gadgets::geometry::Spot;
use gadgets::layout::{Layout, Wire};
use game::Side;
use jungle::Color;
use jungle::board::Terrain;
use serde::Serialize;

/// A compiled board. Columns are counted from the left, rows from the top, both from 0; all that is not
/// listed is water.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsBoard))]
pub struct Compiled {
    /// The formula.
    pub formula: String,
    /// Its variables.
    pub variables: Vec<String>,
    /// Its clauses, as numbers of variables from 0.
    pub clauses: Vec<Vec<usize>>,
    /// Who wins the formula game, and so the board, if White begins.
    pub winner_white_first: Side,
    /// The same if Black begins.
    pub winner_black_first: Side,
    /// How many columns the board has.
    pub width: usize,
    /// How many rows.
    pub height: usize,
    /// All squares that are not water.
    pub ground: Vec<Ground>,
    /// The gates.
    pub gates: Vec<CompiledGate>,
    /// The wires between them.
    pub wires: Vec<CompiledWire>,
    /// The way of Black's cat to White's den, by the names of its squares.
    pub track: Vec<String>,
    /// How often wires cross.
    pub crossings: usize,
}

/// A square that is not water.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsGround))]
pub struct Ground {
    /// Its name.
    pub square: String,
    /// Its column.
    pub x: usize,
    /// Its row.
    pub y: usize,
    /// `land`, `trap` or `den`.
    pub kind: &'static str,
    /// Whose trap or den it is.
    pub owner: Option<Side>,
}

/// A gate and the rectangle it stands in.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsGate))]
pub struct CompiledGate {
    /// `variable`, `split`, `relay`, `or`, `and` or `den`.
    pub kind: &'static str,
    /// Its gadget, as `/api/gadgets` names it; none for a den.
    pub gadget: Option<String>,
    /// The number of the variable that it sets, from 0.
    pub variable: Option<usize>,
    /// The first column.
    pub x: usize,
    /// The first row.
    pub y: usize,
    /// How many columns.
    pub width: usize,
    /// How many rows.
    pub height: usize,
}

/// A wire, as the places where a signal on it stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GadgetsWire))]
pub struct CompiledWire {
    /// The number of the gate it comes from, from 0.
    pub from: usize,
    /// The number of the gate it goes to; none if it just ends.
    pub to: Option<usize>,
    /// The squares from the gate on, the last one in the gate it goes to.
    pub squares: Vec<String>,
}

fn kind_of(gate: Gate) -> &'static str {
    match gate {
        Gate::Variable(_) => "variable",
        Gate::Split => "split",
        Gate::Relay => "relay",
        Gate::Or => "or",
        Gate::And => "and",
        Gate::Den => "den",
        Gate::Choice => "choice",
        Gate::Source(_) | Gate::Sink(_) => "end",
    }
}

/// What a square is, and whose.
pub(super) fn terrain(terrain: Terrain) -> (&'static str, Option<Side>) {
    match terrain {
        Terrain::Land => ("land", None),
        Terrain::Water => ("water", None),
        Terrain::Trap(owner) => ("trap", Some(owner.player())),
        Terrain::Den(owner) => ("den", Some(owner.player())),
    }
}

impl Compiled {
    /// The board of a formula.
    pub fn new(formula: &Formula, layout: &Layout) -> Compiled {
        let geometry = layout.board.geometry();
        let name = |&spot: &Spot| geometry.name(spot);
        let ground = |spot| {
            let (kind, owner) = terrain(geometry.terrain(spot));
            let (x, y) = (geometry.column(spot), geometry.row(spot));
            Ground { square: geometry.name(spot), x, y, kind, owner }
        };
        let wire = |wire: &Wire| {
            let source = &layout.blocks[wire.from.gate];
            let first = source.landing(geometry, source.outputs[wire.from.port]);
            let last = wire.to.map(|to| {
                let target = &layout.blocks[to.gate];
                target.landing(geometry, target.inputs[to.port])
            });
            let squares = [first].into_iter().chain(wire.stones.iter().copied()).chain(last);
            CompiledWire {
                from: wire.from.gate,
                to: wire.to.map(|to| to.gate),
                squares: squares.map(|spot| name(&spot)).collect(),
            }
        };
        let gates = layout.blocks.iter().map(|block| {
            let own = block.gadget.board.geometry();
            let variable = match block.gate {
                Gate::Variable(variable) => Some(variable),
                _ => None,
            };
            CompiledGate {
                kind: kind_of(block.gate),
                gadget: block.gate.gadget().map(|_| block.gadget.name.clone()),
                variable,
                x: block.column,
                y: block.row,
                width: own.width(),
                height: own.height(),
            }
        });
        let winner = |first: Color| {
            let white = formula.game().white_wins(0, 0, first);
            if white { Side::First } else { Side::Second }
        };
        Compiled {
            formula: formula.to_string(),
            variables: formula.names().to_vec(),
            clauses: formula.clauses().to_vec(),
            winner_white_first: winner(Color::White),
            winner_black_first: winner(Color::Black),
            width: geometry.width(),
            height: geometry.height(),
            ground: geometry.land().map(ground).collect(),
            gates: gates.collect(),
            wires: layout.wires.iter().map(wire).collect(),
            track: layout.track.iter().map(name).collect(),
            crossings: layout.crossings,
        }
    }
}
