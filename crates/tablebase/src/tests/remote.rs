//! Tables on another machine: how much is asked for, and what a bad host can do.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use game::Game;
use game::rng::Rng;
use jungle::{Color, Jungle, Position, Rules, Square};

use super::build;
use crate::build::{SMALL, Wanted, in_memory_storing};
use crate::material::Material;
use crate::payload::Budget;
use crate::probe::{ProbeError, Tablebase};
use crate::storage::{Fetch, Fetched, Memory, Ranges, Storage};
use crate::table::{Stored, class_of_file};

const RULES: Rules = Rules::LEIDEN;

/// How a host answers.
type Answer = fn(&mut Rng, &[u8], Range<usize>) -> Fetched;

/// What was asked of each file: how many times, and for how many bytes.
type Asked = Arc<Mutex<HashMap<String, (u32, u64)>>>;

/// A host that counts.
struct Host {
    files: Arc<HashMap<String, Vec<u8>>>,
    asked: Asked,
    answer: Answer,
    rng: Mutex<Rng>,
}

impl Host {
    fn new(files: &Memory, answer: Answer) -> Host {
        let files = files.files().map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect();
        let rng = Mutex::new(Rng::new(3));
        Host { files: Arc::new(files), asked: Asked::default(), answer, rng }
    }

    /// The same files, and nothing asked yet.
    fn again(&self) -> Host {
        let rng = Mutex::new(self.rng.lock().unwrap().clone());
        Host { files: self.files.clone(), asked: Asked::default(), answer: self.answer, rng }
    }
}

impl Fetch for Host {
    fn fetch(&self, file: &str, range: Range<u64>) -> io::Result<Fetched> {
        let bytes = self.files.get(file).ok_or(io::ErrorKind::NotFound)?;
        let range = range.start as usize..bytes.len().min(range.end as usize);
        let fetched = (self.answer)(&mut self.rng.lock().unwrap(), bytes, range);
        let mut asked = self.asked.lock().unwrap();
        let (requests, sum) = asked.entry(file.to_owned()).or_default();
        *requests += 1;
        *sum += fetched.bytes.len() as u64;
        Ok(fetched)
    }
}

fn honest(_: &mut Rng, file: &[u8], range: Range<usize>) -> Fetched {
    Fetched { bytes: file[range].to_vec(), size: file.len() as u64 }
}

/// A position of a class in which the game goes on.
fn random_position(rng: &mut Rng, class: Material) -> Position {
    let jungle = Jungle::new(RULES);
    loop {
        let pieces = class.in_order();
        let squares: Vec<Square> =
            pieces.iter().map(|_| Square::ALL[rng.below(Square::COUNT)]).collect();
        let turn = Color::ALL[rng.below(2)];
        let count = pieces.len() as u32;
        match Position::from_pieces(squares.into_iter().zip(pieces), turn) {
            Ok(position)
                if position.occupied().len() == count && jungle.outcome(&position).is_none() =>
            {
                return position;
            }
            _ => {}
        }
    }
}

/// Probes random positions of a class, each with nothing fetched before but the small tables, which come with a site.
fn check_cold_probes(class: &str, both_sides: bool, positions: usize) {
    let class: Material = class.parse().unwrap();
    let stored = |other: Material| Stored {
        both_sides: both_sides && other.pieces() == class.pieces(),
        ..Stored::USUAL
    };
    let files = in_memory_storing(&RULES, &Wanted::Classes(vec![class]), stored).unwrap();
    let local = Tablebase::new(&RULES, class.pieces(), files.clone());
    let file = local.file_of(class).unwrap();
    let host = Host::new(&files, honest);
    assert!(host.files[&file].len() > 192 << 10, "{file} is fetched whole");
    let mut rng = Rng::new(17);
    for round in 0..positions {
        let position = random_position(&mut rng, class);
        let host = host.again();
        let asked = host.asked.clone();
        let remote = Tablebase::new(&RULES, class.pieces(), Ranges::new(host));
        assert_eq!(remote.probe(&position).unwrap(), local.probe(&position).unwrap());
        let (requests, bytes) = asked
            .lock()
            .unwrap()
            .iter()
            .filter(|(file, _)| class_of_file(file).unwrap().pieces() > SMALL)
            .fold((0, 0), |sum, (_, asked)| (sum.0 + asked.0, sum.1 + asked.1));
        assert!(requests <= 3 && bytes <= 200_000, "{position}: {requests}, {bytes}");
        if round % 20 == 0 {
            let probed = remote.probe_position(&position).unwrap();
            assert_eq!(probed, local.probe_position(&position).unwrap());
        }
    }
}

