//! The paper's `next_move`, with an explicit stack instead of recursion.

use game::Game;
use game::limits::Limits;
use game::score::{Evaluate, Score};

use super::arena::{Arena, MOST_CHILDREN, Pruned};
use super::settings::{Settings, Solving};
use super::spending::{Spending, Unit};
use super::tree::Grown;
use super::watch::{Asleep, Event, Judgement, Test, Watch, Weighing};
use super::{Ended, EscapeAnswer};
use crate::path::Path;
use crate::{AsListed, Order, PathRepetition};

/// A complexity-driven search. It may be used for one position after another; each grows a new tree,
/// which can be inspected until the next.
#[derive(Debug)]
pub struct Escape<'a, G: Game, E, O = AsListed> {
    game: &'a G,
    evaluate: &'a E,
    order: O,
    settings: Settings,
    history: Vec<G::Position>,
    arena: Arena<G::Move>,
}

impl<'a, G: Game, E: Evaluate<G>> Escape<'a, G, E> {
    /// A search that visits children in the game's own order.
    pub fn new(game: &'a G, evaluate: &'a E, settings: Settings) -> Self {
        let arena = Arena::new(settings.memory);
        Escape { game, evaluate, order: AsListed, settings, history: Vec::new(), arena }
    }
}

impl<'a, G: Game, E: Evaluate<G>, O: Order<G>> Escape<'a, G, E, O> {
    /// Visits children in this order.
    #[must_use]
    pub fn order<P: Order<G>>(self, order: P) -> Escape<'a, G, E, P> {
        let Escape { game, evaluate, settings, history, arena, .. } = self;
        Escape { game, evaluate, order, settings, history, arena }
    }

    /// The positions of the game so far, without the one that will be searched.
    #[must_use]
    pub fn history(self, history: &[G::Position]) -> Self {
        Escape { history: history.to_vec(), ..self }
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The tree of the last search, as far as it fitted into memory.
    pub fn tree(&self) -> Grown<'_, G::Move> {
        Grown::root(&self.arena)
    }

    /// The bytes that the tree takes, the room to copy it into included.
    pub fn bytes(&self) -> usize {
        self.arena.bytes()
    }

    /// Chooses a move within [these limits](super#limits).
    pub fn search(&mut self, position: &G::Position, limits: &Limits) -> EscapeAnswer<G::Move> {
        self.search_watched(position, limits, &mut Asleep)
    }

    /// The same, reporting what happens to `watch`.
    pub fn search_watched<W: Watch<G::Move>>(
        &mut self,
        position: &G::Position,
        limits: &Limits,
        watch: &mut W,
    ) -> EscapeAnswer<G::Move> {
        self.arena = Arena::new(self.settings.memory);
        let mut run = Run {
            path: Path::new(self.game, &self.history),
            position: position.clone(),
            search: self,
            watch,
            spending: Spending::new(limits),
            frames: Vec::new(),
            moves: Vec::new(),
            line: Vec::new(),
            second: None,
            spent: 0,
            visits: 0,
            expansions: 0,
            deepest: 0,
            prunings: 0,
            ended: None,
        };
        run.run();
        let Run { spent, visits, expansions, deepest, prunings, ended, .. } = run;
        let root = self.tree();
        let mut pv = Vec::new();
        let mut node = root;
        while let Some(best) = node.best() {
            pv.extend(best.mv());
            node = best;
        }
        if pv.is_empty() {
            // Nothing was visited: the first move in the order will have to do.
            pv.extend(self.first_move(position));
        }
        EscapeAnswer {
            best: pv.first().copied(),
            score: root.score(),
            value: self.settings.scale.unit(root.score()),
            pv,
            spent,
            visits,
            expansions,
            deepest,
            prunings,
            peak: self.arena.peak(),
            ended: ended.unwrap_or(Ended::Solved),
        }
    }

    fn first_move(&self, position: &G::Position) -> Option<G::Move> {
        let moves = self.game.moves(position);
        moves.into_iter().min_by_key(|&mv| self.order.rank(self.game, position, mv))
    }
}

/// One node of the path that is being searched.
struct Frame<U> {
    node: usize,
    /// How to take back the move that leads to it; none at the root.
    undo: Option<U>,
    /// What had been spent when the search came here.
    entered: u64,
}

/// The best of the visited children of a node that are not solved.
#[derive(Clone, Copy)]
struct Candidate {
    node: usize,
    value: Score,
}

