//! libFuzzer target: `cargo +nightly fuzz run pair`.

#![no_main]

use smooth_scene_test_support::fuzz_case::{Promises, fuzz_one};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(promise) = fuzz_one(data, Promises::All) {
        panic!("{promise}");
    }
});
