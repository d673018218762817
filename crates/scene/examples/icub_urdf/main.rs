//! Writes `urdf/*.urdf` and `urdf/*.srdf` from the numbers in `urdf/source/`:
//!
//! ```text
//! cargo run --release -p smooth_scene_scene --example icub_urdf
//! ```
//!
//! A test compares the committed files with what this program writes.

mod generate;
#[cfg(test)]
mod tests;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = smooth_scene_test_support::repository_root();
    for file in generate::all_files(root)? {
        std::fs::write(root.join(&file.path), &file.text)?;
        println!("{}: {} bytes", file.path, file.text.len());
    }
    Ok(())
}
