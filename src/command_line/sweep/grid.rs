//! Headings and cells, as Markdown and as CSV.

/// A table of text.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    /// From this column on, cells are numbers.
    numbers_from: usize,
}

impl Grid {
    pub fn new(headings: &[&'static str], numbers_from: usize) -> Self {
        Self { headings: headings.to_vec(), rows: Vec::new(), numbers_from }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let headings: Vec<String> = self.headings.iter().map(|h| (*h).into()).collect();
        let sides =
            (0..self.headings.len()).map(|k| if k < self.numbers_from { "---" } else { "---:" });
        let mut text = line(&headings);
        text.push_str(&format!("|{}|\n", sides.collect::<Vec<_>>().join("|")));
        self.rows.iter().for_each(|row| text.push_str(&line(row)));
        text
    }

    pub fn csv(&self) -> String {
        let quoted = |cell: &str| {
            let cell = cell.replace("**", "");
            if cell.contains([',', '"', '\n']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell
            }
        };
        let mut text = self.headings.iter().map(|h| quoted(h)).collect::<Vec<_>>().join(",") + "\n";
        for row in &self.rows {
            text.push_str(&row.iter().map(|c| quoted(c)).collect::<Vec<_>>().join(","));
            text.push('\n');
        }
        text
    }
}

/// Three digits that mean something: 0.123, 1.23, 12.3, 123.
pub(crate) fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 99.95 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        v if v >= 0.9995 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A length in metres as a power of ten, `0` when there is none.
pub(crate) fn length(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.1e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_are_quoted_in_csv_and_emphasis_is_dropped() {
        let mut grid = Grid::new(&["method", "µs"], 1);
        grid.row(vec!["a, b".into(), "**1.5**".into()]);
        assert_eq!(grid.csv(), "method,µs\n\"a, b\",1.5\n");
        assert_eq!(grid.markdown(), "| method | µs |\n|---|---:|\n| a, b | **1.5** |\n");
    }

    #[test]
    fn numbers_keep_three_digits() {
        assert_eq!([0.1234, 1.234, 12.34, 123.4].map(short), ["0.123", "1.23", "12.3", "123"]);
    }
}
