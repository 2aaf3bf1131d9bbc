//! Statements about a class: rules without exception, each with an example.

use jungle::Rules;
use mining::data::Dataset;
use mining::feature::{Feature, USUAL, choose};
use mining::population::Population;
use mining::statements::{self, Condition};
use serde::{Deserialize, Serialize};
use tablebase::class::Loader;
use tablebase::{Material, Tablebase};

use crate::refusal::{Kind, Refusal};
use crate::request::GameRequest;

/// Classes of more pieces take too long for a client that waits.
const MOST_PIECES: u32 = 3;
/// How many statements.
const MOST: usize = 6;

/// Which class.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct StatementsRequest {
    /// The class, White to move.
    #[cfg_attr(feature = "openapi", param(example = "E-L"))]
    pub class: String,
    /// The rules; `standard` if left out.
    pub rules: Option<String>,
}

/// Statements to find: two requests that want the same share them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedStatements {
    rules: Rules,
    class: Material,
}

/// Rules without exception about a class, White to move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Statements {
    /// The class.
    pub class: String,
    /// All positions of the class.
    pub positions: u64,
    /// Those that some statement is about.
    pub covered: u64,
    /// The statements, those about the most positions first.
    pub statements: Vec<StatementRow>,
}

/// A rule without exception.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StatementRow {
    /// In English.
    pub sentence: String,
    /// Who wins: `white`, `draw` or `black`.
    pub outcome: &'static str,
    /// What it takes.
    pub conditions: Vec<StatementCondition>,
    /// How many positions it is about; all were checked.
    pub positions: u64,
    /// How many of them no earlier statement is about.
    pub new: u64,
    /// One of them.
    pub example: Option<String>,
}

/// A condition on a feature.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StatementCondition {
    /// The feature, as in `gap(E,l)`.
    pub feature: String,
    /// Its value, or the lowest of its values; null if there is no lower bound.
    pub from: Option<String>,
    /// Its value, or the highest; null if there is no upper bound.
    pub to: Option<String>,
    /// Whether the value is excluded.
    pub not: bool,
}

impl StatementsRequest {
    /// What is wanted.
    ///
    /// # Errors
    ///
    /// If something is not understood, or the class has too many pieces.
    pub fn wanted(&self) -> Result<WantedStatements, Refusal> {
        let rules = GameRequest { rules: self.rules.clone(), ..GameRequest::default() }.rules()?;
        let class: Result<Material, _> = self.class.parse();
        let class = class.map_err(|error| Refusal::because(Kind::Bad, "class", error))?;
        if class.pieces() > MOST_PIECES {
            let pieces = class.pieces();
            let message = format!(
                "{class} has {pieces} pieces, and statements are looked for with up to {MOST_PIECES}"
            );
            return Err(Refusal::missing("too-many-pieces", message));
        }
        Ok(WantedStatements { rules, class })
    }
}

impl WantedStatements {
    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Finds the statements: work of a second or more.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn find(&self, tables: &Tablebase) -> Result<Statements, Refusal> {
        let features = choose(&self.class.in_order(), false, None, None, USUAL);
        let features = features.map_err(Refusal::internal)?;
        let population = Population::load(&mut Loader::new(tables), self.class)?;
        let data = Dataset::new(vec![population], features);
        let found = statements::find(&data, MOST);
        let examples = statements::examples(&data, &found.statements);
        let row = |(statement, example): (&statements::Statement, Option<jungle::Position>)| {
            StatementRow {
                sentence: statement.sentence(data.features()),
                outcome: statement.outcome_name(),
                conditions: statement
                    .conditions
                    .iter()
                    .map(|one| condition(*one, data.features()))
                    .collect(),
                positions: statement.positions,
                new: statement.new,
                example: example.map(|position| position.to_string()),
            }
        };
        Ok(Statements {
            class: self.class.to_string(),
            positions: found.positions,
            covered: found.covered,
            statements: found.statements.iter().zip(examples).map(row).collect(),
        })
    }
}

fn condition(condition: Condition, features: &[Feature]) -> StatementCondition {
    match condition {
        Condition::Not { feature, value } => {
            let value = Some(features[feature].write(value));
            let feature = features[feature].name.clone();
            StatementCondition { feature, from: value.clone(), to: value, not: true }
        }
        Condition::Within { feature, from, to } => {
            let feature = &features[feature];
            let last = (feature.scale.len() - 1) as u8;
            // A name has no neighbours.
            let whole = feature.is_nominal();
            StatementCondition {
                feature: feature.name.clone(),
                from: (whole || from > 0).then(|| feature.write(from)),
                to: (whole || to < last).then(|| feature.write(to)),
                not: false,
            }
        }
    }
}
