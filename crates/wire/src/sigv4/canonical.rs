//! The canonical request and the string to sign, which both sides hash.
//!
//! <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>

use super::SignedRequest;
use super::authorization::{ALGORITHM, Authorization, SignatureLocation};
use super::error::SignatureError;
use super::percent::{decode, encode};
use super::presigned;
use super::signature::{Hash, hash, hex};

/// The capacity for the canonical request of a typical DynamoDB request, so that it is allocated
/// once.
const USUAL_BYTES: usize = 512;

/// Returns the canonical form of the request.
pub(super) fn canonical_request(
    request: &SignedRequest<'_>,
    authorization: &Authorization<'_>,
    payload: &Hash,
) -> Result<Vec<u8>, SignatureError> {
    let mut out = Vec::with_capacity(USUAL_BYTES);
    out.extend_from_slice(request.method.as_bytes());
    out.push(b'\n');
    write_path(request.path, &mut out);
    out.push(b'\n');
    write_query(request.query, authorization.location, &mut out);
    out.push(b'\n');
    authorization.signed_headers.write_canonical(request, &mut out)?;
    out.push(b'\n');
    out.extend_from_slice(authorization.signed_headers.as_str().as_bytes());
    out.push(b'\n');
    out.extend_from_slice(&hex(payload));
    Ok(out)
}

/// Returns the text that the signing key signs: the algorithm, the time, the scope and the hash of
/// the canonical request.
pub(super) fn string_to_sign(
    authorization: &Authorization<'_>,
    canonical_request: &[u8],
) -> Vec<u8> {
    let mut out = format!("{ALGORITHM}\n{}\n", authorization.signed_at).into_bytes();
    authorization.credential.scope.write(&mut out);
    out.push(b'\n');
    out.extend_from_slice(&hex(&hash(canonical_request)));
    out
}

/// Appends the path without empty and dot segments, each segment encoded once more than it was
/// sent, as every service but S3 requires.
fn write_path(path: &str, out: &mut Vec<u8>) {
    let start = out.len();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                let parent = out[start..].iter().rposition(|&byte| byte == b'/').unwrap_or(0);
                out.truncate(start + parent);
            }
            _ => {
                out.push(b'/');
                encode(segment.as_bytes(), out);
            }
        }
    }
    // A path that ends with an empty or dot segment names a folder.
    let last = path.rsplit('/').next().unwrap_or_default();
    if out.len() == start || matches!(last, "" | "." | "..") {
        out.push(b'/');
    }
}

/// Appends the parameters in the order of their encoded names and values, without the signature
/// itself.
fn write_query(query: &str, location: SignatureLocation, out: &mut Vec<u8>) {
    if query.is_empty() {
        return;
    }
    let encoded = |text: &str| {
        let mut out = Vec::with_capacity(text.len());
        encode(&decode(text), &mut out);
        out
    };
    let mut parameters: Vec<(Vec<u8>, Vec<u8>)> = query
        .split('&')
        .filter(|parameter| !parameter.is_empty())
        .map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")))
        .map(|(name, value)| (encoded(name), encoded(value)))
        .filter(|(name, _)| {
            location == SignatureLocation::Header || name != presigned::SIGNATURE.as_bytes()
        })
        .collect();
    parameters.sort_unstable();
    for (place, (name, value)) in parameters.iter().enumerate() {
        if place > 0 {
            out.push(b'&');
        }
        out.extend_from_slice(name);
        out.push(b'=');
        out.extend_from_slice(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = b"GET\n".to_vec();
        write(&mut out);
        String::from_utf8(out[4..].to_vec()).unwrap()
    }

    #[test]
    fn paths_lose_empty_and_dot_segments() {
        for (path, canonical) in [
            ("", "/"),
            ("/", "/"),
            ("//", "/"),
            ("/./", "/"),
            ("/..", "/"),
            ("/../../a", "/a"),
            ("/a/..", "/"),
            ("/a/b/../c", "/a/c"),
            ("/a/", "/a/"),
            ("/a/.", "/a/"),
            ("/a/b/..", "/a/"),
            ("/a.", "/a."),
            ("//a//b", "/a/b"),
            ("/a b", "/a%20b"),
            ("/a%20b", "/a%2520b"),
        ] {
            assert_eq!(written(|out| write_path(path, out)), canonical, "{path}");
        }
    }

    #[test]
    fn parameters_are_sorted_and_encoded_once() {
        for (query, canonical) in [
            ("", ""),
            ("b=2&a=1", "a=1&b=2"),
            ("a=2&a=1&a", "a=&a=1&a=2"),
            ("a-b=1&a=2", "a=2&a-b=1"),
            ("a=%2F&b=/", "a=%2F&b=%2F"),
            ("a=x=y&&", "a=x%3Dy"),
            ("X-Amz-Signature=s&X-Amz-Date=d", "X-Amz-Date=d&X-Amz-Signature=s"),
        ] {
            assert_eq!(
                written(|out| write_query(query, SignatureLocation::Header, out)),
                canonical,
                "{query}"
            );
        }
    }

    #[test]
    fn a_signature_in_the_query_does_not_cover_itself() {
        let location = SignatureLocation::Query { lifetime_seconds: None };
        let query = "X-Amz-Signature=s&X-Amz-Date=d&X%2DAmz-Signature=t";
        assert_eq!(written(|out| write_query(query, location, out)), "X-Amz-Date=d");
    }
}
