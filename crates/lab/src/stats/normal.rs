//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// The half-width of a 95 % interval, in standard deviations.
pub(super) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// The cumulative distribution function of the standard normal distribution.
///
/// ```
/// use lab::stats::cumulative;
///
/// assert!((cumulative(0.0) - 0.5).abs() < 1e-15);
/// assert!((cumulative(1.959963984540054) - 0.975).abs() < 1e-14);
/// ```
pub fn cumulative(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let tail = upper_tail(x.abs());
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// The probability of being above `x`, which is not negative: half of erfc(x/√2), by the series of
/// erf near zero and its continued fraction further out.
fn upper_tail(x: f64) -> f64 {
    let z = x / SQRT_2;
    if z < 2.5 {
        let mut term = z;
        let mut sum = z;
        for n in 1..200 {
            term *= -z * z / f64::from(n);
            let part = term / f64::from(2 * n + 1);
            sum += part;
            if part.abs() < 1e-18 {
                break;
            }
        }
        return 0.5 - sum / PI.sqrt();
    }
    if z > 27.0 {
        return 0.0;
    }
    let fraction = (1..=60).rev().fold(z, |below, n| z + f64::from(n) / 2.0 / below);
    (-z * z).exp() / fraction / PI.sqrt() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The density summed by Simpson's rule.
    fn plainly(x: f64) -> f64 {
        let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * PI).sqrt();
        let (steps, from) = (20_000, -12.0);
        let width = (x - from) / f64::from(steps);
        let sum: f64 = (0..=steps)
            .map(|at| {
                let weight = match at {
                    0 => 1.0,
                    at if at == steps => 1.0,
                    at if at % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                weight * density(from + width * f64::from(at))
            })
            .sum();
        sum * width / 3.0
    }

    #[test]
    fn it_is_the_integral_of_the_density() {
        for at in -70..=70 {
            let x = f64::from(at) / 10.0;
            let (found, expected) = (cumulative(x), plainly(x));
            assert!((found - expected).abs() < 1e-13, "{x}: {found} and {expected}");
        }
        assert_eq!(cumulative(f64::INFINITY), 1.0);
        assert_eq!(cumulative(f64::NEG_INFINITY), 0.0);
        assert!(cumulative(f64::NAN).is_nan());
    }
}
