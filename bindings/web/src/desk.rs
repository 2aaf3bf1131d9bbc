//! The desk: takes any request as the server would, and answers it at once.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use answers::record::Record;
use answers::{
    Best, ConeRequest, DailyRequest, DrillReply, DrillRequest, EscapeRequest, GameRequest,
    LevelRequest, Line, MineRequest, PictureRequest, Probe, PuzzlesRequest, Refusal, ReviewRequest,
    SearchRequest, SplitRequest, StatementsRequest, WantedTree, amazons, gadgets, record,
};
use engine::{Control, Engine, Level, Options};
use jungle::Rules;
use jungle::causality::Causality;
use mining::show::TreeReport;
use puzzles::Book;
use serde::Serialize;

use crate::conformance;
use crate::files::Files;
use crate::games::Shelf;
use crate::question::{Question, Reply, read, rules, unknown};
use crate::site::Site;

/// The size of the transposition table, in MiB: what a phone can spare.
const HASH: usize = 32;

/// Answers questions, one at a time.
pub struct Desk {
    site: Site,
    engine: Engine,
    threads: usize,
    /// Ends what is under way: see [`Desk::stop_flag`].
    stop: Arc<AtomicBool>,
    tree: Option<(WantedTree, Arc<TreeReport>)>,
    causality: Option<(Rules, Arc<Causality>)>,
    shelf: Shelf,
    /// The puzzles, read when first asked for.
    book: Option<Book>,
}

impl Desk {
    /// A desk whose engine searches on this many threads and which reads tables from these files.
    pub fn new(files: Arc<dyn Files>, threads: usize) -> Desk {
        Desk {
            shelf: Shelf::new(Arc::clone(&files)),
            site: Site::new(files),
            engine: Engine::default(),
            threads: threads.max(1),
            stop: Arc::default(),
            tree: None,
            causality: None,
            book: None,
        }
    }

    /// The flag that ends the search or the growth of a tree that is under way, from another thread.
    pub fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Answers a request. What a stream has to say is told as it comes: the name of each event and its JSON.
    pub fn ask(&mut self, question: Question<'_>, tell: &mut dyn FnMut(&str, &str)) -> Reply {
        self.stop.store(false, Relaxed);
        self.answer(question, tell).unwrap_or_else(Reply::from)
    }

    fn answer(
        &mut self,
        question: Question<'_>,
        tell: &mut dyn FnMut(&str, &str),
    ) -> Result<Reply, Refusal> {
        if let Some(answer) = rules(question) {
            return answer;
        }
        if let Some(answer) = self.shelf.answer(question, tell) {
            return answer;
        }
        let Question { query, body, .. } = question;
        Ok(match question.path {
            "/api/split" => {
                let play = read::<GameRequest>(query)?.play()?;
                let causality = self.causality(play.jungle().rules());
                Reply::json(&read::<SplitRequest>(query)?.answer(&play, causality))
            }
            "/api/cone" => {
                let play = read::<GameRequest>(query)?.play()?;
                Reply::json(&read::<ConeRequest>(query)?.answer(&play)?)
            }
            "/api/escape" => {
                let play = read::<GameRequest>(query)?.unfinished()?;
                let stop = Arc::clone(&self.stop).into();
                Reply::json(&read::<EscapeRequest>(query)?.answer(&play, stop)?)
            }
            "/api/amazons/escape" => {
                let (position, _) = read::<amazons::GameRequest>(query)?.play()?;
                let stop = Arc::clone(&self.stop).into();
                Reply::json(&read::<EscapeRequest>(query)?.answer_amazons(&position, stop)?)
            }
            "/api/pgn/import" => Reply::json(&record::import(body)?),
            "/api/pgn/export" => Reply::json(&record::export(&game(body)?)?),
            "/api/picture.svg" => Reply::svg(read::<PictureRequest>(query)?.picture()?.to_svg()),
            "/art.svg" => Reply::svg(jungle::picture::sheet()),
            "/api/analyse" => self.analyse(query, tell)?,
            "/api/best" => self.best(query)?,
            "/api/review" => self.review(query, tell)?,
            "/api/tablebase" => {
                let play = read::<GameRequest>(query)?.play()?;
                let set = self.site.set(play.jungle().rules()).all;
                Reply::json(&Probe::of(&set, play.jungle(), play.position())?)
            }
            "/api/tablebase/line" => {
                let play = read::<GameRequest>(query)?.play()?;
                let set = self.site.set(play.jungle().rules()).all;
                Reply::json(&Line::of(&set, play.jungle(), play.position())?)
            }
            "/api/mine" => self.mine(query)?,
            "/api/puzzles" => Reply::json(&read::<PuzzlesRequest>(query)?.answer(self.book()?)?),
            "/api/puzzles/daily" => {
                Reply::json(&read::<DailyRequest>(query)?.answer(self.book()?)?)
            }
            "/api/drill" => {
                let wanted: DrillRequest = read(query)?;
                let set = self.site.set(&wanted.rules()?).all;
                Reply::json(&wanted.answer(&set)?)
            }
            "/api/drill/reply" => {
                let play = read::<GameRequest>(query)?.unfinished()?;
                let set = self.site.set(play.jungle().rules()).all;
                Reply::json(&DrillReply::of(&set, &play)?)
            }
            "/api/statements" => {
                let wanted = read::<StatementsRequest>(query)?.wanted()?;
                let set = self.site.set(wanted.rules()).all;
                Reply::json(&wanted.find(&set)?)
            }
            "/api/amazons/position" => {
                let (position, played) = read::<amazons::GameRequest>(query)?.play()?;
                Reply::json(&amazons::Position::new(&position, played))
            }
            "/api/amazons/analyse" => self.amazons(query)?,
            "/api/gadgets" => Reply::json(&read::<gadgets::DrawingsRequest>(query)?.answer()?),
            "/api/gadgets/board" => Reply::json(&read::<gadgets::FormulaRequest>(query)?.answer()?),
            "/api/gadgets/play" => {
                let formula: gadgets::FormulaRequest = read(query)?;
                Reply::json(&read::<gadgets::BoardGameRequest>(query)?.answer(&formula)?)
            }
            "/conformance" => Reply::json(&conformance::run(read(query)?)),
            path => return Err(unknown(path)),
        })
    }

