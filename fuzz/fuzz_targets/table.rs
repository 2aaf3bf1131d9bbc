//! Table payloads: whatever the bytes are, reading them neither panics nor runs away.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|payload: &[u8]| tablebase::internals::read_payload(payload));
