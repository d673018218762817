//! Markdown on the screen and in a folder, with the files it shows beside it.

use crate::failure::Failure;
use crate::figures;
use crate::grid::Grid;
use crate::results::Results;
use std::path::Path;

/// A report that is being written: Markdown with the tables, and files beside it.
pub(crate) struct Report<'a> {
    folder: Option<&'a Path>,
    text: String,
}

impl<'a> Report<'a> {
    pub fn new(folder: Option<&'a Path>) -> Self {
        Self { folder, text: String::new() }
    }

    pub fn line(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push('\n');
    }

    pub fn say(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push_str("\n\n");
    }

    pub fn table(&mut self, name: &str, grid: &Grid) -> Result<(), Failure> {
        self.say(&grid.markdown());
        self.file(&format!("{name}.csv"), grid.csv().as_bytes())
    }

    pub fn figure(&mut self, name: &str, words: &str, svg: &str) -> Result<(), Failure> {
        self.say(&format!("![{words}](benchmarks/{name}.svg)"));
        self.file(&format!("{name}.svg"), svg.as_bytes())?;
        figures::png(svg).map_or(Ok(()), |png| self.file(&format!("{name}.png"), &png))
    }

    /// Writes a file beside the report, if there is a folder for it.
    pub fn file(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let Some(folder) = self.folder else { return Ok(()) };
        let folder = folder.join("benchmarks");
        std::fs::create_dir_all(&folder).map_err(|e| Failure::file(&folder, e))?;
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|e| Failure::file(path, e))
    }

    pub fn results(&self, results: &Results) -> Result<(), Failure> {
        let json =
            serde_json::to_string_pretty(results).map_err(|e| Failure::Other(e.to_string()))?;
        self.file("results.json", json.as_bytes())
    }

    /// Prints the report, and writes it to this file of the folder.
    pub fn finish(&self, name: &str) -> Result<(), Failure> {
        println!("{}", self.text.trim_end());
        let Some(folder) = self.folder else { return Ok(()) };
        std::fs::create_dir_all(folder).map_err(|e| Failure::file(folder, e))?;
        let path = folder.join(name);
        let text = self.text.trim_end().to_string() + "\n";
        std::fs::write(&path, text).map_err(|e| Failure::file(path, e))
    }
}
