//! Burnett's players, `plain`, `ordering`, `split` and `both`, and those that use parts in other
//! ways, `sum`, `verified` and `guided`.
//!
//! The first four are exactly as published: without a table, ignoring repetition, at the depths
//! 2, 4, 6 and so on. `hash` gives them a table: at a fixed depth they then play the same moves,
//! many times sooner, which is how games at the published depths become affordable. Under a clock they use
//! what [the clock allots](game::clock) to a move, our own addition: Burnett knows only a fixed time
//! a move.

use std::collections::HashMap;
use std::sync::Arc;

use game::limits::Limits;
use game::rng::Rng;
use jungle::{Play, Rules};
use players::{Algorithm, Style};

use crate::player::{Choice, Fault, Info, NewGame, Player, Turn};
use crate::spec::{Factory, Kind, ParameterError, Parameters};

/// The most MiB of table.
const MOST_HASH: usize = 4096;

pub(super) const PLAIN: Kind = Kind {
    name: "plain",
    usage: "plain[:nodes=N,depth=D,hash=MB,STYLE]",
    summary: "Burnett's alpha-beta",
    read: |text| read("plain", text),
};

pub(super) const ORDERING: Kind = Kind {
    name: "ordering",
    usage: "ordering[:nodes=N,depth=D,hash=MB,STYLE]",
    summary: "Burnett's alpha-beta with captures and strong animals first",
    read: |text| read("ordering", text),
};

pub(super) const SPLIT: Kind = Kind {
    name: "split",
    usage: "split[:threshold=T,cut=C,nodes=N,depth=D,hash=MB,STYLE]",
    summary: "Burnett's split search",
    read: |text| read("split", text),
};

pub(super) const BOTH: Kind = Kind {
    name: "both",
    usage: "both[:threshold=T,cut=C,nodes=N,depth=D,hash=MB,STYLE]",
    summary: "Burnett's split search with captures and strong animals first",
    read: |text| read("both", text),
};

pub(super) const SUM: Kind = Kind {
    name: "sum",
    usage: "sum[:nodes=N,depth=D]",
    summary: "ordering, with parts that cannot touch added up exactly",
    read: |text| read("sum", text),
};

pub(super) const VERIFIED: Kind = Kind {
    name: "verified",
    usage: "verified[:threshold=T,margin=M,nodes=N,depth=D]",
    summary: "both, its move confirmed on the whole board within a margin",
    read: |text| read("verified", text),
};

pub(super) const GUIDED: Kind = Kind {
    name: "guided",
    usage: "guided[:by=USES,threshold=T,nodes=N,depth=D]",
    summary: "ordering, with parts used at every node: strike, busy, reduce",
    read: |text| read("guided", text),
};

/// What the parameters of these players mean, for the long help.
pub const PARAMETERS: &str = "\
Parts (split, both, verified, guided) are cut where pieces are more than T plies apart:
  threshold=4            a number of plies, as in Burnett
  threshold=depth*0.5    a share of the depth of the search, rounded down
  threshold=depth        parts that cannot touch before the search ends
  threshold=benefit:2:4  as many plies, 4 or more, as make the parts cheaper to search by a
                         factor of 2, estimated from their sizes; 4 may be left out
  cut=above|at-least     whether pieces just as far apart as the threshold stay together (above)
STYLE is what Burnett leaves open (plain, ordering, split, both); each may be left out:
  interrupted=discard    what a limit leaves of the depth it interrupts: nothing (discard), the best
                         of the root's moves so far (root), or all of it, with the static value at
                         nodes that come too late (static)
  depths=even            2, 4, 6 … (even), 1, 2, 3 … (every) or 3, 5, 7 … (odd)
  ties=first             of several best moves the first (first), or one at random (random)
  noise=0                nodes or time of a move more or less at random by up to so many per cent
Margins are in the units of the evaluation (a cat is worth 200). USES of parts, joined by +:
  strike  prune moves in parts of one side that another dominates (exact)
  busy    try moves in parts where both sides have pieces first
  reduce  search late moves in parts of one side only less deeply at first
  late    search all late moves less deeply at first, whatever the parts
  last    at the last ply leave out all quiet moves but the one that gains most, whatever the
          parts (exact)
