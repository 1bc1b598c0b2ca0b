//! Why a value is invalid, with the messages of both of AWS's layers.

use std::collections::BTreeSet;

use monotable_types::{NumberError, limits};

use crate::layer::{CURRENT_LEVELS_MAX, Layer};

const INVALID: &str = "One or more parameter values were invalid: ";
pub(crate) const NESTED_TOO_DEEP: &str = "Nesting Levels have exceeded supported limits: Attributes \
     in the item have nested levels beyond supported limit";

/// One above the power of ten of the largest number's first digit, as Java counts.
const MAGNITUDE_MAX: i32 = 126;
/// The same for the smallest number.
const MAGNITUDE_MIN: i32 = -129;

/// The reason why a value is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// No data type, or several. Reported before all other problems of a value.
    Datatypes(&'static str),
    /// The text is not a number.
    Number(String, NumberError),
    /// A set contains an element twice.
    Duplicates(Duplicates),
    /// The contents are invalid in another way.
    Contents(String),
    /// Maps and lists are nested too deeply: the depth, as far as it was counted.
    Nesting(usize),
}

/// The elements of a set with a repeated element, as AWS prints them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Duplicates {
    /// Of a string set.
    Texts(Vec<String>),
    /// Of a binary set.
    Binaries(Vec<Vec<u8>>),
    /// Those of a number set are not printed.
    Numbers,
}

impl Problem {
    /// Returns AWS's message.
    pub(crate) fn text(&self, layer: Layer) -> String {
        match (self, layer) {
            (Self::Datatypes(text), _) => (*text).to_owned(),
            (Self::Number(text, NumberError::Empty), Layer::Current) => {
                NumberError::Malformed(text.clone()).to_string()
            }
            (Self::Number(_, error), Layer::Current) => error.to_string(),
            (Self::Number(text, error), Layer::Older) => {
                java_error(text, error).unwrap_or_else(|| error.clone()).to_string()
            }
            (Self::Duplicates(duplicates), layer) => duplicates.text(layer),
            (Self::Contents(text), _) => text.clone(),
            (Self::Nesting(_), _) => NESTED_TOO_DEEP.to_owned(),
        }
    }

    /// Returns AWS's message for the value of a placeholder.
    pub(crate) fn text_of_placeholder(&self, placeholder: &str, layer: Layer) -> String {
        let text = self.text(layer);
        match layer {
            Layer::Current => text,
            Layer::Older => {
                format!(
                    "ExpressionAttributeValues contains invalid value: {text} for key {placeholder}"
                )
            }
        }
    }

    /// Returns whether the problem is reported although another one was found first.
    pub(crate) fn precedes(&self, found: Option<&Self>) -> bool {
        match found {
            None => true,
            Some(found) => found.is_fine_in_transactions() && !self.is_fine_in_transactions(),
        }
    }

    /// Returns whether the expressions of a transaction may have the value.
    pub(crate) fn is_fine_in_transactions(&self) -> bool {
        matches!(self, Self::Nesting(levels) if *levels <= limits::TRANSACT_VALUE_DEPTH_MAX)
    }

    /// Returns whether the value is nested so deeply that the older layer checks the request.
    pub(crate) fn is_too_deep(&self) -> bool {
        matches!(self, Self::Nesting(levels) if *levels > CURRENT_LEVELS_MAX)
    }
}

impl Duplicates {
    fn text(&self, layer: Layer) -> String {
        let coded = |bytes: &Vec<u8>| base64_simd::STANDARD.encode_to_string(bytes);
        match (self, layer) {
            (Self::Numbers, Layer::Current) => {
                format!("{INVALID}Input collection contains duplicates.")
            }
            (Self::Numbers, Layer::Older) => "Input collection contains duplicates".to_owned(),
            (Self::Texts(texts), Layer::Current) => {
                let quoted: Vec<String> =
                    in_order(texts).map(|text| format!("\"{text}\"")).collect();
                format!("{INVALID}Input collection [{}] contains duplicates.", quoted.join(", "))
            }
            (Self::Texts(texts), Layer::Older) => {
                format!("{INVALID}Input collection [{}] contains duplicates.", texts.join(", "))
            }
            (Self::Binaries(blobs), Layer::Current) => {
                let quoted: Vec<String> =
                    in_order(blobs).map(|bytes| format!("\"{}\"", coded(bytes))).collect();
                let elements = quoted.join(",");
                format!("{INVALID}Input collection [{elements}]of type BS contains duplicates.")
            }
            (Self::Binaries(blobs), Layer::Older) => {
                let elements: Vec<String> = blobs.iter().map(coded).collect();
                let elements = elements.join(", ");
                format!("{INVALID}Input collection [{elements}]of type BS contains duplicates.")
            }
        }
    }
}

/// Returns the elements as the current layer prints them: sorted up to the first repetition, then
/// in their order.
fn in_order<T: Ord>(elements: &[T]) -> impl Iterator<Item = &T> {
    let mut seen = BTreeSet::new();
    let distinct = elements.iter().take_while(|element| seen.insert(*element)).count();
    seen.into_iter().chain(&elements[distinct..])
}

/// Returns the error of Java's `BigDecimal` for a number that is out of range.
fn java_error(text: &str, error: &NumberError) -> Option<NumberError> {
    if !matches!(error, NumberError::TooLarge | NumberError::TooSmall) {
        return None;
    }
    let malformed = || Some(NumberError::Malformed(text.to_owned()));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let Ok(exponent) = exponent.parse::<i32>() else {
        return malformed();
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let scale = i64::try_from(fraction.len()).ok()? - i64::from(exponent);
    let Ok(scale) = i32::try_from(scale) else {
        return malformed();
    };
    let digits = format!("{}{fraction}", whole.trim_start_matches(['+', '-']));
    let precision = i32::try_from(digits.trim_start_matches('0').len().max(1)).ok()?;
    // The difference wraps around, which turns the very largest numbers into the smallest.
    match precision.wrapping_sub(scale) {
        magnitude if magnitude > MAGNITUDE_MAX => Some(NumberError::TooLarge),
        magnitude if magnitude < MAGNITUDE_MIN => Some(NumberError::TooSmall),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_older_layer_reads_exponents_as_java_does() {
        const LARGE: NumberError = NumberError::TooLarge;
        let check = |text: &str, error: NumberError, expected: NumberError| {
            let problem = Problem::Number(text.to_owned(), error.clone());
            assert_eq!(problem.text(Layer::Older), expected.to_string(), "{text}");
            assert_eq!(problem.text(Layer::Current), error.to_string(), "{text}");
        };
        for text in ["1e99999999999", "-1e99999999999", "1e2147483648"] {
            check(text, LARGE, NumberError::Malformed(text.to_owned()));
        }
        let smallest = "1e-2147483648";
        check(smallest, NumberError::TooSmall, NumberError::Malformed(smallest.to_owned()));
        check("1e2147483647", LARGE, NumberError::TooSmall);
        check("1e126", LARGE, LARGE);
        check("0.01e-129", NumberError::TooSmall, NumberError::TooSmall);
    }

    #[test]
    fn elements_are_sorted_up_to_the_first_repetition() {
        let order: Vec<&i32> = in_order(&[3, 1, 2, 1, 9, 0]).collect();
        assert_eq!(order, [&1, &2, &3, &1, &9, &0]);
    }
}
