//! Parses the samples of a page.

/// A value with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<'a> {
    /// The name of the metric, with the suffix of a histogram's sample.
    pub name: &'a str,
    /// The labels, in order.
    pub labels: Vec<(&'a str, String)>,
    /// The value.
    pub value: f64,
}

/// Returns the samples of a text in Prometheus's format. Other lines are ignored.
pub fn samples(text: &str) -> impl Iterator<Item = Sample<'_>> {
    text.lines().filter_map(sample)
}

fn sample(line: &str) -> Option<Sample<'_>> {
    if line.starts_with('#') {
        return None;
    }
    let (series, value) = line.rsplit_once(' ')?;
    let value = value.parse().ok()?;
    let Some((name, rest)) = series.split_once('{') else {
        return Some(Sample { name: series, labels: Vec::new(), value });
    };
    let mut labels = Vec::new();
    let mut rest = rest;
    while !rest.starts_with('}') {
        let (label, quoted) = rest.split_once("=\"")?;
        let (value, behind) = unescaped(quoted)?;
        labels.push((label, value));
        rest = behind.strip_prefix(',').unwrap_or(behind);
    }
    Some(Sample { name, labels, value })
}

/// Splits a text after the quote that ends a label's value.
fn unescaped(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((position, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[position + 1..])),
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Page};

    #[test]
    fn samples_are_what_was_written() {
        let mut page = Page::default();
        let strange = "a\"b\\c\nd, e=\"f\"}";
        page.metric("one_total", Kind::Counter, "One.")
            .value(&[("key", strange), ("other", "x")], 1.5);
        page.metric("two", Kind::Gauge, "Two.").value(&[], 7);
        let read: Vec<Sample<'_>> = page.samples().collect();
        let labels = vec![("key", strange.to_owned()), ("other", "x".to_owned())];
        assert_eq!(
            read,
            [
                Sample { name: "one_total", labels, value: 1.5 },
                Sample { name: "two", labels: Vec::new(), value: 7.0 },
            ]
        );
    }
}
