//! The book: mdBook over `docs/`, and no dead links in it nor in any other page of the repository.

use std::path::PathBuf;

use crate::links;
use crate::shell::{cargo, need_tool, root, step, target, tool};

/// Links of all Markdown files, seen from the repository.
pub fn links() -> Result<(), String> {
    eprintln!("\n== links");
    let pages = markdown("*.md")?.into_iter().map(|name| root().join(name));
    links::check(&pages.collect::<Vec<_>>())
}

/// The book, built into `target/book`: every page of `docs/` is in it, and its links lead somewhere from
/// there, too.
pub fn build() -> Result<(), String> {
    // Without the parts that serve a book while it is written.
    need_tool("mdbook", &["--no-default-features", "--features", "search"])?;
    let book = target().join("book");
    step("the book", tool("mdbook").args(["build", "--dest-dir"]).arg(&book))?;
    let mut pages = Vec::new();
    for name in markdown("docs/*.md")?.into_iter().filter(|name| !name.ends_with("SUMMARY.md")) {
        let inside = name.strip_prefix("docs").expect("it is in docs").with_extension("html");
        let page = book.join(inside);
        if !page.exists() {
            return Err(format!("{} is missing from docs/SUMMARY.md", name.display()));
        }
        pages.push(page);
    }
    links::check(&pages)
}

/// Documentation of the crates, private items included, without a warning.
pub fn crates() -> Result<(), String> {
    let doc = ["doc", "--workspace", "--all-features", "--no-deps", "--document-private-items"];
    step("documentation", cargo(doc).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The Markdown files of the repository that match a pattern of git's, relative to its root.
fn markdown(pattern: &str) -> Result<Vec<PathBuf>, String> {
    let listing = tool("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", pattern])
        .output()
        .map_err(|error| format!("cannot start git: {error}"))?;
    let names = String::from_utf8_lossy(&listing.stdout);
    // A file that was removed, but not yet from the index, is not a page.
    Ok(names.lines().map(PathBuf::from).filter(|name| root().join(name).exists()).collect())
}
