//! Means, medians and their errors, and number formatting.

/// Two standard errors on either side: the 95 % interval.
pub const INTERVAL: f64 = 1.96;

/// A number for people: `inf` and `?` where there is none.
pub fn number(value: f64, digits: usize) -> String {
    if value.is_nan() {
        "?".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "inf".to_owned() } else { "-inf".to_owned() }
    } else {
        // Minus zero is zero.
        format!("{:.digits$}", value + 0.0)
    }
}

/// The mean and its standard error.
pub fn mean(numbers: impl Iterator<Item = u32> + Clone) -> (f64, f64) {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().map(f64::from).sum::<f64>() / count;
    let square = numbers.map(|number| (f64::from(number) - mean).powi(2)).sum::<f64>();
    (mean, (square / count / (count - 1.0).max(1.0)).sqrt())
}

/// The upper median; `None` of an empty list.
pub fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// The geometric mean.
pub fn geometric_mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = ratios.len() as f64;
    (ratios.map(f64::ln).sum::<f64>() / count).exp()
}

/// A part in per cent of a whole; 0 of nothing.
pub fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// This many elements of a list, evenly spread over it.
pub fn spread<T>(list: &[T], wanted: usize) -> impl Iterator<Item = &T> {
    let count = wanted.min(list.len());
    let step = list.len() as f64 / count.max(1) as f64;
    (0..count).filter_map(move |n| list.get((n as f64 * step) as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_their_usual_errors() {
        let (of, error) = mean([8, 8, 10, 10].into_iter());
        assert_eq!(of, 9.0);
        assert!((error - (4.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        assert_eq!(mean([8].into_iter()), (8.0, 0.0));
    }

    #[test]
    fn medians_and_geometric_means() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(3.0));
        assert_eq!(median(Vec::new()), None);
        assert!((geometric_mean([2.0, 8.0].into_iter()) - 4.0).abs() < 1e-12);
    }

    #[test]
    fn lists_are_spread_evenly() {
        let list: Vec<u32> = (0..10).collect();
        assert_eq!(spread(&list, 5).copied().collect::<Vec<_>>(), [0, 2, 4, 6, 8]);
        assert_eq!(spread(&list, 99).count(), 10);
        assert_eq!(spread::<u32>(&[], 3).count(), 0);
    }

    #[test]
    fn numbers_that_are_none_are_told() {
        assert_eq!(number(f64::NAN, 1), "?");
        assert_eq!(number(f64::NEG_INFINITY, 1), "-inf");
        assert_eq!(number(-0.0, 2), "0.00");
        assert_eq!(percent(1, 0), 100.0);
    }
}
