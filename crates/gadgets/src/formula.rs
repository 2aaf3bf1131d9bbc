//! Positive CNF formulas, and the game G_pos(POS CNF) played on them.
//!
//! Two ways to write one. Like DIMACS: `p cnf VARIABLES CLAUSES`, then clauses of positive numbers,
//! each ended by `0`; lines that begin with `c` are comments. Or as in an article: `(x | y) & (x |
//! z | w)`, where `∨`, `∧`, `or` and `and` serve as well.
//!
//! In the game, which Schaefer proved PSPACE-complete, the players choose variables in turn, White first; what
//! White chose is true. He wins if the formula is.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use jungle::Color;

/// The game is solved by looking at every way to share out the variables: 3 to this power.
pub const MAX_VARIABLES: usize = 14;

/// Formulas with more clauses are refused.
pub const MAX_CLAUSES: usize = 256;

/// A positive formula in conjunctive normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    names: Vec<String>,
    clauses: Vec<Vec<usize>>,
}

/// Why a text is not a formula, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct FormulaError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong there, and what would be right.
    #[source]
    pub fault: FormulaFault,
}

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormulaFault {
    /// The text ends, or something else stands, where this was expected.
    #[error("expected {0}")]
    Expected(&'static str),
    /// Something else stands where this was expected.
    #[error("expected {expected} and not '{found}'")]
    Unexpected {
        /// What was expected.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A word that is not what DIMACS expects in its place.
    #[error("'{found}' is not {expected}")]
    Not {
        /// The word.
        found: String,
        /// What it should have been.
        expected: &'static str,
    },
    /// A variable is negated.
    #[error("'{0}' is negated: the formula must be positive")]
    Negated(String),
    /// A clause without variables.
    #[error("an empty clause is false: name a variable before 0")]
    EmptyClause,
    /// A variable that the header does not have.
    #[error("variable {variable} is beyond the {variables} of the header")]
    Beyond {
        /// The variable.
        variable: i64,
        /// How many there are.
        variables: usize,
    },
    /// The last clause does not end.
    #[error("the last clause does not end with 0")]
    OpenClause,
    /// The header gives another number of clauses.
    #[error("the header promises {promised} clauses, but there are {found}")]
    ClauseCount {
        /// What the header says.
        promised: usize,
        /// How many there are.
        found: usize,
    },
    /// There are no variables, or too many.
    #[error("{0} variables: expected 1 to {MAX_VARIABLES}, whose game can be solved")]
    Variables(usize),
    /// There are too many clauses.
    #[error("a formula has at most {MAX_CLAUSES} clauses")]
    TooManyClauses,
}

impl Formula {
    /// A formula over variables named `x1`, `x2` and so on, from clauses of variable numbers.
    pub fn new(variables: usize, clauses: Vec<Vec<usize>>) -> Formula {
        let names = (1..=variables).map(|number| format!("x{number}")).collect();
        let mut formula = Formula { names, clauses };
        formula.tidy();
        formula
    }

    /// The names of the variables.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The clauses, as numbers of variables in rising order.
    pub fn clauses(&self) -> &[Vec<usize>] {
        &self.clauses
    }

    /// Whether the formula is true when exactly these variables are; a bit each.
    pub fn holds(&self, set: u32) -> bool {
        self.clauses.iter().all(|clause| clause.iter().any(|&variable| set >> variable & 1 == 1))
    }

    /// The game on this formula, solved as far as needed.
    pub fn game(&self) -> FormulaGame<'_> {
        FormulaGame { formula: self, known: HashMap::new() }
    }

    fn tidy(&mut self) {
        for clause in &mut self.clauses {
            clause.sort_unstable();
            clause.dedup();
        }
    }
}

/// The game on a formula.
pub struct FormulaGame<'a> {
    formula: &'a Formula,
    known: HashMap<(u32, u32, Color), bool>,
}

impl FormulaGame<'_> {
    /// Whether White wins when these variables are chosen and this side is to choose.
    pub fn white_wins(&mut self, white: u32, black: u32, turn: Color) -> bool {
        let all = (1_u32 << self.formula.names.len()) - 1;
        let free = all & !white & !black;
        if free == 0 {
            return self.formula.holds(white);
        }
        if let Some(&known) = self.known.get(&(white, black, turn)) {
            return known;
        }
        let variables = (0..self.formula.names.len()).filter(|&variable| free >> variable & 1 == 1);
        let variables: Vec<usize> = variables.collect();
        let wins = match turn {
            Color::White => {
                variables.iter().any(|&v| self.white_wins(white | 1 << v, black, Color::Black))
            }
            Color::Black => {
                variables.iter().all(|&v| self.white_wins(white, black | 1 << v, Color::White))
            }
        };
        self.known.insert((white, black, turn), wins);
        wins
    }

    /// A variable for the side to choose: one that wins if there is one, else the first that is
    /// free; `None` when all are chosen.
    pub fn choose(&mut self, white: u32, black: u32, turn: Color) -> Option<usize> {
        let free = |variable: &usize| (white | black) >> variable & 1 == 0;
        let variables: Vec<usize> = (0..self.formula.names.len()).filter(free).collect();
        let good = variables.iter().copied().find(|&v| match turn {
            Color::White => self.white_wins(white | 1 << v, black, Color::Black),
            Color::Black => !self.white_wins(white, black | 1 << v, Color::White),
        });
        good.or_else(|| variables.first().copied())
    }
}

