//! Rules: what parses prints as text that parses to the same rules, and is the shortest such text.
#![no_main]

use jungle::{Jungle, Rules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match text.parse::<Rules>() {
    Ok(rules) => {
        let printed = rules.to_string();
        assert_eq!(printed.parse(), Ok(rules));
        assert!(printed.split(',').count() <= text.split(',').count());
        assert_eq!(Jungle::new(rules).rules(), &rules);
    }
    Err(error) => assert!(!error.to_string().is_empty()),
});
