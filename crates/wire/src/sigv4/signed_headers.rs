//! `SignedHeaders=host;x-amz-date;x-amz-target`: which headers a signature covers, and their
//! canonical form.

use super::SignedRequest;
use super::error::SignatureError;

/// The names of the headers that a signature covers: lower-case, ascending, each once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedHeaders<'a>(&'a str);

impl<'a> SignedHeaders<'a> {
    /// Reads a list in the order that every signer uses; another order could never match.
    pub(super) fn parse(text: &'a str) -> Result<Self, SignatureError> {
        let mut previous = "";
        for name in text.split(';') {
            if name <= previous || name.bytes().any(|byte| byte.is_ascii_uppercase()) {
                return Err(SignatureError::SignatureMismatch);
            }
            previous = name;
        }
        Ok(Self(text))
    }

    /// Returns the list as it was sent.
    pub fn as_str(&self) -> &'a str {
        self.0
    }

    /// Returns whether the signature covers the header with this lower-case name.
    pub fn contains(&self, name: &str) -> bool {
        self.0.split(';').any(|signed| signed == name)
    }

    /// Appends a line `name:value` for every signed header. A signed header that is missing from
    /// the request cannot match. That check also bounds the work: names are distinct, so the list
    /// is at most as long as the number of headers.
    pub(super) fn write_canonical(
        &self,
        request: &SignedRequest<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), SignatureError> {
        for name in self.0.split(';') {
            out.extend_from_slice(name.as_bytes());
            let mut separator = b':';
            for (_, value) in
                request.headers.iter().filter(|(header, _)| header.eq_ignore_ascii_case(name))
            {
                out.push(separator);
                write_value(value, out);
                separator = b',';
            }
            if separator == b':' {
                return Err(SignatureError::SignatureMismatch);
            }
            out.push(b'\n');
        }
        Ok(())
    }
}

/// Appends a header's value without outer white space, and with one space for each inner run of it,
/// including line folds.
fn write_value(value: &[u8], out: &mut Vec<u8>) {
    let mut words = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        out.extend_from_slice(word);
        if words.peek().is_some() {
            out.push(b' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_lower_case_and_ascending() {
        for good in ["host", "host;x-amz-date", "a;b;c"] {
            assert_eq!(SignedHeaders::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", ";", "host;", ";host", "b;a", "a;a", "Host", "host;;x-amz-date"] {
            assert_eq!(
                SignedHeaders::parse(bad),
                Err(SignatureError::SignatureMismatch),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn only_whole_names_match() {
        let list = SignedHeaders::parse("host;x-amz-date").unwrap();
        assert!(list.contains("host") && list.contains("x-amz-date"));
        assert!(!list.contains("hos") && !list.contains("x-amz") && !list.contains(""));
    }

    #[test]
    fn values_are_trimmed_folded_and_joined() {
        let headers: &[(&str, &[u8])] = &[("A", b"  1  2\t3 \r\n  4 "), ("b", b""), ("a", b"5")];
        let request = SignedRequest { method: "", path: "", query: "", headers, body: b"" };
        let mut out = Vec::new();
        SignedHeaders::parse("a;b").unwrap().write_canonical(&request, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a:1 2 3 4,5\nb:\n");
        let absent = SignedHeaders::parse("a;c").unwrap();
        assert_eq!(
            absent.write_canonical(&request, &mut Vec::new()),
            Err(SignatureError::SignatureMismatch)
        );
    }
}