";

fn read(name: &str, text: &str) -> Result<Factory, ParameterError> {
    let mut algorithm: Algorithm = name.parse()?;
    let mut parameters = Parameters::read(text)?;
    for parameter in algorithm.parameters() {
        if let Some(value) = parameters.take::<String>(parameter)? {
            algorithm = algorithm.with(parameter, &value)?;
        }
    }
    let depth = parameters.take::<u32>("depth")?;
    let nodes = parameters.take::<u64>("nodes")?;
    let hash = parameters.take::<usize>("hash")?.unwrap_or(0);
    if hash > MOST_HASH {
        let most = MOST_HASH as u64;
        return Err(ParameterError::Range { what: "the size of a table in MiB", least: 0, most });
    }
    let mut style = Style::default();
    if algorithm.is_published() {
        for name in Style::NAMES {
            if let Some(value) = parameters.take::<String>(name)? {
                style.set(name, &value)?;
            }
        }
    }
    parameters.finish()?;
    let limits = Limits { depth, nodes, ..Limits::none() };
    Ok(Arc::new(move || {
        let player = players::BurnettPlayer::new(algorithm, Rules::TUFTS).with_style(style);
        let (limits, rng) = (limits.clone(), Rng::new(0));
        Box::new(Published { player, limits, hash, rng, chosen: HashMap::new() })
    }))
}

/// The spec of a published player that leaves this of an interrupted depth, unless it says so itself; none of
/// another player.
pub fn with_interrupted(spec: &str, interrupted: players::Interrupted) -> Option<String> {
    let (name, parameters) = spec.split_once(':').unwrap_or((spec, ""));
    name.parse::<Algorithm>().ok().filter(|algorithm| algorithm.is_published())?;
    let said = parameters.split(',').any(|parameter| parameter.starts_with("interrupted="));
    Some(match (said, parameters) {
        (true, _) => spec.to_owned(),
        (false, "") => format!("{name}:interrupted={interrupted}"),
        (false, _) => format!("{spec},interrupted={interrupted}"),
    })
}

struct Published {
    player: players::BurnettPlayer,
    limits: Limits,
    hash: usize,
    /// What a style leaves to chance.
    rng: Rng,
    /// The choices of a player with a table in this game. At a fixed depth a position that comes back gets the same
    /// choice, and in games that end by the move limit positions come back for hundreds of moves.
    chosen: HashMap<(u64, Option<u32>), players::Chosen>,
}

