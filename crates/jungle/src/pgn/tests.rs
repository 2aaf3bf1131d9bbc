use super::*;
use crate::Animal;

fn parse(text: &str) -> GameRecord {
    let record: GameRecord = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let written = record.to_string();
    assert_eq!(written.parse().as_ref(), Ok(&record), "{written}");
    record
}

fn error(text: &str) -> String {
    text.parse::<GameRecord>().unwrap_err().to_string()
}

fn comments(comments: &[Comment]) -> Vec<&str> {
    comments.iter().map(Comment::as_str).collect()
}

#[test]
fn a_record_is_written_as_pgn_has_it() {
    let text = r#"[White "A \"quoted\" \\ name"][Annotator "me"] [Rules "leiden,repetition=draw"]
        {before} {again} 1.Ea4!(1.Eb3 $14 {not bad} ra6 (ra8) (rb7 )) ra6?? $18 {lost} 2 Ea5 rxa5# 0-1"#;
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "A \"quoted\" \\ name"]
[Black "?"]
[Result "0-1"]
[Variant "Jungle"]
[Rules "leiden,repetition=draw"]
[Annotator "me"]

{before} {again} 1. Ea4! (1. Eb3 $14 {not bad} 1... ra6 (1... ra8) (1... rb7))
1... ra6?? $18 {lost} 2. Ea5 rxa5 0-1
"#;
    let expected = expected.replace(" ra", " Ra").replace("rxa5", "Rxa5").replace("rb7", "Rb7");
    assert_eq!(parse(text).to_string(), expected);
}

