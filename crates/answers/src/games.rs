//! Games that are kept: lists, single games, imports and exports; and the opening explorer.
//!
//! All is asked of a [`Store`] and a [`Book`], which are handed in: a database where the program runs, the
//! browser's own storage, memory in tests. The book's games are found as any others are, in a store of their own.

use jungle::{Animal, Color, Play, Position, Rules};
use library::book::{Book, Judged, Origin};
use library::{
    BadDay, BadId, Entry, Filter, GameId, Import, ImportError, Kept, Located, Page, Source, Store,
    StoreError, Tally, TooLong, Wrong,
};
use serde::{Deserialize, Serialize};

use crate::notation::algebraic;
use crate::record::{self, Record};
use crate::refusal::{Cause, Kind, Refusal};

/// The most games of a list, and of an export.
const MOST_LISTED: u64 = 500;
/// The most games that are named at once.
const MOST_NAMED: usize = 1000;
/// How many games the explorer shows.
const SHOWN: u64 = 12;

/// What games are asked of.
#[derive(Clone, Copy)]
pub struct Shelves<'a> {
    /// One's own games and imported ones.
    pub store: &'a dyn Store,
    /// Opens the engine's, which takes a while the first time; none if it cannot be had.
    pub book: &'a dyn Fn() -> Option<&'a Book>,
}

impl<'a> Shelves<'a> {
    fn store(self, source: Option<Source>) -> Result<&'a dyn Store, Refusal> {
        match source {
            Some(Source::Book) => {
                let none = || Refusal::missing("no-book", "the opening book is not here");
                Ok((self.book)().ok_or_else(none)?.store())
            }
            _ => Ok(self.store),
        }
    }
}

/// Which games are meant.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams, utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct GamesRequest {
    /// Names of games, separated by commas.
    pub ids: Option<String>,
    /// Where they come from: `own`, `imported` or `book`; own and imported ones if left out.
    pub source: Option<String>,
    /// A part of a player's name.
    pub player: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Option<String>,
    /// The rules; any if left out.
    pub rules: Option<String>,
    /// The first day, month or year: `2026-11-18`, `2026-11`, `2026`.
    pub since: Option<String>,
    /// The last day, month or year.
    pub until: Option<String>,
    /// A position that occurred, as FEN; mirror images are the same.
    #[cfg_attr(feature = "openapi", param(example = "7/7/3e3/7/7/7/3E3/7/7 w"))]
    pub position: Option<String>,
    /// How many are left out at the beginning.
    pub offset: Option<u64>,
    /// The most that are wanted; at most 500.
    pub limit: Option<u64>,
}

impl GamesRequest {
    fn source(&self) -> Result<Option<Source>, Refusal> {
        let source = self.source.as_deref().filter(|text| !text.is_empty());
        source.map(self::source).transpose()
    }

    /// What is asked for.
    ///
    /// # Errors
    ///
    /// If something is not understood.
    pub fn filter(&self) -> Result<Filter, Refusal> {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let names = self.ids.as_deref().unwrap_or("").split(',').filter(|id| !id.is_empty());
        let ids: Vec<GameId> = names.map(str::parse).collect::<Result<_, BadId>>()?;
        if ids.len() > MOST_NAMED {
            let message = format!("more than {MOST_NAMED} games are named: name fewer at once");
            return Err(Refusal::bad("too-many-games", message));
        }
        let day = |text: Option<String>| text.map(|text| Filter::day(&text)).transpose();
        let position: Option<Position> =
            given(&self.position).map(|fen| fen.parse()).transpose()?;
        Ok(Filter {
            ids,
            source: self.source()?,
            player: given(&self.player).map(|text| text.trim().to_owned()),
            result: given(&self.result).map(|text| record::result(&text)).transpose()?,
            rules: given(&self.rules).map(|text| text.parse::<Rules>()).transpose()?,
            since: day(given(&self.since))?,
            until: day(given(&self.until))?,
            position: position.map(|position| Located::of(&position).key()),
        })
    }

    fn page(&self) -> Page {
        let usual = Page::default();
        let limit = self.limit.unwrap_or(usual.limit).min(MOST_LISTED);
        Page { offset: self.offset.unwrap_or(usual.offset), limit }
    }
}

fn source(text: &str) -> Result<Source, Refusal> {
    text.parse().map_err(|error| Refusal::because(Kind::Bad, "source", error))
}

