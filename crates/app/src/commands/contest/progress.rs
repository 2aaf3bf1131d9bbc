//! Progress of a contest: a bar on a terminal, elsewhere a line now and then, on standard
//! error, so that standard output has the result alone.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lab::Settings;
use lab::contest::Observer;
use lab::record::RecordedGame;
use lab::standing::Scoreboard;
use studies::number;

/// How long to wait between two lines where there is no terminal.
const QUIET: Duration = Duration::from_secs(10);

/// How long to wait between two changes of the bar.
const BLINK: Duration = Duration::from_millis(100);

pub struct Progress {
    names: Vec<String>,
    bar: Option<ProgressBar>,
    scheduled: u64,
    shown: Instant,
}

impl Progress {
    pub fn new(settings: &Settings) -> Progress {
        Progress { names: settings.names(), bar: None, scheduled: 0, shown: Instant::now() }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| anstream::eprintln!("{text}")),
            None => anstream::eprintln!("{text}"),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Progress {
    fn begin(&mut self, scheduled: u64, scoreboard: &Scoreboard) {
        self.scheduled = scheduled;
        if !scoreboard.is_empty() {
            self.line(&format!(
                "{} of {scheduled} games have been played before",
                scoreboard.len()
            ));
        }
        if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(scheduled);
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {eta} left: {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(scoreboard.len());
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(500));
            self.bar = Some(bar);
        }
    }

    fn finished(&mut self, row: &RecordedGame, scoreboard: &Scoreboard) {
        let decision = &row.played.decision;
        if decision.end.is_fault() {
            let unknown = String::new();
            let name = |at: usize| self.names.get(at).unwrap_or(&unknown);
            self.line(&format!(
                "game {}, {} - {}: {}",
                row.game + 1,
                name(row.players.white),
                name(row.players.black),
                decision.detail
            ));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(scoreboard.len());
        }
        let pause = if self.bar.is_some() { BLINK } else { QUIET };
        if self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        let text = summary(scoreboard);
        match &self.bar {
            Some(bar) => bar.set_message(text),
            None => anstream::eprintln!("{} of {} games: {text}", scoreboard.len(), self.scheduled),
        }
    }
}

/// The score in a few words.
fn summary(scoreboard: &Scoreboard) -> String {
    let standing = scoreboard.standing();
    if standing.names.len() > 2 {
        let best = standing.places().into_iter().next();
        return best.map_or_else(String::new, |place| {
            format!(
                "{} leads with {:.1} %",
                standing.names[place.player],
                100.0 * place.tally.score()
            )
        });
    }
    let tally = standing.first_pairing();
    let elo = tally.pairs.elo();
    let mut text = format!(
        "+{} ={} -{}, Elo {} ± {}",
        tally.wins,
        tally.draws,
        tally.losses,
        number(elo.value, 1),
        number(elo.error, 1)
    );
    if let Some(test) = standing.test {
        text.push_str(&format!(
            ", LLR {:.2} ({:.2}, {:.2})",
            test.llr,
            test.sprt.lower(),
            test.sprt.upper()
        ));
    }
    text
}
