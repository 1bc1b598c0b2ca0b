//! `multipart/form-data` (RFC 7578). The whole body is in memory, so parts are slices of it.
//!
//! Bodies are bounded and read before they are parsed: a streaming parser would save nothing.

use httparse::EMPTY_HEADER;
use memchr::memmem;

use crate::problem::Problem;
use crate::upload::Upload;

/// Parts of a form.
const PARTS_MAX: usize = 200;
/// Headers of a part.
const HEADERS_MAX: usize = 8;
/// Characters of a boundary.
const BOUNDARY_LENGTH_MAX: usize = 70;

/// Returns the boundary between the parts, if a media type is that of a form with files.
pub(super) fn boundary(content_type: &str) -> Option<&str> {
    let (media_type, parameters) = content_type.split_once(';')?;
    if !media_type.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let boundary = parameter(parameters, "boundary")?;
    (1..=BOUNDARY_LENGTH_MAX).contains(&boundary.len()).then_some(boundary)
}

/// Reads the fields of a form: texts unchanged, and files as the texts that programs send. A file
/// that was not chosen is an empty text.
///
/// # Errors
/// Returns 400 if the body is not such a form.
pub(super) fn read(body: &[u8], boundary: &str) -> Result<Vec<(String, String)>, Problem> {
    fields(body, boundary).ok_or_else(|| {
        Problem::field("form", "must be multipart/form-data with at most 200 named parts in UTF-8")
    })
}

fn fields(body: &[u8], boundary: &str) -> Option<Vec<(String, String)>> {
    let separator = format!("\r\n--{boundary}");
    let mut rest = body.strip_prefix(&separator.as_bytes()[2..])?;
    let mut fields = Vec::new();
    loop {
        if rest.starts_with(b"--") {
            return Some(fields);
        }
        let part = rest.strip_prefix(b"\r\n")?;
        let end = memmem::find(part, separator.as_bytes())?;
        if fields.len() == PARTS_MAX {
            return None;
        }
        fields.push(field(&part[..end])?);
        rest = &part[end + separator.len()..];
    }
}

/// Reads one part: its headers, and its content.
fn field(part: &[u8]) -> Option<(String, String)> {
    let mut headers = [EMPTY_HEADER; HEADERS_MAX];
    let httparse::Status::Complete((length, headers)) =
        httparse::parse_headers(part, &mut headers).ok()?
    else {
        return None;
    };
    let header = |name: &str| {
        let found = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(found.value).ok()
    };
    let (kind, parameters) = header("content-disposition")?.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("form-data") {
        return None;
    }
    let name = parameter(parameters, "name")?.replace("%22", "\"");
    let content = &part[length..];
    let is_file = parameter(parameters, "filename").is_some();
    let text = if is_file && !content.is_empty() {
        let media_type = header("content-type").unwrap_or_default().trim();
        let is_plain = media_type.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',');
        Upload::text(if is_plain { media_type } else { "unknown" }, content)
    } else {
        String::from_utf8(content.to_vec()).ok()?
    };
    Some((name, text))
}

/// Returns a parameter of a header, with or without quotes.
fn parameter<'a>(parameters: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = parameters;
    loop {
        rest = rest.trim_start_matches([';', ' ', '\t']);
        let (found, after) = rest.split_once('=')?;
        let value;
        (value, rest) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.split_once(';').unwrap_or((after, "")),
        };
        if found.trim().eq_ignore_ascii_case(name) {
            return Some(value.trim());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=\"x-1\"";

    fn form(parts: &[&str]) -> String {
        let parts: String = parts.iter().map(|part| format!("--x-1\r\n{part}\r\n")).collect();
        parts + "--x-1--\r\n"
    }

    fn read_parts(parts: &[&str]) -> Option<Vec<(String, String)>> {
        fields(form(parts).as_bytes(), boundary(TYPE).unwrap())
    }

    #[test]
    fn texts_and_files_are_read() {
        let fields = read_parts(&[
            "Content-Disposition: form-data; name=\"note\"\r\n\r\na\r\n--x\r\né",
            "content-disposition: form-data; filename=\"a;b.png\"; name=photo\r\nContent-Type: image/png\r\n\r\n\0!",
            "Content-Disposition: form-data; name=\"none\"; filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n",
            "Content-Disposition: form-data; name=\"odd\"; filename=\"..\\..\\x\"\r\nContent-Type: a, b\r\n\r\nhi",
        ])
        .unwrap();
        let expected = [
            ("note", "a\r\n--x\r\né"),
            ("photo", "data:image/png;base64,ACE="),
            ("none", ""),
            ("odd", "data:unknown;base64,aGk="),
        ];
        assert_eq!(fields, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
    }

    #[test]
    fn what_is_no_such_form_is_refused() {
        let part = "Content-Disposition: form-data; name=\"a\"\r\n\r\nb";
        assert!(read_parts(&[part; 200]).is_some());
        assert!(read_parts(&[part; 201]).is_none());
        for part in [
            "",
            "\r\n",
            "Content-Disposition: form-data\r\n\r\nb",
            "Content-Disposition: form-data; filename=a\r\n\r\nb",
            "Content-Disposition: attachment; name=a\r\n\r\nb",
            "Content-Disposition: form-data; name=\"a\r\n\r\nb",
            "Content-Disposition: form-data; name=\"a\"",
        ] {
            assert!(read_parts(&[part]).is_none(), "{part:?}");
        }
        let whole = form(&[part]);
        for end in 0..whole.len() - 4 {
            assert!(fields(&whole.as_bytes()[..end], "x-1").is_none(), "{end}");
        }
        let latin = [form(&["Content-Disposition: form-data; name=a\r\n\r\n"])
            .replace("\r\n\r\n", "\r\n\r\n\u{1}")]
        .concat()
        .into_bytes()
        .into_iter()
        .map(|byte| if byte == 1 { 0xff } else { byte })
        .collect::<Vec<u8>>();
        assert!(fields(&latin, "x-1").is_none());
        for wrong in
            ["text/plain; boundary=x", "multipart/form-data", "multipart/form-data; boundary="]
        {
            assert_eq!(boundary(wrong), None, "{wrong}");
        }
        assert_eq!(boundary(&format!("multipart/form-data; boundary={}", "x".repeat(71))), None);
    }
}
