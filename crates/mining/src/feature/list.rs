//! The feature catalogue: all features for given pieces, and selection by name.

use jungle::{Color, Piece};

use super::{Feature, Measure, Scale};

/// Features that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Table 3 of van Rijn & Vis; one piece a side.
    Table3,
    /// Distances, who comes first, who can take whom.
    Cones,
    /// How the two pieces move and who takes whom; for one tree over many classes.
    Material,
    /// Where each piece stands.
    Squares,
}

impl Group {
    /// All groups.
    pub const ALL: [Group; 4] = [Group::Table3, Group::Cones, Group::Material, Group::Squares];

    /// The name of the group.
    pub fn name(self) -> &'static str {
        match self {
            Group::Table3 => "table3",
            Group::Cones => "cones",
            Group::Material => "material",
            Group::Squares => "squares",
        }
    }
}

/// An unknown name: neither a feature nor a group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no feature '{name}' for this class: expected groups ({groups}), kinds such as gap, or \
     features ({known}), separated by commas",
    groups = Group::ALL.map(Group::name).join(", "),
    known = known.join(", ")
)]
pub struct UnknownFeature {
    name: String,
    known: Vec<String>,
}

/// The names of a piece: in the name of a feature, and in a sentence.
struct PieceNames {
    short: String,
    long: String,
    color: Color,
}

/// All features for these pieces, which are in the order of a class's name. If `any` pieces may stand
/// in their places (one tree for many classes), they are called by their colour alone.
pub fn available(pieces: &[Piece], any: bool) -> Vec<(Group, Feature)> {
    let called: Vec<PieceNames> = pieces
        .iter()
        .map(|&piece| PieceNames {
            short: if any { piece.color.letter() } else { piece.letter() }.to_string(),
            long: if any { format!("{}'s piece", piece.color) } else { piece.to_string() },
            color: piece.color,
        })
        .collect();
    let duel = pieces.len() == 2;
    let mut all = Vec::new();
    if duel {
        all.extend(table3().into_iter().map(|feature| (Group::Table3, feature)));
    }
    all.extend(cones(pieces, &called).into_iter().map(|feature| (Group::Cones, feature)));
    if duel {
        all.extend(material().into_iter().map(|feature| (Group::Material, feature)));
    }
    all.extend(squares(&called).into_iter().map(|feature| (Group::Squares, feature)));
    all
}

/// The features of a list of groups, kinds (`gap` is all of `gap(E,l)`, `gap(l,E)`, …) and names, in
/// their usual order and each once.
///
/// # Errors
///
/// If a name is unknown.
pub fn select(all: &[(Group, Feature)], wanted: &[String]) -> Result<Vec<Feature>, UnknownFeature> {
    for name in wanted {
        if !all.iter().any(|(group, feature)| is_called(*group, feature, name)) {
            let known = all.iter().map(|(_, feature)| feature.name.clone()).collect();
            return Err(UnknownFeature { name: name.clone(), known });
        }
    }
    let chosen = |(group, feature): &&(Group, Feature)| {
        wanted.iter().any(|name| is_called(*group, feature, name))
    };
    Ok(all.iter().filter(chosen).map(|(_, feature)| feature.clone()).collect())
}

/// Whether a name means the feature: its own, that of its group, or the part before the bracket, which
/// means the same of all pieces.
fn is_called(group: Group, feature: &Feature, name: &str) -> bool {
    let kind = feature.name.split('(').next().unwrap_or_default();
    [group.name(), &feature.name, kind].contains(&name)
}

fn numbers(
    name: impl Into<String>,
    noun: impl Into<String>,
    range: std::ops::RangeInclusive<i16>,
    measure: Measure,
    about: impl Into<String>,
) -> Feature {
    let scale = Scale::Numeric { lowest: *range.start(), highest: *range.end() };
    Feature { name: name.into(), about: about.into(), noun: noun.into(), scale, measure }
}

fn names(
    name: impl Into<String>,
    values: &[(&str, &str)],
    measure: Measure,
    about: impl Into<String>,
) -> Feature {
    let own = |(value, says): &(&str, &str)| ((*value).to_owned(), (*says).to_owned());
    let scale = Scale::Nominal(values.iter().map(own).collect());
    Feature { name: name.into(), about: about.into(), noun: String::new(), scale, measure }
}