/// A list of games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameList {
    /// How many there are in all.
    pub total: u64,
    /// Those of the page, the latest first.
    pub games: Vec<Kept>,
}

/// Finds games.
///
/// # Errors
///
/// If the question is not understood, or the games cannot be read.
pub fn find(shelves: Shelves<'_>, request: &GamesRequest) -> Result<GameList, Refusal> {
    let filter = request.filter()?;
    let found = shelves.store(filter.source)?.find(&filter, request.page())?;
    Ok(GameList { total: found.total, games: found.games })
}

/// Which game is meant.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct IdRequest {
    /// The name of a game.
    pub id: String,
}

/// A game, all of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenedGame {
    /// What it is found by.
    pub game: Kept,
    /// The game as a tree of moves.
    pub record: Record,
    /// The game as PGN.
    pub pgn: String,
}

/// Opens a game.
///
/// # Errors
///
/// If there is no such game, or it cannot be read.
pub fn open(shelves: Shelves<'_>, request: &IdRequest) -> Result<OpenedGame, Refusal> {
    let id: GameId = request.id.parse()?;
    let source = id.as_str().starts_with("book-").then_some(Source::Book);
    let filter = Filter { ids: vec![id], ..Filter::default() };
    let found = shelves.store(source)?.find(&filter, Page { offset: 0, limit: 1 })?;
    let game = found.games.into_iter().next().ok_or_else(|| {
        Refusal::missing("no-such-game", format!("there is no game '{}'", request.id))
    })?;
    let record = record::import(&game.pgn)?.games.into_iter().next();
    let record = record.ok_or_else(|| Refusal::failed("the game that is kept is empty"))?;
    Ok(OpenedGame { record, pgn: game.pgn.clone(), game })
}

/// Keeps a game of one's own under a name, in place of the one that has it: a game that goes on is kept after every move.
///
/// # Errors
///
/// If the game is not possible, or cannot be kept.
pub fn save(store: &dyn Store, request: &IdRequest, body: &Record) -> Result<Kept, Refusal> {
    let id: GameId = request.id.parse()?;
    if id.as_str().starts_with("book-") {
        return Err(Refusal::bad("game-id", "names that begin with 'book-' are the book's"));
    }
    let entry = Entry::named(id, Source::Own, library::now(), &record::game_record(body)?)?;
    store.put(std::slice::from_ref(&entry))?;
    Ok(entry.kept)
}

/// What was deleted.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Deleted {
    /// How many games.
    pub deleted: u64,
}

/// Deletes games.
///
/// # Errors
///
/// If all would go without being asked for, or they cannot be deleted.
pub fn delete(store: &dyn Store, request: &GamesRequest) -> Result<Deleted, Refusal> {
    if request.limit.is_some() || request.offset.is_some() {
        let message =
            "limit and offset are for lists: all games that the other parameters mean are deleted";
        return Err(Refusal::bad("query", message));
    }
    let filter = request.filter()?;
    if filter.is_all() {
        let message = "say which games to delete: name them, or a source, a player, a day";
        return Err(Refusal::bad("which-games", message));
    }
    if filter.source == Some(Source::Book) {
        return Err(Refusal::bad("source", "the book's games cannot be deleted"));
    }
    Ok(Deleted { deleted: store.delete(&filter)? })
}

/// How to import.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct ImportRequest {
    /// What the games are: `imported`, or `own` for a copy of one's own.
    pub source: Option<String>,
    /// How many lines came before, if a long text comes in parts.
    pub lines_before: Option<usize>,
    /// How many games came before.
    pub games_before: Option<usize>,
}

/// What became of a text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportedGames {
    /// How many games there were, faulty ones included.
    pub read: usize,
    /// How many are new.
    pub added: usize,
    /// How many were there already.
    pub known: usize,
    /// How many could not be read.
    pub faulty: usize,
    /// What is wrong with them, with game and line; a thousand at most.
    pub faults: Vec<String>,
    /// The same as data, in the same order.
    pub causes: Vec<Cause>,
}

