//! The state of a duel: what follows from its events, and which events may come next.

use std::collections::VecDeque;

use jungle::{ByColor, Color, Jungle, Play, Rules, parse_move};

use crate::action::{Action, Deed, Refused};
use crate::clock::Clocks;
use crate::event::{Entry, Event, Finish, Offer, Opening, Phrase, Reason};
use crate::key::{DuelId, Key, KeyHash};
use crate::terms::Millis;

/// The most plies of a duel; then it is a draw.
pub const MOST_PLIES: usize = 2_000;
/// The most events of a duel: who takes back again and again comes to an end as well.
pub const MOST_VERSIONS: u32 = 20_000;
/// How often a player may say something between two moves.
const MOST_SAID: u8 = 3;
/// How many of the latest phrases are shown.
const SHOWN_SAID: usize = 12;

/// How far a duel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Stage {
    /// Somebody is invited.
    Open,
    /// It is played.
    Playing,
    /// It is over.
    Over,
}

/// A phrase that was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spoken {
    pub by: Color,
    pub phrase: Phrase,
    pub version: u32,
}

/// A move that was made, to know it again if it is sent twice.
#[derive(Clone, Debug)]
struct Made {
    mv: String,
    /// The versions on which the board was as it was before the move.
    from: u32,
    until: u32,
}

/// A duel, as its events have made it.
#[derive(Clone, Debug)]
pub struct Duel {
    opening: Opening,
    seats: ByColor<Option<KeyHash>>,
    version: u32,
    /// The version at which the board, or who plays, changed last.
    board_version: u32,
    /// When the last event happened: time does not run backwards.
    last: Millis,
    play: Play,
    clocks: Option<Clocks>,
    offers: ByColor<Option<(Offer, u32)>>,
    /// What was offered since the last move.
    asked: ByColor<Vec<Offer>>,
    said: ByColor<u8>,
    spoken: VecDeque<Spoken>,
    made: ByColor<Option<Made>>,
    finish: Option<Finish>,
    rematch: Option<DuelId>,
}

/// A log does not hold together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log of the game is damaged at event {version}: {what}")]
pub struct Corrupt {
    /// The number of the event.
    pub version: u32,
    /// What is wrong.
    pub what: String,
}

impl Duel {
    /// A duel that begins. Rules that are not understood are those of [`Rules::STANDARD`]: see [`Duel::replay`].
    pub fn open(opening: Opening) -> Duel {
        let rules = opening.rules.parse().unwrap_or(Rules::STANDARD);
        let (host, guest) = (Some(opening.host_key), opening.guest_key);
        let seats = ByColor::from_fn(|side| if side == opening.host { host } else { guest });
        Duel {
            seats,
            version: 0,
            board_version: 0,
            last: opening.at,
            play: Play::start(Jungle::new(rules)),
            clocks: Clocks::new(opening.pace),
            offers: ByColor::default(),
            asked: ByColor::default(),
            said: ByColor::default(),
            spoken: VecDeque::new(),
            made: ByColor::default(),
            finish: None,
            rematch: None,
            opening,
        }
    }

    /// The duel that these events led to.
    ///
    /// # Errors
    ///
    /// If they do not follow from each other.
    pub fn replay(opening: Opening, entries: &[Entry]) -> Result<Duel, Corrupt> {
        if let Err(error) = opening.rules.parse::<Rules>() {
            return Err(Corrupt { version: 0, what: error.to_string() });
        }
        let mut duel = Duel::open(opening);
        for entry in entries {
            duel.apply(entry)?;
        }
        Ok(duel)
    }

    /// How it began.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// Its name.
    pub fn id(&self) -> DuelId {
        self.opening.id
    }

    /// How many events there were.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The game.
    pub fn play(&self) -> &Play {
        &self.play
    }

    /// The clocks, if there are any.
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// How it ended, if it did.
    pub fn finish(&self) -> Option<Finish> {
        self.finish
    }

