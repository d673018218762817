//! Writes `urdf/*.urdf` and `urdf/*.srdf` from the numbers in `urdf/source/`:
//!
//! ```text
//! cargo run --release --example icub_urdf
//! ```
//!
//! A test compares the committed files with what this program writes.

mod generate;

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in generate::all_files(root)? {
        std::fs::write(root.join(&file.path), &file.text)?;
        println!("{}: {} bytes", file.path, file.text.len());
    }
    Ok(())
}
