//! Cells: the value of a position (WDL and distance to win) as one number, smaller being better for the
//! player to move.
//!
//! A win is always an odd number of plies away (the winner makes the last move) and a loss an even
//! one, so half the number is enough: a win in `2h - 1` plies is `h`, a loss in `2h` plies is
//! `LOST - h`, and a draw lies between.
//!
//! ```text
//! 1   2   3  …      126   127        128 …        253  254   255
//! win in 1, 3, 5 …        draw       … loss in 4, 2, 0       nothing known
//! ```
//!
//! The best of several moves is then the smallest cell. Sixteen-bit cells have the same shape and
//! serve classes whose longest win does not fit eight bits.

use game::truth::Truth;

/// A truth in a byte, or in two.
pub trait Cell: Copy + Ord + Send + Sync + std::fmt::Debug + 'static {
    /// Unknown: worse than any loss.
    const NONE: Self;
    /// A draw.
    const DRAW: Self;
    /// The largest half-distance that fits, for wins and losses alike.
    const MAX_HALF: u16;

    /// Won in `2 * half - 1` plies.
    fn win(half: u16) -> Self;
    /// Lost in `2 * half` plies.
    fn loss(half: u16) -> Self;
    /// The half-distance of a win.
    fn win_half(self) -> Option<u16>;
    /// The half-distance of a loss.
    fn loss_half(self) -> Option<u16>;

    /// What a move that leads here achieves, as [`Truth::one_ply_earlier`]. A loss in `2 * MAX_HALF` plies would not
    /// fit, nor does `NONE` mean anything: neither may be asked.
    fn one_ply_earlier(self) -> Self;

    /// The cell of a value; `None` if it does not fit, or is a win already won.
    fn from_value(value: Truth) -> Option<Self> {
        let half = |half: u32| u16::try_from(half).ok().filter(|&half| half <= Self::MAX_HALF);
        Some(match value {
            Truth::Win(plies) => Self::win(half(plies.div_ceil(2)).filter(|&half| half > 0)?),
            Truth::Draw => Self::DRAW,
            Truth::Loss(plies) => Self::loss(half(plies / 2)?),
        })
    }

    /// The value; an unknown cell counts as a draw, as in a finished table.
    fn value(self) -> Truth {
        if let Some(half) = self.win_half() {
            Truth::Win(2 * u32::from(half) - 1)
        } else if let Some(half) = self.loss_half() {
            Truth::Loss(2 * u32::from(half))
        } else {
            Truth::Draw
        }
    }
}

macro_rules! cell {
    ($int:ty) => {
        impl Cell for $int {
            const NONE: $int = <$int>::MAX;
            const DRAW: $int = <$int>::MAX / 2;
            const MAX_HALF: u16 = <$int>::MAX as u16 / 2 - 1;

            fn win(half: u16) -> $int {
                debug_assert!((1..=Self::MAX_HALF).contains(&half));
                half as $int
            }

            fn loss(half: u16) -> $int {
                debug_assert!(half <= Self::MAX_HALF);
                <$int>::MAX - 1 - half as $int
            }

            #[inline(always)]
            fn one_ply_earlier(self) -> $int {
                (!self).wrapping_sub((self <= Self::DRAW) as $int)
            }

            fn win_half(self) -> Option<u16> {
                (1..Self::DRAW).contains(&self).then_some(self as u16)
            }

            fn loss_half(self) -> Option<u16> {
                (Self::DRAW + 1..Self::NONE)
                    .contains(&self)
                    .then(|| (<$int>::MAX - 1 - self) as u16)
            }
        }
    };
}

cell!(u8);
cell!(u16);

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<C: Cell>() {
        let values = (0..=u32::from(C::MAX_HALF))
            .flat_map(|half| [Truth::Win(2 * half + 1), Truth::Loss(2 * half)])
            .filter(|value| *value != Truth::Win(2 * u32::from(C::MAX_HALF) + 1))
            .chain([Truth::Draw]);
        for value in values {
            let cell = C::from_value(value).unwrap();
            assert_eq!(cell.value(), value);
            if cell != C::loss(C::MAX_HALF) {
                assert_eq!(cell.one_ply_earlier().value(), value.one_ply_earlier());
            }
        }
        assert_eq!(C::from_value(Truth::Win(u32::from(C::MAX_HALF) * 2 + 1)), None);
        assert_eq!(C::from_value(Truth::Loss(u32::from(C::MAX_HALF) * 2 + 2)), None);
        assert_eq!(C::from_value(Truth::Win(0)), None);
        assert!(C::win(1) < C::win(2) && C::win(C::MAX_HALF) < C::DRAW);
        assert!(C::DRAW < C::loss(C::MAX_HALF) && C::loss(1) < C::loss(0) && C::loss(0) < C::NONE);
    }

    #[test]
    fn cells_round_trip_and_are_ordered() {
        round_trip::<u8>();
        round_trip::<u16>();
        assert_eq!(<u8 as Cell>::MAX_HALF, 126);
    }
}
