//! Tables of Markdown whose columns are aligned in the source, too.

/// A table under construction.
pub(super) struct Grid {
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// Returns a table with its headings.
    pub(super) fn new<S: Into<String>>(headings: impl IntoIterator<Item = S>) -> Self {
        Self { rows: vec![headings.into_iter().map(|heading| cell(heading.into())).collect()] }
    }

    /// Appends a row. A cell without text gets a dash.
    pub(super) fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let or_dash = |cell: String| if cell.is_empty() { "–".to_owned() } else { cell };
        self.rows.push(cells.into_iter().map(|text| or_dash(cell(text.into()))).collect());
    }

    /// Returns whether there are only headings.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// Appends the table and an empty line to a document.
    pub(super) fn write(self, document: &mut String) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths = vec![3; columns];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for (number, row) in self.rows.iter().enumerate() {
            line(document, row, &widths, ' ');
            if number == 0 {
                line(document, &[], &widths, '-');
            }
        }
        document.push('\n');
    }
}

/// Escapes a text for a cell: a bar or a line break would end it, even inside of code.
fn cell(text: String) -> String {
    let text = text.replace('|', "\\|");
    if text.contains('\n') { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text }
}

fn line(document: &mut String, cells: &[String], widths: &[usize], fill: char) {
    for (column, width) in widths.iter().enumerate() {
        let cell = cells.get(column).map_or("", String::as_str);
        document.push_str(if fill == '-' { "|-" } else { "| " });
        document.push_str(cell);
        document.extend(std::iter::repeat_n(fill, width - cell.chars().count()));
        document.push(fill);
    }
    document.push_str("|\n");
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::Grid;

    #[test]
    fn no_text_ends_its_cell() {
        let mut grid = Grid::new(["`a|b`", "Why"]);
        grid.row(["1 | 2", "one\n    two"]);
        let mut document = String::new();
        grid.write(&mut document);
        expect![[r#"
            | `a\|b` | Why     |
            |--------|---------|
            | 1 \| 2 | one two |

        "#]]
        .assert_eq(&document);
    }
}
