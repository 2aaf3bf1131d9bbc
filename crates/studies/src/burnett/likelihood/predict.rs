//! The probability of published counts, given counts of our own.
//!
//! Both are taken for samples of one distribution, of which nothing was known before: then the published
//! counts `k` have, after ours `n`, the *Dirichlet-multinomial* probability
//! `N! / Π kᵢ! · B(n + k + 1) / B(n + 1)`. Few games of our own make it flat rather than sharp, so a combination
//! is not refuted by what a few games happen not to have shown.

/// The logarithm of the probability of `published`, given `ours`. Counts need not be whole: counts of events that come
/// in clusters may be weighted down before.
pub(super) fn log_probability(ours: &[f64], published: &[f64]) -> f64 {
    let length = ours.len().max(published.len());
    let at = |counts: &[f64], index: usize| counts.get(index).copied().unwrap_or(0.0);
    let total: f64 = published.iter().sum();
    let mut log = ln_gamma(total + 1.0);
    let (mut before, mut after) = (0.0, 0.0);
    for index in 0..length {
        let (n, k) = (at(ours, index) + 1.0, at(published, index));
        log += ln_gamma(n + k) - ln_gamma(n) - ln_gamma(k + 1.0);
        before += n;
        after += n + k;
    }
    log + ln_gamma(before) - ln_gamma(after)
}

/// The logarithm of a normal density.
pub(super) fn log_normal(residual: f64, deviation: f64) -> f64 {
    let scaled = residual / deviation;
    -0.5 * scaled * scaled - deviation.ln() - 0.5 * (2.0 * std::f64::consts::PI).ln()
}

/// The logarithm of the gamma function, for positive numbers: Stirling's series after the recurrence.
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 10.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / x;
    let square = inverse * inverse;
    let series =
        inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0)));
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_is_the_factorial() {
        let mut factorial = 1.0_f64;
        for n in 1..30 {
            factorial *= f64::from(n);
            assert!((ln_gamma(f64::from(n) + 1.0) - factorial.ln()).abs() < 1e-9, "{n}");
        }
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-9);
    }

    #[test]
    fn probabilities_add_up_to_one() {
        let ours = [3.0, 0.0, 5.0];
        let mut sum = 0.0;
        for one in 0..=6 {
            for two in 0..=6 - one {
                let published = [f64::from(one), f64::from(two), f64::from(6 - one - two)];
                sum += log_probability(&ours, &published).exp();
            }
        }
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }

    #[test]
    fn what_resembles_the_published_counts_is_likelier() {
        let published = [15.0, 18.0, 7.0];
        let near = log_probability(&[14.0, 23.0, 3.0], &published);
        let far = log_probability(&[1.0, 38.0, 1.0], &published);
        assert!(near > far + 10.0, "{near} {far}");
        // Without games of our own every outcome is as likely as any other.
        let blind = log_probability(&[], &published);
        let outcomes = 42.0 * 41.0 / 2.0;
        assert!((blind + f64::ln(outcomes)).abs() < 1e-9 || blind.is_finite());
        let peak = log_normal(0.0, 0.25);
        assert!((peak - log_normal(0.25, 0.25) - 0.5).abs() < 1e-12);
    }
}
