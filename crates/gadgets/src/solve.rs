//! Reachability solver: lists the states of a local game, follows the goal backwards, reads off play.

use jungle::Color;

use crate::local::{Goal, Local, LocalMove, State, StateMap};

/// The rank of states from which the goal cannot be forced.
const HELD: u32 = u32::MAX;

/// The local game has more states than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the local game has more than {0} states")]
pub struct TooManyStates(pub usize);

/// A solved local game: who wins from every reachable state, and how soon.
pub struct Solution {
    chaser: Color,
    states: Vec<State>,
    index: StateMap<u32>,
    /// Where each state's successors begin in `next`.
    first: Vec<u32>,
    next: Vec<u32>,
    /// In how many plies the goal is reached at the latest.
    rank: Vec<u32>,
}

/// Lists all states that can be reached from `starts` and follows the goal backwards. States where
/// `lost` holds end the game without the goal.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn solve(
    local: &Local,
    starts: &[State],
    chaser: Color,
    goal: &Goal,
    lost: Option<&Goal>,
    limit: usize,
) -> Result<Solution, TooManyStates> {
    let mut solution = Solution {
        chaser,
        states: Vec::new(),
        index: StateMap::default(),
        first: vec![0],
        next: Vec::new(),
        rank: Vec::new(),
    };
    for &start in starts {
        solution.number(start);
    }
    let mut found = 0;
    while found < solution.states.len() {
        if solution.states.len() > limit {
            return Err(TooManyStates(limit));
        }
        let state = solution.states[found];
        let won = local.reached(state, goal);
        if !won && !lost.is_some_and(|lost| local.reached(state, lost)) {
            local.for_each_move(state, |_, next| {
                let number = solution.number(next);
                solution.next.push(number);
            });
        }
        solution.rank.push(if won { 0 } else { HELD });
        solution.first.push(solution.next.len() as u32);
        found += 1;
    }
    solution.follow_back();
    Ok(solution)
}