#[test]
fn tables_of_both_sides_say_the_same_and_need_no_others() {
    for pieces in [2, 3] {
        let both =
            |class: Material| Stored { both_sides: class.pieces() == pieces, ..Stored::USUAL };
        let files = in_memory_storing(&RULES, &Wanted::Pieces(pieces), both).unwrap();
        let mut largest = Memory::default();
        for (name, bytes) in files.files() {
            if class_of_file(name).unwrap().pieces() == pieces {
                largest.insert(name.to_owned(), bytes.to_vec());
            }
        }
        let usual = Tablebase::new(&RULES, pieces, build(&RULES, pieces));
        let largest = Tablebase::new(&RULES, pieces, largest);
        let mut rng = Rng::new(11);
        for class in Material::all(pieces) {
            for _ in 0..20 {
                let position = random_position(&mut rng, class);
                let expected = usual.probe(&position).unwrap();
                assert_eq!(largest.probe(&position).unwrap(), expected, "{position}");
                let outcome = largest.probe_outcome(&position).unwrap();
                assert_eq!(outcome, expected.outcome(), "{position}");
            }
        }
    }
}

#[test]
fn a_cold_probe_takes_few_requests() {
    check_cold_probes("EC-DR", false, 200);
}

/// `cargo xtask deep` runs this.
#[test]
#[ignore = "a class of five pieces is built"]
fn a_cold_probe_of_five_pieces_takes_few_requests() {
    check_cold_probes("DCR-ER", true, 300);
}

/// Small tables, but with a front shorter than they are.
fn small(host: Host) -> Ranges<Host> {
    Ranges::new(host).with_limits(4 << 10, 0)
}

#[test]
fn small_files_are_fetched_once() {
    let files = build(&RULES, 3);
    let local = Tablebase::new(&RULES, 3, files.clone());
    let host = Host::new(&files, honest);
    let asked = host.asked.clone();
    let remote = Tablebase::new(&RULES, 3, Ranges::new(host));
    let mut rng = Rng::new(2);
    for class in local.classes() {
        for _ in 0..20 {
            let position = random_position(&mut rng, class);
            assert_eq!(remote.probe(&position).unwrap(), local.probe(&position).unwrap());
        }
    }
    assert!(asked.lock().unwrap().values().all(|(requests, _)| *requests == 1));
    let missing = Tablebase::new(&RULES, 4, Ranges::new(Host::new(&files, honest)));
    let position = random_position(&mut rng, "EC-DR".parse().unwrap());
    assert!(matches!(missing.probe(&position), Err(ProbeError::MissingTable { .. })));
}

#[test]
fn a_whole_class_is_fetched_at_once() {
    let files = build(&RULES, 3);
    let local = Tablebase::new(&RULES, 3, files.clone());
    let host = Host::new(&files, honest);
    let asked = host.asked.clone();
    let remote = Tablebase::new(&RULES, 3, Ranges::new(host).with_limits(100, 0));
    for class in 0..local.class_list().list().len() {
        let [local, remote] = [&local, &remote].map(|tables| tables.table(class).unwrap());
        assert!(local.load().unwrap().cells == remote.load().unwrap().cells);
    }
    // Opening: a little, the rest of the header, the first chunk. A table of three pieces may have a second.
    assert!(asked.lock().unwrap().values().all(|(requests, _)| *requests <= 4), "{asked:?}");
}