struct Run<'s, 'a, G: Game, E, O, W> {
    search: &'s mut Escape<'a, G, E, O>,
    watch: &'s mut W,
    spending: Spending,
    position: G::Position,
    path: Path<G>,
    frames: Vec<Frame<G::Undo>>,
    moves: Vec<G::Move>,
    /// The moves of the path.
    line: Vec<G::Move>,
    /// The value of the second best child of the root, when the search left the root.
    second: Option<Score>,
    spent: u64,
    visits: u64,
    expansions: u64,
    deepest: u32,
    prunings: u64,
    ended: Option<Ended>,
}

impl<G: Game, E: Evaluate<G>, O: Order<G>, W: Watch<G::Move>> Run<'_, '_, G, E, O, W> {
    fn run(&mut self) {
        let game = self.search.game;
        if let Some(outcome) = game.outcome(&self.position) {
            let score = Score::of_outcome(game, &self.position, outcome);
            self.search.arena.nodes[0].score = score;
            self.search.arena.nodes[0].set_solved();
            return;
        }
        let estimate = self.search.evaluate.evaluate(game, &self.position);
        self.search.arena.nodes[0].score = Score::estimate(estimate);
        self.frames.push(Frame { node: 0, undo: None, entered: 0 });
        let mut arriving = true;
        // Each step belongs to a node: the search has either just reached it, or returned to it from a child.
        while let Some(frame) = self.frames.last() {
            let node = frame.node;
            let candidate = if arriving { self.arrive(node) } else { self.come_back(node) };
            arriving = match candidate {
                Some(Turn::Descend(child)) => {
                    self.descend(child);
                    true
                }
                Some(Turn::Again) => false,
                None => {
                    self.ascend();
                    false
                }
            };
        }
    }

    /// `next_move(p)` from its beginning to its loop.
    fn arrive(&mut self, p: usize) -> Option<Turn> {
        let node = self.search.arena.nodes[p];
        if !node.is_expanded() {
            // State A.
            if !self.expand(p) {
                return self.make_room();
            }
            let candidate = self.select(p);
            self.update(p);
            self.weigh();
            let confirmed = self.is_confirmed(p);
            self.go_on(candidate, confirmed)
        } else if node.next().is_some() {
            // State B.
            self.visit(p);
            self.update(p);
            self.weigh();
            if !self.is_confirmed(p) {
                return None;
            }
            let candidate = self.select(p);
            self.update(p);
            self.go_on(candidate, true)
        } else {
            // State C.
            let candidate = self.best_open(p);
            self.go_on(candidate, true)
        }
    }

    /// The loop of `next_move(p)` after its first line: a child has been searched.
    fn come_back(&mut self, p: usize) -> Option<Turn> {
        let candidate = self.select(p);
        self.update(p);
        self.weigh();
        let confirmed = self.is_confirmed(p);
        self.go_on(candidate, confirmed)
    }

    fn go_on(&self, candidate: Option<Candidate>, confirmed: bool) -> Option<Turn> {
        candidate
            .filter(|_| confirmed && self.ended.is_none())
            .map(|candidate| Turn::Descend(candidate.node))
    }

    fn descend(&mut self, child: usize) {
        let game = self.search.game;
        if self.frames.len() == 1 {
            self.second = self.second_best();
        }
        if self.search.settings.repetition == Some(PathRepetition::Draw) {
            self.path.push(game.key(&self.position), &self.position);
        }
        let mv = self.search.arena.nodes[child].mv.expect("a child has a move");
        let undo = Some(game.make(&mut self.position, mv));
        self.line.push(mv);
        self.frames.push(Frame { node: child, undo, entered: self.spent });
    }

    fn ascend(&mut self) {
        let Some(Frame { node, undo, entered }) = self.frames.pop() else { return };
        self.search.arena.nodes[node].complexity += self.spent - entered;
        if let (Some(undo), Some(mv)) = (undo, self.line.pop()) {
            self.search.game.unmake(&mut self.position, mv, undo);
            if self.search.settings.repetition == Some(PathRepetition::Draw) {
                self.path.pop();
            }
        }
    }

    /// Generates the children; `false` if there is no room for them.
    fn expand(&mut self, p: usize) -> bool {
        let Escape { game, order, arena, settings, .. } = &mut *self.search;
        self.moves.clear();
        game.push_moves(&self.position, &mut self.moves);
        self.moves.sort_by_key(|&mv| order.rank(game, &self.position, mv));
        self.moves.truncate(MOST_CHILDREN);
        if !arena.has_room(self.moves.len()) {
            return false;
        }
        arena.expand(p, &self.moves);
        self.expansions += 1;
        let cost = u64::from(settings.expand) * self.moves.len() as u64;
        self.charge(cost);
        self.tell(|run| Event::Expanded { children: run.moves.len() });
        true
    }