fn table3() -> Vec<Feature> {
    let unopposed = |color: Color, about: &str| {
        names(
            format!("unopposed_{}", color.letter()),
            &[
                ("no", &format!("{color} cannot reach the den unopposed")),
                ("yes", &format!("{color} can reach the den unopposed")),
            ],
            Measure::Unopposed(color),
            about,
        )
    };
    let sector = |color: Color| {
        names(
            format!("sector_{}", color.letter()),
            &[
                ("top", &format!("{color}'s piece is on rank 7 or beyond")),
                ("mid", &format!("{color}'s piece is on ranks 4 to 6")),
                ("bot", &format!("{color}'s piece is on rank 3 or below")),
            ],
            Measure::Sector(color),
            format!("the rank of {color}'s piece: 7 or more (top), 4 to 6 (mid), 3 or less (bot)"),
        )
    };
    vec![
        names(
            "closest",
            &[
                ("white", "Red is at least as close to the enemy's den as Blue"),
                ("black", "Blue is closer to the enemy's den"),
            ],
            Measure::Closest,
            "white if Red's piece needs no more moves to Blue's den than Blue's to Red's",
        ),
        unopposed(
            Color::White,
            "whether Red's piece needs fewer moves to some trap of Blue than Blue's piece",
        ),
        unopposed(
            Color::Black,
            "whether Blue's piece needs at least two moves fewer to some trap of Red than Red's \
             piece (which moves first)",
        ),
        sector(Color::White),
        sector(Color::Black),
        numbers(
            "distance_d",
            "the Manhattan distance of Red's piece from its own den",
            0..=11,
            Measure::DistanceD,
            "the Manhattan distance between Red's piece and Red's den",
        ),
        numbers(
            "distance_p",
            "the Manhattan distance of the pieces",
            0..=14,
            Measure::DistanceP,
            "the Manhattan distance between the two pieces",
        ),
        names(
            "parity",
            &[
                ("0", "the pieces are an even number of steps apart"),
                ("1", "the pieces are an odd number of steps apart"),
            ],
            Measure::Parity,
            "distance_p modulo 2",
        ),
        names(
            "adjacent",
            &[
                ("no", "the pieces are not next to each other"),
                ("yes", "the pieces are next to each other"),
            ],
            Measure::Adjacent,
            "whether distance_p is 1",
        ),
        names(
            "trapped",
            &[
                ("no", "Blue's piece is in no trap of Red"),
                ("yes", "Blue's piece stands in a trap of Red"),
            ],
            Measure::Trapped,
            "whether Blue's piece stands in a trap of Red",
        ),
        names(
            "can_cross",
            &[
                ("no", "Red cannot get to rank 7 unopposed on a shortest way"),
                ("yes", "Red can get to rank 7 unopposed on a shortest way"),
            ],
            Measure::CanCross,
            "whether Red's piece is on rank 7 or beyond, or reaches some square of rank 7 on a \
             shortest way to Blue's den in fewer moves than Blue's piece",
        ),
    ]
}

fn cones(pieces: &[Piece], called: &[PieceNames]) -> Vec<Feature> {
    let mut all = joint(pieces);
    for (at, piece) in called.iter().enumerate() {
        let PieceNames { short, long, color } = piece;
        all.push(numbers(
            format!("den({short})"),
            format!("the number of moves from {long} to {}'s den", !*color),
            0..=15,
            Measure::Den(at),
            format!("how many moves {long} needs to {}'s den, alone on the board", !*color),
        ));
        all.push(numbers(
            format!("home({short})"),
            format!("the number of moves from {long} to its own nearest trap"),
            0..=15,
            Measure::Home(at),
            format!("how many moves {long} needs to the nearest trap of {color}"),
        ));
        all.push(numbers(
            format!("approaches({short})"),
            format!("the number of safe ways for {long} to come nearer to the den"),
            0..=4,
            Measure::Approaches(at),
            format!(
                "how many moves of {long} lead nearer to {}'s den, are not blocked, and do not let \
                 it be taken at once",
                !*color
            ),
        ));
    }
    for (one, white) in called.iter().enumerate().filter(|(_, c)| c.color == Color::White) {
        for (other, black) in called.iter().enumerate().filter(|(_, c)| c.color == Color::Black) {
            all.extend(pair((one, white), (other, black)));
        }
    }
    all
}

fn pair((one, white): (usize, &PieceNames), (other, black): (usize, &PieceNames)) -> Vec<Feature> {
    let gap = |from: usize, to: usize, mover: &PieceNames, goal: &PieceNames| {
        numbers(
            format!("gap({},{})", mover.short, goal.short),
            format!("the number of moves from {} to {}", mover.long, goal.long),
            0..=16,
            Measure::Gap(from, to),
            format!("how many moves {} needs to the square of {}", mover.long, goal.long),
        )
    };
    let both = format!("{} and {}", white.long, black.long);
    vec![
        gap(one, other, white, black),
        gap(other, one, black, white),
        names(
            format!("parity({},{})", white.short, black.short),
            &[
                ("0", &format!("{both} are an even number of steps apart")),
                ("1", &format!("{both} are an odd number of steps apart")),
            ],
            Measure::Step(one, other),
            format!("the Manhattan distance between {both}, modulo 2"),
        ),
        numbers(
            format!("effect({},{})", white.short, black.short),
            format!("the number of plies before {both} can matter to each other"),
            0..=18,
            Measure::Effect(one, other),
            format!("the causality function T of {both}: plies before either can affect the other"),
        ),
    ]
}

