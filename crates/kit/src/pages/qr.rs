//! QR codes, drawn as SVG.

use askama::Template;
use qrcode::{Color, EcLevel};

use crate::problem::Problem;

/// The empty margin that readers need, in modules.
const MARGIN: usize = 4;

/// A QR code. In a template: `{{ code|safe }}`.
///
/// ```ignore
/// let code = QrCode::of(&call.url(&format!("/join/{code}")), "Join the game")?;
/// ```
#[derive(Clone, Debug, Template)]
#[template(path = "qr.html")]
pub struct QrCode {
    label: String,
    /// Modules in each direction, with the margin.
    size: usize,
    /// The dark modules.
    path: String,
}

impl QrCode {
    /// Draws a text. The label is for people who can't see the code.
    ///
    /// # Errors
    /// Returns 500 if the text is too long for a QR code (2,331 bytes).
    pub fn of(text: &str, label: impl Into<String>) -> Result<Self, Problem> {
        let code = qrcode::QrCode::with_error_correction_level(text, EcLevel::M)
            .map_err(|error| Problem::internal(format!("QR code: {error}")))?;
        let width = code.width();
        let mut path = String::new();
        for (y, row) in code.to_colors().chunks(width).enumerate() {
            // One rectangle for each run of dark modules.
            let mut x = 0;
            for run in row.chunk_by(|one, next| one == next) {
                if run[0] == Color::Dark {
                    let length = run.len();
                    path += &format!("M{} {}h{length}v1h-{length}z", x + MARGIN, y + MARGIN);
                }
                x += run.len();
            }
        }
        Ok(Self { label: label.into(), size: width + 2 * MARGIN, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the dark modules from the picture.
    fn dark_modules(code: &QrCode) -> Vec<(usize, usize)> {
        let mut modules = Vec::new();
        for run in code.path.split('M').skip(1) {
            let numbers: Vec<usize> = run
                .split(|one: char| !one.is_ascii_digit())
                .filter_map(|number| number.parse().ok())
                .collect();
            let [x, y, length, ..] = numbers[..] else { panic!("{run}") };
            modules.extend((x..x + length).map(|x| (x - MARGIN, y - MARGIN)));
        }
        modules
    }

    #[test]
    fn the_picture_has_the_modules_of_the_code() {
        let url = "https://example.org/hacktracker/live/abcdefghijklmnop";
        let picture = QrCode::of(url, "Follow").unwrap();
        let code = qrcode::QrCode::with_error_correction_level(url, EcLevel::M).unwrap();
        let width = code.width();
        let expected: Vec<(usize, usize)> = (0..width * width)
            .map(|at| (at % width, at / width))
            .filter(|at| code[*at] == Color::Dark)
            .collect();
        assert_eq!(dark_modules(&picture), expected);
        assert_eq!(picture.size, width + 8);
    }

    #[test]
    fn a_text_that_does_not_fit_is_a_problem() {
        assert_eq!(QrCode::of(&"x".repeat(2_332), "").unwrap_err().status(), 500);
        let label = "<script>";
        assert!(!QrCode::of("x", label).unwrap().to_string().contains(label));
    }
}