    /// The duel that followed, if both wanted one.
    pub fn rematch(&self) -> Option<DuelId> {
        self.rematch
    }

    /// When the last event happened.
    pub fn last(&self) -> Millis {
        self.last
    }

    /// What a side offers.
    pub fn offer(&self, by: Color) -> Option<Offer> {
        self.offers[by].map(|(offer, _)| offer)
    }

    pub(crate) fn spoken(&self) -> impl Iterator<Item = &Spoken> {
        self.spoken.iter()
    }

    /// How far it is.
    pub fn stage(&self) -> Stage {
        match self.finish {
            Some(_) => Stage::Over,
            None if self.guest_has_joined() => Stage::Playing,
            None => Stage::Open,
        }
    }

    fn guest_has_joined(&self) -> bool {
        self.seats[!self.opening.host].is_some()
    }

    /// The seat that a key holds.
    pub fn seat_of(&self, key: &Key) -> Option<Color> {
        let hash = key.hash();
        Color::ALL.into_iter().find(|&side| self.seats[side] == Some(hash))
    }

    /// The side to move while it is played.
    pub fn turn(&self) -> Option<Color> {
        (self.stage() == Stage::Playing).then(|| self.play.position().turn())
    }

    /// The events by which the holder of a key takes the seat that an invitation is for; none if that was done before.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    pub fn join(&self, invitation: &Key, key: &Key) -> Result<Vec<Event>, Refused> {
        if !self.opening.invitation.is_some_and(|hash| hash.is_of(invitation)) {
            return Err(Refused::NoInvitation);
        }
        match self.seat_of(key) {
            Some(seat) if seat == self.opening.host => return Err(Refused::Oneself),
            Some(_) => return Ok(Vec::new()),
            None if self.guest_has_joined() => return Err(Refused::Taken),
            None => {}
        }
        match self.finish {
            Some(finish) => Err(Refused::Over(finish)),
            None => Ok(vec![Event::Joined { key: key.hash() }]),
        }
    }

    /// The end of the game if a flag has fallen by now.
    pub fn flag(&self, now: Millis) -> Option<Event> {
        let clocks = self.clocks.as_ref().filter(|_| self.stage() == Stage::Playing)?;
        let (side, deadline) = clocks.running().zip(clocks.deadline())?;
        let finish = Finish { winner: Some(!side), reason: Reason::TIME };
        (now >= deadline).then_some(Event::Ended(finish))
    }

    /// The event that says that no server was there for so long, if a clock ran meanwhile.
    pub fn pause(&self, time: Millis) -> Option<Event> {
        self.clocks.as_ref()?.running()?;
        Some(Event::Paused { time })
    }

    /// The events that an action of a side leads to; none if they have happened already, as when an answer was lost and the
    /// action is sent again.
    ///
    /// # Errors
    ///
    /// If it is not possible.
    pub fn decide(&self, by: Color, action: &Action, now: Millis) -> Result<Vec<Event>, Refused> {
        if action.version > self.version {
            return Err(Refused::Ahead(action.version));
        }
        if let Deed::Move { mv } = &action.deed
            && self.made[by].as_ref().is_some_and(|made| {
                made.mv == *mv && (made.from..=made.until).contains(&action.version)
            })
        {
            return Ok(Vec::new());
        }
        match (self.finish, &action.deed) {
            (None, _)
            | (Some(_), Deed::Say { .. } | Deed::Decline {})
            | (
                Some(_),
                Deed::Offer { offer: Offer::Rematch } | Deed::Accept { offer: Offer::Rematch },
            ) => {}
            (Some(finish), _) => return Err(Refused::Over(finish)),
        }
        if action.version < self.board_version {
            return Err(Refused::Stale);
        }
        if self.version >= MOST_VERSIONS
            && !matches!(action.deed, Deed::Move { .. } | Deed::Resign {})
        {
            return Err(Refused::Enough);
        }
        match &action.deed {
            Deed::Move { mv } => self.moved(by, mv, now),
            Deed::Offer { offer } => self.offered(by, *offer),
            Deed::Accept { offer } => match self.offers[!by] {
                Some((found, version)) if found == *offer && version <= action.version => {
                    self.accepted(by, *offer)
                }
                _ => Err(Refused::NoOffer),
            },
            Deed::Decline {} => match self.offers[!by] {
                Some((_, version)) if version <= action.version => Ok(vec![Event::Declined { by }]),
                _ => Err(Refused::NoOffer),
            },
            Deed::Resign {} => Ok(vec![Event::Ended(self.resigned(by))]),
            Deed::Say { .. } if self.said[by] >= MOST_SAID => Err(Refused::Enough),
            Deed::Say { phrase } => {
                self.needs_two()?;
                Ok(vec![Event::Said { by, phrase: *phrase }])
            }
        }
    }

    fn needs_two(&self) -> Result<(), Refused> {
        if self.guest_has_joined() { Ok(()) } else { Err(Refused::Alone) }
    }

    fn resigned(&self, by: Color) -> Finish {
        if self.play.moves().len() < 2 {
            Finish { winner: None, reason: Reason::ABORTED }
        } else {
            Finish { winner: Some(!by), reason: Reason::RESIGN }
        }
    }

    fn moved(&self, by: Color, text: &str, now: Millis) -> Result<Vec<Event>, Refused> {
        self.needs_two()?;
        if self.play.position().turn() != by {
            return Err(Refused::NotYourTurn);
        }
        if let Some(Event::Ended(finish)) = self.flag(now) {
            return Err(Refused::Over(finish));
        }
        let mv = parse_move(self.play.jungle(), self.play.position(), text)?;
        let mut play = self.play.clone();
        play.play(mv)?;
        let mut events = vec![Event::Moved { mv: mv.to_string() }];
        let is_long = play.moves().len() >= MOST_PLIES || self.version >= MOST_VERSIONS;
        let length = Finish { winner: None, reason: Reason::LENGTH };
        let finish = play.ending().map(Finish::from).or(is_long.then_some(length));
        events.extend(finish.map(Event::Ended));
        Ok(events)
    }

    fn offered(&self, by: Color, offer: Offer) -> Result<Vec<Event>, Refused> {
        self.needs_two()?;
        // Each asks for a move of their own: two who want to take back do not agree.
        if offer != Offer::Takeback && self.offer(!by) == Some(offer) {
            return self.accepted(by, offer);
        }
        match (offer, self.stage()) {
            (Offer::Rematch, Stage::Over) => {}
            (Offer::Rematch, _) => return Err(Refused::GoesOn),
            (Offer::Takeback, _) if self.plies_back(by) > self.play.moves().len() => {
                return Err(Refused::NoMove);
            }
            _ => {}
        }
        if self.asked[by].contains(&offer) || self.rematch.is_some() {
            return Err(Refused::Enough);
        }
        Ok(vec![Event::Offered { by, offer }])
    }

    /// How many plies a side's last move is back.
    fn plies_back(&self, by: Color) -> usize {
        if self.play.position().turn() == by { 2 } else { 1 }
    }

    fn accepted(&self, by: Color, offer: Offer) -> Result<Vec<Event>, Refused> {
        Ok(vec![match offer {
            Offer::Draw => Event::Ended(Finish { winner: None, reason: Reason::AGREED }),
            Offer::Takeback => Event::TakenBack { plies: self.plies_back(!by) as u8 },
            Offer::Rematch => Event::Rematched { id: self.id().rematch() },
        }])
    }

    /// The opening of the duel that follows this one, with sides exchanged.
    pub fn next(&self, at: Millis) -> Opening {
        let Opening { rules, pace, host, host_key, .. } = self.opening.clone();
        let guest_key = self.seats[!host];
        Opening {
            id: self.id().rematch(),
            rules,
            pace,
            host: !host,
            host_key,
            invitation: None,
            guest_key,
            at,
        }
    }

    /// Events as the next entries.
    pub fn number(&self, events: Vec<Event>, now: Millis) -> Vec<Entry> {
        let at = now.max(self.last);
        let entry = |(version, event)| Entry { version, at, event };
        (self.version + 1..).zip(events).map(entry).collect()
    }

    /// Lets events happen, without keeping them anywhere.
    ///
    /// # Errors
    ///
    /// If they cannot follow.
    pub fn record(&mut self, events: Vec<Event>, now: Millis) -> Result<Vec<Entry>, Corrupt> {
        let entries = self.number(events, now);
        entries.iter().try_for_each(|entry| self.apply(entry))?;
        Ok(entries)
    }

    /// Lets an event happen.
    ///
    /// # Errors
    ///
    /// If it cannot follow; then the duel is of no more use.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), Corrupt> {
        let corrupt = |what: String| Corrupt { version: entry.version, what };
        if entry.version != self.version + 1 {
            return Err(corrupt(format!("after {} comes {}", self.version, entry.version)));
        }
        let at = entry.at.max(self.last);
        let before = self.board_version;
        self.version = entry.version;
        self.last = at;
        match &entry.event {
            Event::Joined { key } => {
                if self.guest_has_joined() {
                    return Err(corrupt("the seat was taken".to_owned()));
                }
                self.seats[!self.opening.host] = Some(*key);
                self.board_version = entry.version;
            }
            Event::Moved { mv } => {
                let mover = self.play.position().turn();
                let found = parse_move(self.play.jungle(), self.play.position(), mv);
                let legal = found.map_err(|error| corrupt(error.to_string()))?;
                self.play.play(legal).map_err(|error| corrupt(error.to_string()))?;
                let made = Made { mv: mv.clone(), from: before, until: entry.version - 1 };
                self.made[mover] = Some(made);
                // A draw that the mover has offered stands until the other moves or declines.
                let draw = self.offers[mover].filter(|(offer, _)| *offer == Offer::Draw);
                self.board_changed(entry.version);
                self.offers[mover] = draw;
                self.asked = ByColor::default();
                self.said = ByColor::default();
                if let Some(clocks) = &mut self.clocks {
                    clocks.press(mover, at);
                }
            }
            Event::TakenBack { plies } => {
                for _ in 0..*plies {
                    self.play.undo().ok_or_else(|| corrupt("there is no move".to_owned()))?;
                }
                self.made = ByColor::default();
                self.board_changed(entry.version);
                let turn = self.play.position().turn();
                let turn = (!self.play.moves().is_empty()).then_some(turn);
                if let Some(clocks) = &mut self.clocks {
                    clocks.turn_to(turn, at);
                }
            }
            Event::Offered { by, offer } => {
                self.offers[*by] = Some((*offer, entry.version));
                self.asked[*by].push(*offer);
            }
            Event::Declined { by } => {
                self.offers[!*by] = None;
                if self.finish.is_some() {
                    // No move will come after which it could be asked again.
                    self.asked[!*by].clear();
                }
            }
            Event::Said { by, phrase } => {
                self.said[*by] = self.said[*by].saturating_add(1);
                self.spoken.push_back(Spoken { by: *by, phrase: *phrase, version: entry.version });
                if self.spoken.len() > SHOWN_SAID {
                    self.spoken.pop_front();
                }
            }
            Event::Paused { time } => {
                if let Some(clocks) = &mut self.clocks {
                    clocks.give_back(*time, at);
                }
            }
            Event::Ended(finish) => {
                if self.finish.is_some() {
                    return Err(corrupt("it was over".to_owned()));
                }
                self.finish = Some(*finish);
                self.board_changed(entry.version);
                self.said = ByColor::default();
                if let Some(clocks) = &mut self.clocks {
                    clocks.stop(at);
                }
            }
            Event::Rematched { id } => {
                self.rematch = Some(*id);
                self.offers = ByColor::default();
            }
        }
        Ok(())
    }

    fn board_changed(&mut self, version: u32) {
        self.board_version = version;
        self.offers = ByColor::default();
    }
}
