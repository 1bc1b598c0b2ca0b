//! AWS's published test vectors, which the package `aws-sigv4` contains.
//!
//! Each vector consists of a request, its canonical form, its string to sign and the signed
//! request, signed once in a header and once in the query string.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;

use super::*;
use crate::access::Permissions;

/// Vectors that sign the path unchanged, which S3 requires and DynamoDB does not.
const UNNORMALIZED: [&str; 6] = [
    "get-relative-relative-unnormalized",
    "get-relative-unnormalized",
    "get-slash-dot-slash-unnormalized",
    "get-slash-pointless-dot-unnormalized",
    "get-slash-unnormalized",
    "get-slashes-unnormalized",
];

/// Vectors of temporary keys, which Monotable does not support.
const WITH_SESSION_TOKEN: [&str; 3] =
    ["get-vanilla-with-session-token", "post-sts-header-after", "post-sts-header-before"];

/// The vector whose token is added to the query string after signing.
const TOKEN_ADDED_LATER: (&str, &str) = ("post-sts-header-after", "query");

/// The vector whose files contain different days; its signed request is correct by itself.
const OTHER_DATES: &str = "double-encode-path";

/// Returns the folder in which cargo keeps the source of `aws-sigv4`.
fn suite() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).exec().unwrap();
    let package = metadata.packages.iter().find(|package| package.name == "aws-sigv4").unwrap();
    package.manifest_path.parent().unwrap().join("aws-signing-test-suite/v4").into()
}

/// Returns the files of all vectors: name of the vector, name of the file, content.
fn vectors() -> BTreeMap<String, BTreeMap<String, String>> {
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let entries = |path: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let files = |path: &Path| {
        let read = |file: &PathBuf| (name(file), std::fs::read_to_string(file).unwrap());
        entries(path).iter().map(read).collect()
    };
    entries(&suite()).iter().map(|path| (name(path), files(path))).collect()
}

/// A request read from a file.
struct Sent {
    method: String,
    path: String,
    query: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Sent {
    fn parse(text: &str) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text.trim_end(), ""));
        let (line, rest) = head.split_once('\n').unwrap();
        let (method, line) = line.split_once(' ').unwrap();
        let target = line.strip_suffix(" HTTP/1.1").unwrap_or(line);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut headers: Vec<(String, String)> = Vec::new();
        for line in rest.lines() {
            if line.starts_with(' ') {
                headers.last_mut().unwrap().1 += &format!("\r\n{line}");
            } else {
                let (name, value) = line.split_once(':').unwrap();
                headers.push((name.to_owned(), value.to_owned()));
            }
        }
        let [method, path, query, body] = [method, path, query, body].map(str::to_owned);
        Self { method, path, query, headers, body }
    }

    fn with<T>(&self, take: impl FnOnce(&SignedRequest<'_>) -> T) -> T {
        let headers: Vec<_> =
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        take(&SignedRequest {
            method: &self.method,
            path: &self.path,
            query: &self.query,
            headers: &headers,
            body: self.body.as_bytes(),
        })
    }
}

fn keys() -> KeyRing {
    let mut keys = KeyRing::new();
    for (id, secret) in [
        ("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
        ("ANOTREAL", "notrealrnrELgWzOk3IfjzDKtFBhDby"),
    ] {
        let secret = SecretKey::new(secret);
        keys.insert(AccessKey::new(id, secret, "example", Permissions::nothing())).unwrap();
    }
    keys
}

/// Verifies a request for the service and the time of its signature.
fn verify_at_signing(request: &SignedRequest<'_>) -> Result<(), SignatureError> {
    claims(request, |authorization| {
        let service = authorization.credential.scope.service;
        verify_for(service, request, &keys(), authorization.signed_at).map(drop)
    })
}

/// Returns the canonical request and the string to sign.
fn texts(request: &SignedRequest<'_>) -> (String, String) {
    claims(request, |authorization| {
        let payload = hash(request.body);
        let canonical = canonical::canonical_request(request, authorization, &payload).unwrap();
        let to_sign = canonical::string_to_sign(authorization, &canonical);
        (String::from_utf8(canonical).unwrap(), String::from_utf8(to_sign).unwrap())
    })
}

fn claims<T>(request: &SignedRequest<'_>, take: impl FnOnce(&Authorization<'_>) -> T) -> T {
    let headers = DecidingHeaders::find(request.headers);
    match Presigned::find(request.query).unwrap() {
        Some(presigned) => take(&presigned.authorization().unwrap()),
        None => {
            take(&Authorization::parse(headers.authorization.unwrap(), headers.date()).unwrap())
        }
    }
}

/// Reads the signed request of a vector. One path of the package is encoded where the suite's own
/// request has a space; its canonical form is that of the suite.
fn signed_request(name: &str, text: &str) -> Sent {
    let mut sent = Sent::parse(text);
    if name == "get-space-normalized" {
        sent.path = sent.path.replace("%20", " ");
    }
    sent
}

fn expected(name: &str) -> Result<(), SignatureError> {
    if UNNORMALIZED.contains(&name) {
        Err(SignatureError::SignatureMismatch)
    } else if WITH_SESSION_TOKEN.contains(&name) {
        Err(SignatureError::UnrecognizedClient)
    } else {
        Ok(())
    }
}

#[test]
fn every_signed_request_of_aws_verifies() {
    let mut verified = 0;
    for (name, files) in &vectors() {
        for place in ["header", "query"] {
            let Some(text) = files.get(&format!("{place}-signed-request.txt")) else { continue };
            let answer = signed_request(name, text).with(verify_at_signing);
            assert_eq!(answer, expected(name), "{name}, {place}");
            verified += usize::from(answer.is_ok());
        }
    }
    assert_eq!(verified, 60);
}

#[test]
fn canonical_requests_and_strings_to_sign_equal_those_of_aws() {
    let mut compared = 0;
    for (name, files) in &vectors() {
        if UNNORMALIZED.contains(&name.as_str()) || name == OTHER_DATES {
            continue;
        }
        for place in ["header", "query"] {
            let file = |end: &str| files.get(&format!("{place}-{end}.txt"));
            let Some(text) = file("signed-request") else { continue };
            if (name.as_str(), place) == TOKEN_ADDED_LATER {
                continue;
            }
            let (canonical, to_sign) = signed_request(name, text).with(texts);
            assert_eq!(canonical, file("canonical-request").unwrap().trim_end(), "{name}, {place}");
            assert_eq!(to_sign, file("string-to-sign").unwrap().trim_end(), "{name}, {place}");
            compared += 1;
        }
    }
    assert_eq!(compared, 64);
}

#[test]
fn the_suite_is_complete() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 40);
    for name in UNNORMALIZED.iter().chain(&WITH_SESSION_TOKEN).chain(&[OTHER_DATES]) {
        assert!(vectors.contains_key(*name), "{name}");
    }
}
