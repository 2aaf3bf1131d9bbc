//! Reference decomposition, by the definitions: cones as matrices, Kruskal's algorithm on all
//! edges, recursive cutting, cumulative cones. Slow and simple, it is the oracle of
//! [`split`](super::split).

use super::split::PartSquares;
use super::tree::{self, Edge, Sets};
use super::{Causality, Cone, Node, Time};
use crate::board::{DEN, DENS, TRAPS};
use crate::{Bitboard, Color, Piece, Position, Square};

/// The pieces of a position, from a1 along the ranks.
pub fn nodes(causality: &Causality, position: &Position) -> Vec<Node> {
    let node = |(square, piece): (Square, Piece)| Node {
        square,
        piece,
        movement: causality.movement(piece.animal),
    };
    position.pieces().map(node).collect()
}

/// The minimum spanning tree by Kruskal's algorithm, lightest edge first.
pub fn spanning_tree(nodes: &[Node], first: Color) -> Vec<Edge<Time>> {
    let weight = |one: usize, other: usize| nodes[one].time_to(&nodes[other], first);
    tree::kruskal(nodes.len(), tree::sorted_edges(nodes.len(), weight))
}

/// Build-Subproblems, with all edges above the threshold removed at once.
pub fn parts(nodes: &[Node], first: Color, threshold: u8) -> Vec<Vec<Node>> {
    let mut sets = Sets::new(nodes.len());
    for edge in spanning_tree(nodes, first) {
        if edge.weight <= Time::new(threshold) && edge.weight != Time::NEVER {
            sets.join(edge.one, edge.other);
        }
    }
    let mut parts: Vec<(usize, Vec<Node>)> = Vec::new();
    for (at, &node) in nodes.iter().enumerate() {
        let root = sets.find(at);
        match parts.iter_mut().find(|(known, _)| *known == root) {
            Some((_, part)) => part.push(node),
            None => parts.push((root, vec![node])),
        }
    }
    let mut parts: Vec<Vec<Node>> = parts.into_iter().map(|(_, part)| part).collect();
    sort(&mut parts);
    parts
}

/// Find-Subproblems, in Burnett's first version: cut in two by MST-Partition while the cut is
/// above the threshold, and go on with both halves.
pub fn parts_recursively(nodes: &[Node], first: Color, threshold: u8) -> Vec<Vec<Node>> {
    let weight = |one: usize, other: usize| nodes[one].time_to(&nodes[other], first);
    let mut parts = match tree::mst_partition(nodes.len(), weight) {
        Some((halves, t_max)) if t_max > Time::new(threshold) => halves
            .into_iter()
            .flat_map(|half| {
                let half: Vec<Node> = half.into_iter().map(|at| nodes[at]).collect();
                parts_recursively(&half, first, threshold)
            })
            .collect(),
        _ => vec![nodes.to_vec()],
    };
    sort(&mut parts);
    parts
}

/// By the names of the squares.
fn sort(parts: &mut [Vec<Node>]) {
    for part in &mut *parts {
        part.sort_by_key(|node| node.square.to_string());
    }
    parts.sort_by_key(|part| part[0].square.to_string());
}

/// Cumulative-Effectcone (9.4.2): when a part can be on each square, in plies.
pub fn cumulative_cone(part: &[Node], first: Color) -> Cone {
    let cones = part.iter().map(|node| node.cone().in_plies(node.piece.color, first));
    cones.fold(Cone::NEVER, |all, cone| all.min(&cone))
}

/// Partition-Board: the territory of each part.
pub fn territories(parts: &[Vec<Node>], first: Color) -> Vec<Bitboard> {
    let cones: Vec<Cone> = parts.iter().map(|part| cumulative_cone(part, first)).collect();
    let mut territories = vec![Bitboard::EMPTY; parts.len()];
    for square in !DENS {
        let key = |&at: &usize| (cones[at].at(square), std::cmp::Reverse(parts[at].len()), at);
        let nearest = (0..parts.len()).min_by_key(key);
        if let Some(at) = nearest.filter(|&at| cones[at].at(square) != Time::NEVER) {
            territories[at] |= square.bitboard();
        }
    }
    for (territory, part) in territories.iter_mut().zip(parts) {
        for color in Color::ALL {
            if territory.intersects(TRAPS[color]) {
                *territory |= DEN[color].bitboard();
            }
        }
        for node in part {
            *territory |= node.square.bitboard();
        }
    }
    territories
}

/// Update-MST exactly as printed (8.2.3), with or without the optimisation of 8.2.4, for the record: it
/// is right only if weights change by at most 1, and the optimised form not even then. Takes the
/// old tree, the vertex that moved, and the weights before and after; gives what it takes for the
/// new tree.
pub fn update_as_published(
    tree: &[Edge<u16>],
    moved: usize,
    len: usize,
    before: impl Fn(usize, usize) -> u16,
    after: impl Fn(usize, usize) -> u16,
    optimised: bool,
) -> Vec<Edge<u16>> {
    let touches = |edge: &Edge<u16>| edge.one == moved || edge.other == moved;
    let mut sets = Sets::new(len);
    for edge in tree.iter().filter(|edge| !touches(edge)) {
        sets.join(edge.one, edge.other);
    }
    let branch: Vec<usize> = (0..len).map(|at| sets.find(at)).collect();
    let reweighed = |one: usize, other: usize| Edge { weight: after(one, other), one, other };
    let mut reduced: Vec<Edge<u16>> =
        tree.iter().map(|edge| reweighed(edge.one, edge.other)).collect();
    // The weight by which each branch hung on the vertex, and whether that rises.
    let mut roots = vec![None; len];
    for edge in tree.iter().filter(|edge| touches(edge)) {
        let root = if edge.one == moved { edge.other } else { edge.one };
        roots[branch[root]] = Some((edge.weight, after(moved, root) > edge.weight));
    }
    for other in (0..len).filter(|&other| other != moved) {
        let in_tree =
            tree.iter().any(|edge| touches(edge) && (edge.one == other || edge.other == other));
        if !in_tree && after(moved, other) < before(moved, other) {
            reduced.push(reweighed(moved, other));
        }
        let Some((weight, true)) = roots[branch[other]] else { continue };
        for to in (0..len).filter(|&to| to != other && after(other, to) == weight) {
            let alike = to != moved && roots[branch[to]].is_some_and(|(there, _)| there == weight);
            if !optimised || (alike && branch[to] != branch[other]) {
                reduced.push(reweighed(other, to));
            }
        }
    }
    reduced.sort_unstable();
    tree::kruskal(len, reduced)
}

/// The whole of [`Causality::split`]: the weights of the tree and the parts.
pub fn split(
    causality: &Causality,
    position: &Position,
    first: Color,
    threshold: u8,
) -> (Vec<Time>, Vec<PartSquares>) {
    let nodes = nodes(causality, position);
    let weights = spanning_tree(&nodes, first).iter().map(|edge| edge.weight).collect();
    let parts = parts(&nodes, first, threshold);
    let pieces = parts.iter().map(|part| part.iter().map(|node| node.square).collect());
    let territories = territories(&parts, first);
    let parts =
        pieces.zip(territories).map(|(pieces, territory)| PartSquares { pieces, territory });
    (weights, parts.collect())
}
