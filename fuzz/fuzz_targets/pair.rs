//! libFuzzer target: `cargo +nightly fuzz run pair`.

#![no_main]

#[path = "../pair_case.rs"]
mod pair_case;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(promise) = pair_case::fuzz_one(data, pair_case::Promises::All) {
        panic!("{promise}");
    }
});
