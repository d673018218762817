//! A report in Markdown, printed and saved with its tables and figures.

use super::failure::Failure;
use super::figures;
use super::results::Results;
use crate::command_line::print;
use crate::command_line::table::Table;

use std::path::Path;

/// Prints to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print::print(text).map_err(|error| Failure::Other(format!("standard output: {error}")))
}

/// A report under construction: Markdown, and the files it refers to.
pub(crate) struct Report<'a> {
    folder: Option<&'a Path>,
    text: String,
    /// Names and contents of its files. They are written at the end, so that an interrupted run does not overwrite the
    /// files of an earlier one.
    files: Vec<(String, Vec<u8>)>,
}

impl<'a> Report<'a> {
    pub fn new(folder: Option<&'a Path>) -> Self {
        Self { folder, text: String::new(), files: Vec::new() }
    }

    pub fn line(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push('\n');
    }

    pub fn say(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push_str("\n\n");
    }

    pub fn table(&mut self, name: &str, table: &Table) {
        self.say(&table.markdown());
        self.file(&format!("{name}.csv"), table.csv().into_bytes());
    }

    pub fn figure(&mut self, name: &str, caption: &str, svg: String) -> Result<(), Failure> {
        self.say(&format!("![{caption}](benchmarks/{name}.svg)"));
        if self.folder.is_some()
            && let Some(png) = figures::png(&svg)?
        {
            self.file(&format!("{name}.png"), png);
        }
        self.file(&format!("{name}.svg"), svg.into_bytes());
        Ok(())
    }

    fn file(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.push((name.into(), bytes));
    }

    pub fn results(&mut self, results: &Results) -> Result<(), Failure> {
        let json =
            serde_json::to_string_pretty(results).map_err(|e| Failure::Other(e.to_string()))?;
        self.file("results.json", json.into_bytes());
        Ok(())
    }

    /// Prints the report.
    pub fn print(&self) -> Result<(), Failure> {
        print(&self.whole())
    }

    fn whole(&self) -> String {
        self.text.trim_end().to_string() + "\n"
    }

    /// Prints the report, and writes it to this file of the folder, with its files in the folder `benchmarks` beside it.
    pub fn finish(&self, name: &str) -> Result<(), Failure> {
        self.print()?;
        let Some(folder) = self.folder else { return Ok(()) };
        let beside = folder.join("benchmarks");
        std::fs::create_dir_all(&beside).map_err(|e| Failure::file(&beside, e))?;
        for (name, bytes) in &self.files {
            let path = beside.join(name);
            std::fs::write(&path, bytes).map_err(|e| Failure::file(path, e))?;
        }
        let path = folder.join(name);
        std::fs::write(&path, self.whole()).map_err(|e| Failure::file(path, e))
    }
}
