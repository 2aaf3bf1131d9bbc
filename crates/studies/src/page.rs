//! The page of all records: one self-contained HTML file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::StudyError;
use crate::record::{Attachment, Record, Table};

/// The page of the records in these folders, all of which lie at or below a folder.
///
/// # Errors
///
/// If a record is invalid, or a file of it cannot be read.
pub fn html(dir: &Path, folders: &[PathBuf], version: &str) -> Result<String, StudyError> {
    let mut page = Page::default();
    for folder in folders {
        page.add(dir, folder, &Record::read(folder)?)?;
    }
    Ok(page.html(version))
}

#[derive(Default)]
struct Page {
    contents: String,
    sections: String,
}

impl Page {
    fn add(&mut self, dir: &Path, folder: &Path, record: &Record) -> Result<(), StudyError> {
        // Several records may have one name; their folders distinguish them.
        let place = folder.strip_prefix(dir).unwrap_or(folder).display().to_string();
        let place = if place.is_empty() { record.name.clone() } else { place };
        let id: String =
            place.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let (title, shown) = (escaped(&record.title), escaped(&place));
        // Writing to a string cannot fail.
        let _ = writeln!(self.contents, "<li><a href=\"#{id}\">{shown}</a> {title}</li>");
        let html = &mut self.sections;
        let _ = writeln!(html, "<section id=\"{id}\">\n<h2>{title} <small>{shown}</small></h2>");
        for note in &record.notes {
            let _ = writeln!(html, "<p>{}</p>", escaped(note));
        }
        if !record.plots.is_empty() {
            html.push_str("<div class=\"plots\">\n");
            for plot in &record.plots {
                let svg = read(folder, plot)?;
                if !svg.starts_with("<svg") || svg.to_ascii_lowercase().contains("<script") {
                    return Err(StudyError::NotAChart(folder.join(&plot.file)));
                }
                let _ = writeln!(html, "<figure>{svg}</figure>");
            }
            html.push_str("</div>\n");
        }
        for attachment in &record.tables {
            write_table(html, &attachment.title, &Table::read(&read(folder, attachment)?));
        }
        write_parameters(html, record);
        html.push_str("</section>\n");
        Ok(())
    }

    fn html(&self, version: &str) -> String {
        let version = escaped(version);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>Mousetrap: results</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <h1>Mousetrap: results</h1>\n\
             <p>Published results on Dou Shou Qi and beyond, reproduced and shown beside the \
             originals, by Mousetrap {version}.</p>\n\
             <nav><ul>\n{}</ul></nav>\n{}</body>\n</html>\n",
            self.contents, self.sections
        )
    }
}

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
h1, h2 { line-height: 1.2; }
h2 small { font-weight: normal; opacity: .7; }
section { border-top: 1px solid #8886; margin-top: 2.5rem; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; flex: 1 1 34rem; max-width: 45rem; }
figure svg { display: block; height: auto; width: 100%; border-radius: 4px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; margin: 1rem 0; }
caption { font-weight: 600; text-align: left; padding-bottom: .3rem; }
th, td { border-bottom: 1px solid #8884; padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; font-size: .8rem; }
summary { cursor: pointer; }
";

/// A file of a record.
fn read(folder: &Path, attachment: &Attachment) -> Result<String, StudyError> {
    let path = folder.join(&attachment.file);
    std::fs::read_to_string(&path).map_err(StudyError::io("reading", &path))
}

fn write_table(html: &mut String, title: &str, table: &Table) {
    let is_number = |column: usize| {
        let cells = || table.rows().iter().filter_map(move |row| row.get(column));
        let number = |cell: &String| {
            cell.is_empty() || cell == "?" || cell.trim_end_matches(" %").parse::<f64>().is_ok()
        };
        cells().any(|cell| !cell.is_empty()) && cells().all(number)
    };
    let classes: Vec<&str> = (0..table.columns().len())
        .map(|column| if is_number(column) { " class=\"number\"" } else { "" })
        .collect();
    let _ = writeln!(html, "<div class=\"wide\"><table>\n<caption>{}</caption>", escaped(title));
    html.push_str("<thead><tr>");
    for (name, class) in table.columns().iter().zip(&classes) {
        let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", escaped(name));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in table.rows() {
        html.push_str("<tr>");
        for (cell, class) in row.iter().zip(&classes) {
            let _ = write!(html, "<td{class}>{}</td>", escaped(cell));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n");
}

/// What the run depended on, and its results in full.
fn write_parameters(html: &mut String, record: &Record) {
    let mut table = Table::new(["parameter", "value"]);
    let mut say = |name: &str, value: String| table.row([name.to_owned(), value]);
    say("name", record.name.clone());
    say("rules", record.rules.clone().unwrap_or_else(|| "of the game".to_owned()));
    record.seed.into_iter().for_each(|seed| say("seed", seed.to_string()));
    for (name, value) in &record.parameters {
        say(&name.replace('_', " "), in_words(value));
    }
    say("commit", record.commit.clone());
    say("version", record.version.clone());
    say("processor", record.cpu.clone());
    html.push_str("<details><summary>How it was made</summary>\n");
    write_table(html, "Parameters", &table);
    let json = serde_json::to_string_pretty(&record.results).unwrap_or_default();
    let _ = writeln!(
        html,
        "</details>\n<details><summary>Results as JSON</summary>\n<pre>{}</pre>\n</details>",
        escaped(&json)
    );
}

fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(in_words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