/// A word or sign of a formula and where it stands.
struct Token {
    text: String,
    line: usize,
    column: usize,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let mut in_word = false;
        for (column, sign) in content.chars().enumerate() {
            let wordly = sign.is_alphanumeric() || sign == '_' || sign == '-';
            match tokens.last_mut() {
                Some(token) if in_word && wordly => token.text.push(sign),
                _ if sign.is_whitespace() => {}
                _ => tokens.push(Token { text: sign.into(), line: line + 1, column: column + 1 }),
            }
            in_word = wordly;
        }
    }
    tokens
}

impl FromStr for Formula {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Formula, FormulaError> {
        let first = text.lines().map(str::trim_start).find(|line| !line.is_empty());
        let dimacs = first.is_some_and(|line| {
            let word = line.split_whitespace().next();
            word == Some("p") && line.contains("cnf") || word == Some("c")
        });
        let mut formula = if dimacs { read_dimacs(text)? } else { read_infix(text)? };
        formula.tidy();
        let error = |fault| FormulaError { line: 1, column: 1, fault };
        if formula.names.len() > MAX_VARIABLES {
            return Err(error(FormulaFault::Variables(formula.names.len())));
        }
        if formula.clauses.len() > MAX_CLAUSES {
            return Err(error(FormulaFault::TooManyClauses));
        }
        Ok(formula)
    }
}

/// How DIMACS begins.
const HEADER: &str = "a header 'p cnf VARIABLES CLAUSES'";

fn read_dimacs(text: &str) -> Result<Formula, FormulaError> {
    // Comments become empty lines, so that the others keep their numbers.
    let remark = |line: &&str| line.split_whitespace().next() == Some("c");
    let kept: Vec<&str> = text.lines().map(|line| if remark(&line) { "" } else { line }).collect();
    let tokens = tokens(&kept.join("\n"));
    let error =
        |token: &Token, fault| FormulaError { line: token.line, column: token.column, fault };
    let end = |fault| FormulaError { line: kept.len().max(1), column: 1, fault };
    let word = |nth: usize, what| tokens.get(nth).ok_or_else(|| end(FormulaFault::Expected(what)));
    for (nth, text) in ["p", "cnf"].into_iter().enumerate() {
        let token = word(nth, HEADER)?;
        if token.text != text {
            return Err(error(token, FormulaFault::Expected(HEADER)));
        }
    }
    let number = |nth: usize, what| -> Result<usize, FormulaError> {
        let token = word(nth, what)?;
        let found = || token.text.clone();
        token
            .text
            .parse()
            .map_err(|_| error(token, FormulaFault::Not { found: found(), expected: what }))
    };
    let variables = number(2, "the number of variables")?;
    let promised = number(3, "the number of clauses")?;
    if variables == 0 || variables > MAX_VARIABLES {
        return Err(error(&tokens[2], FormulaFault::Variables(variables)));
    }
    let mut clauses = Vec::new();
    let mut clause: Vec<usize> = Vec::new();
    for token in &tokens[4..] {
        match token.text.parse::<i64>() {
            Ok(0) if clause.is_empty() => return Err(error(token, FormulaFault::EmptyClause)),
            Ok(0) => clauses.push(std::mem::take(&mut clause)),
            Ok(negative) if negative < 0 => {
                return Err(error(token, FormulaFault::Negated(token.text.clone())));
            }
            Ok(variable) if variable as usize <= variables => clause.push(variable as usize - 1),
            Ok(variable) => {
                return Err(error(token, FormulaFault::Beyond { variable, variables }));
            }
            Err(_) => {
                let (found, expected) = (token.text.clone(), "the number of a variable");
                return Err(error(token, FormulaFault::Not { found, expected }));
            }
        }
    }
    if !clause.is_empty() {
        return Err(end(FormulaFault::OpenClause));
    }
    if clauses.len() != promised || clauses.is_empty() {
        let found = clauses.len();
        return Err(error(&tokens[3], FormulaFault::ClauseCount { promised, found }));
    }
    let names = (1..=variables).map(|number| format!("x{number}")).collect();
    Ok(Formula { names, clauses })
}