/// Keeps the games of a PGN.
///
/// # Errors
///
/// If they cannot be kept; games that cannot be read are in the answer.
pub fn import(
    store: &dyn Store,
    request: &ImportRequest,
    text: &str,
) -> Result<ImportedGames, Refusal> {
    let source = request.source.as_deref().map_or(Ok(Source::Imported), source)?;
    if source == Source::Book {
        return Err(Refusal::bad("source", "games are imported as 'imported' or 'own'"));
    }
    let how = Import {
        lines_before: request.lines_before.unwrap_or(0),
        games_before: request.games_before.unwrap_or(0),
        ..Import::new(source)
    };
    let report =
        library::import(store, text.as_bytes(), &how, &mut |_| {}).map_err(
            |error| match error {
                ImportError::Store(error) => Refusal::from(error),
                error @ ImportError::Binary => Refusal::because(Kind::Bad, "not-pgn", error),
                error @ ImportError::Read(_) => Refusal::internal(error),
            },
        )?;
    Ok(ImportedGames::new(&report))
}

impl ImportedGames {
    /// What became of a text.
    pub fn new(report: &library::Report) -> ImportedGames {
        let cause =
            |fault: &library::Fault| Cause { line: Some(fault.line), ..cause(&fault.wrong) };
        ImportedGames {
            read: report.read,
            added: report.added,
            known: report.known,
            faulty: report.faulty,
            faults: report.faults.iter().map(ToString::to_string).collect(),
            causes: report.faults.iter().map(cause).collect(),
        }
    }
}

fn cause(wrong: &Wrong) -> Cause {
    match wrong {
        Wrong::Pgn(error) => error.into(),
        Wrong::Long(TooLong::Game(_)) => Cause { code: "too-many-moves", ..Cause::default() },
        Wrong::Long(TooLong::Tag(_)) => Cause { code: "too-large", ..Cause::default() },
        Wrong::Large => Cause { code: "too-large", ..Cause::default() },
    }
}

/// Games as PGN.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExportedGames {
    /// How many there are in all.
    pub total: u64,
    /// How many are in this part.
    pub games: usize,
    /// The text.
    pub pgn: String,
}

/// Writes games as PGN, a part at a time.
///
/// # Errors
///
/// If the question is not understood, or the games cannot be read.
pub fn export(shelves: Shelves<'_>, request: &GamesRequest) -> Result<ExportedGames, Refusal> {
    let request =
        GamesRequest { limit: Some(request.limit.unwrap_or(MOST_LISTED)), ..request.clone() };
    let found = find(shelves, &request)?;
    let pgn = found.games.iter().map(|game| game.pgn.as_str()).collect::<Vec<_>>().join("\n");
    Ok(ExportedGames { total: found.total, games: found.games.len(), pgn })
}

/// Which games the explorer counts.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct ExplorerRequest {
    /// `own`, `imported` or `book`; the book if left out.
    pub source: Option<String>,
}

impl ExplorerRequest {
    /// The source.
    ///
    /// # Errors
    ///
    /// If it is not understood.
    pub fn source(&self) -> Result<Source, Refusal> {
        self.source.as_deref().map_or(Ok(Source::Book), source)
    }
}

/// What was played in a position, and how it scored.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Explorer {
    /// The position.
    pub fen: String,
    /// The rules: only games by these are counted.
    pub rules: String,
    /// Who is to move.
    pub turn: Color,
    /// Which games are counted.
    pub source: Source,
    /// How many games came here.
    pub games: u64,
    /// How they ended.
    pub results: Tally,
    /// The moves that were played or analysed, the most frequent first.
    pub moves: Vec<ExploredMove>,
    /// The latest of the games.
    pub latest: Vec<Kept>,
    /// How the book was made, if it is for these rules.
    pub book: Option<Origin>,
}

/// A move in the explorer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExploredMove {
    /// Coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// The papers' form.
    pub san: String,
    /// The letter of the animal taken, if one is.
    pub captures: Option<char>,
    /// How many games went on so.
    pub games: u64,
    /// How they ended.
    pub results: Tally,
    /// What the book's analysis says, if it has this position.
    pub judged: Option<Judged>,
}

