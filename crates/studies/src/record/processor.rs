//! The name of the processor.

/// The name of the processor and how many of its cores this program may use, or `unknown`.
pub fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = name_in(&text).unwrap_or("unknown");
    match std::thread::available_parallelism() {
        Ok(cores) => format!("{name}, {cores} cores"),
        Err(_) => name.to_owned(),
    }
}

/// The name in Linux' description of its processors; the field's name depends on the family.
fn name_in(cpuinfo: &str) -> Option<&str> {
    ["model name", "Model", "cpu model", "Hardware"].iter().find_map(|wanted| {
        let mut pairs = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        let (_, name) = pairs.find(|(key, _)| key.trim() == *wanted)?;
        Some(name.trim()).filter(|name| !name.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_found_where_it_stands() {
        let text = "processor\t: 0\nmodel\t\t: 7\nmodel name\t: Fast 3000 @ 2 GHz\n";
        assert_eq!(name_in(text), Some("Fast 3000 @ 2 GHz"));
        assert_eq!(name_in("processor: 0\nModel : Small Board\n"), Some("Small Board"));
        assert_eq!(name_in(""), None);
        assert!(!processor().is_empty());
    }
}
