//! `verified`: the move that the parts propose, checked by a search of the whole board.
//!
//! At every depth the parts are searched as in Burnett; then the whole board is searched two plies less
//! deep, once for its own best move and once for the move of the parts alone. The latter is played if it
//! looks worse by no more than a margin, else the former. So a cut that overlooks a capture within the
//! shallower depth does no harm, and a cut that sees further may still tip the scales.

use game::limits::{Limits, Meter, Stopped};
use jungle::{BurnettEval, Move, Position};
use search::{AlphaBeta, Line, Report, Schedule, Searcher, SplitReport, Subproblems};

use crate::StrongestFirst;
use jungle::decompose::PartedJungle;

/// How much less deep the whole board is searched; at depth 2 it is as deep.
const SHALLOWER: u32 = 2;

/// Searches deeper and deeper until a limit is met; `watch` sees what every depth finds.
pub fn search(
    game: &PartedJungle,
    margin: u16,
    position: &Position,
    limits: &Limits,
    mut watch: impl FnMut(&SplitReport<PartedJungle>),
) -> SplitReport<PartedJungle> {
    let mut meter = Meter::new(limits);
    let line = AlphaBeta::new(game, &BurnettEval).static_line(position);
    let report = Report { score: line.score, pv: line.pv, depth: 0, nodes: 0, leaves: 0 };
    let mut found = SplitReport { report, parts: Vec::new() };
    for depth in Schedule::EVERY_MOVE.depths(limits.last_depth()) {
        let Ok(step) = to_depth(game, margin, position, depth, &mut meter) else {
            break;
        };
        found = step;
        watch(&found);
        let Report { score, pv, .. } = &found.report;
        let certain = if found.is_split() { score.is_win() } else { score.is_decided() };
        if certain || pv.is_empty() {
            break;
        }
    }
    (found.report.nodes, found.report.leaves) = (meter.nodes(), meter.leaves());
    found
}

fn to_depth(
    game: &PartedJungle,
    margin: u16,
    position: &Position,
    depth: u32,
    meter: &mut Meter,
) -> Result<SplitReport<PartedJungle>, Stopped> {
    let parts = Subproblems::new(game, &BurnettEval).order(StrongestFirst);
    let mut found = parts.search_to(position, depth, meter)?;
    let Some(proposed) = found.report.best().filter(|_| found.is_split()) else {
        return Ok(found);
    };
    let shallow = depth.saturating_sub(SHALLOWER).max(SHALLOWER.min(depth));
    let mut whole = |only: Option<Move>| -> Result<Line<Move>, Stopped> {
        let mut search = AlphaBeta::new(game, &BurnettEval).order(StrongestFirst);
        match only {
            Some(mv) => search.only(&[mv]).search(position, shallow, meter),
            None => search.search(position, shallow, meter),
        }
    };
    let best = whole(None)?;
    if best.pv.first() != Some(&proposed) {
        let confirmed = whole(Some(proposed))?.score;
        let close = confirmed.value() + i32::from(margin) >= best.score.value();
        // A certain result is not a matter of margins.
        let same_kind = !confirmed.is_decided() && !best.score.is_decided();
        if confirmed < best.score && !(close && same_kind) {
            (found.report.score, found.report.pv) = (best.score, best.pv);
        }
    }
    Ok(found)
}
