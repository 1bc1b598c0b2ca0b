//! Clients of the endpoint, tables for tests, and short ways to write items.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

use aws_sdk_dynamodb::config::{
    BehaviorVersion, Credentials, Region, SharedHttpClient, StalledStreamProtectionConfig,
};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType,
    ScalarAttributeType,
};
use aws_sdk_dynamodb::{Client, Config};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};

/// An item, as the SDK has it.
pub type Item = HashMap<String, AttributeValue>;

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("run `cargo xtask test --only clients`: {name}"))
}

fn credentials() -> Credentials {
    let (access, secret) = (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"));
    Credentials::new(access, secret, None, None, "environment")
}

/// A client that trusts the certificate of a server behind `https`.
fn http_client() -> SharedHttpClient {
    let Ok(file) = std::env::var("AWS_CA_BUNDLE") else { return Builder::new().build_http() };
    let certificate = std::fs::read(file).unwrap();
    let trusted = TrustStore::empty().with_pem_certificate(certificate);
    let context = TlsContext::builder().with_trust_store(trusted).build().unwrap();
    let provider = Provider::Rustls(CryptoMode::Ring);
    Builder::new().tls_provider(provider).tls_context(context).build_https()
}

/// A client of the endpoint.
pub fn client() -> Client {
    client_with(credentials())
}

/// A client of the endpoint with a key of its own.
pub fn client_with(credentials: Credentials) -> Client {
    client_of(variable("AWS_ENDPOINT_URL"), credentials)
}

/// A client of another endpoint.
pub fn client_of(url: String, credentials: Credentials) -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(url)
        .region(Region::new(variable("AWS_REGION")))
        .credentials_provider(credentials)
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .http_client(http_client())
        .build();
    Client::from_conf(config)
}

/// A client of the endpoint's streams.
pub fn streams() -> aws_sdk_dynamodbstreams::Client {
    let config = aws_sdk_dynamodbstreams::Config::builder()
        .behavior_version(aws_sdk_dynamodbstreams::config::BehaviorVersion::latest())
        .endpoint_url(variable("AWS_ENDPOINT_URL"))
        .region(Region::new(variable("AWS_REGION")))
        .credentials_provider(credentials())
        .http_client(http_client())
        .build();
    aws_sdk_dynamodbstreams::Client::from_conf(config)
}

/// A name that no other test has.
pub fn unique_name() -> String {
    static TABLES: AtomicU32 = AtomicU32::new(0);
    format!("table-rust-{}", TABLES.fetch_add(1, Ordering::Relaxed))
}

/// Creates a table with the keys `pk` and `sk`, both strings. Its server goes with the tests, so
/// that nobody needs to delete it.
pub async fn create_table(client: &Client) -> String {
    let name = unique_name();
    client
        .create_table()
        .table_name(&name)
        .billing_mode(BillingMode::PayPerRequest)
        .set_key_schema(Some(vec![key("pk", KeyType::Hash), key("sk", KeyType::Range)]))
        .set_attribute_definitions(Some(vec![string("pk"), string("sk")]))
        .send()
        .await
        .unwrap();
    name
}

/// A part of a key schema.
pub fn key(name: &str, kind: KeyType) -> KeySchemaElement {
    KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap()
}

/// The definition of an attribute of type S.
pub fn string(name: &str) -> AttributeDefinition {
    let builder = AttributeDefinition::builder().attribute_name(name);
    builder.attribute_type(ScalarAttributeType::S).build().unwrap()
}

/// A string value.
pub fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

/// A number value.
pub fn n(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// An item of these keys and attributes.
pub fn item<const N: usize>(pk: &str, sk: &str, more: [(&str, AttributeValue); N]) -> Item {
    let keys = [("pk", s(pk)), ("sk", s(sk))];
    keys.into_iter().chain(more).map(|(name, value)| (name.to_owned(), value)).collect()
}
