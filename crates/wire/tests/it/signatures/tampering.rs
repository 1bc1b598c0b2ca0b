//! Correctly signed requests are refused after any single change.

use super::sent::{NOW, OTHER_KEY, Sent, Signing, keys};

pub(super) const MISMATCH: &str = "InvalidSignatureException: The request signature we calculated \
    does not match the signature you provided. Check your AWS Secret Access Key and signing \
    method. Consult the service documentation for details.";
pub(super) const UNKNOWN: &str =
    "UnrecognizedClientException: The security token included in the request is invalid.";
const AUTHORIZATION: &str = "authorization";
const SIGNED: &str = "content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target";

/// Changes a request that verifies, and compares the result.
#[track_caller]
pub(super) fn check_signed(signing: Signing<'_>, tamper: impl FnOnce(&mut Sent), expected: &str) {
    let keys = keys();
    let mut sent = Sent::get_item().signed(signing);
    assert!(sent.verified(&keys, NOW).is_ok(), "good before it is changed");
    tamper(&mut sent);
    let error = sent.verified(&keys, NOW).expect_err("changed");
    assert_eq!(format!("{}: {error}", error.code()), expected);
    assert_eq!(error.status(), 400);
}

#[track_caller]
fn check(tamper: impl FnOnce(&mut Sent), expected: &str) {
    check_signed(Signing::default(), tamper, expected);
}

#[test]
fn another_body() {
    let signing = Signing {
        payload_hash: aws_sigv4::http_request::PayloadChecksumKind::NoHeader,
        ..Signing::default()
    };
    check_signed(signing, |sent| sent.body[20] ^= 1, MISMATCH);
    check(|sent| sent.body[20] ^= 1, MISMATCH);
    check(|sent| sent.body.push(b' '), MISMATCH);
    check(|sent| sent.body.clear(), MISMATCH);
}

#[test]
fn another_method() {
    check(|sent| sent.method = "GET".to_owned(), MISMATCH);
    check(|sent| sent.method = "post".to_owned(), MISMATCH);
}

#[test]
fn another_path() {
    check(|sent| sent.path = "/admin".to_owned(), MISMATCH);
}

#[test]
fn another_query() {
    check(|sent| sent.query = "a=1".to_owned(), MISMATCH);
    check(|sent| sent.query = "X-Amz-Signature=a".to_owned(), MISMATCH);
}

#[test]
fn another_host() {
    check(|sent| sent.replace("host", "localhost", "elsewhere"), MISMATCH);
}

#[test]
fn another_content_type() {
    check(|sent| sent.replace("content-type", "1.0", "1.1"), MISMATCH);
}

#[test]
fn another_operation() {
    check(|sent| sent.replace("x-amz-target", "GetItem", "DeleteTable"), MISMATCH);
}

#[test]
fn another_time_within_the_window() {
    check(|sent| sent.replace("x-amz-date", "093000", "093001"), MISMATCH);
}

#[test]
fn a_wrong_date_is_reported_before_a_wrong_signature() {
    check(
        |sent| {
            sent.replace("x-amz-date", "20261115", "20200101");
            sent.replace("authorization", "Signature=", "Signature=00");
        },
        "InvalidSignatureException: Signature expired: 20200101T093000Z is now earlier than \
         20261115T092500Z (20261115T093000Z - 5 min.)",
    );
}

#[test]
fn a_time_outside_the_window() {
    check(
        |sent| sent.replace("x-amz-date", "093000", "092459"),
        "InvalidSignatureException: Signature expired: 20261115T092459Z is now earlier than \
         20261115T092500Z (20261115T093000Z - 5 min.)",
    );
    check(
        |sent| sent.replace("x-amz-date", "093000", "093501"),
        "InvalidSignatureException: Signature not yet current: 20261115T093501Z is still later \
         than 20261115T093500Z (20261115T093000Z + 5 min.)",
    );
}

#[test]
fn a_valid_request_too_late_or_too_early() {
    let sent = Sent::get_item().signed(Signing::default());
    for (now, text) in [
        (
            NOW + 301,
            "Signature expired: 20261115T093000Z is now earlier than 20261115T093001Z \
             (20261115T093501Z - 5 min.)",
        ),
        (
            NOW - 301,
            "Signature not yet current: 20261115T093000Z is still later than 20261115T092959Z \
             (20261115T092459Z + 5 min.)",
        ),
    ] {
        let error = sent.verified(&keys(), now).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), ("InvalidSignatureException", text));
    }
}