#[test]
fn the_start_is_recorded_when_it_is_not_the_usual_one() {
    let fen = "7/7/7/7/7/7/7/6e/Tc5 b - - 7 12";
    let record = parse(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n12... g2-g3 13. a1xb1 *"));
    let written = record.to_string();
    assert!(written.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")));
    assert!(written.ends_with("\n12... Eg3 13. Txb1 *\n"));
    let play = record.play().unwrap();
    assert_eq!(play.setup().to_string(), "7/7/7/7/7/7/6e/7/1T5 b - - 0 13");
    assert_eq!(GameRecord::from_play(&play), record);
}

#[test]
fn the_reader_takes_text_as_it_comes() {
    let record = parse(
        "\u{feff}% an escape\r\n[Event \"x\"]\r\n\r\n1. Ea4 ; to the end } of the line\r\n% escape\r\n1... a7a6 ! 2. {one}{two}\r\nEa5 ( Ea3 )\r\n",
    );
    assert_eq!(record.tags.get("Event"), Some("x"));
    let [first, second, third] = record.line.moves.as_slice() else { panic!("three moves") };
    assert_eq!(comments(&first.comments), ["to the end ) of the line"]);
    assert_eq!(second.nags, [1]);
    assert_eq!(comments(&second.comments), ["one", "two"]);
    assert_eq!(third.variations[0].moves[0].mv.animal, Animal::Elephant);
    assert_eq!(record.result, GameResult::Unfinished);
}

#[test]
fn a_bad_game_does_not_spoil_the_next() {
    let text = "[Event \"1\"]\n\n1. Ea4 (1. Ea5 1-0) ra6 1-0\n\n[Event \"2\"]\n[FEN \"what\"]\n\n1. a b c ( {[Event \"0\"]} *\n\n[Event \"3\"]\n1. Eb3 *\n{the end}";
    let games: Vec<_> = read(text).collect();
    let events: Vec<_> = games
        .iter()
        .map(|game| game.as_ref().map(|game| game.tags.get("Event")).map_err(|error| error.line))
        .collect();
    assert_eq!(events, [Err(3), Err(6), Ok(Some("3"))]);
}

#[test]
fn errors_have_a_line_and_a_reason() {
    assert_eq!(error(" \n"), "line 1: there is no game: expected tags or moves");
    assert!(error("1. Ea4\n*\n1. Ea4 *").starts_with("line 3: a second game"));
    assert!(error("[Event x]\n*").starts_with("line 1: '[Event x]' is not a tag"));
    assert!(error("[Event \"x]\n*").starts_with("line 1: '[Event \"x]' is not a tag"));
    assert!(error("\n[Site \"x\"]\n[Site \"x\"] *").starts_with("line 3: the tag Site is given"));
    assert!(error("[Variant \"Chess\"] *").contains("the game is 'Chess', not Jungle"));
    assert!(error("[Rules \"chess\"] *").starts_with("line 1: unknown rules 'chess'"));
    assert!(error("[FEN \"7/7 w\"] *").starts_with("line 1: the FEN has 2 ranks"));
    assert!(error("[FEN \"7/7/7/7/7/7/7/7/7 w\"] *").contains("there are no pieces"));
    assert!(error("[Result \"2-0\"] *").contains("'2-0' is not a result"));
    assert!(error("[Result \"1-0\"] 0-1").contains("says 1-0, but the moves end with 0-1"));
    assert!(error("1. Ea4\nra6\nWc4 *").contains("line 3: c3c4 is illegal: the wolf cannot"));
    assert!(error("1. Ea4!!! *").contains("'!!!' is not an annotation"));
    assert!(error("1. Ea4 $256 *").contains("'$256' is not an annotation"));
    assert!(error("1. Ea4 $ *").contains("'$' is not an annotation"));
    assert!(error("$1 *").contains("before any move"));
    assert!(error("(1. Ea4) *").contains("before any move"));
    assert!(error("1. Ea4 (1. Ea4 *").contains("a variation is not closed"));
    assert!(error("1. Ea4 ) *").contains("not opened"));
    assert!(error("1. Ea4\n{ *").contains("line 2: a comment is not closed"));
    assert!(error("1. Ea4 } *").contains("'}' has no meaning here"));
}

#[test]
fn nesting_is_limited() {
    let nested = |depth: usize| format!("Ea4 {}{} *", "(Ea4".repeat(depth), ")".repeat(depth));
    parse(&nested(MAX_DEPTH));
    assert!(error(&nested(MAX_DEPTH + 1)).contains("nested more than 64 deep"));
    assert!(error(&nested(1_000_000)).contains("nested more than 64 deep"));
}

#[test]
fn tags_and_comments_are_limited() {
    let tags = |count: usize| -> String {
        (0..count).map(|number| format!("[T{number} \"\"]")).chain(["*".to_owned()]).collect()
    };
    assert_eq!(parse(&tags(MAX_TAGS)).tags.iter().count(), MAX_TAGS);
    assert_eq!(error(&tags(32_000)), "line 1: there are more than 256 tags: remove some");
    let twice = format!("[T7 \"\"]{}", tags(32_000));
    assert!(error(&twice).starts_with("line 1: the tag T7 is given twice"));
    let comments = |count: usize| format!("1. Ea4 {}*", "{x} ".repeat(count));
    assert_eq!(parse(&comments(MAX_COMMENTS)).line.moves[0].comments.len(), MAX_COMMENTS);
    assert!(error(&comments(MAX_COMMENTS + 1)).contains("more than 64 comments"));
    let long = |len: usize| format!("{{{}}} 1. Ea4 *", "x".repeat(len));
    assert_eq!(parse(&long(MAX_COMMENT)).line.comments.len(), 1);
    assert!(error(&long(MAX_COMMENT + 1)).contains("longer than 65536 bytes"));
}

#[test]
fn a_tag_stays_on_its_line() {
    assert!(error("[White \"a\nb\"] *").starts_with("line 1: '[White \"a' is not a tag"));
    assert!(error("[White\n\"a\"] *").starts_with("line 1: '[White' is not a tag"));
    let two = parse("[White \"a\"] [Black \"b\"]\t1. Ea4 *");
    assert_eq!((two.tags.get("White"), two.tags.get("Black")), (Some("a"), Some("b")));
}

#[test]
fn lines_are_wrapped_and_never_begin_with_an_escape() {
    let mut record = parse("1. Ea4 *");
    let comment = "word ".repeat(15) + "%a %b %c " + &"long".repeat(30);
    record.line.moves[0].comments.push(Comment::new(&comment));
    let written = record.to_string();
    let long: Vec<_> = written.lines().filter(|line| line.len() > 84).collect();
    assert_eq!(long.len(), 1, "{written}");
    assert!(written.lines().all(|line| !line.starts_with('%')), "{written}");
    assert_eq!(written.parse(), Ok(record));
}

#[test]
fn a_record_that_cannot_be_played_says_where() {
    let mut record = parse("1. Ea4 ra6 *");
    record.line.moves.swap(0, 1);
    assert!(record.play().unwrap_err().to_string().starts_with("ply 1: a7a6 is illegal"));
    record.start = Setup::empty();
    assert_eq!(record.play().unwrap_err().to_string(), "there are no pieces on the board");
}
