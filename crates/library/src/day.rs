//! Days as text: of PGN's tag Date, and as a reader gives them.

/// The known part of a PGN date, `2026.11.18`, in the form of ISO 8601: `2026-11-18`, `2026-11`, `2026`, or none.
/// Text of this form is in order of time.
pub(crate) fn of_tag(tag: &str) -> Option<String> {
    parts(tag, '.', true)
}

/// A day as a reader gives it, `2026-11-18` or a part of it, or with points as PGN has it.
pub(crate) fn given(text: &str) -> Option<String> {
    parts(text, '-', false).or_else(|| parts(text, '.', false))
}

fn parts(text: &str, separator: char, unknown: bool) -> Option<String> {
    let mut day = String::new();
    for (index, part) in text.split(separator).enumerate() {
        if unknown && !part.is_empty() && part.bytes().all(|byte| byte == b'?') {
            break;
        }
        let (digits, most) = [(4, 9999), (2, 12), (2, 31)].get(index).copied()?;
        let number: u32 = part.parse().ok().filter(|number| (1..=most).contains(number))?;
        if part.len() > digits || index == 0 && part.len() < digits {
            return None;
        }
        if index > 0 {
            day.push('-');
        }
        day.push_str(&format!("{number:0digits$}"));
    }
    (!day.is_empty()).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_part_of_a_date_is_kept() {
        for (tag, day) in [
            ("2026.11.18", Some("2026-11-18")),
            ("2026.1.8", Some("2026-01-08")),
            ("2026.11.??", Some("2026-11")),
            ("2026.??.??", Some("2026")),
            ("????.??.??", None),
            ("2026.13.01", None),
            ("yesterday", None),
            ("", None),
            ("2026.11.18.1", None),
            ("26.11.18", None),
        ] {
            assert_eq!(of_tag(tag).as_deref(), day, "{tag}");
        }
    }

    #[test]
    fn readers_give_days_in_two_forms() {
        for (text, day) in [
            ("2026-11-18", Some("2026-11-18")),
            ("2026.11.18", Some("2026-11-18")),
            ("2026-11", Some("2026-11")),
            ("2026", Some("2026")),
            ("2026-??-??", None),
            ("18.11.2026", None),
            ("today", None),
        ] {
            assert_eq!(given(text).as_deref(), day, "{text}");
        }
    }
}
