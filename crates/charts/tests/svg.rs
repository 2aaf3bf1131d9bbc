//! Charts are well-formed, complete, the same every time, and never fail.

use charts::{Bars, Frame, Group, Histogram, Line, Lines};

fn frame() -> Frame {
    Frame::new("Won & lost <twice>")
        .subtitle("by \"depth\"")
        .x("depth, plies")
        .y("games")
        .size(640, 400)
}

fn lines() -> Lines {
    Lines::new(frame())
        .line(Line::new("ours").point(1.0, 10.0).point_between(2.0, 20.0, 15.0, 26.0))
        .line(Line::new("theirs").dashed().points([(1.0, 12.0), (2.0, 18.0)]))
        .line(Line::new("guess").dots().point(1.5, 3.0))
}

fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("a chart is well-formed");
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let label = root.attribute("aria-label").expect("a chart says what it shows");
    assert!(label.contains("Won & lost <twice>. by \"depth\""), "{label}");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default().trim().to_owned()).collect()
}

fn count(svg: &str, tag: &str) -> usize {
    let document = roxmltree::Document::parse(svg).unwrap();
    document.descendants().filter(|node| node.has_tag_name(tag)).count()
}

#[test]
fn titles_labels_and_legends_are_there() {
    for svg in [
        lines().svg(),
        Bars::new(frame(), ["ours", "theirs", "guess"]).group(Group::new("1").bar(2.0)).svg(),
        Histogram::new(frame(), 0.5, 1.0)
            .series("ours", [1.0, 2.0])
            .series("theirs", [3.0])
            .series("guess", [])
            .svg(),
    ] {
        let texts = texts(&svg);
        for wanted in [
            "Won & lost <twice>",
            "by \"depth\"",
            "depth, plies",
            "games",
            "ours",
            "theirs",
            "guess",
        ] {
            assert!(texts.iter().any(|text| text == wanted), "{wanted} in {texts:?}");
        }
        assert!(svg.contains("fill=\"#FFFFFF\""), "a white ground");
    }
}

#[test]
fn every_point_and_bar_is_drawn() {
    let dots = |lines: &Lines| count(&lines.svg(), "circle");
    let one = Lines::new(frame()).line(Line::new("").points((1..=9).map(|x| (f64::from(x), 1.0))));
    assert_eq!(dots(&one), 9);
    let unfit = one.line(Line::new("").point(f64::NAN, 1.0).point(1.0, f64::INFINITY));
    assert_eq!(dots(&unfit), 9, "what is not finite is left out");
    let log =
        Lines::new(frame()).log_x().log_y().line(Line::new("").points([(0.0, 1.0), (1.0, 1.0)]));
    assert_eq!(dots(&log), 1, "what has no logarithm is left out");

    let bars = Bars::new(frame(), ["", ""])
        .group(Group::new("a").bar(1.0).bar_between(2.0, 1.5, 2.5))
        .group(Group::new("b").gap().bar(0.5));
    // One rectangle is the ground.
    assert_eq!(count(&bars.svg(), "rect"), 1 + 3);
    assert_eq!(count(&bars.stacked().svg(), "rect"), 1 + 3);
    let histogram = Histogram::new(frame(), 0.0, 0.1).series("", [4.0, 5.0, 6.0]);
    assert_eq!(count(&histogram.svg(), "rect"), 1 + 3);
}

#[test]
fn the_same_numbers_give_the_same_bytes() {
    assert_eq!(lines().svg(), lines().svg());
}

#[test]
fn charts_of_nothing_are_empty_frames() {
    let empty = Frame::new("");
    roxmltree::Document::parse(&Lines::new(empty.clone()).log_x().svg()).unwrap();
    roxmltree::Document::parse(&Bars::new(empty.clone(), [""; 0]).svg()).unwrap();
    roxmltree::Document::parse(&Histogram::new(empty.clone(), 0.0, 1.0).svg()).unwrap();
    let flat = Bars::new(empty, ["x"]).group(Group::new("").bar(0.0)).numbers().svg();
    roxmltree::Document::parse(&flat).unwrap();
}

/// `cargo test -p mousetrap-charts -- --ignored` leaves charts in `target/charts` for inspection.
#[test]
#[ignore = "writes files for the eye"]
fn samples() {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/../charts");
    std::fs::create_dir_all(folder).unwrap();
    let write =
        |name: &str, svg: String| std::fs::write(format!("{folder}/{name}.svg"), svg).unwrap();
    write("lines", lines().svg());
    let growth = |base: f64| (1..=8).map(move |x| (f64::from(x), base.powi(x)));
    write(
        "log",
        Lines::new(Frame::new("Nodes by depth").subtitle("From the start").x("depth").y("nodes"))
            .log_y()
            .whole_x()
            .line(Line::new("plain").points(growth(19.0)))
            .line(Line::new("ordering").dashed().points(growth(6.0)))
            .line(Line::new("split").points(growth(12.0)))
            .line(Line::new("both, threshold 4").dashed().points(growth(4.5)))
            .svg(),
    );
    let results = [("ordering\nv plain", 15.0, 18.0, 7.0), ("split\nv plain", 10.0, 24.0, 6.0)];
    let mut stacked =
        Bars::new(Frame::new("Forty games each").y("games"), ["won", "drawn", "lost"]);
    let mut grouped = Bars::new(Frame::new("Score").y("points a game"), ["ours", "published"]);
    for (name, won, drawn, lost) in results {
        stacked = stacked.group(Group::new(name).bar(won).bar(drawn).bar(lost));
        let score = (won + drawn / 2.0) / 40.0;
        grouped =
            grouped.group(Group::new(name).bar_between(score, score - 0.1, score + 0.1).bar(0.5));
    }
    write("stacked", stacked.stacked().numbers().svg());
    write("grouped", grouped.numbers().svg());
    write(
        "histogram",
        Histogram::new(Frame::new("Subproblems by size").x("pieces").y("how many"), 0.5, 1.0)
            .series("ours", [1500.0, 270.0, 150.0, 130.0, 150.0])
            .series("published", [1200.0, 370.0, 120.0, 100.0, 180.0, 30.0])
            .svg(),
    );
    write(
        "frequency",
        Histogram::new(
            Frame::new("Games by frequency").x("share of moves").y("games"),
            0.0,
            1.0 / 30.0,
        )
        .series("ours", [40.0, 29.0, 20.0, 28.0, 11.0, 13.0, 15.0, 9.0, 11.0, 9.0, 1.0])
        .svg(),
    );
}