#[test]
fn the_budget_counts_what_was_fetched() {
    let files = build(&RULES, 3);
    let local = Tablebase::new(&RULES, 3, files.clone());
    let budget = Arc::new(Budget::new(100_000));
    let remote = Tablebase::new(&RULES, 3, Ranges::new(Host::new(&files, honest)));
    let remote = remote.with_budget(&budget);
    let mut rng = Rng::new(4);
    let classes: Vec<Material> = local.classes().collect();
    let mut most = 0;
    for _ in 0..1000 {
        let class = classes[rng.below(classes.len())];
        let position = random_position(&mut rng, class);
        assert_eq!(remote.probe(&position).unwrap(), local.probe(&position).unwrap());
        assert!(budget.kept() <= 100_000, "{}", budget.kept());
        most = most.max(budget.kept());
    }
    assert!(most > 50_000, "{most}");
}

/// Probes positions of all classes on a host that answers so; returns how many probes failed.
fn failures(answer: Answer, storage: impl Fn(Host) -> Ranges<Host>) -> (usize, usize) {
    let files = build(&RULES, 2);
    let local = Tablebase::new(&RULES, 2, files.clone());
    let mut host = Host::new(&files, answer);
    let mut rng = Rng::new(8);
    let (mut failed, mut probes) = (0, 0);
    for class in local.classes() {
        for seed in 0..10 {
            let position = random_position(&mut rng, class);
            host.rng = Mutex::new(Rng::new(seed));
            let remote = Tablebase::new(&RULES, 2, storage(host.again()));
            probes += 1;
            match remote.probe(&position) {
                Ok(value) => assert_eq!(value, local.probe(&position).unwrap(), "{position}"),
                Err(ProbeError::CorruptTable { .. } | ProbeError::Unreadable { .. }) => failed += 1,
                Err(other) => panic!("{position}: {other}"),
            }
        }
    }
    (failed, probes)
}

#[test]
fn damaged_bytes_never_give_a_wrong_answer() {
    let flipped: Answer = |rng, file, range| {
        let mut fetched = honest(rng, file, range);
        let at = rng.below(fetched.bytes.len());
        fetched.bytes[at] ^= 1 << rng.below(8);
        fetched
    };
    let (failed, probes) = failures(flipped, |host| Ranges::new(host).with_limits(600, 0));
    assert!(failed > probes / 2, "{failed} of {probes}");
    let (failed, probes) = failures(flipped, Ranges::new);
    assert!(failed > probes / 2, "{failed} of {probes}");
}

#[test]
fn a_host_that_ignores_ranges_is_understood() {
    let whole: Answer = |rng, file, _| honest(rng, file, 0..file.len());
    assert_eq!(failures(whole, Ranges::new).0, 0);
    assert_eq!(failures(whole, small).0, 0);
    assert_eq!(failures(whole, |host| Ranges::new(host).with_limits(100, 0)).0, 0);
}

#[test]
fn answers_of_another_length_are_refused() {
    let short: Answer = |rng, file, range| honest(rng, file, range.start..range.end - 1);
    let long: Answer = |rng, file, range| {
        let mut fetched = honest(rng, file, range);
        fetched.bytes.extend([0; 3]);
        fetched
    };
    let empty: Answer = |_, file, _| Fetched { bytes: Vec::new(), size: file.len() as u64 };
    for answer in [short, long, empty] {
        for limits in [(64 << 10, 192 << 10), (600, 0), (1, 0)] {
            let storage = |host| Ranges::new(host).with_limits(limits.0, limits.1);
            let (failed, _) = failures(answer, storage);
            assert!(failed > 0, "{limits:?}");
        }
    }
}

#[test]
fn a_file_that_changes_size_is_noticed() {
    let files = build(&RULES, 2);
    let growing: Answer = |rng, file, range| Fetched {
        size: (file.len() + rng.below(1000)) as u64,
        ..honest(rng, file, range)
    };
    let storage = Ranges::new(Host::new(&files, growing)).with_limits(100, 0);
    let file = storage.open("E-R.mtb").unwrap().unwrap();
    let error = file.read_at(200, &mut [0; 20]).unwrap_err();
    assert!(error.to_string().contains("changed"), "{error}");
    assert_eq!(
        file.read_at(u64::MAX, &mut [0; 2]).unwrap_err().kind(),
        io::ErrorKind::UnexpectedEof
    );
}
