//! Amounts of memory as people write them: 8G, 500M, 1.5G, or plain bytes.

use std::str::FromStr;

/// A number of bytes, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        parse(text).map(Size).ok_or_else(|| {
            format!("'{text}' is not a size: give bytes, or a number with K, M, G or T, as in 8G")
        })
    }
}

fn parse(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let letters = text[digits.len()..].to_ascii_uppercase();
    let unit: u64 = match letters.as_str() {
        "" | "B" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        "T" | "TB" | "TIB" => 1 << 40,
        _ => return None,
    };
    // The parser of numbers would take signs, too.
    if !digits.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let bytes = digits.parse::<f64>().ok()? * unit as f64;
    (1.0..u64::MAX as f64).contains(&bytes).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_or_refused() {
        for (text, bytes) in [
            ("1", 1),
            ("4096", 4096),
            ("64k", 64 << 10),
            ("500M", 500 << 20),
            ("8G", 8 << 30),
            ("8GiB", 8 << 30),
            ("8gb", 8 << 30),
            ("1.5G", 3 << 29),
            ("2T", 2 << 40),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in [
            "",
            "G",
            "-1G",
            "+1G",
            "0",
            "0G",
            "8X",
            "8 G",
            "1e9",
            "nan",
            "inf",
            "1.2.3",
            "99999999T",
            "5BB",
            "5IB",
        ] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
