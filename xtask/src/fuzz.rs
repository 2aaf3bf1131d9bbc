//! Fuzzing with cargo-fuzz: everything that reads text or bytes from outside.

use crate::shell::{cargo, need_tool, root, step};

/// Fuzzes every target for this many seconds.
pub fn run(seconds: u32) -> Result<(), String> {
    need_tool("cargo-fuzz", &[])?;
    // New finds go to a scratch corpus; the committed one is only read.
    let scratch = root().join("fuzz/target/corpus");
    for name in targets()? {
        let found = scratch.join(&name);
        std::fs::create_dir_all(&found).map_err(|error| error.to_string())?;
        // The pinned toolchain can fuzz with a flag; no second toolchain is needed. The code
        // under test has next to no `unsafe`, so the sanitiser would only slow it down.
        let mut run = cargo(["fuzz", "run", "--sanitizer", "none", &name]);
        run.env("RUSTC_BOOTSTRAP", "1").arg(&found).arg(root().join("fuzz/corpus").join(&name));
        run.arg("--").arg(format!("-max_total_time={seconds}"));
        run.arg(format!("-dict={}", root().join("fuzz/text.dict").display()));
        run.args([
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-verbosity=0",
            "-print_funcs=0",
            "-print_final_stats=1",
        ]);
        step(&format!("fuzzing {name} for {seconds} s"), &mut run)?;
    }
    Ok(())
}

fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/fuzz_targets");
    let listing =
        std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> = listing
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}
