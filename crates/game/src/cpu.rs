//! Dispatch at run time: hot functions compiled twice, for any x86-64 and for those with the instructions on bits
//! that x86-64-v3 (2013) brought; the loops of networks a third time, for those with AVX-512 VNNI (2019).
//!
//! Bitboards live on the former, which the baseline does not have. On other architectures there is one
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

/// Whether it has what `multiversion!` compiles for where `wide` is asked for.
#[cfg(target_arch = "x86_64")]
#[doc(hidden)]
#[inline]
pub fn has_wide_vectors() -> bool {
    static FOUND: LazyLock<bool> = LazyLock::new(|| {
        has_bit_instructions()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni")
    });
    *FOUND
}

/// Defines a function that calls an `#[inline(always)]` function, compiled for this processor.
///
/// Everything that is inlined there is compiled for the processor, too; so this is for functions that do much
/// work at a call. Behind `wide,` it is compiled for AVX-512 with VNNI as well, for loops over vectors.
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
    (wide, $(#[$attribute:meta])* $visibility:vis fn $name:ident (
        $($argument:ident: $kind:ty),* $(,)?
    ) -> $answer:ty = $body:path;) => {
        $(#[$attribute])*
        $visibility fn $name($($argument: $kind),*) -> $answer {
            #[cfg(target_arch = "x86_64")]
            if $crate::cpu::has_wide_vectors() {
                #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2,avx2")]
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
                fn compiled($($argument: $kind),*) -> $answer {
                    $body($($argument),*)
                }
                // SAFETY: the processor has these instructions.
                return unsafe { compiled($($argument),*) };
            }
            $crate::multiversion! {
                fn narrow($($argument: $kind),*) -> $answer = $body;
            }
            narrow($($argument),*)
        }
    };
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
