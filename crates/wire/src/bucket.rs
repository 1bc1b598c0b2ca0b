//! Parameters about buckets, and values that exports, imports and bulk operations share.

use monotable_lifecycle::{Compression, ImportFormat, Token};
use monotable_types::Constraints;

use crate::error::Result;
use crate::field::Holder;
use crate::json::Reader;
use crate::parameters::choose;

const COMPRESSIONS: &[(&str, Compression)] =
    &[("GZIP", Compression::Gzip), ("ZSTD", Compression::Zstd), ("NONE", Compression::None)];

/// `S3BucketSource`, `InputS3Configuration` or `OutputS3Configuration`
#[derive(Default)]
pub(crate) struct Location {
    pub(crate) bucket: Option<String>,
    pub(crate) owner: Option<String>,
    pub(crate) prefix: Option<String>,
    pub(crate) format: Option<String>,
    pub(crate) compression: Option<String>,
    pub(crate) output_types: Option<Vec<String>>,
    /// The text as it was sent, for comparing repeated requests.
    pub(crate) document: String,
}

impl Location {
    pub(crate) fn read(reader: &mut Reader<'_>, class: &str) -> Result<Option<Self>> {
        let mut location = Self::default();
        let document = reader.clone().raw()?;
        let found = reader.structure(class, Holder::Member, |reader, name| {
            match name {
                "S3Bucket" => location.bucket = reader.text()?,
                "S3BucketOwner" => location.owner = reader.text()?,
                "S3KeyPrefix" => location.prefix = reader.text()?,
                "InputFormat" => location.format = reader.text()?,
                "InputCompressionType" => location.compression = reader.text()?,
                "OutputType" => location.output_types = reader.texts()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        location.document = document.to_owned();
        Ok(found.then_some(location))
    }
}

/// Checks `S3Bucket`, which is required.
pub(crate) fn bucket(constraints: &mut Constraints, path: &str, bucket: Option<&str>) {
    let Some(name) = bucket else {
        return constraints.null(path);
    };
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = name.as_bytes();
    let is_plain = bytes.len() >= 2
        && is_end(bytes.first())
        && is_end(bytes.last())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte));
    let rule = r"satisfy regular expression pattern: ^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$";
    constraints.check(is_plain, name, path, rule);
    constraints.check(name.len() <= 255, name, path, "have length less than or equal to 255");
}

/// Checks `S3BucketOwner`.
pub(crate) fn owner(constraints: &mut Constraints, path: &str, owner: Option<&str>) {
    if let Some(owner) = owner {
        let is_account = owner.len() == 12 && owner.bytes().all(|byte| byte.is_ascii_digit());
        let rule = "satisfy regular expression pattern: [0-9]{12}";
        constraints.check(is_account, owner, path, rule);
    }
}

/// Checks a prefix of keys.
pub(crate) fn prefix(constraints: &mut Constraints, path: &str, prefix: Option<&str>) {
    if let Some(prefix) = prefix {
        constraints.text(prefix, path, 0..=1024);
    }
}

/// Checks `ClientToken`.
pub(crate) fn client_token(constraints: &mut Constraints, token: Option<&str>) {
    if let Some(token) = token {
        let is_right = !token.is_empty() && !token.contains('$');
        let rule = r"satisfy regular expression pattern: ^[^\$]+$";
        constraints.check(is_right, token, "clientToken", rule);
    }
}

/// Returns the idempotency token of a request, which is bound to the text of the whole request.
pub(crate) fn token(token: Option<String>, request: &str) -> Option<Token> {
    token.map(|token| Token::new(token, request.as_bytes()))
}

/// Parses `InputFormat`.
pub(crate) fn input_format(
    constraints: &mut Constraints,
    path: &str,
    word: Option<&str>,
    choices: &[(&str, ImportFormat)],
) -> ImportFormat {
    if word.is_none() {
        constraints.null(path);
    }
    choose(constraints, path, word, choices).unwrap_or(ImportFormat::DynamoDbJson)
}

/// Parses `InputCompressionType`.
pub(crate) fn compression(
    constraints: &mut Constraints,
    path: &str,
    word: Option<&str>,
) -> Option<Compression> {
    choose(constraints, path, word, COMPRESSIONS)
}
