//! Tables of text with aligned columns.

/// Rows of cells; the first is the heading.
#[derive(Debug)]
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
}
