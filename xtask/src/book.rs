//! The book: mdBook over `docs/`, and no dead links in it nor in any other page of the repository.

use std::path::{Path, PathBuf};

use crate::links;
use crate::shell::{cargo, need_tool, root, step, target, tool};

/// Links of all Markdown files, seen from the repository.
pub fn links() -> Result<(), String> {
    eprintln!("\n== links");
    let listing = tool("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "*.md"])
        .output()
        .map_err(|error| format!("cannot start git: {error}"))?;
    let names = String::from_utf8_lossy(&listing.stdout);
    // A file that was removed, but not yet from the index, is no page.
    let pages = names.lines().map(|name| root().join(name)).filter(|path| path.exists());
    links::check(&pages.collect::<Vec<_>>())
}

/// The book, built into `target/book`, and its links seen from there.
pub fn build() -> Result<(), String> {
    // Without the parts that serve a book while it is written.
    need_tool("mdbook", &["--no-default-features", "--features", "search"])?;
    let book = target().join("book");
    step("the book", tool("mdbook").args(["build", "--dest-dir"]).arg(&book))?;
    let mut pages = Vec::new();
    gather(&book, &mut pages)?;
    links::check(&pages)
}

/// Documentation of the crates, private items included, without a warning.
pub fn crates() -> Result<(), String> {
    let doc = ["doc", "--workspace", "--all-features", "--no-deps", "--document-private-items"];
    step("documentation", cargo(doc).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The pages of a folder that mdBook wrote: those with a Markdown file behind them.
fn gather(folder: &Path, pages: &mut Vec<PathBuf>) -> Result<(), String> {
    let listing =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in listing.filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, pages)?;
        } else if is_ours(&path) {
            pages.push(path);
        }
    }
    Ok(())
}

/// Not the page for wrong addresses, whose links are seen from anywhere, and not what is only copied.
fn is_ours(path: &Path) -> bool {
    let Ok(inner) = path.strip_prefix(target().join("book")) else { return false };
    let source = root().join("docs").join(inner);
    let index = source.file_name().is_some_and(|name| name == "index.html");
    inner.extension().is_some_and(|extension| extension == "html")
        && (source.with_extension("md").exists() || index)
}
