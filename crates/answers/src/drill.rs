//! Drills: an ending of a class to practise against perfect play, and the replies of the tables.

use std::fmt::{self, Display};

use game::rng::Rng;
use game::truth::Truth;
use jungle::{Color, Jungle, Move, Play, Position, Rules};
use puzzles::mine::tables::sample;
use serde::{Deserialize, Serialize};
use tablebase::{Material, ProbeError, Tablebase};

use crate::notation::algebraic;
use crate::refusal::{Kind, Refusal};
use crate::request::GameRequest;

/// How many positions are drawn before a class is said to have none of this kind.
const DRAWN: usize = 4_000;
/// A win or a loss has at least this many plies; fewer where a class has no others.
const LEAST_PLIES: u32 = 7;

/// What is practised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum DrillGoal {
    /// To win what is won.
    #[default]
    Win,
    /// To hold what is drawn.
    Draw,
    /// To last as long as possible in what is lost.
    Resist,
}

impl Display for DrillGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrillGoal::Win => "win",
            DrillGoal::Draw => "draw",
            DrillGoal::Resist => "resist",
        })
    }
}

/// Which ending.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct DrillRequest {
    /// The class; the animals before the dash are those of the one who practises.
    #[cfg_attr(feature = "openapi", param(example = "EL-T"))]
    pub class: String,
    /// The rules; `standard` if left out.
    pub rules: Option<String>,
    /// What is practised; `win` if left out.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub goal: Option<DrillGoal>,
    /// What the position follows from; 0 if left out.
    pub seed: Option<u64>,
}

/// An ending to practise.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Drill {
    /// The class.
    pub class: String,
    /// The rules.
    pub rules: String,
    /// What is practised.
    pub goal: DrillGoal,
    /// The position: Red is to move, and practises.
    pub fen: String,
    /// Its value for Red.
    #[serde(flatten)]
    pub truth: Truth,
}

/// The reply of the tables.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DrillReply {
    /// Coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form.
    pub san: String,
    /// What it achieves, for the side that makes it, this move counted.
    #[serde(flatten)]
    pub truth: Truth,
}

impl DrillRequest {
    /// The rules asked for.
    ///
    /// # Errors
    ///
    /// If they are not understood.
    pub fn rules(&self) -> Result<Rules, Refusal> {
        GameRequest { rules: self.rules.clone(), ..GameRequest::default() }.rules()
    }

    /// A position of the class, drawn at random.
    ///
    /// # Errors
    ///
    /// If the class is not understood or has no such position, or a table is missing.
    pub fn answer(&self, tables: &Tablebase) -> Result<Drill, Refusal> {
        let class: Result<Material, _> = self.class.parse();
        let class = class.map_err(|error| Refusal::because(Kind::Bad, "class", error))?;
        let goal = self.goal.unwrap_or_default();
        let jungle = Jungle::new(*tables.rules());
        let mut rng = Rng::new(self.seed.unwrap_or(0));
        let mut easier: Option<(Position, Truth)> = None;
        for _ in 0..DRAWN {
            let Some(position) = sample(&jungle, class, &mut rng) else { continue };
            let position = position.with_turn(Color::White);
            if jungle.ending(&position).is_some() {
                continue;
            }
            let truth = tables.probe(&position)?;
            let fits = match goal {
                DrillGoal::Win => matches!(truth, Truth::Win(plies) if plies > 1),
                DrillGoal::Draw => truth == Truth::Draw,
                DrillGoal::Resist => matches!(truth, Truth::Loss(plies) if plies > 2),
            };
            if !fits {
                continue;
            }
            if truth.plies().is_none_or(|plies| plies >= LEAST_PLIES) {
                return Ok(self.drill(class, tables.rules(), goal, &position, truth));
            }
            if easier.as_ref().is_none_or(|(_, known)| known.plies() < truth.plies()) {
                easier = Some((position, truth));
            }
        }
        match easier {
            Some((position, truth)) => {
                Ok(self.drill(class, tables.rules(), goal, &position, truth))
            }
            None => {
                let message =
                    format!("{class} has no position to practise this ({goal}), or hardly any");
                Err(Refusal::missing("no-drill", message))
            }
        }
    }

    fn drill(
        &self,
        class: Material,
        rules: &Rules,
        goal: DrillGoal,
        at: &Position,
        truth: Truth,
    ) -> Drill {
        Drill {
            class: class.to_string(),
            rules: rules.to_string(),
            goal,
            fen: at.to_string(),
            truth,
        }
    }
}

