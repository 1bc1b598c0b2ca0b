//! Correctly presigned requests are refused after any single change.

use aws_sigv4::http_request::SignatureLocation;

use super::sent::{NOW, OTHER_KEY, Sent, Signing, keys};
use super::tampering::{MISMATCH, UNKNOWN, check_signed};

fn presigned() -> Signing<'static> {
    Signing { place: SignatureLocation::QueryParams, ..Signing::default() }
}

#[track_caller]
fn check(tamper: impl FnOnce(&mut Sent), expected: &str) {
    check_signed(presigned(), tamper, expected);
}

#[test]
fn another_request() {
    check(|sent| sent.body.clear(), MISMATCH);
    check(|sent| sent.method = "GET".to_owned(), MISMATCH);
    check(|sent| sent.path = "/admin".to_owned(), MISMATCH);
    check(|sent| sent.replace("host", "localhost", "elsewhere"), MISMATCH);
    check(|sent| sent.replace("x-amz-target", "GetItem", "DeleteTable"), MISMATCH);
    check(|sent| sent.add_parameter("a", "1"), MISMATCH);
}

#[test]
fn another_parameter_of_the_signature() {
    check(|sent| sent.replace_in_query("X-Amz-Expires=600", "X-Amz-Expires=604800"), MISMATCH);
    check(|sent| sent.replace_in_query("T093000Z", "T093001Z"), MISMATCH);
    check(|sent| sent.replace_in_query("us-east-1", "eu-west-1"), MISMATCH);
    check(|sent| sent.replace_in_query("AKIAEXAMPLE00000001", OTHER_KEY.0), MISMATCH);
    check(|sent| sent.replace_in_query("AKIAEXAMPLE00000001", "AKIAUNKNOWN"), UNKNOWN);
    check(|sent| sent.replace_in_query("X-Amz-Signature=", "X-Amz-Signature=0"), MISMATCH);
    check(|sent| sent.replace_in_query("content-type%3B", ""), MISMATCH);
    check(|sent| sent.add_parameter("X-Amz-Security-Token", "anything"), UNKNOWN);
}

#[test]
fn a_parameter_twice_or_never() {
    check(
        |sent| sent.add_parameter("X-Amz-Date", "20261115T093000Z"),
        "InvalidSignatureException: Found 'X-Amz-Date' more than once.",
    );
    check(
        |sent| sent.replace_in_query("X-Amz-Date=", "X-Amz-Dat="),
        "IncompleteSignatureException: AWS query-string parameters must include 'X-Amz-Date'. \
         Re-examine the query-string parameters.",
    );
    check(
        |sent| sent.replace_in_query("X-Amz-Algorithm=", "X-Amz-Algorith="),
        "MissingAuthenticationTokenException: Request is missing Authentication Token",
    );
}

#[test]
fn an_operation_that_is_not_signed() {
    check(
        |sent| sent.replace_in_query("%3Bx-amz-target", ""),
        "InvalidSignatureException: 'X-Amz-Target' must be a 'SignedHeader' in the AWS \
         Authorization.",
    );
}

#[test]
fn a_valid_request_too_late_or_too_early() {
    let sent = Sent::get_item().signed(presigned());
    for (now, text) in [
        (
            NOW + 601,
            "Signature expired: 20261115T093000Z is now earlier than 20261115T093001Z \
             (20261115T094001Z - 10 min.)",
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
