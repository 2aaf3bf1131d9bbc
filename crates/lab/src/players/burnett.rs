//! Burnett's players, `plain`, `ordering`, `split` and `both`, and those that use parts in other
//! ways, `exact`, `verified` and `guided`.
//!
//! The first four are exactly as published: without a table, ignoring repetition, at the depths
//! 2, 4, 6 and so on. `hash` gives them a table: at a fixed depth they then play the same moves,
//! many times sooner, which is how games at the published depths become affordable. Under a clock they use
//! what [the clock allots](game::clock) to a move, our own addition: Burnett knows only a fixed time
//! a move.

use std::collections::HashMap;
use std::sync::Arc;

use game::limits::Limits;
use jungle::{Play, Rules};
use players::Algorithm;

use crate::player::{Choice, Fault, Info, NewGame, Player, Turn};
use crate::spec::{Factory, Kind, ParameterError, Parameters};

/// The most MiB of table.
const MOST_HASH: usize = 4096;

pub(super) const PLAIN: Kind = Kind {
    name: "plain",
    usage: "plain[:nodes=N,depth=D,hash=MB]",
    summary: "Burnett's alpha-beta",
    read: |text| read("plain", text),
};

pub(super) const ORDERING: Kind = Kind {
    name: "ordering",
    usage: "ordering[:nodes=N,depth=D,hash=MB]",
    summary: "Burnett's alpha-beta with captures and strong animals first",
    read: |text| read("ordering", text),
};

pub(super) const SPLIT: Kind = Kind {
    name: "split",
    usage: "split[:threshold=T,nodes=N,depth=D,hash=MB]",
    summary: "Burnett's split search",
    read: |text| read("split", text),
};

pub(super) const BOTH: Kind = Kind {
    name: "both",
    usage: "both[:threshold=T,nodes=N,depth=D,hash=MB]",
    summary: "Burnett's split search with captures and strong animals first",
    read: |text| read("both", text),
};

pub(super) const EXACT: Kind = Kind {
    name: "exact",
    usage: "exact[:nodes=N,depth=D]",
    summary: "ordering, with parts that cannot touch added up exactly",
    read: |text| read("exact", text),
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
    parameters.finish()?;
    let limits = Limits { depth, nodes, ..Limits::none() };
    Ok(Arc::new(move || {
        let player = players::BurnettPlayer::new(algorithm, Rules::TUFTS);
        let limits = limits.clone();
        Box::new(Published { player, limits, hash, chosen: HashMap::new() })
    }))
}

struct Published {
    player: players::BurnettPlayer,
    limits: Limits,
    hash: usize,
    /// The choices of a player with a table in this game. At a fixed depth a position that comes back gets the same
    /// choice, and in games that end by the move limit positions come back for hundreds of moves.
    chosen: HashMap<(u64, Option<u32>), players::Chosen>,
}

impl Player<Play> for Published {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.player = players::BurnettPlayer::new(self.player.algorithm(), *game.game.rules())
            .with_table(self.hash);
        self.chosen.clear();
        Ok(())
    }

    fn choose(&mut self, play: &Play, turn: &Turn) -> Result<Choice, Fault> {
        let limits = super::limits(&self.limits, turn);
        let asked = (play.position().key(), limits.depth);
        let known = self.chosen.get(&asked).cloned();
        let chosen = known.unwrap_or_else(|| self.player.choose(play.position(), &limits));
        if self.hash > 0 && limits.nodes_for_move().is_none() && limits.time_for_move().is_none() {
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
    use crate::Spec;

    #[test]
    fn specs_name_the_published_players() {
        for spec in [
            "plain",
            "ordering:nodes=100",
            "split:threshold=2",
            "both:threshold=6,depth=4",
            "both:threshold=depth*0.5",
            "both:threshold=benefit:2:3,nodes=100",
            "exact:depth=4",
            "verified:threshold=depth,margin=30",
            "guided:by=strike+busy,threshold=4",
        ] {
            assert!(spec.parse::<Spec>().is_ok(), "{spec}");
        }
        let refused = |spec: &str| spec.parse::<Spec>().unwrap_err().to_string();
        assert!(refused("plain:threshold=4").contains("plain[:nodes=N,depth=D,hash=MB]"));
        assert!(refused("split:threshold=-1").contains("'-1' is not a threshold: expected"));
        assert!(refused("guided:by=luck").contains("not used for 'luck'"));
    }
}
