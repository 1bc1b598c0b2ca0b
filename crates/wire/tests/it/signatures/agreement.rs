//! Random requests that AWS's signer signs are verified, repeatedly with the same keys.

use aws_sigv4::http_request::{PayloadChecksumKind, SignatureLocation};
use monotable_wire::sigv4::SignatureError;
use proptest::collection::vec;
use proptest::prelude::*;

use super::sent::{NOW, Sent, Signing, keys};

/// The longest difference between the clocks that is allowed.
const SKEW_SECONDS_MAX: i64 = 300;

fn requests() -> impl Strategy<Value = Sent> {
    let headers = vec(("[xX]-[a-zA-Z]{1,9}", "[!-~]{0,9}( {1,3}[!-~]{1,9}){0,3}"), 0..6);
    let path = vec("[a-zA-Z0-9._~-]{1,9}|\\.|\\.\\.|%[2-7][0-9A-F]|", 0..5);
    let query = vec(("[a-zA-Z0-9._~-]{1,9}", "[a-zA-Z0-9._~-]{0,9}(%[2-7][0-9A-F])?"), 0..5);
    let method = prop_oneof![Just("POST"), Just("GET"), Just("PUT")];
    (method, path, query, headers, any::<Vec<u8>>()).prop_map(
        |(method, path, query, headers, body)| {
            let mut sent = Sent::get_item();
            sent.method = method.to_owned();
            sent.path = format!("/{}", path.join("/"));
            let pairs: Vec<_> =
                query.iter().map(|(name, value)| format!("{name}={value}")).collect();
            sent.query = pairs.join("&");
            sent.headers
                .extend(headers.into_iter().map(|(name, value)| (name, value.into_bytes())));
            sent.body = body;
            sent
        },
    )
}

fn signings() -> impl Strategy<Value = (String, i64, PayloadChecksumKind)> {
    let payload_hash =
        prop_oneof![Just(PayloadChecksumKind::NoHeader), Just(PayloadChecksumKind::XAmzSha256)];
    ("[a-z]{2}-[a-z]{4,9}-[1-9]", 0..4_102_444_800_i64, payload_hash)
}

proptest! {
    #[test]
    fn header_signatures_by_aws_are_verified(
        sent in requests(),
        (region, at, payload_hash) in signings(),
        skew in -SKEW_SECONDS_MAX..=SKEW_SECONDS_MAX,
    ) {
        let keys = keys();
        let signing = Signing { region: &region, at, payload_hash, ..Signing::default() };
        let sent = sent.signed(signing);
        // The second pass uses the cached signing key.
        for _ in 0..2 {
            prop_assert_eq!(sent.verified(&keys, at + skew), Ok(region.clone()), "{:?}", sent);
        }
    }

    #[test]
    fn query_string_signatures_by_aws_are_verified(
        sent in requests(),
        (region, at, payload_hash) in signings(),
        lifetime_seconds in 1..604_800_u64,
        age in 0..604_800_u64,
    ) {
        let place = SignatureLocation::QueryParams;
        let sent = sent.signed(Signing { region: &region, at, place, payload_hash, lifetime_seconds });
        let age = (age % (lifetime_seconds + 1)) as i64;
        prop_assert_eq!(sent.verified(&keys(), at + age), Ok(region.clone()), "{:?}", sent);
    }

    #[test]
    fn one_changed_bit_of_a_body_is_detected(sent in requests(), place: prop::sample::Index) {
        prop_assume!(!sent.body.is_empty());
        let mut sent = sent.signed(Signing::default());
        let bit = place.index(sent.body.len() * 8);
        sent.body[bit / 8] ^= 1 << (bit % 8);
        prop_assert_eq!(sent.verified(&keys(), NOW), Err(SignatureError::SignatureMismatch));
    }
}

#[test]
fn kept_keys_are_not_mixed_up() {
    let keys = keys();
    let day_seconds = 86_400;
    for round in 0..40 {
        let region = ["us-east-1", "su-east-1", "eu-west-1", "ap-south-1", "sa-east-1"][round % 5];
        let at = NOW + day_seconds * (round as i64 % 7);
        let sent = Sent::get_item().signed(Signing { region, at, ..Signing::default() });
        assert_eq!(sent.verified(&keys, at), Ok(region.to_owned()), "{round}");
        let mut other = sent.clone();
        other.replace("authorization", region, "us-west-2");
        assert_eq!(other.verified(&keys, at), Err(SignatureError::SignatureMismatch), "{round}");
    }
}

#[test]
fn headers_that_are_not_signed_may_come_and_go() {
    let mut sent = Sent::get_item().signed(Signing::default());
    for (name, value) in [("User-Agent", "a"), ("X-Amzn-Trace-Id", "b"), ("Connection", "close")] {
        sent.add_header(name, value);
        sent.add_header(name, "again");
    }
    assert!(sent.verified(&keys(), NOW).is_ok());
}

#[test]
fn the_order_and_case_of_headers_does_not_matter() {
    let mut sent = Sent::get_item().signed(Signing::default());
    sent.headers.reverse();
    for (name, _) in &mut sent.headers {
        *name = name.to_uppercase();
    }
    assert!(sent.verified(&keys(), NOW).is_ok());
}
