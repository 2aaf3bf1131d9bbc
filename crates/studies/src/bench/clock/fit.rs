//! Fitting the model of what a doubling saves: Poisson regression with a logarithmic link, by Newton's method. Savings
//! may be negative, which is no trouble: the equations want nothing but that the means agree.

use engine::{Signs, StoppingRule};

use super::sample::Sample;

/// Features of the regression: those of the signs, and the logarithm of the nodes.
const WIDTH: usize = Signs::FEATURES + 1;
/// A pull to zero: what has hardly been seen gets no weight.
const RIDGE: f64 = 0.1;
/// The saving is fitted between this many nodes and this part of the judging search's, of which the last moves judge
/// themselves.
pub const LEAST_NODES: u64 = 500;
/// See [`LEAST_NODES`].
pub const LAST_PART: u64 = 4;

/// The model with these features, and the rest left out: what twice the nodes save.
pub fn fit(samples: &[&Sample], nodes: u64, features: &[usize]) -> StoppingRule {
    let range = LEAST_NODES..=nodes / LAST_PART;
    let rows: Vec<([f64; WIDTH], f64)> = samples
        .iter()
        .flat_map(|sample| savings(sample))
        .filter(|(signs, _)| range.contains(&signs.nodes))
        .map(|(signs, saving)| {
            let mut row = [0.0; WIDTH];
            for &feature in features {
                row[feature] = signs.features()[feature];
            }
            row[0] = 1.0;
            row[WIDTH - 1] = (signs.nodes as f64).ln();
            (row, saving)
        })
        .collect();
    let mean = rows.iter().map(|(_, saving)| saving).sum::<f64>() / rows.len().max(1) as f64;
    let mut weights = [0.0; WIDTH];
    weights[0] = mean.max(1e-6).ln();
    let mut likelihood = log_likelihood(&rows, &weights);
    for _ in 0..100 {
        let (gradient, hessian) = derivatives(&rows, &weights);
        let Some(step) = solved(hessian, gradient) else { break };
        let mut part = 1.0;
        let better = loop {
            let mut tried = weights;
            tried.iter_mut().zip(step).for_each(|(weight, step)| *weight += part * step);
            let found = log_likelihood(&rows, &tried);
            if found > likelihood {
                break Some((tried, found));
            }
            part /= 2.0;
            if part < 1e-6 {
                break None;
            }
        };
        let Some((tried, found)) = better else { break };
        let gained = found - likelihood;
        (weights, likelihood) = (tried, found);
        if gained < 1e-9 {
            break;
        }
    }
    let mut rule = StoppingRule {
        weights: [0.0; Signs::FEATURES],
        decay: (-weights[WIDTH - 1]).max(0.0),
        centre: 0.0,
        factor: 1.0,
    };
    rule.weights.copy_from_slice(&weights[..Signs::FEATURES]);
    let depths = samples.iter().flat_map(|sample| &sample.depths);
    let stretches: Vec<f64> = depths
        .filter(|depth| range.contains(&depth.nodes))
        .map(|depth| rule.log_stretch(&depth.signs()))
        .collect();
    rule.centre = stretches.iter().sum::<f64>() / stretches.len().max(1) as f64;
    rule
}

/// What twice the nodes saved, after each depth that was followed by so many; more regret is a negative saving.
fn savings(sample: &Sample) -> impl Iterator<Item = (Signs, f64)> {
    sample.depths.iter().enumerate().filter_map(|(at, depth)| {
        let later = sample.depths[at + 1..].iter().find(|later| later.nodes >= 2 * depth.nodes)?;
        Some((depth.signs(), depth.regret - later.regret))
    })
}

/// The log-likelihood, up to what does not depend on the weights, less the pull.
fn log_likelihood(rows: &[([f64; WIDTH], f64)], weights: &[f64; WIDTH]) -> f64 {
    let of = |(row, saving): &([f64; WIDTH], f64)| {
        let eta = dot(row, weights);
        saving * eta - eta.min(50.0).exp()
    };
    rows.iter().map(of).sum::<f64>() - pull(weights)
}

fn pull(weights: &[f64; WIDTH]) -> f64 {
    weights[1..].iter().map(|weight| RIDGE * weight * weight / 2.0).sum()
}

