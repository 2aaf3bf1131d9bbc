//! Dispatch at run time: hot functions compiled twice, for any x86-64 and for those with the instructions on bits
//! that x86-64-v3 (2013) brought.
//!
//! Bitboards live on these instructions, which the baseline does not have. On other architectures there is one
//! version.

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

/// Whether this processor has what [`multiversion!`](crate::multiversion) compiles for.
#[cfg(target_arch = "x86_64")]
#[doc(hidden)]
#[inline]
pub fn has_bit_instructions() -> bool {
    static FOUND: LazyLock<bool> = LazyLock::new(|| {
        is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("avx2")
    });
    *FOUND
}

/// Defines a function that calls an `#[inline(always)]` function, compiled for this processor.
///
/// Everything that is inlined there is compiled for the processor, too; so this is for functions that do much
/// work at a call.
///
/// ```
/// #[inline(always)]
/// fn count(words: &[u64]) -> u32 {
///     words.iter().map(|word| word.count_ones()).sum()
/// }
///
/// game::multiversion! {
///     /// How many bits are set.
///     fn fast_count(words: &[u64]) -> u32 = count;
/// }
///
/// assert_eq!(fast_count(&[7, 1 << 63]), 4);
/// ```
#[macro_export]
macro_rules! multiversion {
    ($(#[$attribute:meta])* $visibility:vis fn $name:ident $(<$generic:ident: $bound:path>)? (
        $($argument:ident: $kind:ty),* $(,)?
    ) -> $answer:ty = $body:path;) => {
        $(#[$attribute])*
        $visibility fn $name $(<$generic: $bound>)? ($($argument: $kind),*) -> $answer {
            #[cfg(target_arch = "x86_64")]
            if $crate::cpu::has_bit_instructions() {
                #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2,avx2")]
                fn compiled $(<$generic: $bound>)? ($($argument: $kind),*) -> $answer {
                    $body($($argument),*)
                }
                // SAFETY: the processor has these instructions.
                return unsafe { compiled($($argument),*) };
            }
            $body($($argument),*)
        }
    };
}