impl DrillReply {
    /// The best move by the tables: the shortest win, the longest defence, and in a draw the one that leaves the fewest
    /// moves that hold it.
    ///
    /// # Errors
    ///
    /// If a table is missing, or the game is over.
    pub fn of(tables: &Tablebase, play: &Play) -> Result<DrillReply, Refusal> {
        let (jungle, position) = (play.jungle(), play.position());
        let probed = tables.probe_position(position)?;
        let legal = play.legal_moves();
        let mut best: Option<(usize, tablebase::ProbedMove)> = None;
        for one in probed.moves.iter().filter(|one| one.value == probed.value) {
            // Repetition may forbid a move.
            if !legal.contains(&one.mv) {
                continue;
            }
            let holding = match one.value {
                Truth::Draw => holding(tables, jungle, position, one.mv)?,
                Truth::Win(_) | Truth::Loss(_) => 0,
            };
            if best.is_none_or(|(fewest, _)| holding < fewest) {
                best = Some((holding, *one));
            }
        }
        let fallback = || probed.moves.iter().find(|one| legal.contains(&one.mv)).copied();
        let best = best.map(|(_, one)| one).or_else(fallback);
        let best = best.ok_or_else(|| Refusal::bad("game-over", "the game is over"))?;
        let san = algebraic(jungle, position, best.mv);
        Ok(DrillReply { mv: best.mv.to_string(), san, truth: best.value })
    }
}

/// How many answers to a move hold the draw.
fn holding(
    tables: &Tablebase,
    jungle: &Jungle,
    position: &Position,
    mv: Move,
) -> Result<usize, ProbeError> {
    let mut after = position.clone();
    after.make(mv);
    if jungle.ending(&after).is_some() {
        return Ok(usize::MAX);
    }
    let moves = tables.probe_position(&after)?.moves;
    Ok(moves.iter().filter(|one| one.value == Truth::Draw).count())
}

#[cfg(test)]
mod tests {
    use tablebase::build::{Wanted, in_memory};

    use super::*;

    fn tables() -> Tablebase {
        let rules = Rules::STANDARD;
        Tablebase::new(&rules, 2, in_memory(&rules, &Wanted::Pieces(2)).unwrap())
    }

    fn request(class: &str, goal: DrillGoal, seed: u64) -> DrillRequest {
        DrillRequest { class: class.to_owned(), rules: None, goal: Some(goal), seed: Some(seed) }
    }

    #[test]
    fn a_drill_has_the_result_that_is_practised() {
        let tables = tables();
        for seed in 0..20 {
            for (class, goal) in
                [("E-L", DrillGoal::Win), ("C-D", DrillGoal::Draw), ("C-D", DrillGoal::Resist)]
            {
                let drill = request(class, goal, seed).answer(&tables).unwrap();
                let position: Position = drill.fen.parse().unwrap();
                assert_eq!(position.turn(), Color::White);
                assert_eq!(tables.probe(&position).unwrap(), drill.truth);
                let wanted = match goal {
                    DrillGoal::Win => {
                        matches!(drill.truth, Truth::Win(plies) if plies >= LEAST_PLIES)
                    }
                    DrillGoal::Draw => drill.truth == Truth::Draw,
                    DrillGoal::Resist => matches!(drill.truth, Truth::Loss(_)),
                };
                assert!(wanted, "{class} {goal}: {}", drill.fen);
            }
        }
        // Equals never draw.
        let refusal = request("C-C", DrillGoal::Draw, 0).answer(&tables).unwrap_err();
        assert_eq!(refusal.code, "no-drill");
        let refusal = request("ELT-R", DrillGoal::Win, 0).answer(&tables).unwrap_err();
        assert_eq!(refusal.code, "too-many-pieces");
    }

    #[test]
    fn a_reply_is_the_best_move() {
        let tables = tables();
        for seed in 0..20 {
            let goal = [DrillGoal::Win, DrillGoal::Draw, DrillGoal::Resist][seed as usize % 3];
            let drill = request("C-D", goal, seed).answer(&tables).unwrap();
            let game = GameRequest { fen: Some(drill.fen.clone()), ..GameRequest::default() };
            let reply = DrillReply::of(&tables, &game.play().unwrap()).unwrap();
            assert_eq!(reply.truth, drill.truth);
            if goal == DrillGoal::Draw {
                // No other move that holds the draw leaves fewer answers that do.
                let play = game.play().unwrap();
                let left = |mv: Move| holding(&tables, play.jungle(), play.position(), mv).unwrap();
                let moves = tables.probe_position(play.position()).unwrap().moves;
                let drawing = moves.iter().filter(|one| one.value == Truth::Draw);
                let fewest = drawing.map(|one| left(one.mv)).min().unwrap();
                let made = jungle::parse_move(play.jungle(), play.position(), &reply.mv).unwrap();
                assert_eq!(left(made), fewest);
            }
        }
    }
}
