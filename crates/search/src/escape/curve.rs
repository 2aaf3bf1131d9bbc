//! Escape functions: how good a score has to be, given how much has been spent on it.
//!
//! An escape function falls from `f(0) = 1`, where only a certain win is good enough, to `f(1) = -1`,
//! where anything is. (The paper says "non decreasing" and then gives functions that fall.) The family
//! here, with `x` the share spent:
//!
//! | text | function |
//! |---|---|
//! | `step(t)` | 1 up to `t`, −1 beyond: the paper's own |
//! | `linear`, `linear(a,b)` | 1 up to `a`, −1 from `b` on, a straight line between; `linear` is `linear(0,1)` |
//! | `power(k)` | 1 − 2xᵏ: with k > 1 it falls late, with k < 1 at once |
//! | `sigmoid(m,k)` | a logistic curve of steepness `k` that is halfway down at about `m`, stretched to meet both ends |
//! | `file(PATH)` | straight lines between points, a line `x y` each |
//! | `never` | 1 throughout; strictly not an escape function, but what the theorem asks of the global one |

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// An escape function.
///
/// ```
/// use search::escape::Curve;
///
/// let curve: Curve = "power(2)".parse()?;
/// assert_eq!(curve.at(0.5), 0.5);
/// assert_eq!((curve.at(0.0), curve.at(1.0)), (1.0, -1.0));
/// assert!("power(-2)".parse::<Curve>().is_err());
/// # Ok::<(), search::escape::CurveError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// 1 up to this share, −1 beyond.
    Step(f64),
    /// 1 up to the first share, −1 from the second on, and a straight line between.
    Linear(f64, f64),
    /// 1 − 2xᵏ.
    Power(f64),
    /// A logistic curve around the first number with the steepness of the second.
    Sigmoid(f64, f64),
    /// Straight lines between points, and the file they came from.
    Piecewise(PathBuf, Arc<[(f64, f64)]>),
    /// 1 throughout.
    Never,
}

/// Why a text is not an escape function.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CurveError {
    /// An unknown function, or invalid parameters.
    #[error("'{text}' is not an escape function: {why}")]
    Text {
        /// What was written.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The file of points cannot be read.
    #[error("reading {}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: Arc<io::Error>,
    },
    /// A line of the file is not a valid point.
    #[error("{}, line {line}: {why}", .path.display())]
    Point {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The points do not lead from (0, 1) to (1, −1).
    #[error("{}: an escape function begins with the line '0 1' and ends with '1 -1'", .0.display())]
    Ends(PathBuf),
}

const KINDS: &str =
    "expected step(T), linear, linear(A,B), power(K), sigmoid(M,K), file(PATH) or never";

impl Curve {
    /// How good a score has to be when the share `x` is spent. Shares beyond 0 and 1 count as 0 and 1.
    pub fn at(&self, x: f64) -> f64 {
        let x = x.clamp(0.0, 1.0);
        match self {
            Curve::Never => 1.0,
            _ if x <= 0.0 => 1.0,
            _ if x >= 1.0 => -1.0,
            Curve::Step(edge) => {
                if x <= *edge {
                    1.0
                } else {
                    -1.0
                }
            }
            Curve::Linear(from, to) => match x {
                x if x <= *from => 1.0,
                x if x >= *to => -1.0,
                x => 1.0 - 2.0 * (x - from) / (to - from),
            },
            Curve::Power(exponent) => 1.0 - 2.0 * x.powf(*exponent),
            Curve::Sigmoid(middle, steepness) => {
                let logistic = |x: f64| 1.0 / (1.0 + (steepness * (middle - x)).exp());
                let (low, high) = (logistic(0.0), logistic(1.0));
                1.0 - 2.0 * (logistic(x) - low) / (high - low)
            }
            Curve::Piecewise(_, points) => {
                let after = points.partition_point(|(at, _)| *at <= x).clamp(1, points.len() - 1);
                let ((x0, y0), (x1, y1)) = (points[after - 1], points[after]);
                if x1 > x0 { y0 + (y1 - y0) * (x - x0) / (x1 - x0) } else { y1 }
            }
        }
    }