#[test]
fn no_time() {
    check(
        |sent| {
            sent.remove_header("x-amz-date");
            *sent.header(AUTHORIZATION) = b"AWS4-HMAC-SHA256 Credential=a".to_vec();
        },
        "IncompleteSignatureException: Authorization header requires 'Signature' parameter. \
         Authorization header requires 'SignedHeaders' parameter. Authorization header requires \
         existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=AWS4-HMAC-SHA256 \
         Credential=a",
    );
}

#[test]
fn an_unreadable_time() {
    check(
        |sent| *sent.header("x-amz-date") = b"yesterday".to_vec(),
        "IncompleteSignatureException: Date must be in ISO-8601 'basic format'. Got 'yesterday'. \
         See http://en.wikipedia.org/wiki/ISO_8601",
    );
}

#[test]
fn a_removed_signed_header() {
    check(|sent| sent.remove_header("content-type"), MISMATCH);
    check(|sent| sent.remove_header("host"), MISMATCH);
    check(|sent| sent.remove_header("x-amz-target"), MISMATCH);
}

#[test]
fn a_signed_header_that_was_never_sent() {
    check(|sent| sent.replace(AUTHORIZATION, SIGNED, &format!("{SIGNED};x-other")), MISMATCH);
}

#[test]
fn fewer_signed_headers() {
    check(|sent| sent.replace(AUTHORIZATION, "content-type;", ""), MISMATCH);
    check(|sent| sent.replace(AUTHORIZATION, "x-amz-content-sha256;", ""), MISMATCH);
    for (part, name) in [
        ("host;", "'Host' or ':authority'"),
        (";x-amz-date", "'X-Amz-Date'"),
        (";x-amz-target", "'X-Amz-Target'"),
    ] {
        check(
            |sent| sent.replace(AUTHORIZATION, part, ""),
            &format!(
                "InvalidSignatureException: {name} must be a 'SignedHeader' in the AWS \
                 Authorization."
            ),
        );
    }
}

#[test]
fn signed_headers_in_another_order_or_case() {
    check(|sent| sent.replace(AUTHORIZATION, "content-type;host", "host;content-type"), MISMATCH);
    check(|sent| sent.replace(AUTHORIZATION, ";host;", ";Host;"), MISMATCH);
}

#[test]
fn another_day_of_the_scope() {
    check(
        |sent| sent.replace(AUTHORIZATION, "/20261115/", "/20261114/"),
        "InvalidSignatureException: Date in Credential scope does not match YYYYMMDD from \
         ISO-8601 version of date from HTTP: '20261114' != '20261115', from '20261115T093000Z'.",
    );
}

#[test]
fn another_region_of_the_scope() {
    check(|sent| sent.replace(AUTHORIZATION, "us-east-1", "eu-west-1"), MISMATCH);
}

#[test]
fn another_service_or_terminator_of_the_scope() {
    check(
        |sent| sent.replace(AUTHORIZATION, "/dynamodb/", "/s3/"),
        "InvalidSignatureException: Credential should be scoped to correct service: 'dynamodb'. ",
    );
    check(
        |sent| sent.replace(AUTHORIZATION, "aws4_request", "aws5_request"),
        "InvalidSignatureException: Credential should be scoped with a valid terminator: \
         'aws4_request', not 'aws5_request'. ",
    );
}

#[test]
fn more_or_fewer_elements_of_the_scope() {
    let credential = "AKIAEXAMPLE00000001/20261115/us-east-1/dynamodb/aws4_request";
    for wrong in [credential.replace("/us-east-1", ""), format!("{credential}/more")] {
        check(
            |sent| sent.replace(AUTHORIZATION, credential, &wrong),
            &format!(
                "IncompleteSignatureException: Credential must have exactly 5 slash-delimited \
                 elements, e.g. keyid/date/region/service/term, got '{wrong}'"
            ),
        );
    }
}

