//! What must hold for any input, one module a fuzz target.
//!
//! Each module has a function `check`, which panics if something does not hold, and a function
//! `seeds`, inputs to start from. The programs in `targets/` only hand them to libFuzzer, so the
//! checks run in plain tests too, and no corpus is committed.
#![forbid(unsafe_code)]

pub mod condition;
pub mod item_codec;
pub mod key_codec;
pub mod key_condition;
pub mod number;
pub mod projection;
pub mod seeds;
pub mod signature;
pub mod statement;
pub mod update;
pub mod wire_request;

mod endpoint;
mod request;
mod text;
mod value;

#[cfg(test)]
mod tests;

#[cfg(feature = "libfuzzer")]
#[doc(hidden)]
pub use libfuzzer_sys;

/// The program of a target: `target!(number);` in a file of its own.
#[cfg(feature = "libfuzzer")]
#[macro_export]
macro_rules! target {
    ($target:ident) => {
        $crate::libfuzzer_sys::fuzz_target!(
            init: $crate::seeds::write_if_asked($crate::$target::seeds),
            |bytes: &[u8]| $crate::$target::check(bytes)
        );
    };
}
