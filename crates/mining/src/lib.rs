//! Data mining of endgame tables: decision trees and rules without exception that explain them.
//!
//! Van Rijn & Vis (*Endgame analysis of Dou Shou Qi*, 2014) turned the two-piece tables into trees
//! that a person can read. Here the same is done on our tables, for more pieces, and measured: a
//! [`population`] is a class of a table, described by [`feature`]s; [`learn`] grows a [`tree`] from it
//! that can be [`prune`]d; [`readings`] checks the published trees against the tables.

pub mod cells;
pub mod cost;
pub mod data;
pub mod examples;
pub mod explain;
pub mod feature;
pub mod learn;
pub mod population;
pub mod prune;
pub mod readings;
pub mod show;
pub mod split;
pub mod statements;
pub mod tree;