impl Player<Play> for Published {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.player = players::BurnettPlayer::new(self.player.algorithm(), *game.game.rules())
            .with_style(self.player.style())
            .with_table(self.hash);
        self.rng = Rng::new(game.seed);
        self.chosen.clear();
        Ok(())
    }

    fn choose(&mut self, play: &Play, turn: &Turn) -> Result<Choice, Fault> {
        let style = self.player.style();
        let limits = style.disturbed(&super::limits(&self.limits, turn), &mut self.rng);
        self.player.reseed(self.rng.next_u64());
        if self.player.algorithm() == Algorithm::Exact {
            self.player.remember(play.earlier_positions().cloned());
        }
        let asked = (play.position().key(), limits.depth);
        let known = self.chosen.get(&asked).cloned();
        let chosen = known.unwrap_or_else(|| self.player.choose(play.position(), &limits));
        if self.hash > 0
            && !style.is_random()
            && limits.nodes_for_move().is_none()
            && limits.time_for_move().is_none()
        {
            self.chosen.insert(asked, chosen.clone());
        }
        let legal = play.legal_moves();
        // No depth was finished, or the rules against repetition forbid the choice.
        let mv = chosen
            .report
            .best()
            .filter(|mv| legal.contains(mv))
            .or(legal.first().copied())
            .ok_or_else(Fault::no_legal_move)?;
        let info = Info {
            depth: Some(chosen.report.depth),
            score: Some(chosen.report.score.into()),
            nodes: Some(chosen.report.nodes),
            parts: if chosen.is_split() { chosen.parts } else { Vec::new() },
        };
        Ok(Choice { mv, info })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;
    use game::Game;
    use jungle::Jungle;
    use std::time::Duration;

    fn choices(spec: &str, seeds: u64, limits: &Limits) -> Vec<Choice> {
        let jungle = Jungle::new(Rules::TUFTS);
        let play = Play::start(jungle.clone());
        let choose = |seed| {
            let mut player = spec.parse::<Spec>().unwrap().build();
            let game = NewGame { game: &jungle, seed, patience: Duration::ZERO };
            player.new_game(&game).unwrap();
            player.choose(&play, &limits.clone().into()).unwrap()
        };
        (0..seeds).map(choose).collect()
    }

    #[test]
    fn chance_follows_the_seed() {
        let limits = Limits::nodes(3000);
        let moves = |spec| -> std::collections::BTreeSet<String> {
            let deep = Limits::depth(4);
            choices(spec, 12, &deep).iter().map(|choice| choice.mv.to_string()).collect()
        };
        assert_eq!(moves("plain").len(), 1);
        assert!(moves("plain:ties=random").len() > 1, "Eb3 and Ca2 are equally good");
        let again = || choices("plain:ties=random,noise=20", 5, &limits);
        assert_eq!(again(), again());
        let nodes: std::collections::BTreeSet<_> =
            choices("plain:noise=10", 12, &limits).iter().map(|choice| choice.info.nodes).collect();
        assert!(nodes.len() > 6 && nodes.iter().all(|n| (2700..=3300).contains(&n.unwrap())));
    }

    #[test]
    fn interrupted_iterations_leave_what_was_asked_for() {
        let jungle = Jungle::new(Rules::TUFTS);
        let legal = jungle.moves(Play::start(jungle.clone()).position());
        for name in ["plain", "ordering", "split", "both"] {
            let mut moves = std::collections::BTreeSet::new();
            for interrupted in players::Interrupted::ALL {
                for nodes in [5, 700, 1500, 9000, 20_000] {
                    let spec = with_interrupted(name, interrupted).unwrap();
                    let choice = choices(&spec, 1, &Limits::nodes(nodes)).remove(0);
                    assert!(legal.contains(&choice.mv));
                    assert!(choice.info.depth <= Some(4) && choice.info.nodes <= Some(nodes));
                    moves.insert((interrupted.to_string(), nodes, choice.mv.to_string()));
                }
            }
            let of = |one: &str, nodes| {
                moves.iter().find(|(name, n, _)| name == one && *n == nodes).unwrap().2.clone()
            };
            let differ =
                [700, 1500, 9000, 20_000].iter().any(|&n| of("root", n) != of("discard", n));
            // Whoever begins with the best move of the iteration before rarely finds another in half of one.
            assert!(differ || name != "plain", "{moves:?}");
        }
        assert_eq!(with_interrupted("exact", players::Interrupted::Root), None);
        let said =
            with_interrupted("both:interrupted=root,cut=above", players::Interrupted::Static);
        assert_eq!(said.unwrap(), "both:interrupted=root,cut=above");
    }

    #[test]
    fn specs_name_the_published_players() {
        for spec in [
            "plain",
            "ordering:nodes=100",
            "split:threshold=2",
            "both:threshold=6,depth=4",
            "both:threshold=4,cut=at-least",
            "both:threshold=4,cut=above,interrupted=root,noise=10",
            "plain:interrupted=static,depths=odd,ties=random",
            "both:threshold=depth*0.5",
            "both:threshold=benefit:2:3,nodes=100",
            "sum:depth=4",
            "exact:depth=4",
            "verified:threshold=depth,margin=30",
            "guided:by=strike+busy,threshold=4",
        ] {
            assert!(spec.parse::<Spec>().is_ok(), "{spec}");
        }
        let refused = |spec: &str| spec.parse::<Spec>().unwrap_err().to_string();
        assert!(refused("plain:threshold=4").contains("plain[:nodes=N,depth=D,hash=MB,STYLE]"));
        assert!(refused("plain:interrupted=x").contains("expected discard, root or static"));
        assert!(refused("exact:ties=random").contains("no parameter 'ties'"));
        assert!(refused("split:threshold=-1").contains("'-1' is not a threshold: expected"));
        assert!(refused("guided:by=luck").contains("not used for 'luck'"));
    }
}
