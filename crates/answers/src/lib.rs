//! Answers: one serialisable response type for each question a user asks, and the function that computes it.
//!
//! The command line's `--json`, the HTTP interface, its double in a browser and the Python package all give these
//! documents, so that a program written against one front end reads the others. Text for people is made from
//! them too. Nothing here opens files, starts threads or knows of a protocol: rules, games, tables and engines
//! are handed in.
//!
//! | question | answer | command line | HTTP | Python |
//! |---|---|---|---|---|
//! | legal moves | [`GameState`] | `show --json` | `/api/moves` | `Position.data` |
//! | rules | [`RuleBook`] | `rules --json` | `/api/rules` | `Rules.book` |
//! | truth | [`Probe`] | `tb probe --json` | `/api/tablebase` | `Tablebase.data` |
//! | a proof by parts | [`Proved`] | `prove --json` | | |
//! | best play | [`Line`] | `tb line --json` | `/api/tablebase/line` | `Tablebase.line` |
//! | analysis | [`Analysis`] | `analyse --json` | `/api/analyse` | `Analysis.data` |
//! | a move at a level | [`Best`] | | `/api/best` | |
//! | game review | [`Review`] | | `/api/review` | |
//! | decision tree | [`Mined`] | `mine --json` (the report) | `/api/mine` | `Tree` |
//! | games kept | [`games::GameList`] | `games list --json` | `/api/games` | |
//! | what was played | [`games::Explorer`] | `games explore --json` | `/api/explorer` | |
//! | statements | [`Statements`] | `mine --statements` | `/api/statements` | |
//! | an ending to practise | [`Drill`] | | `/api/drill` | |
//! | puzzles | [`PuzzleList`] | `puzzles list --json` (a [`PuzzleDocument`] a line) | `/api/puzzles` | |
//! | the puzzle of the day | [`PuzzleDocument`] | `puzzles solve` | `/api/puzzles/daily` | |
//! | parts | [`Split`] | `split --json` | `/api/split` | `Position.split` |
//! | effect cone | [`Cone`] | `cone --json` | `/api/cone` | `Position.cone` (arrays for heights) |
//! | complexity-driven search | [`EscapeSearch`] | `escape --json` | `/api/escape`, `/api/amazons/escape` | |
//! | Amazons: position | [`amazons::Position`] | `amazons show --json` | `/api/amazons/position` | |
//! | Amazons: analysis | [`amazons::Analysis`] | `amazons analyse --json` | `/api/amazons/analyse` | |
//! | gadgets | [`gadgets::Drawing`] | | `/api/gadgets` | |
//! | a formula's board | [`gadgets::Compiled`] | | `/api/gadgets/board` | |
//! | a game on it | [`gadgets::BoardGame`] | | `/api/gadgets/play` | |
//!
//! The result of a match is the summary of the laboratory, which `match --json` prints, `result.json` holds and
//! Python gives; it needs players, files and threads, and stays there.
//!
//! # Conventions
//!
//! - A side is `"white"` or `"black"`. A square is `"a3"`, a move `"a3b3"` (`move`, `pv`, `line`), and in the
//!   papers' form `"Eb3"` (`san`).
//! - A truth is two keys: `outcome` (`"win"`, `"draw"` or `"loss"`, for the side to move) and `plies`, which is
//!   null for every draw, finished or not, and 0 for a game that is decided.
//! - A score ([`Verdict`](game::score::Verdict)) has one key: `{"cp": 35}` (an estimate, in hundredths), `{"win": 5}`
//!   or `{"loss": 4}` (in this many plies), or `{"draw": true}` where a draw is certain.
//!   [`Chances`](engine::Chances) stand beside it.
//! - An [`Ending`](jungle::Ending) is null while the game goes on, else `{"winner", "reason", "text"}`.
//! - Times are in seconds, distances in plies; what never happens is null.

pub mod amazons;
mod analysis;
mod best;
mod check;
mod cone;
mod drill;
mod escape;
pub mod gadgets;
pub mod games;
mod mine;
mod moves;
mod notation;
mod picture;
mod primer;
mod probe;
mod prove;
mod puzzles;
pub mod record;
mod refusal;
mod request;
mod review;
mod rules;
mod split;
mod statements;

pub use self::analysis::{Analysis, AnalysisLine, SearchRequest, analyse};
pub use self::best::{Best, LEVELS, LevelRequest, level};
pub use self::check::{CheckRequest, Checked, check};
pub use self::cone::{Cone, ConeRequest, Heights, NoPiece};
pub use self::drill::{Drill, DrillGoal, DrillReply, DrillRequest};
pub use self::escape::{
    EscapeCandidate, EscapeNode, EscapeRequest, EscapeSearch, EscapeValue, EscapeWeighing,
};
pub use self::mine::{MineRequest, Mined, Traveller, WantedTree};
pub use self::moves::{GameState, LegalMove, PlayedMove};
pub use self::notation::{Notated, algebraic};
pub use self::picture::PictureRequest;
pub use self::primer::{Topic, primer};
pub use self::probe::{Line, Probe, ProbedMove, in_words};
pub use self::prove::Proved;
pub use self::puzzles::{DailyRequest, PuzzleDocument, PuzzleList, PuzzlesRequest, ThemeCount};
pub use self::refusal::{Cause, FenDetail, Kind, Refusal};
pub use self::request::{GameRequest, MOST_PLIES};
pub use self::review::{Review, ReviewRequest, review};
pub use self::rules::{Preset, RuleBook, Switch};
pub use self::split::{Edge, PartScores, Piece, Split, SplitRequest, SplitSearch};
pub use self::statements::{
    StatementCondition, StatementRow, Statements, StatementsRequest, WantedStatements,
};