fn derivatives(
    rows: &[([f64; WIDTH], f64)],
    weights: &[f64; WIDTH],
) -> ([f64; WIDTH], [[f64; WIDTH]; WIDTH]) {
    let mut gradient = [0.0; WIDTH];
    let mut hessian = [[0.0; WIDTH]; WIDTH];
    for (row, saving) in rows {
        let mean = dot(row, weights).min(50.0).exp();
        for one in 0..WIDTH {
            gradient[one] += (saving - mean) * row[one];
            for other in 0..WIDTH {
                hessian[one][other] += mean * row[one] * row[other];
            }
        }
    }
    for at in 0..WIDTH {
        if at > 0 {
            gradient[at] -= RIDGE * weights[at];
        }
        hessian[at][at] += if at > 0 { RIDGE } else { 1e-9 };
    }
    (gradient, hessian)
}

fn dot(row: &[f64; WIDTH], weights: &[f64; WIDTH]) -> f64 {
    row.iter().zip(weights).map(|(one, other)| one * other).sum()
}

/// Solves a system of linear equations, by elimination with pivots; none if it is singular.
fn solved(mut matrix: [[f64; WIDTH]; WIDTH], mut right: [f64; WIDTH]) -> Option<[f64; WIDTH]> {
    for column in 0..WIDTH {
        let pivot = (column..WIDTH).max_by(|&one, &other| {
            matrix[one][column].abs().total_cmp(&matrix[other][column].abs())
        })?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..WIDTH {
            let factor = matrix[row][column] / matrix[column][column];
            let above = matrix[column];
            for (entry, above) in matrix[row].iter_mut().zip(above).skip(column) {
                *entry -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..WIDTH).rev() {
        let known: f64 = (row + 1..WIDTH).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::clock::sample::Depth;
    use game::rng::Rng;

    #[test]
    fn a_model_that_made_the_data_is_found_again() {
        let mut truth = StoppingRule { weights: [0.0; 9], decay: 0.6, centre: 0.0, factor: 1.0 };
        (truth.weights[0], truth.weights[3], truth.weights[7]) = (2.0, 0.8, -0.5);
        let mut rng = Rng::new(7);
        let mut uniform = move || rng.below(1000) as f64 / 1000.0;
        let samples: Vec<Sample> = (0..4000)
            .map(|ply| {
                let mut first = Depth {
                    nodes: (600.0 * 20_f64.powf(uniform())) as u64,
                    growth: 2.0,
                    steady: (9.0 * uniform()) as u32,
                    changes: 2.0 * uniform(),
                    fallen: 0,
                    effort: uniform(),
                    gap: (200.0 * uniform()) as i32,
                    score: 0,
                    regret: 0.5,
                };
                // Mostly nothing is saved, sometimes something is lost: the mean is the model's.
                let mean = truth.saving(&first.signs());
                let saved = if uniform() < 4.0 * mean { 0.25 } else { 0.0 };
                let noise = if uniform() < 0.5 { 0.01 } else { -0.01 };
                let then =
                    Depth { nodes: 2 * first.nodes, regret: 0.5 - saved + noise, ..first.clone() };
                first.regret = 0.5;
                Sample { ply, depths: vec![first, then] }
            })
            .collect();
        let samples: Vec<&Sample> = samples.iter().collect();
        let found = fit(&samples, 100_000, &[0, 2, 3, 6, 7]);
        assert!((found.decay - truth.decay).abs() < 0.15, "{found:?}");
        for (at, tolerance) in [(3, 0.15), (7, 0.15), (6, 0.3), (2, 0.3)] {
            assert!((found.weights[at] - truth.weights[at]).abs() < tolerance, "{at}: {found:?}");
        }
        assert_eq!((found.weights[1], found.weights[8]), (0.0, 0.0));
    }

    #[test]
    fn equations_are_solved() {
        let mut matrix = [[0.0; WIDTH]; WIDTH];
        let wanted: [f64; WIDTH] = std::array::from_fn(|at| at as f64 - 3.0);
        for (row, entries) in matrix.iter_mut().enumerate() {
            for (column, entry) in entries.iter_mut().enumerate() {
                *entry = ((row * 7 + column * 3) % 5) as f64
                    + if row + column == WIDTH { 9.0 } else { 0.0 };
            }
        }
        matrix[0][0] += 11.0;
        let right = std::array::from_fn(|row| dot(&matrix[row], &wanted));
        let found = solved(matrix, right).unwrap();
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-9);
        }
        assert_eq!(solved([[1.0; WIDTH]; WIDTH], [1.0; WIDTH]), None);
    }
}
