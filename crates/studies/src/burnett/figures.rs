//! Burnett's figures, redrawn.

use std::fmt::Write;

use clap::Args;
use jungle::causality::PartSquares;
use jungle::causality::{Causality, Cone, Movement, naive};
use jungle::picture::{Picture, Rgb};
use jungle::{Animal, Bitboard, Color, Piece, Position, Rules, Square};
use serde::{Deserialize, Serialize};

use super::{BURNETT, sketches};
use crate::{Context, Draft, Study, StudyError};

const FIGURE_7A: &str = "5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w";
const FIGURE_7B: &str = "l5t/1d3c1/2p1w1e/7/r5R/7/E1W1P2/1C3D1/T5L w";
const FIGURE_13: &str = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w";
const FIGURE_16A: &str = "7/6r/7/3p2R/7/3P3/7/7/7 w";
const FIGURE_16B: &str = "7/7/4p2/3P2e/l6/6D/C6/7/7 w";

/// Figures 7, 8, 13, 14 and 16.
pub struct Figures;

/// They have no parameters.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {}

/// A figure.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// The name of its file.
    pub name: &'static str,
    /// What it shows.
    pub shows: &'static str,
    /// The picture.
    pub svg: String,
}

impl Study for Figures {
    const NAME: &'static str = "figures";
    const TITLE: &'static str = "Burnett (2010): Figures 7, 8, 13, 14 and 16, redrawn";
    const ABOUT: &'static str = "Burnett (2010), Figures 7, 8, 13, 14 and 16, redrawn as SVG";
    const SOURCE: Option<&'static str> = Some(BURNETT);
    const TAKES: &'static str = "a second";

    type Params = Params;
    type Results = Vec<Figure>;

    fn run(_: &Params, _: &mut Context<'_>) -> Result<Option<Vec<Figure>>, StudyError> {
        Ok(Some(figures()))
    }

    fn render(_: &Params, figures: &Vec<Figure>) -> String {
        let mut text = String::new();
        for Figure { name, shows, .. } in figures {
            let _ = writeln!(text, "{name}.svg  {shows}");
        }
        text
    }

    /// A picture is not a row.
    fn lines(_: &Vec<Figure>) -> serde_json::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn record(_: &Params, figures: &Vec<Figure>, draft: Draft) -> Draft {
        figures.iter().fold(draft.rules(Rules::TUFTS), |draft, figure| {
            draft.chart(figure.name, figure.shows, figure.svg.clone())
        })
    }
}

fn figures() -> Vec<Figure> {
    let causality = Causality::new(&Rules::TUFTS);
    let [seven_a, seven_b, thirteen, sixteen_a, sixteen_b] =
        [FIGURE_7A, FIGURE_7B, FIGURE_13, FIGURE_16A, FIGURE_16B]
            .map(|fen| fen.parse::<Position>().expect("the figures are positions"));
    let cut = |position: &Position, threshold| {
        let graph = causality.graph(position, position.turn());
        causality.split(position, position.turn(), threshold).picture(position, &graph)
    };
    let (cat, tiger, rat) = (
        cone(Animal::Cat, Square::B2, Color::White),
        cone(Animal::Tiger, Square::A1, Color::White),
        cone(Animal::Rat, Square::G3, Color::White),
    );
    let boards: Vec<(&str, &str, Picture)> = vec![
        ("figure-07a", "Figure 7 (a): three problems a reader might see", {
            let seen =
                [(Square::D7, Square::F9), (Square::B2, Square::C3), (Square::E2, Square::F3)];
            outlined(&seven_a, &seen, "Figure 7 (a): a position with three subproblems")
        }),
        ("figure-07b", "Figure 7 (b): two problems a reader might see", {
            let seen = [(Square::A1, Square::C5), (Square::E5, Square::G9)];
            outlined(&seven_b, &seen, "Figure 7 (b): a position with two subproblems")
        }),
        ("figure-08b", "Figure 8 (b): the cone of a cat from its starting square", cat),
        ("figure-08c", "Figure 8 (c): the cone of a tiger", tiger),
        ("figure-08d", "Figure 8 (d): the cone of a rat", rat),
        ("figure-13", "Figure 13 cut at threshold 4", cut(&thirteen, 4)),
        ("figure-14b", "Figure 14 (b): the board shared out among the published parts", {
            published_parts(&causality, &seven_a)
        }),
        ("figure-14b-computed", "the same position cut by Definition 7.1 at threshold 2", {
            cut(&seven_a, 2)
        }),
        ("figure-16a", "Figure 16 (a): the side that moves first must give way", {
            Picture::of(&sixteen_a).title("Figure 16 (a): a parity situation, White to move")
        }),
        ("figure-16b", "Figure 16 (b): White cannot advance", {
            Picture::of(&sixteen_b).title("Figure 16 (b): a hopeless situation, White to move")
        }),
    ];
    let mut figures: Vec<Figure> = boards
        .into_iter()
        .map(|(name, shows, of)| Figure { name, shows, svg: of.to_svg() })
        .collect();
    figures.push(Figure {
        name: "figure-08a",
        shows: "Figure 8 (a): a light cone, redrawn",
        svg: sketches::light_cone(),
    });
    figures.push(Figure {
        name: "figure-14a",
        shows: "Figure 14 (a): a Voronoi diagram, of the pieces of Figure 7 (a)",
        svg: sketches::voronoi(&seven_a),
    });
    figures.sort_by_key(|figure| figure.name);
    figures
}

fn cone(animal: Animal, from: Square, color: Color) -> Picture {
    let movement = Movement::of(animal, &Rules::TUFTS);
    Cone::project(movement, color, from).picture(Piece { color, animal }, from)
}

/// Blue frames from one corner to another.
fn outlined(position: &Position, frames: &[(Square, Square)], title: &str) -> Picture {
    frames.iter().fold(Picture::of(position).title(title), |picture, &(low, high)| {
        let inside = |square: &Square| {
            (low.file()..=high.file()).contains(&square.file())
                && (low.rank()..=high.rank()).contains(&square.rank())
        };
        picture.region(
            Square::ALL.into_iter().filter(inside).collect::<Bitboard>(),
            Rgb::BLUE,
            0.22,
        )
    })
}

/// The parts as Burnett has them, which do not follow from his definition; who owns each square
/// then does.
fn published_parts(causality: &Causality, position: &Position) -> Picture {
    use Square::{B3, B7, B8, C2, D7, E2, E8, F2, F3, F9};
    let published = [B7 | B8 | D7 | E8 | F9, E2 | F2 | F3, B3 | C2];
    let nodes = naive::nodes(causality, position);
    let parts = published.map(|part| {
        nodes.iter().copied().filter(|node| part.contains(node.square)).collect::<Vec<_>>()
    });
    let territories = naive::territories(&parts, position.turn());
    let title = "Figure 14 (b): the board shared out among three parts";
    let shared = published.into_iter().zip(territories).enumerate();
    let mut picture = Picture::of(position).title(title);
    for (at, (pieces, territory)) in shared {
        let part = PartSquares { pieces, territory: territory.without(jungle::board::DENS) };
        picture = picture.region(part.territory, Rgb::PALETTE[at], 0.38);
        for square in part.territory.without(part.pieces) {
            picture = picture.label(square, (at + 1).to_string());
        }
    }
    picture
}
