//! Sets of squares as the bits of a word.

/// Implements what all sets of squares, `struct Set(word)`, have in common: `|`, `&` and `^`, collecting, and
/// iteration from the lowest bit on. The set has to have `EMPTY`, `with`, `first` and `len`.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Set(u8);
///
/// impl Set {
///     const EMPTY: Set = Set(0);
///     fn with(self, square: u32) -> Set { Set(self.0 | 1 << square) }
///     fn first(self) -> Option<u32> { (self.0 != 0).then(|| self.0.trailing_zeros()) }
///     fn len(self) -> u32 { self.0.count_ones() }
/// }
///
/// game::set_of_squares!(Set, u32, Squares);
///
/// let set: Set = [1, 4, 6].into_iter().collect();
/// assert_eq!(set & Set(0b111_0000), Set(0b101_0000));
/// assert_eq!(set.into_iter().collect::<Vec<u32>>(), [1, 4, 6]);
/// ```
#[macro_export]
macro_rules! set_of_squares {
    ($set:ident, $square:ty, $squares:ident) => {
        $crate::set_of_squares!(@operator $set, BitOr bitor |, BitOrAssign bitor_assign |=);
        $crate::set_of_squares!(@operator $set, BitAnd bitand &, BitAndAssign bitand_assign &=);
        $crate::set_of_squares!(@operator $set, BitXor bitxor ^, BitXorAssign bitxor_assign ^=);

        impl ::std::iter::FromIterator<$square> for $set {
            fn from_iter<I: IntoIterator<Item = $square>>(squares: I) -> $set {
                squares.into_iter().fold($set::EMPTY, $set::with)
            }
        }

        /// The squares of a set, from the lowest bit on.
        #[derive(Clone, Debug)]
        pub struct $squares($set);

        impl Iterator for $squares {
            type Item = $square;

            #[inline]
            fn next(&mut self) -> Option<$square> {
                let square = self.0.first()?;
                self.0.0 &= self.0.0 - 1;
                Some(square)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let len = self.0.len() as usize;
                (len, Some(len))
            }
        }

        impl ExactSizeIterator for $squares {}

        impl IntoIterator for $set {
            type Item = $square;
            type IntoIter = $squares;

            #[inline]
            fn into_iter(self) -> $squares {
                $squares(self)
            }
        }
    };
    (@operator $set:ident, $new:ident $make:ident $op:tt, $assign:ident $change:ident $op_assign:tt) => {
        impl ::std::ops::$new for $set {
            type Output = $set;
            #[inline]
            fn $make(self, other: $set) -> $set {
                $set(self.0 $op other.0)
            }
        }

        impl ::std::ops::$assign for $set {
            #[inline]
            fn $change(&mut self, other: $set) {
                self.0 $op_assign other.0;
            }
        }
    };
}
