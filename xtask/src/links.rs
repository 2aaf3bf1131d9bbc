//! Dead links: every relative link of a page has to lead to a file that is there, and to a heading in it.
//!
//! Only as much of Markdown and HTML is understood as our pages use: links and pictures in parentheses,
//! definitions at the beginning of a line, `href` and `src`. Links to other sites are not followed.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// What a page links to, and what can be linked to in it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Page {
    links: Vec<String>,
    anchors: HashSet<String>,
}

/// Fails with a list of the dead links of these pages.
pub fn check(pages: &[PathBuf]) -> Result<(), String> {
    let mut known = HashMap::new();
    let mut dead = Vec::new();
    for path in pages {
        for link in &read(path)?.links {
            if !leads_somewhere(path, link, &mut known)? {
                dead.push(format!("{}: {link}", path.display()));
            }
        }
    }
    if dead.is_empty() {
        eprintln!("{} pages without dead links", pages.len());
        return Ok(());
    }
    Err(format!("dead links:\n  {}", dead.join("\n  ")))
}

fn leads_somewhere(
    from: &Path,
    link: &str,
    known: &mut HashMap<PathBuf, HashSet<String>>,
) -> Result<bool, String> {
    if link.contains("://") || link.starts_with("mailto:") || link.starts_with("data:") {
        return Ok(true);
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let Some(target) = destination(from, path) else { return Ok(false) };
    if anchor.is_empty() || !is_page(&target) {
        return Ok(true);
    }
    if !known.contains_key(&target) {
        known.insert(target.clone(), read(&target)?.anchors);
    }
    Ok(known[&target].contains(anchor))
}

/// The file that a path on a page means, if it is there. A folder stands for its index in HTML, and for
/// itself in Markdown.
fn destination(from: &Path, path: &str) -> Option<PathBuf> {
    if path.is_empty() {
        return Some(from.to_owned());
    }
    let mut target = from.parent()?.join(path);
    if target.is_dir() && has_extension(from, "html") {
        target.push("index.html");
    }
    target.exists().then_some(target)
}

fn read(path: &Path) -> Result<Page, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(if has_extension(path, "md") { markdown(&text) } else { html(&text) })
}

fn is_page(path: &Path) -> bool {
    has_extension(path, "md") || has_extension(path, "html")
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn markdown(text: &str) -> Page {
    let mut page = Page::default();
    let mut fenced = false;
    let mut paragraph = String::new();
    for line in text.lines().chain([""]) {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        if fence || line.is_empty() {
            add_paragraph(&mut page, &paragraph);
            paragraph.clear();
        } else if !fenced {
            add_heading(&mut page, line);
            paragraph.push_str(line);
            paragraph.push('\n');
        }
    }
    page
}

fn add_heading(page: &mut Page, line: &str) {
    let title = line.trim_start_matches('#');
    if title.len() < line.len() && title.starts_with(' ') {
        let slug = slug(title.trim());
        let again = (1..).map(|n| format!("{slug}-{n}"));
        let free = std::iter::once(slug.clone()).chain(again).find(|s| !page.anchors.contains(s));
        page.anchors.extend(free);
    }
}

fn add_paragraph(page: &mut Page, text: &str) {
    // What stands between backticks is not a link.
    let prose: String = text.split('`').step_by(2).collect();
    let first_word = |text: &str| {
        text.split_whitespace().next().map(|word| word.trim_matches(['<', '>']).to_owned())
    };
    page.links.extend(between(&prose, "](", ')').filter_map(first_word));
    let definitions = prose.lines().filter(|line| line.starts_with('['));
    let targets = definitions.filter_map(|line| Some(line.split_once("]: ")?.1));
    page.links.extend(targets.filter_map(first_word));
    add_attributes(page, &prose);
}

fn html(text: &str) -> Page {
    let mut page = Page::default();
    add_attributes(&mut page, text);
    page.anchors.extend(between(text, " id=\"", '"').map(str::to_owned));
    page
}

fn add_attributes(page: &mut Page, text: &str) {
    for attribute in [" href=\"", " src=\""] {
        page.links.extend(between(text, attribute, '"').map(str::to_owned));
    }
}

/// The pieces of a text that stand between an opening and the next closing.
fn between<'a>(text: &'a str, open: &'a str, close: char) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| Some(rest.split_once(close)?.0))
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn slug(title: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => c.is_alphanumeric().then_some(c),
    };
    title.to_lowercase().chars().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> HashSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn markdown_has_links_and_headings() {
        let page = markdown(
            "# The `champion`, measured\n\
             ## Two threads\n\
             ## Two threads\n\
             A [page](other.md#top), a ![picture](a.svg \"title\"), `[none](here.md)`.\n\
             ```\n[nor](there.md)\n# no heading\n```\n\
             Code over `two\nlines`, then [another](fourth.md).\n\n\
             [defined]: third.md\n\
             <img alt=\"x\" src=\"b.png\">\n",
        );
        assert_eq!(page.links, ["other.md#top", "a.svg", "fourth.md", "third.md", "b.png"]);
        assert_eq!(page.anchors, set(&["the-champion-measured", "two-threads", "two-threads-1"]));
    }

    #[test]
    fn html_has_links_and_ids() {
        let page = html("<a href=\"x.html#y\">x</a> <h1 id=\"z\">z</h1> <img src=\"p.svg\">");
        assert_eq!(page.links, ["x.html#y", "p.svg"]);
        assert_eq!(page.anchors, set(&["z"]));
    }

    #[test]
    fn links_are_followed() {
        let folder = std::env::temp_dir().join(format!("links-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inner")).expect("a temporary folder");
        let page = folder.join("page.md");
        let text = |link: &str| format!("# Here\n[link]({link})\n");
        for (link, alive) in [
            ("https://example.org/x", true),
            ("inner", true),
            ("#here", true),
            ("page.md#here", true),
            ("#there", false),
            ("page.md#there", false),
            ("missing.md", false),
        ] {
            std::fs::write(&page, text(link)).expect("a temporary file");
            assert_eq!(check(std::slice::from_ref(&page)).is_ok(), alive, "{link}");
        }
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