impl Explorer {
    /// What was played in the position of a game.
    ///
    /// # Errors
    ///
    /// If the games cannot be read.
    pub fn of(shelves: Shelves<'_>, play: &Play, source: Source) -> Result<Explorer, Refusal> {
        let (jungle, position) = (play.jungle(), play.position());
        let located = Located::of(position);
        let filter =
            Filter { source: Some(source), rules: Some(*jungle.rules()), ..Filter::default() };
        let store = shelves.store(Some(source))?;
        let explored = store.explore(located.key(), &filter)?;
        let book = (shelves.book)().filter(|book| book.rules() == *jungle.rules());
        let judged = book.map_or(&[][..], |book| book.judged(located.key()));
        let mut edges: Vec<_> = explored.moves.iter().map(|(edge, _)| *edge).collect();
        edges.extend(
            judged
                .iter()
                .map(|(edge, _)| *edge)
                .filter(|edge| explored.moves.iter().all(|(known, _)| known != edge)),
        );
        let explored_move = |edge| {
            let (from, to) = located.restore(edge);
            // A game may have gone on after its end by these rules; only legal moves are shown.
            let mv = jungle.find_move(position, from, to).ok()?;
            let tally = explored.moves.iter().find(|(known, _)| *known == edge);
            let tally = tally.map(|(_, tally)| *tally).unwrap_or_default();
            let judged = judged.iter().find(|(known, _)| *known == edge);
            Some(ExploredMove {
                mv: mv.to_string(),
                san: algebraic(jungle, position, mv),
                captures: mv.captured.map(Animal::letter),
                games: tally.games(),
                results: tally,
                judged: judged.map(|(_, judged)| *judged),
            })
        };
        let moves = edges.into_iter().filter_map(explored_move).collect();
        let shown = Filter { position: Some(located.key()), ..filter };
        let latest = store.find(&shown, Page { offset: 0, limit: SHOWN })?.games;
        Ok(Explorer {
            fen: play.setup().to_string(),
            rules: jungle.rules().to_string(),
            turn: position.turn(),
            source,
            games: explored.total.games(),
            results: explored.total,
            moves,
            latest,
            book: book.map(|book| book.origin.clone()),
        })
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        let (kind, code, retry_after) = match &error {
            StoreError::Locked { .. } => (Kind::Busy, "games-locked", Some(5)),
            StoreError::Away { .. } => (Kind::Busy, "games-unavailable", Some(2)),
            StoreError::Full { .. } => (Kind::Failed, "disk-full", None),
            StoreError::Damaged { .. } => (Kind::Failed, "damaged-games", None),
            StoreError::ReadOnly { .. }
            | StoreError::Foreign { .. }
            | StoreError::Newer { .. }
            | StoreError::Other { .. } => (Kind::Failed, "games-unavailable", None),
        };
        let mut refusal = Refusal::because(kind, code, error);
        refusal.retry_after = retry_after;
        refusal
    }
}

impl From<BadId> for Refusal {
    fn from(error: BadId) -> Refusal {
        Refusal::because(Kind::Bad, "game-id", error)
    }
}

impl From<BadDay> for Refusal {
    fn from(error: BadDay) -> Refusal {
        Refusal::because(Kind::Bad, "day", error)
    }
}

impl From<TooLong> for Refusal {
    fn from(error: TooLong) -> Refusal {
        let code = match error {
            TooLong::Game(_) => "too-many-moves",
            TooLong::Tag(_) => "too-large",
        };
        Refusal::because(Kind::Bad, code, error)
    }
}

#[cfg(test)]
mod tests {
    use jungle::Jungle;
    use library::Memory;

    use super::*;

    const PGN: &str = "[White \"Anna\"]\n[Black \"Bert\"]\n[Date \"2026.11.18\"]\n\n1. Ea4 Ra6 2. Ea5 Rxa5 0-1\n\n\
        [White \"Bert\"]\n[Date \"2025.02.??\"]\n\n1. Ea4 Eg6 1-0\n\n[White \"Clara\"]\n[Rules \"leiden\"]\n\n1. Rf3 *\n";

    fn store() -> Memory {
        let store = Memory::default();
        let report = import(&store, &ImportRequest::default(), PGN).unwrap();
        assert_eq!((report.read, report.added), (3, 3));
        store
    }