#[test]
fn another_access_key() {
    check(|sent| sent.replace(AUTHORIZATION, "AKIAEXAMPLE00000001", OTHER_KEY.0), MISMATCH);
    check(|sent| sent.replace(AUTHORIZATION, "AKIAEXAMPLE00000001", "AKIAUNKNOWN"), UNKNOWN);
}

#[test]
fn another_signature() {
    fn change(sent: &mut Sent, change: impl FnOnce(&str) -> String) {
        let value = String::from_utf8(sent.header(AUTHORIZATION).clone()).unwrap();
        let (start, signature) = value.split_once("Signature=").unwrap();
        *sent.header(AUTHORIZATION) =
            format!("{start}Signature={}", change(signature)).into_bytes();
    }
    check(|sent| change(sent, |signature| signature[..63].to_owned()), MISMATCH);
    check(|sent| change(sent, |signature| format!("{signature}0")), MISMATCH);
    check(|sent| change(sent, str::to_uppercase), MISMATCH);
    check(|sent| change(sent, |signature| signature.replace(|_| true, "0")), MISMATCH);
    check(
        |sent| {
            change(sent, |signature| {
                let last = u8::from_str_radix(&signature[63..], 16).unwrap() ^ 1;
                format!("{}{last:x}", &signature[..63])
            });
        },
        MISMATCH,
    );
}

#[test]
fn another_algorithm() {
    check(
        |sent| sent.replace(AUTHORIZATION, "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1"),
        "IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1'.",
    );
}

#[test]
fn another_payload_hash() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    check(|sent| *sent.header("x-amz-content-sha256") = empty.into(), MISMATCH);
    check(|sent| *sent.header("x-amz-content-sha256") = "UNSIGNED-PAYLOAD".into(), MISMATCH);
}

#[test]
fn an_added_payload_hash() {
    let signing = Signing {
        payload_hash: aws_sigv4::http_request::PayloadChecksumKind::NoHeader,
        ..Signing::default()
    };
    let add = |sent: &mut Sent| sent.add_header("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
    check_signed(signing, add, MISMATCH);
}

#[test]
fn a_header_twice() {
    check(|sent| sent.add_header("Content-Type", "application/x-amz-json-1.0"), MISMATCH);
    for (name, value) in [
        ("X-Amz-Target", "DynamoDB_20120810.DeleteTable"),
        ("X-Amz-Date", "20261115T093000Z"),
        ("Host", "localhost:8000"),
        (
            "Authorization",
            "AWS4-HMAC-SHA256 Credential=a/20261115/b/dynamodb/aws4_request, SignedHeaders=host, Signature=c",
        ),
    ] {
        check(
            |sent| sent.add_header(name, value),
            &format!("InvalidSignatureException: Found '{name}' more than once."),
        );
    }
}

#[test]
fn a_session_token() {
    check(|sent| sent.add_header("X-Amz-Security-Token", "anything"), UNKNOWN);
}

#[test]
fn a_signature_in_two_places() {
    check(
        |sent| sent.query = "X-Amz-Algorithm=AWS4-HMAC-SHA256".to_owned(),
        "InvalidSignatureException: Found both 'X-Amz-Algorithm' as a query-string param and \
         'Authorization' as HTTP header.",
    );
}

#[test]
fn no_signature() {
    let missing = "MissingAuthenticationTokenException: Request is missing Authentication Token";
    check(|sent| sent.remove_header(AUTHORIZATION), missing);
    check(|sent| sent.replace(AUTHORIZATION, "AWS4-", "Bearer "), missing);
    check(|sent| sent.header(AUTHORIZATION).clear(), missing);
}

#[test]
fn any_bit_of_the_signed_parts() {
    let keys = keys();
    let good = Sent::get_item().signed(Signing::default());
    for name in [
        "authorization",
        "host",
        "content-type",
        "x-amz-date",
        "x-amz-target",
        "x-amz-content-sha256",
    ] {
        for bit in 0..good.clone().header(name).len() * 8 {
            let mut sent = good.clone();
            sent.header(name)[bit / 8] ^= 1 << (bit % 8);
            assert!(sent.verified(&keys, NOW).is_err(), "{name}, bit {bit}: {sent:?}");
        }
    }
}
