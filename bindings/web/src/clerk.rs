//! The clerk: answers questions about rules alone. A page has this module at its first move, while that of the whole
//! program, several times as large, is still on its way.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::files::Files;
use crate::question::{Question, Reply, rules, unknown};

/// Answers questions about rules.
#[derive(Debug, Default)]
pub struct Desk(Arc<AtomicBool>);

impl Desk {
    /// A desk that needs neither files nor threads.
    pub fn new(_files: Arc<dyn Files>, _threads: usize) -> Desk {
        Desk::default()
    }

    /// A flag that has nothing to end.
    pub fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.0
    }

    /// Answers a request.
    pub fn ask(&mut self, question: Question<'_>, _tell: &mut dyn FnMut(&str, &str)) -> Reply {
        let answer = rules(question).unwrap_or_else(|| Err(unknown(question.path)));
        answer.unwrap_or_else(Reply::from)
    }
}
