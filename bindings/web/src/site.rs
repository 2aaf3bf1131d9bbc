//! Tables of a site: the small ones in a bundle a set of rules, the others as files that are read by ranges.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use answers::Refusal;
use jungle::Rules;
use puzzles::Book;
use tablebase::storage::{Fetch, Fetched, Memory, Ranges, ReadAt, Storage};
use tablebase::{Tablebase, rules_name};

use crate::files::Files;

/// The file with the puzzles, beside the tables.
const PUZZLES: &str = "puzzles.txt";
/// Tables are looked for up to this many pieces.
const MOST_PIECES: u32 = 5;
/// The tables in a bundle have up to this many pieces.
const BUNDLED_PIECES: u32 = 3;

/// The tables of a site, set by set.
pub(crate) struct Site {
    files: Arc<dyn Files>,
    sets: HashMap<Rules, Set>,
}

/// The tables for some rules.
#[derive(Clone)]
pub(crate) struct Set {
    /// What a search may use: nothing that has to be fetched.
    pub small: Arc<Tablebase>,
    /// Everything that the site has.
    pub all: Arc<Tablebase>,
}

impl Site {
    pub fn new(files: Arc<dyn Files>) -> Site {
        Site { files, sets: HashMap::new() }
    }

    /// The puzzles that come with the site.
    pub fn book(&self) -> Result<Book, Refusal> {
        let missing = || Refusal::missing("no-puzzles", "this site has no puzzles");
        let bytes = self.files.whole(PUZZLES).map_err(|error| {
            Refusal::busy(format!("the puzzles could not be fetched: {error}"), 5)
        })?;
        let text = String::from_utf8(bytes.ok_or_else(missing)?).map_err(Refusal::internal)?;
        text.parse().map_err(Refusal::internal)
    }

    /// The tables for these rules; the small ones are fetched when first asked for. A site without them, or that
    /// cannot be reached, has none, which is said when a position is looked up.
    pub fn set(&mut self, rules: &Rules) -> Set {
        if let Some(set) = self.sets.get(rules) {
            return set.clone();
        }
        let name = rules_name(rules);
        let bundle = self.files.whole(&format!("{name}.bundle")).ok().flatten();
        let bundle = bundle.and_then(|bytes| unpack(&bytes));
        let is_there = bundle.is_some();
        let small = bundle.unwrap_or_default();
        let folder = Folder { files: Arc::clone(&self.files), name };
        let all = Layered { small: small.clone(), large: Ranges::new(folder) };
        let set = Set {
            small: Arc::new(Tablebase::new(rules, BUNDLED_PIECES, small)),
            all: Arc::new(Tablebase::new(rules, MOST_PIECES, all)),
        };
        if is_there {
            self.sets.insert(*rules, set.clone());
        }
        set
    }
}

/// The bundle, and files of the site beyond it.
struct Layered {
    small: Memory,
    large: Ranges<Folder>,
}

impl Storage for Layered {
    fn open(&self, file: &str) -> io::Result<Option<Box<dyn ReadAt>>> {
        match self.small.open(file)? {
            Some(opened) => Ok(Some(opened)),
            None => self.large.open(file),
        }
    }
}

/// The folder of a set on the site.
struct Folder {
    files: Arc<dyn Files>,
    name: String,
}

impl Fetch for Folder {
    fn fetch(&self, file: &str, range: Range<u64>) -> io::Result<Fetched> {
        self.files.part(&format!("{}/{file}", self.name), range)
    }
}

/// The files in a bundle: the length of a list (four bytes, little-endian), the list (a JSON array of names and
/// lengths), and the files in its order. Tables check themselves, so it has no checksum.
fn unpack(bundle: &[u8]) -> Option<Memory> {
    let (length, rest) = bundle.split_first_chunk()?;
    let (list, mut rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let list: Vec<(String, usize)> = serde_json::from_slice(list).ok()?;
    let mut files = Memory::default();
    for (name, length) in list {
        let (bytes, others) = rest.split_at_checked(length)?;
        files.insert(name, bytes.to_vec());
        rest = others;
    }
    Some(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_is_unpacked_and_a_broken_one_refused() {
        let list = br#"[["a.mtb",3],["b.mtb",0],["c.mtb",2]]"#;
        let mut bundle = (list.len() as u32).to_le_bytes().to_vec();
        bundle.extend(list);
        bundle.extend(b"abcde");
        let files = unpack(&bundle).unwrap();
        let mut found: Vec<_> = files.files().collect();
        found.sort_unstable();
        assert_eq!(found, [("a.mtb", &b"abc"[..]), ("b.mtb", b""), ("c.mtb", b"de")]);
        for end in 0..bundle.len() {
            assert!(unpack(&bundle[..end]).is_none(), "{end}");
        }
    }
}