    /// The largest share at which a score of `value` is still not good enough, to within a billionth.
    pub fn last_share(&self, value: f64) -> f64 {
        if self.at(1.0) >= value {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        while high - low > 1e-9 {
            let middle = (low + high) / 2.0;
            (low, high) = if self.at(middle) >= value { (middle, high) } else { (low, middle) };
        }
        low
    }

    /// A function from points, a line `x y` each; what follows a `#` is a comment.
    ///
    /// # Errors
    ///
    /// If a line is not a point, or the points do not fall from `0 1` to `1 -1`.
    pub fn piecewise(source: PathBuf, text: &str) -> Result<Curve, CurveError> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let wrong = |why| CurveError::Point { path: source.clone(), line: at + 1, why };
            let numbers: Vec<&str> =
                line.split([' ', '\t', ',']).filter(|t| !t.is_empty()).collect();
            if numbers.is_empty() {
                continue;
            }
            let numbers: Vec<f64> = numbers.iter().filter_map(|text| text.parse().ok()).collect();
            let [x, y] = numbers[..] else {
                return Err(wrong("expected two numbers, a share and a score, as in 0.5 0.2"));
            };
            if !((0.0..=1.0).contains(&x) && (-1.0..=1.0).contains(&y)) {
                return Err(wrong("shares lie between 0 and 1, scores between -1 and 1"));
            }
            if points.last().is_some_and(|&(x0, y0)| x < x0 || y > y0) {
                return Err(wrong("shares have to grow from line to line, and scores to fall"));
            }
            points.push((x, y));
        }
        if points.first() != Some(&(0.0, 1.0)) || points.last() != Some(&(1.0, -1.0)) {
            return Err(CurveError::Ends(source));
        }
        Ok(Curve::Piecewise(source, points.into()))
    }
}

impl FromStr for Curve {
    type Err = CurveError;