fn joint(pieces: &[Piece]) -> Vec<Feature> {
    let enemies = |color| pieces.iter().filter(|piece| piece.color != color).count() as i16;
    let mut all = vec![
        names(
            "race",
            &[
                ("white", "Red wins a race to the den that cannot be stopped"),
                ("open", "no race to a den decides"),
                ("black", "Blue wins a race to the den that cannot be stopped"),
            ],
            Measure::Race,
            "who wins a race to the den by distances alone, if they decide it",
        ),
        names(
            "first",
            &[
                ("white", "Red is at least as close to the enemy's den as Blue"),
                ("black", "Blue is closer to the enemy's den"),
            ],
            Measure::First,
            "white if Red's nearest piece needs no more moves to Blue's den than Blue's to Red's",
        ),
        numbers(
            "lead",
            "Red's lead in moves to the den",
            -12..=12,
            Measure::Lead,
            "Blue's least moves to Red's den less Red's least moves to Blue's den (tempo)",
        ),
    ];
    for color in Color::ALL {
        let other = !color;
        all.push(numbers(
            format!("margin_{}", color.letter()),
            format!("{color}'s margin at the best of {other}'s traps"),
            -12..=12,
            Measure::Margin(color),
            format!(
                "over {other}'s traps, the most moves by which {color}'s earliest piece is there \
                 before {other}'s earliest"
            ),
        ));
    }
    for color in Color::ALL {
        let other = !color;
        all.push(numbers(
            format!("chase_{}", color.letter()),
            format!("the number of moves from {color} to the nearest piece that it can take"),
            0..=17,
            Measure::Chase(color),
            format!("the least moves of a piece of {color} to a piece of {other} that it takes; 17 if none"),
        ));
        all.push(numbers(
            format!("hits_{}", color.letter()),
            format!("the number of {other}'s pieces that {color} attacks"),
            0..=enemies(color),
            Measure::Hits(color),
            format!(
                "how many pieces of {other} a piece of {color} could take at once, if it were to move"
            ),
        ));
    }
    all
}

fn material() -> Vec<Feature> {
    let moves = |color: Color| {
        names(
            format!("moves_{}", color.letter()),
            &[
                ("walks", &format!("{color}'s piece walks")),
                ("swims", &format!("{color}'s piece is the rat")),
                ("jumps", &format!("{color}'s piece jumps")),
            ],
            Measure::Moves(color),
            format!("whether {color}'s piece walks, swims or jumps"),
        )
    };
    vec![
        moves(Color::White),
        moves(Color::Black),
        names(
            "takes",
            &[
                ("both", "each piece takes the other"),
                ("white", "only Red's piece takes the other"),
                ("black", "only Blue's piece takes the other"),
                ("neither", "neither piece takes the other"),
            ],
            Measure::Takes,
            "who takes whom on open land",
        ),
    ]
}

fn squares(called: &[PieceNames]) -> Vec<Feature> {
    let mut all = Vec::new();
    for (at, PieceNames { short, long, .. }) in called.iter().enumerate() {
        all.push(numbers(
            format!("rank({short})"),
            format!("the rank of {long}"),
            1..=9,
            Measure::Rank(at),
            format!("the rank of {long}"),
        ));
        all.push(numbers(
            format!("wing({short})"),
            format!("the distance of {long} from the middle file"),
            0..=3,
            Measure::Wing(at),
            format!("how many files {long} is from the middle one"),
        ));
    }
    for one in 0..called.len() {
        for other in one + 1..called.len() {
            let (a, b) = (&called[one], &called[other]);
            all.push(names(
                format!("wings({},{})", a.short, b.short),
                &[
                    ("same", &format!("{} and {} are not on different wings", a.long, b.long)),
                    ("different", &format!("{} and {} are on different wings", a.long, b.long)),
                ],
                Measure::SameWing(one, other),
                format!("whether {} and {} stand on different wings", a.long, b.long),
            ));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablebase::Material;

    fn names(class: &str, wanted: &[&str]) -> Vec<String> {
        let all = available(&class.parse::<Material>().unwrap().in_order(), false);
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        select(&all, &wanted).unwrap().into_iter().map(|feature| feature.name).collect()
    }

    #[test]
    fn features_are_chosen_by_group_kind_and_name() {
        assert_eq!(names("R-CR", &["parity", "race"]), ["race", "parity(R,c)", "parity(R,r)"]);
        assert_eq!(names("R-CR", &["gap(r,R)", "gap(r,R)"]), ["gap(r,R)"]);
        assert_eq!(names("C-W", &["parity"]), ["parity", "parity(C,w)"]);
        assert_eq!(names("C-W", &["material"]), ["moves_w", "moves_b", "takes"]);
        let all = available(&"EL-RT".parse::<Material>().unwrap().in_order(), false);
        assert!(select(&all, &["table3".to_owned()]).is_err());
    }

    #[test]
    fn no_two_features_share_a_name() {
        for class in ["C-C", "EL-RT", "C-WC", "ELT-RC"] {
            let all = available(&class.parse::<Material>().unwrap().in_order(), false);
            for (at, (_, feature)) in all.iter().enumerate() {
                assert!(all[..at].iter().all(|(_, other)| other.name != feature.name), "{class}");
                assert!(!feature.about.is_empty() && feature.scale.len() >= 2, "{}", feature.name);
            }
        }
    }
}
