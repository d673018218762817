//! Tables: aligned text for the terminal, Markdown and CSV for files.

/// Rows of cells; the first is the heading.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    /// From this column on, cells are aligned to the right: numbers.
    numbers_from: usize,
}

impl Table {
    /// A table with these headings.
    pub fn new(headings: &[&str], numbers_from: usize) -> Self {
        let heading = headings.iter().map(|text| (*text).to_owned()).collect();
        Self { rows: vec![heading], numbers_from }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table, every line indented by two spaces.
    pub fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (before, after) = if column >= self.numbers_from {
                    (padding, "".into())
                } else {
                    ("".into(), padding)
                };
                line.push_str(&format!("  {before}{cell}{after}"));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
        let (heading, rows) = self.rows.split_first().expect("the heading is the first row");
        let alignment = |column| if column < self.numbers_from { "---" } else { "---:" };
        let rule: Vec<&str> = (0..heading.len()).map(alignment).collect();
        let rows: String = rows.iter().map(line).collect();
        format!("{}|{}|\n{rows}", line(heading), rule.join("|"))
    }

    /// The table as comma-separated values, without the emphasis of Markdown.
    pub fn csv(&self) -> String {
        let quoted = |cell: &String| {
            let cell = cell.replace("**", "");
            if cell.contains([',', '"', '\n']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell
            }
        };
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        self.rows.iter().map(line).collect()
    }
}

/// A number with three significant digits: 0.123, 1.23, 12.3, 123.
pub(crate) fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 99.95 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        v if v >= 0.9995 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A length in metres with an exponent; `0` for zero.
pub(crate) fn length(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.1e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_aligned_to_the_left_and_numbers_to_the_right() {
        let mut table = Table::new(&["link", "mm"], 1);
        table.row(vec!["händ".into(), "1.5".into()]);
        table.row(vec!["a_long_name".into(), "-10.25".into()]);
        let expected = "  link             mm\n  händ            1.5\n  a_long_name  -10.25\n";
        assert_eq!(table.text(), expected);
    }

    #[test]
    fn cells_with_commas_are_quoted_in_csv_and_emphasis_is_dropped() {
        let mut table = Table::new(&["method", "µs"], 1);
        table.row(vec!["a, b".into(), "**1.5**".into()]);
        assert_eq!(table.csv(), "method,µs\n\"a, b\",1.5\n");
        assert_eq!(table.markdown(), "| method | µs |\n|---|---:|\n| a, b | **1.5** |\n");
    }

    #[test]
    fn numbers_keep_three_digits() {
        assert_eq!([0.1234, 1.234, 12.34, 123.4].map(short), ["0.123", "1.23", "12.3", "123"]);
    }
}