    /// The puzzles of the site.
    fn book(&mut self) -> Result<&Book, Refusal> {
        if self.book.is_none() {
            self.book = Some(self.site.book()?);
        }
        self.book.as_ref().ok_or_else(|| Refusal::failed("there are no puzzles"))
    }

    fn causality(&mut self, rules: &Rules) -> Arc<Causality> {
        match &self.causality {
            Some((known, causality)) if known == rules => Arc::clone(causality),
            _ => {
                let causality = Arc::new(Causality::new(rules));
                self.causality = Some((*rules, Arc::clone(&causality)));
                causality
            }
        }
    }

    /// The engine, set up and with the tables that a search may use.
    fn engine(&mut self, options: Options, rules: &Rules) -> Result<&mut Engine, Refusal> {
        // The beginners' levels play on one thread and without endgame tables.
        let is_full = options.level == Level::FULL;
        let threads = if is_full { self.threads } else { 1 };
        let options = Options { hash: HASH, threads, ..options };
        self.engine.set_options(options).map_err(Refusal::internal)?;
        let tables = is_full.then(|| self.site.set(rules).small);
        self.engine.set_tables(tables);
        Ok(&mut self.engine)
    }

    fn analyse(&mut self, query: &str, tell: &mut dyn FnMut(&str, &str)) -> Result<Reply, Refusal> {
        let play = read::<GameRequest>(query)?.unfinished()?;
        let wanted: SearchRequest = read(query)?;
        let limits = wanted.limits()?.with_stop(Arc::clone(&self.stop));
        let options = Options { lines: wanted.lines()?, ..Options::default() };
        let engine = self.engine(options, play.jungle().rules())?;
        let mut event = |analysis| tell("thought", &text(&analysis));
        let last = answers::analyse(engine, &play, limits, &Control::new(false), &mut event);
        event(last);
        Ok(Reply::events())
    }

    fn best(&mut self, query: &str) -> Result<Reply, Refusal> {
        let play = read::<GameRequest>(query)?.unfinished()?;
        let wanted: LevelRequest = read(query)?;
        let level = wanted.level()?;
        let limits = wanted.limits()?.with_stop(Arc::clone(&self.stop));
        let options = Options { level: level.1, ..Options::playing() };
        let engine = self.engine(options, play.jungle().rules())?;
        let best = Best::choose(engine, &play, level, limits, &Control::new(false))?;
        Ok(Reply::json(&best))
    }

    fn review(&mut self, query: &str, tell: &mut dyn FnMut(&str, &str)) -> Result<Reply, Refusal> {
        let whole = read::<GameRequest>(query)?.play()?;
        let (each, stop) = (read::<ReviewRequest>(query)?.limits(), Arc::clone(&self.stop));
        let limits = || each().with_stop(Arc::clone(&stop));
        let engine = self.engine(Options::default(), whole.jungle().rules())?;
        let is_done = answers::review(engine, &whole, &Control::new(false), limits, |position| {
            if stop.load(Relaxed) {
                return ControlFlow::Break(());
            }
            tell("position", &text(&position));
            ControlFlow::Continue(())
        });
        if is_done {
            tell("done", "{}");
        }
        Ok(Reply::events())
    }

    fn mine(&mut self, query: &str) -> Result<Reply, Refusal> {
        let game: GameRequest = read(query)?;
        let (wanted, traveller) = read::<MineRequest>(query)?.wanted(&game)?;
        let grown = match &self.tree {
            Some((known, grown)) if *known == wanted => Arc::clone(grown),
            _ => {
                let set = self.site.set(wanted.rules()).all;
                let grown = Arc::new(wanted.grow(&set, &self.stop)?);
                if self.stop.load(Relaxed) {
                    return Err(Refusal::busy("the tree was given up", 0));
                }
                self.tree = Some((wanted.clone(), Arc::clone(&grown)));
                grown
            }
        };
        Ok(Reply::json(&wanted.answer(&grown, &traveller)))
    }

    fn amazons(&mut self, query: &str) -> Result<Reply, Refusal> {
        let (position, _) = read::<amazons::GameRequest>(query)?.play()?;
        let mut question = read::<amazons::SearchRequest>(query)?.question(&position)?;
        question.limits = question.limits.with_stop(Arc::clone(&self.stop));
        Ok(Reply::json(&amazons::Analysis::new(&position, &question)))
    }
}

pub(crate) fn game(body: &str) -> Result<Record, Refusal> {
    serde_json::from_str(body).map_err(|error| Refusal::bad("json", error.to_string()))
}

pub(crate) fn text(body: &impl Serialize) -> String {
    serde_json::to_string(body).unwrap_or_default()
}