impl Solution {
    fn number(&mut self, state: State) -> u32 {
        *self.index.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.states.len() as u32 - 1
        })
    }

    fn successors(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.next[self.first[number] as usize..self.first[number + 1] as usize]
    }

    /// The predecessors of every state, in the same shape as the successors.
    fn predecessors(&self) -> (Vec<u32>, Vec<u32>) {
        let mut first = vec![0_u32; self.states.len() + 1];
        for &next in &self.next {
            first[next as usize + 1] += 1;
        }
        for number in 0..self.states.len() {
            first[number + 1] += first[number];
        }
        let mut cursor = first.clone();
        let mut previous = vec![0; self.next.len()];
        for number in 0..self.states.len() as u32 {
            for &next in self.successors(number) {
                previous[cursor[next as usize] as usize] = number;
                cursor[next as usize] += 1;
            }
        }
        (first, previous)
    }

    fn follow_back(&mut self) {
        let (first, previous) = self.predecessors();
        let mut open: Vec<u32> = (0..self.states.len() as u32)
            .map(|number| self.successors(number).len() as u32)
            .collect();
        let mut queue: Vec<u32> = (0..self.states.len() as u32)
            .filter(|&number| self.rank[number as usize] == 0)
            .collect();
        let mut head = 0;
        while head < queue.len() {
            let number = queue[head] as usize;
            head += 1;
            let plies = self.rank[number] + 1;
            for &before in &previous[first[number] as usize..first[number + 1] as usize] {
                let before = before as usize;
                if self.rank[before] != HELD {
                    continue;
                }
                open[before] -= 1;
                if self.states[before].mover() == self.chaser || open[before] == 0 {
                    self.rank[before] = plies;
                    queue.push(before as u32);
                }
            }
        }
    }

    /// How many states were visited.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Never: there is always the starting state.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// In how many plies the chaser forces the goal from a state; `None` if the other side holds, or
    /// the state was not visited.
    pub fn plies(&self, state: State) -> Option<u32> {
        let number = *self.index.get(&state)? as usize;
        Some(self.rank[number]).filter(|&rank| rank != HELD)
    }

    /// Whether the state was visited.
    pub fn knows(&self, state: State) -> bool {
        self.index.contains_key(&state)
    }

    /// A good move for the side to move: the fastest towards the goal for the chaser, for the
    /// other side one that holds (elsewhere if that holds), or delays longest. `None` at the end.
    pub fn best(&self, local: &Local, state: State) -> Option<(LocalMove, State)> {
        let chasing = local.turn(state) == self.chaser;
        let mut best: Option<(u32, LocalMove, State)> = None;
        local.for_each_move(state, |mv, next| {
            let Some(&number) = self.index.get(&next) else { return };
            let rank = self.rank[number as usize];
            let better = best.is_none_or(|(old, ..)| if chasing { rank < old } else { rank > old });
            if better {
                best = Some((rank, mv, next));
            }
        });
        best.map(|(_, mv, next)| (mv, next))
    }

    /// The line of best play from a state to the goal.
    pub fn line(&self, local: &Local, mut state: State) -> Vec<(State, LocalMove)> {
        let mut line = Vec::new();
        while self.plies(state).is_some_and(|plies| plies > 0) {
            let Some((mv, next)) = self.best(local, state) else { break };
            line.push((state, mv));
            state = next;
        }
        line
    }

    /// In how many plies at the latest the chaser forces the goal although he waits for as long as
    /// the other side likes, answering nothing but what he can answer by taking a piece (which
    /// happens only so often). `None` if he cannot afford to wait.
    ///
    /// The states in which waiting is possible are the largest set of won ones in which he can pass,
    /// or take, and be back in the set whatever the other side does.
    pub fn patience(&self, local: &Local, start: State) -> Option<u32> {
        let start = if start.mover() == self.chaser { start } else { start.passed() };
        let patient = self.patient(local);
        let first = *self.index.get(&start)?;
        if !patient[first as usize] {
            return None;
        }
        // The worst that can happen while waiting.
        let mut seen = vec![false; self.states.len()];
        let mut queue = vec![first];
        let mut worst = 0;
        while let Some(number) = queue.pop() {
            if std::mem::replace(&mut seen[number as usize], true) {
                continue;
            }
            worst = worst.max(self.rank[number as usize]);
            if self.states[number as usize].mover() == self.chaser {
                queue.extend(self.waiting_move(local, &patient, number));
            } else {
                queue.extend(self.successors(number));
            }
        }
        Some(worst)
    }

    /// The chaser's move while waiting: a pass if it is safe, else the capture that he must
    /// make. `None` if he cannot wait in this state.
    pub fn wait(&self, local: &Local, state: State) -> Option<State> {
        let number = *self.index.get(&state)?;
        let patient = self.patient(local);
        self.waiting_move(local, &patient, number).map(|next| self.states[next as usize])
    }

    /// The states in which the chaser can wait, with all the other side's states that were won.
    fn patient(&self, local: &Local) -> Vec<bool> {
        let mut patient: Vec<bool> = self.rank.iter().map(|&rank| rank != HELD).collect();
        loop {
            let mut changed = false;
            for number in 0..self.states.len() {
                let leaves = patient[number]
                    && self.rank[number] != 0
                    && self.states[number].mover() == self.chaser
                    && self.waiting_move(local, &patient, number as u32).is_none();
                if leaves {
                    patient[number] = false;
                    changed = true;
                }
            }
            if !changed {
                return patient;
            }
        }
    }

    /// A pass, or else a capture, after which all answers lead to patient states.
    fn waiting_move(&self, local: &Local, patient: &[bool], number: u32) -> Option<u32> {
        let pieces = |number: u32| local.count(self.states[number as usize], !self.chaser);
        let answered = |next: u32| {
            self.rank[next as usize] == 0
                || (!self.successors(next).is_empty()
                    && self.successors(next).iter().all(|&after| patient[after as usize]))
        };
        let before = pieces(number);
        let mut moves = self.successors(number).iter().copied().enumerate();
        let safe = moves.find(|&(nth, next)| (nth == 0 || pieces(next) < before) && answered(next));
        safe.map(|(_, next)| next)
    }

    /// Whether the holder can hold and still play elsewhere again and again, although the chaser
    /// never does: then no chaser can keep him busy for ever.
    ///
    /// This is a Büchi game on the states that hold. States from which a free move can be forced are
    /// gathered, then again with only those allowed after the free move, until nothing changes.
    pub fn leaves_time(&self, start: State) -> bool {
        let holds = |number: usize| self.rank[number] == HELD;
        let mut allowed: Vec<bool> = (0..self.states.len()).map(holds).collect();
        loop {
            let mut forced = vec![false; self.states.len()];
            // Small games: sweep until nothing changes.
            loop {
                let mut changed = false;
                for number in 0..self.states.len() {
                    if forced[number] || !allowed[number] {
                        continue;
                    }
                    // The pass is the first of the successors.
                    let successors = self.successors(number as u32);
                    let now = match successors.split_first() {
                        None => true,
                        Some((&pass, moves)) => {
                            let mut reached = moves.iter().map(|&next| forced[next as usize]);
                            if self.states[number].mover() == self.chaser {
                                reached.all(|reached| reached)
                            } else {
                                allowed[pass as usize] || reached.any(|reached| reached)
                            }
                        }
                    };
                    if now {
                        forced[number] = true;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            if forced == allowed {
                break;
            }
            allowed = forced;
        }
        self.index.get(&start).is_some_and(|&number| allowed[number as usize])
    }
}