    /// Books the cost of the last step: its price, or the time it took. Returns what was booked.
    fn charge(&mut self, price: u64) -> u64 {
        let cost = self.spending.cost(price);
        self.spent = self.spent.saturating_add(cost);
        cost
    }

    /// What visiting one more child is expected to cost.
    fn price(&self) -> u64 {
        match self.spending.unit {
            Unit::Nodes => self.search.settings.visit.into(),
            Unit::Time => self.spent / self.visits.max(1),
        }
    }

    /// Visits the next child of `p`; `false` if nothing is left to spend.
    fn visit(&mut self, p: usize) -> bool {
        let Some(child) = self.search.arena.nodes[p].next() else { return false };
        let mut ended =
            if self.visits.is_multiple_of(1 << 8) { self.spending.ended() } else { None };
        if self.spent.saturating_add(self.price()) > self.spending.most {
            ended = ended.or(Some(Ended::Spent));
        }
        if ended.is_some() {
            self.ended = ended;
            return false;
        }
        let game = self.search.game;
        let mv = self.search.arena.nodes[child].mv.expect("a child has a move");
        let undo = game.make(&mut self.position, mv);
        let ply = self.frames.len() as u32;
        self.deepest = self.deepest.max(ply);
        let (score, mut solved) = match game.outcome(&self.position) {
            Some(outcome) => (Score::of_outcome(game, &self.position, outcome), true),
            None if self.is_repeated() => (Score::DRAW, true),
            None => {
                let value = self.search.evaluate.evaluate(game, &self.position);
                (Score::estimate(value), false)
            }
        };
        let deepest = self.search.settings.depth.into_iter().chain(self.spending.depth).min();
        solved |= deepest == Some(ply);
        game.unmake(&mut self.position, mv, undo);
        self.visits += 1;
        let complexity = self.charge(self.search.settings.visit.into());
        let nodes = &mut self.search.arena.nodes;
        nodes[p].visit();
        let node = &mut nodes[child];
        (node.score, node.open, node.complexity) = (score, score, complexity);
        if solved {
            node.set_solved();
        }
        self.tell(|_| Event::Visited { mv, score, solved });
        true
    }

    /// Whether the position on the board occurred before, in the game or on the path.
    fn is_repeated(&self) -> bool {
        self.search.settings.repetition == Some(PathRepetition::Draw) && {
            let key = self.search.game.key(&self.position);
            self.path.find(key, &self.position).is_some()
        }
    }

    /// The best of the visited children that are not solved.
    fn best_open(&self, p: usize) -> Option<Candidate> {
        let nodes = &self.search.arena.nodes;
        let mut best: Option<Candidate> = None;
        for child in nodes[p].seen().filter(|&child| !nodes[child].is_solved()) {
            let value = nodes[child].score.deeper();
            if best.is_none_or(|best| value > best.value) {
                best = Some(Candidate { node: child, value });
            }
        }
        best
    }

    /// `local_esc_child` and `next_sib`: the best visited child that is not solved, if it escapes; if
    /// not, children are visited until one does. None if all are solved, or nothing may be spent.
    fn select(&mut self, p: usize) -> Option<Candidate> {
        if self.ended.is_some() {
            return None;
        }
        let settings = &self.search.settings;
        let (solving, scale, expand) =
            (settings.solving, settings.scale, u64::from(settings.expand));
        let mut best = self.best_open(p);
        let nodes = &self.search.arena.nodes;
        let mut spent: u64 = nodes[p].seen().map(|child| nodes[child].complexity).sum();
        spent += expand * nodes[p].count() as u64;
        if nodes[p].is_solved() {
            return None;
        }
        loop {
            let node = self.search.arena.nodes[p];
            let left = (node.count() - node.visited()) as u64;
            if let Some(candidate) = best {
                // Prices of zero give no share: then children are counted.
                let total = spent + left * self.price();
                let share = match total {
                    0 => node.visited() as f64 / node.count() as f64,
                    total => spent as f64 / total as f64,
                };
                let value = scale.unit(candidate.value);
                let threshold = self.search.settings.local.at(share);
                let escaped = left == 0 || value >= threshold;
                self.tell(|run| {
                    let best = run.search.arena.nodes[candidate.node].mv.expect("it has a move");
                    let (visited, children) = (node.visited(), node.count());
                    Event::Tested(Test {
                        best,
                        value,
                        share,
                        threshold,
                        visited,
                        children,
                        escaped,
                    })
                });
                if escaped {
                    return best;
                }
            }
            let child = node.next()?;
            if !self.visit(p) {
                return best;
            }
            let visited = self.search.arena.nodes[child];
            spent += visited.complexity;
            let value = visited.score.deeper();
            if !visited.is_solved() {
                if best.is_none_or(|best| value > best.value) {
                    best = Some(Candidate { node: child, value });
                }
            } else if solving == Solving::Decided && value.is_win() {
                return None;
            }
        }
    }