fn read_infix(text: &str) -> Result<Formula, FormulaError> {
    let tokens = tokens(text);
    let mut formula = Formula { names: Vec::new(), clauses: Vec::new() };
    let last = text.lines().count().max(1);
    let width = text.lines().last().map_or(0, |line| line.chars().count());
    let ended =
        |what| FormulaError { line: last, column: width + 1, fault: FormulaFault::Expected(what) };
    let mut rest = tokens.iter().peekable();
    let is_or = |text: &str| matches!(text, "|" | "∨" | "+" | "or");
    let is_and = |text: &str| matches!(text, "&" | "∧" | "*" | "and");
    // The first | outside parentheses: right in a formula of one clause, unclear in a longer one.
    let mut bare: Option<&Token> = None;
    loop {
        let Some(token) = rest.next() else {
            return Err(ended("a clause, as in (x | y)"));
        };
        let error = |token: &Token, fault| {
            Err(FormulaError { line: token.line, column: token.column, fault })
        };
        let open = token.text == "(";
        let mut clause = Vec::new();
        let mut name = if open { rest.next() } else { Some(token) };
        loop {
            let Some(token) = name else { return Err(ended("a variable")) };
            if matches!(token.text.as_str(), "!" | "~" | "¬" | "-" | "not")
                || token.text.starts_with('-')
            {
                return error(token, FormulaFault::Negated(token.text.clone()));
            }
            let wordly = token.text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
            if !wordly || is_or(&token.text) || is_and(&token.text) {
                let (found, expected) = (token.text.clone(), "a variable");
                return error(token, FormulaFault::Not { found, expected });
            }
            let known = formula.names.iter().position(|known| *known == token.text);
            clause.push(known.unwrap_or_else(|| {
                formula.names.push(token.text.clone());
                formula.names.len() - 1
            }));
            match rest.peek() {
                Some(token) if is_or(&token.text) => {
                    if !open {
                        bare.get_or_insert(token);
                    }
                    rest.next();
                    name = rest.next();
                }
                _ => break,
            }
        }
        if open {
            match rest.next() {
                Some(token) if token.text == ")" => {}
                Some(token) => {
                    let (found, expected) = (token.text.clone(), "| or )");
                    return error(token, FormulaFault::Unexpected { expected, found });
                }
                None => return Err(ended(")")),
            }
        }
        formula.clauses.push(clause);
        if let Some(token) = bare.filter(|_| {
            formula.clauses.len() > 1 || rest.peek().is_some_and(|token| is_and(&token.text))
        }) {
            let (found, expected) =
                (token.text.clone(), "parentheses around a clause, as in (x | y) & z");
            return error(token, FormulaFault::Unexpected { expected, found });
        }
        match rest.next() {
            None => return Ok(formula),
            Some(token) if is_and(&token.text) => {}
            Some(token) => {
                let (found, expected) = (token.text.clone(), "&");
                return error(token, FormulaFault::Unexpected { expected, found });
            }
        }
    }
}

/// As in `(x ∨ y) ∧ (x ∨ z ∨ w)`.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, clause) in self.clauses.iter().enumerate() {
            let names: Vec<&str> =
                clause.iter().map(|&variable| self.names[variable].as_str()).collect();
            write!(f, "{}({})", if nth == 0 { "" } else { " ∧ " }, names.join(" ∨ "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing_agree() {
        let infix: Formula = "(x ∨ y) ∧ (x or z | w)".parse().unwrap();
        let dimacs: Formula = "c the same\np cnf 4 2\n1 2 0\n3 1\n4 0\n".parse().unwrap();
        assert_eq!(infix.clauses(), dimacs.clauses());
        assert_eq!(infix.to_string(), "(x ∨ y) ∧ (x ∨ z ∨ w)");
        assert_eq!(infix.to_string().parse(), Ok(infix));
        assert_eq!("x | y".parse::<Formula>(), "(x | y)".parse());
    }

    #[test]
    fn errors_name_line_and_column() {
        let fault = |text: &str| {
            let error = text.parse::<Formula>().unwrap_err();
            (error.line, error.column)
        };
        assert_eq!(fault(""), (1, 1));
        assert_eq!(fault("(x | y"), (1, 7));
        assert_eq!(fault("(x | !y)"), (1, 6));
        assert_eq!(fault("(x | y) (z)"), (1, 9));
        assert_eq!(fault("(x\n| )"), (2, 3));
        assert_eq!(fault("(x & y)"), (1, 4));
        assert_eq!(fault("x |"), (1, 4));
        assert_eq!(fault("x | y & z"), (1, 3));
        assert_eq!(fault("x & y | z"), (1, 7));
        assert_eq!(fault("p cnf 2\n"), (1, 1));
        assert_eq!(fault("p cnf 2 1\n1 -2 0\n"), (2, 3));
        assert_eq!(fault("p cnf 2 1\n1 3 0\n"), (2, 3));
        assert_eq!(fault("p cnf 2 1\n0\n"), (2, 1));
        assert_eq!(fault("p cnf 2 1\n1 2\n"), (2, 1));
        assert_eq!(fault("p cnf 2 2\n1 2 0\n"), (1, 9));
        assert_eq!(fault("p cnf 99 1\n1 0\n"), (1, 7));
        assert_eq!(fault("c x\np dnf 1 1\n"), (2, 3));
    }

    #[test]
    fn small_games() {
        let wins = |text: &str| {
            let formula: Formula = text.parse().unwrap();
            formula.game().white_wins(0, 0, Color::White)
        };
        assert!(wins("x"));
        assert!(!wins("x & y"));
        assert!(wins("(x | y) & (x | z | w)"));
    }
}
