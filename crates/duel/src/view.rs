//! Views: what somebody may see of a duel.

use jungle::Color;
use serde::Serialize;

use crate::event::{Offer, Phrase};
use crate::key::{DuelId, Key};
use crate::state::{Duel, Stage};
use crate::terms::{Millis, Pace};

/// A duel as a player or a spectator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct View {
    /// Its name, with which one can watch it.
    pub id: DuelId,
    /// How many events there were: to be sent with every action.
    pub version: u32,
    /// How far it is.
    pub stage: Stage,
    /// The side of whoever asks; null for a spectator.
    pub you: Option<Color>,
    /// The side of the host.
    pub host: Color,
    /// The rules, in their shortest form.
    pub rules: String,
    /// How much time there is.
    pub pace: Pace,
    /// The moves since the start, as coordinates.
    pub moves: Vec<String>,
    /// Who is to move; null before the game and after it.
    pub turn: Option<Color>,
    /// What Red has left now, in milliseconds; null without clocks.
    pub white_left: Option<Millis>,
    /// What Blue has left now, in milliseconds; null without clocks.
    pub black_left: Option<Millis>,
    /// Whose clock runs.
    pub running: Option<Color>,
    /// What is offered.
    pub offers: Vec<Offered>,
    /// What was said of late.
    pub said: Vec<Said>,
    /// Who won; null for a draw, or if it goes on.
    pub winner: Option<Color>,
    /// Why it is over; null if it goes on.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, example = "time"))]
    pub reason: Option<crate::event::Reason>,
    /// How it ended, in words.
    pub text: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub result: &'static str,
    /// The duel that followed it.
    pub rematch: Option<DuelId>,
    /// The key of the invitation: for the host, until somebody has joined.
    pub invitation: Option<String>,
    /// When the last event happened, in milliseconds since 1970.
    pub last: Millis,
}

/// Something that is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Offered {
    /// Who offers.
    pub by: Color,
    /// What.
    pub offer: Offer,
}

/// Something that was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Said {
    /// Who said it.
    pub by: Color,
    /// What.
    pub phrase: Phrase,
    /// The number of the event.
    pub version: u32,
}

impl View {
    /// What the holder of a seat sees; with no seat, what spectators see. The host's key shows the invitation.
    pub fn of(duel: &Duel, you: Option<Color>, key: Option<&Key>, now: Millis) -> View {
        let now = now.max(duel.last());
        let left = |side| duel.clocks().map(|clocks| clocks.left(side, now));
        let offers = Color::ALL.into_iter();
        let offers = offers.filter_map(|by| duel.offer(by).map(|offer| Offered { by, offer }));
        let finish = duel.finish();
        let host = duel.opening().host;
        let invites = duel.stage() == Stage::Open && you == Some(host);
        View {
            id: duel.id(),
            version: duel.version(),
            stage: duel.stage(),
            you,
            host,
            rules: duel.play().jungle().rules().to_string(),
            pace: duel.opening().pace,
            moves: duel.play().moves().iter().map(ToString::to_string).collect(),
            turn: duel.turn(),
            white_left: left(Color::White),
            black_left: left(Color::Black),
            running: duel.clocks().and_then(crate::Clocks::running),
            offers: offers.collect(),
            said: duel
                .spoken()
                .map(|said| Said { by: said.by, phrase: said.phrase, version: said.version })
                .collect(),
            winner: finish.and_then(|finish| finish.winner),
            reason: finish.map(|finish| finish.reason),
            text: finish.map(|finish| finish.words()),
            result: finish.map_or("*", |finish| finish.result()),
            rematch: duel.rematch(),
            invitation: key.filter(|_| invites).map(|key| key.invitation().to_string()),
            last: duel.last(),
        }
    }
}