    /// Updates the node's score, solved status and complexity from its visited children.
    fn update(&mut self, p: usize) {
        let solving = self.search.settings.solving;
        let nodes = &mut self.search.arena.nodes;
        let node = nodes[p];
        let (mut best, mut open) = (None, None);
        let (mut all_solved, mut wins) = (node.visited() == node.count(), false);
        for child in &nodes[node.seen()] {
            let value = child.score.deeper();
            best = best.max(Some(value));
            if child.is_solved() {
                wins |= value.is_win();
            } else {
                open = open.max(Some(value));
                all_solved = false;
            }
        }
        if let Some(best) = best {
            nodes[p].score = best;
            nodes[p].open = open.unwrap_or(best);
            if all_solved || wins && solving == Solving::Decided {
                nodes[p].set_solved();
            }
        }
        self.tell(|run| {
            let node = run.search.arena.nodes[p];
            let entered = run.frames.last().map_or(0, |frame| frame.entered);
            let complexity = node.complexity + run.spent - entered;
            Event::Updated { score: node.score, complexity, solved: node.is_solved() }
        });
    }

    /// `update g_status`: whether the root, as it was last updated, is good enough to move.
    fn weigh(&mut self) {
        if self.ended.is_some() {
            return;
        }
        let settings = &self.search.settings;
        let value = settings.scale.unit(self.search.arena.nodes[0].score);
        let share = self.spent as f64 / self.spending.left.max(1) as f64;
        let threshold = settings.global.at(share);
        let moves = value > threshold;
        let spent = self.spent;
        self.tell(|_| Event::Weighed(Weighing { value, spent, share, threshold, moves }));
        if moves {
            self.ended = Some(Ended::Escaped);
        }
    }

    /// Whether the search goes on below `p`: the paper's `refuted`, the right way round.
    fn is_confirmed(&mut self, p: usize) -> bool {
        let judgement = self.judge(p);
        self.tell(|_| Event::Judged(judgement));
        judgement == Judgement::Confirmed
    }

    fn judge(&self, p: usize) -> Judgement {
        let nodes = &self.search.arena.nodes;
        match self.ended {
            Some(Ended::Escaped) => return Judgement::TimeToMove,
            Some(_) => return Judgement::Spent,
            None if nodes[p].is_solved() => return Judgement::Solved,
            None => {}
        }
        let [.., parent, _] = &self.frames[..] else { return Judgement::Confirmed };
        // (a), for the root's player: `open` is for the player to move at p.
        let is_opponents = self.frames.len().is_multiple_of(2);
        let open = nodes[p].open;
        let for_root = if is_opponents { -open } else { open };
        if self.second.is_some_and(|second| for_root < second) {
            return Judgement::Outdone;
        }
        // (b): the smaller, the better for the player who moves at the parent.
        let siblings = &nodes[nodes[parent.node].seen()];
        let outdone = siblings.iter().any(|other| !other.is_solved() && other.open < open);
        if outdone { Judgement::OutdoneBySibling } else { Judgement::Confirmed }
    }

    /// The second best of the visited children of the root.
    fn second_best(&self) -> Option<Score> {
        let nodes = &self.search.arena.nodes;
        let (mut best, mut second) = (None, None);
        for child in &nodes[nodes[0].seen()] {
            let value = Some(-child.score);
            if value > best {
                (best, second) = (value, best);
            } else {
                second = second.max(value);
            }
        }
        second
    }

    /// Returns to the root, updating every node on the way, and frees the least promising expansions.
    fn make_room(&mut self) -> Option<Turn> {
        self.ascend();
        while let Some(node) = self.frames.last().map(|frame| frame.node) {
            self.update(node);
            if self.frames.len() == 1 {
                break;
            }
            self.ascend();
        }
        let needed = self.moves.len();
        let pruned: Pruned = self.search.arena.prune();
        self.prunings += 1;
        self.tell(|_| Event::Pruned(pruned));
        if self.frames.is_empty() || !self.search.arena.has_room(needed) {
            self.ended = Some(Ended::Full);
            return None;
        }
        Some(Turn::Again)
    }

    /// Reports an event to the observer.
    #[inline]
    fn tell(&mut self, event: impl FnOnce(&Self) -> Event<G::Move>) {
        if W::AWAKE {
            let event = event(self);
            self.watch.see(&self.line, event);
        }
    }
}

/// What comes next.
enum Turn {
    /// A child is searched.
    Descend(usize),
    /// The last node on the path has its turn again.
    Again,
}
