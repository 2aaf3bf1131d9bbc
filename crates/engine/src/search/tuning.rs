//! The constants of the search, in one place.

/// Margins and depths of the search's shortcuts. `docs/experiments.md` says what each of them gained.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Reverse futility: how much a ply may lose.
    pub reverse_futility: i32,
    pub reverse_futility_depth: i32,
    /// Futility: what a quiet move may gain, at once and a ply.
    pub futility_base: i32,
    pub futility: i32,
    pub futility_depth: i32,
    /// How many moves are tried at depth 0 before the rest is left out; more with the depth squared.
    pub late_base: i32,
    /// How much history is worth a ply of reduction.
    pub history_per_ply: i32,
    /// Quiescence: what a capture may gain beyond its victim.
    pub delta: i32,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            reverse_futility: 60,
            reverse_futility_depth: 7,
            futility_base: 60,
            futility: 60,
            futility_depth: 6,
            late_base: 5,
            history_per_ply: 8192,
            delta: 150,
        }
    }
}

/// How many plies less late moves are searched.
pub struct Reductions([[u8; 64]; 64]);

impl Reductions {
    /// The usual product of logarithms.
    pub fn new() -> Reductions {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                let plies = 0.4 + (depth as f64).ln() * (number as f64).ln() / 2.0;
                *cell = plies as u8;
            }
        }
        Reductions(table)
    }

    /// For the move of this number, counted from 1, at this depth.
    #[inline]
    pub fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}
