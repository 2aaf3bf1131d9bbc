//! Diagrams of splits and cones.

use super::{Cone, Graph, Split, Time};
use crate::board::DENS;
use crate::picture::{Picture, Rgb, Stroke};
use crate::{Bitboard, Piece, Position, Square};

impl Split {
    /// The pieces, the territory of each part in a colour of its own, and the spanning tree with
    /// its weights: dark where it holds, red and dashed where it is cut.
    ///
    /// A den that is open to several parts has no colour. The tree is that of the graph of
    /// the position.
    pub fn picture(&self, position: &Position, graph: &Graph) -> Picture {
        let parts = self.parts().len();
        let title = match self.t_max() {
            None => "A single piece".to_owned(),
            Some(t_max) => format!(
                "{parts} {} at threshold {}, T_max {t_max}",
                if parts == 1 { "part" } else { "parts" },
                self.threshold(),
            ),
        };
        let mut picture = Picture::of(position).title(title);
        for (part, color) in self.parts().iter().zip(Rgb::PALETTE.into_iter().cycle()) {
            let alone = |den: &Square| {
                self.parts().iter().filter(|part| part.territory.contains(*den)).count() == 1
            };
            let dens = (part.territory & DENS).into_iter().filter(alone);
            let squares = dens.fold(part.territory.without(DENS), Bitboard::with);
            picture = picture.region(squares | part.pieces, color, 0.38);
        }
        for edge in graph.tree() {
            let [one, other] = [edge.one, edge.other].map(|at| graph.nodes()[at].square);
            let stroke = Stroke::new(one, other).label(edge.weight.to_string());
            let cut = edge.weight > self.threshold();
            picture = picture.line(if cut { stroke.color(Rgb::RED).dashed() } else { stroke });
        }
        picture
    }
}

impl Cone {
    /// The height over each square, as a number and as a colour that fades with time. Squares that
    /// are never reached stay as they are.
    pub fn picture(&self, piece: Piece, from: Square) -> Picture {
        let title = format!("Effect cone of {piece} on {from}");
        let mut picture = Picture::empty().piece(from, piece).title(title);
        let reached = Square::ALL.into_iter().filter_map(|square| self.at(square).get());
        let highest = reached.max().unwrap_or_default().max(1);
        for square in Square::ALL {
            if let Some(height) = self.at(square).get() {
                let color = warmth(f64::from(height) / f64::from(highest));
                picture = picture.tint(square, color, 0.82);
                if self.at(square) != Time::ZERO {
                    picture = picture.label(square, height.to_string());
                }
            }
        }
        picture
    }
}

/// From dark red for now to pale yellow for late.
fn warmth(lateness: f64) -> Rgb {
    const RAMP: [Rgb; 5] = [
        Rgb(0x9e, 0x17, 0x2d),
        Rgb(0xe3, 0x4a, 0x33),
        Rgb(0xfc, 0x8d, 0x59),
        Rgb(0xfd, 0xc3, 0x7f),
        Rgb(0xff, 0xf3, 0xcf),
    ];
    let place = lateness.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (place as usize).min(RAMP.len() - 2);
    let (from, to, share) = (RAMP[below], RAMP[below + 1], place - below as f64);
    let mix = |from: u8, to: u8| {
        (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8
    };
    Rgb(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::causality::{Causality, Movement};
    use crate::{Animal, Color, Rules};

    #[test]
    fn pictures_show_weights_and_heights() {
        let causality = Causality::new(&Rules::TUFTS);
        let position: Position = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w".parse().unwrap();
        let split = causality.split(&position, Color::White, 4);
        let graph = causality.graph(&position, Color::White);
        let svg = split.picture(&position, &graph).to_svg();
        assert!(svg.contains("2 parts at threshold 4, T_max 5"));
        assert_eq!(svg.matches(&format!("stroke=\"{}\" stroke-width=\"9\"", Rgb::RED)).count(), 1);

        let piece = Piece { color: Color::White, animal: Animal::Cat };
        let cone = Cone::project(Movement::Walker, Color::White, Square::F2);
        let svg = cone.picture(piece, Square::F2).to_svg();
        assert!(svg.contains(">12</text>") && !svg.contains(">13</text>"), "a9 is the farthest");
    }

    #[test]
    fn one_piece_is_one_part() {
        let causality = Causality::new(&Rules::TUFTS);
        let position: Position = "7/7/7/7/7/7/1C5/7/7 w".parse().unwrap();
        let split = causality.split(&position, Color::White, 4);
        let graph = causality.graph(&position, Color::White);
        assert!(split.picture(&position, &graph).to_svg().contains("A single piece"));
        assert_eq!(split.t_max(), None);
    }
}