    fn shelves(store: &Memory) -> Shelves<'_> {
        Shelves { store, book: &|| None }
    }

    fn whites(request: GamesRequest) -> Vec<String> {
        let store = store();
        let found = find(shelves(&store), &request).unwrap();
        found.games.into_iter().map(|game| game.white).collect()
    }

    #[test]
    fn games_are_found_by_everything() {
        let some = |text: &str| Some(text.to_owned());
        let request = GamesRequest::default;
        assert_eq!(whites(request()), ["Anna", "Bert", "Clara"]);
        assert_eq!(whites(GamesRequest { player: some("BERT"), ..request() }), ["Anna", "Bert"]);
        assert_eq!(whites(GamesRequest { result: some("0-1"), ..request() }), ["Anna"]);
        assert_eq!(whites(GamesRequest { rules: some("leiden"), ..request() }), ["Clara"]);
        assert_eq!(whites(GamesRequest { since: some("2025-03"), ..request() }), ["Anna"]);
        assert_eq!(whites(GamesRequest { until: some("2025"), ..request() }), ["Bert"]);
        assert_eq!(whites(GamesRequest { source: some("own"), ..request() }), [""; 0]);
        let position = some("l5t/1d3c1/r1p1w1e/7/7/E6/2W1P1R/1C3D1/T5L b");
        assert_eq!(whites(GamesRequest { position, ..request() }), ["Anna", "Bert"]);
        let mirror = some("t5l/1c3d1/e1w1p1r/7/7/6E/R1P1W2/1D3C1/L5T b");
        assert_eq!(whites(GamesRequest { position: mirror, ..request() }), ["Anna", "Bert"]);
        assert_eq!(whites(GamesRequest { offset: Some(1), limit: Some(1), ..request() }), ["Bert"]);
        for bad in [
            GamesRequest { result: some("won"), ..request() },
            GamesRequest { since: some("soon"), ..request() },
            GamesRequest { position: some("nowhere"), ..request() },
            GamesRequest { rules: some("chess"), ..request() },
            GamesRequest { source: some("stolen"), ..request() },
            GamesRequest { ids: some("../etc"), ..request() },
        ] {
            assert_eq!(find(shelves(&store()), &bad).unwrap_err().kind, Kind::Bad, "{bad:?}");
        }
    }

    #[test]
    fn a_game_that_goes_on_is_kept_under_its_name() {
        let store = Memory::default();
        let id = IdRequest { id: "game-1".to_owned() };
        let one = record::import("1. Ea4 *").unwrap().games.remove(0);
        let two =
            record::import("[White \"You\"]\n\n1. Ea4 Ra6 {yes} 1-0").unwrap().games.remove(0);
        assert_eq!(save(&store, &id, &one).unwrap().plies, 1);
        assert_eq!(save(&store, &id, &two).unwrap().plies, 2);
        let found = find(shelves(&store), &GamesRequest::default()).unwrap();
        assert_eq!((found.total, found.games[0].result.as_str()), (1, "1-0"));
        let opened = open(shelves(&store), &id).unwrap();
        assert_eq!(opened.record.line.moves[1].comments, ["yes"]);
        assert_eq!(opened.game.source, Source::Own);
        let missing = IdRequest { id: "game-2".to_owned() };
        assert_eq!(open(shelves(&store), &missing).unwrap_err().code, "no-such-game");
        let all = delete(&store, &GamesRequest::default()).unwrap_err();
        assert_eq!(all.code, "which-games");
        let ids = GamesRequest { ids: Some("game-1,game-2".to_owned()), ..GamesRequest::default() };
        let some = GamesRequest { limit: Some(1), ..ids.clone() };
        assert_eq!(delete(&store, &some).unwrap_err().code, "query");
        assert_eq!(delete(&store, &ids).unwrap().deleted, 1);
    }

    #[test]
    fn what_goes_in_comes_out() {
        let store = store();
        let exported = export(shelves(&store), &GamesRequest::default()).unwrap();
        assert_eq!((exported.total, exported.games), (3, 3));
        let copy = Memory::default();
        assert_eq!(import(&copy, &ImportRequest::default(), &exported.pgn).unwrap().added, 3);
        assert_eq!(
            export(shelves(&copy), &GamesRequest::default()).unwrap().pgn.len(),
            exported.pgn.len()
        );
    }

    #[test]
    fn the_explorer_counts_moves_of_the_rules_in_force() {
        let store = store();
        let play = Play::start(Jungle::new(Rules::STANDARD));
        let found = Explorer::of(shelves(&store), &play, Source::Imported).unwrap();
        assert_eq!((found.games, found.moves.len()), (2, 1));
        let Tally { white, black, .. } = found.moves[0].results;
        assert_eq!((found.moves[0].san.as_str(), white, black), ("Ea4", 1, 1));
        assert_eq!(found.latest.len(), 2);
        assert_eq!(Explorer::of(shelves(&store), &play, Source::Own).unwrap().games, 0);
        let none = Explorer::of(shelves(&store), &play, Source::Book).unwrap_err();
        assert_eq!((none.kind, none.code), (Kind::Missing, "no-book"));
    }
}