    fn from_str(text: &str) -> Result<Curve, CurveError> {
        let text = text.trim();
        let wrong = |why| CurveError::Text { text: text.to_owned(), why };
        let (name, inside) = match text.split_once('(') {
            Some((name, rest)) => {
                let inside = rest.strip_suffix(')').ok_or_else(|| wrong("a ')' is missing"))?;
                (name.trim(), Some(inside))
            }
            None => (text, None),
        };
        if name == "file" {
            let path = PathBuf::from(inside.ok_or_else(|| wrong(KINDS))?.trim());
            let points = match std::fs::read_to_string(&path) {
                Ok(points) => points,
                Err(error) => return Err(CurveError::File { path, source: Arc::new(error) }),
            };
            return Curve::piecewise(path, &points);
        }
        let numbers = match inside {
            None => Vec::new(),
            Some(inside) => inside
                .split(',')
                .map(|number| number.trim().parse::<f64>().ok().filter(|n| n.is_finite()))
                .collect::<Option<Vec<f64>>>()
                .ok_or_else(|| wrong("expected numbers between the brackets"))?,
        };
        let share = |x: f64| (0.0..=1.0).contains(&x);
        match (name, &numbers[..]) {
            ("never", []) => Ok(Curve::Never),
            ("step", &[edge]) if share(edge) => Ok(Curve::Step(edge)),
            ("step", _) => Err(wrong("it needs a share between 0 and 1, as in step(0.75)")),
            ("linear", []) => Ok(Curve::Linear(0.0, 1.0)),
            ("linear", &[from, to]) if share(from) && share(to) && from < to => {
                Ok(Curve::Linear(from, to))
            }
            ("linear", _) => {
                Err(wrong("it needs two shares between 0 and 1 that grow, as in linear(0,0.5)"))
            }
            ("power", &[exponent]) if exponent > 0.0 => Ok(Curve::Power(exponent)),
            ("power", _) => Err(wrong("it needs an exponent above 0, as in power(2)")),
            ("sigmoid", &[middle, steepness])
                if share(middle) && steepness > 0.0 && steepness <= 500.0 =>
            {
                Ok(Curve::Sigmoid(middle, steepness))
            }
            ("sigmoid", _) => Err(wrong(
                "it needs a share and a steepness above 0 and up to 500, as in sigmoid(0.3,12)",
            )),
            _ => Err(wrong(KINDS)),
        }
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Curve::Step(edge) => write!(f, "step({edge})"),
            Curve::Linear(0.0, 1.0) => f.write_str("linear"),
            Curve::Linear(from, to) => write!(f, "linear({from},{to})"),
            Curve::Power(exponent) => write!(f, "power({exponent})"),
            Curve::Sigmoid(middle, steepness) => write!(f, "sigmoid({middle},{steepness})"),
            Curve::Piecewise(path, _) => write!(f, "file({})", path.display()),
            Curve::Never => f.write_str("never"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family() -> Vec<Curve> {
        let mut family: Vec<Curve> = [
            "step(0.75)",
            "step(0)",
            "linear",
            "linear(0.1,0.4)",
            "power(2)",
            "power(0.2)",
            "sigmoid(0.3,12)",
            "sigmoid(0,500)",
            "sigmoid(1,0.5)",
        ]
        .map(|text| text.parse().unwrap())
        .to_vec();
        let points = "# a kink\n0 1\n0.2 0.5\n0.2 0.1 # a jump\n\n0.6,0.1\n1 -1\n";
        family.push(Curve::piecewise("kink".into(), points).unwrap());
        family
    }

    #[test]
    fn every_function_falls_from_one_to_minus_one() {
        for curve in family() {
            assert_eq!((curve.at(0.0), curve.at(1.0)), (1.0, -1.0), "{curve}");
            assert_eq!((curve.at(-3.0), curve.at(7.0)), (1.0, -1.0), "{curve}");
            let mut last = 1.0;
            for step in 0..=1000 {
                let value = curve.at(f64::from(step) / 1000.0);
                assert!(value <= last + 1e-12 && (-1.0..=1.0).contains(&value), "{curve}");
                last = value;
            }
        }
    }

    #[test]
    fn values_between() {
        let at = |text: &str, x: f64| text.parse::<Curve>().unwrap().at(x);
        assert_eq!([at("step(0.75)", 0.75), at("step(0.75)", 0.8)], [1.0, -1.0]);
        assert_eq!(at("linear", 0.25), 0.5);
        assert!((at("linear(0.2,0.6)", 0.4)).abs() < 1e-12);
        assert!((at("sigmoid(0.5,9)", 0.5)).abs() < 1e-12);
        let last = |text: &str, value: f64| text.parse::<Curve>().unwrap().last_share(value);
        assert!((last("linear", 0.5) - 0.25).abs() < 1e-8);
        assert!((last("step(0.3)", 0.0) - 0.3).abs() < 1e-8);
        assert_eq!(
            [last("never", 1.0), last("linear", -1.0), last("linear", 1.0)],
            [1.0, 1.0, 0.0]
        );
        let kink = &family()[9];
        assert_eq!([kink.at(0.1), kink.at(0.2), kink.at(0.4)], [0.75, 0.1, 0.1]);
        assert!((kink.at(0.8) + 0.45).abs() < 1e-12);
    }

    #[test]
    fn texts_come_back_and_mistakes_are_explained() {
        for curve in family().iter().filter(|curve| !matches!(curve, Curve::Piecewise(..))) {
            assert_eq!(curve.to_string().parse::<Curve>().unwrap(), *curve);
        }
        let error = |text: &str| text.parse::<Curve>().unwrap_err().to_string();
        assert!(error("cubic(2)").contains("sigmoid(M,K)"));
        assert!(error("step").contains("step(0.75)"));
        assert!(error("step(2)").contains("between 0 and 1"));
        assert!(error("step(0.5").contains("')' is missing"));
        assert!(error("linear(0.5,0.5)").contains("that grow"));
        assert!(error("power(NaN)").contains("numbers"));
        assert!(error("power(0)").contains("above 0"));
        assert!(error("file(/nowhere/at/all)").contains("reading /nowhere/at/all"));
        let file = |text: &str| Curve::piecewise("f".into(), text).unwrap_err().to_string();
        assert!(file("0 1\n0.5\n1 -1").contains("f, line 2: expected two numbers"));
        assert!(file("0 1\n0.5 0\n0.4 0\n1 -1").contains("line 3: shares have to grow"));
        assert!(file("0 1\n0.5 0").contains("ends with '1 -1'"));
        assert!(file("").contains("begins with"));
    }
}
