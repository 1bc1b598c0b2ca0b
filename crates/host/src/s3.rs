//! Blobs in a store with S3's API: Amazon S3, MinIO and others. Requests have presigned addresses.
//!
//! Nothing here logs, and no error contains a key or a secret.

use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response};
use monotable::model::time::Timestamp;
use monotable_kit::blobs::{BlobError, BlobKey, BlobStore, StoredBlob, Storing};
use rusty_s3::actions::ListObjectsV2;
use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};

use crate::remote::{Remote, RemoteError, RemoteSettings};

/// How long a signed address can be used.
const SIGNED_FOR: Duration = Duration::from_secs(60);
/// The longest time for a call, and for waiting for its turn.
const TIME_MAX: Duration = Duration::from_secs(30);
const WAIT_MAX: Duration = Duration::from_secs(10);
/// The maximum number of concurrent calls.
const CALLS_MAX: usize = 16;
/// The maximum size of a blob, or of a list.
const RESPONSE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// How often a call is tried. All calls can be repeated without a further effect.
const ATTEMPTS: usize = 3;
/// The pause before the second attempt; it doubles before each further one.
const PAUSE: Duration = Duration::from_millis(200);

/// The location of the blobs.
#[derive(Clone)]
pub struct S3Settings {
    /// The bucket, which must exist.
    pub bucket: String,
    /// The prefix of keys in the bucket, without a slash at its end; may be empty.
    pub prefix: String,
    /// The region.
    pub region: String,
    /// The address of a store other than Amazon's, such as `http://127.0.0.1:9000`.
    pub endpoint: Option<String>,
    /// The access key.
    pub access_key_id: String,
    /// Its secret.
    pub secret_access_key: String,
    /// The token of a temporary key.
    pub session_token: Option<String>,
}

/// Why settings are invalid.
#[derive(Debug, thiserror::Error)]
pub enum S3Error {
    /// The bucket or the endpoint is not valid.
    #[error("the bucket or the endpoint can't be part of an address")]
    Address,
    /// The endpoint can't be reached by HTTP.
    #[error(transparent)]
    Remote(#[from] RemoteError),
}

/// A store in a bucket.
pub struct S3Blobs {
    bucket: Bucket,
    prefix: String,
    credentials: Credentials,
    remote: Remote,
    /// The beginning of all addresses.
    origin: String,
}

impl S3Blobs {
    /// Creates the store. Nothing is sent yet.
    ///
    /// # Errors
    /// Fails if the settings are invalid.
    pub fn new(settings: S3Settings) -> Result<Self, S3Error> {
        let S3Settings { bucket, prefix, region, endpoint, .. } = settings;
        let amazon = || format!("https://s3.{region}.amazonaws.com");
        // A certificate covers one label before Amazon's name; other stores may have no names at
        // all.
        let style = match &endpoint {
            None if !bucket.contains('.') => UrlStyle::VirtualHost,
            _ => UrlStyle::Path,
        };
        let endpoint = endpoint.unwrap_or_else(amazon).parse().map_err(|_| S3Error::Address)?;
        let bucket = Bucket::new(endpoint, style, bucket, region).map_err(|_| S3Error::Address)?;
        let origin = bucket.base_url().origin().ascii_serialization();
        let remote = Remote::new(RemoteSettings {
            base_url: origin.clone(),
            time_max: TIME_MAX,
            wait_max: WAIT_MAX,
            calls_max: CALLS_MAX,
            response_bytes_max: RESPONSE_BYTES_MAX,
        })?;
        let (id, secret) = (settings.access_key_id, settings.secret_access_key);
        let credentials = match settings.session_token {
            Some(token) => Credentials::new_with_token(id, secret, token),
            None => Credentials::new(id, secret),
        };
        let prefix = if prefix.is_empty() { prefix } else { prefix + "/" };
        Ok(Self { bucket, prefix, credentials, remote, origin })
    }

    /// Returns the key in the bucket.
    fn object(&self, key: &BlobKey) -> String {
        format!("{}{key}", self.prefix)
    }

    /// Sends a request, and retries it if the store could not be reached or is busy.
    async fn call<'a>(
        &self,
        method: Method,
        action: impl S3Action<'a>,
        body: &[u8],
    ) -> Result<Response<Vec<u8>>, BlobError> {
        let mut pause = PAUSE;
        let mut attempt = 1;
        loop {
            let url = action.sign(SIGNED_FOR);
            let path = url.as_str().strip_prefix(&self.origin).unwrap_or("/");
            let request: Request<Vec<u8>> = self
                .remote
                .request(method.clone(), path)
                .body(body.to_vec())
                .map_err(|_| BlobError("its address can't be part of a request".to_owned()))?;
            let failure = match self.remote.call(request).await {
                Ok(response) if !response.status().is_server_error() => return Ok(response),
                Ok(response) => responded(&response),
                Err(failure) => BlobError(failure.to_string()),
            };
            if attempt == ATTEMPTS {
                return Err(failure);
            }
            attempt += 1;
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
    }

    async fn page(
        &self,
        first_segment: &str,
        after: Option<&BlobKey>,
    ) -> Result<Vec<StoredBlob>, BlobError> {
        let mut action = ListObjectsV2::new(&self.bucket, Some(&self.credentials));
        action.with_prefix(format!("{}{first_segment}/", self.prefix));
        if let Some(after) = after {
            action.with_start_after(self.object(after));
        }
        let response = succeeded(self.call(Method::GET, action, &[]).await?)?;
        let body = std::str::from_utf8(response.body()).unwrap_or_default();
        let form = |_| BlobError("its list has an unexpected form".to_owned());
        let list = ListObjectsV2::parse_response(body).map_err(form)?;
        let mut listed = Vec::new();
        for object in list.contents {
            // Objects that no service has stored are ignored.
            let key = object.key.strip_prefix(&self.prefix).and_then(|key| key.parse().ok());
            let stored_at = object.last_modified.and_then(|at| at.parse().ok());
            if let (Some(key), Some(stored_at)) = (key, stored_at) {
                listed.push(StoredBlob { key, stored_at });
            }
        }
        Ok(listed)
    }
}

impl BlobStore for S3Blobs {
    /// Stores the blob; the store sets the time itself.
    fn put<'a>(&'a self, key: &'a BlobKey, bytes: Bytes, _: Timestamp) -> Storing<'a, ()> {
        Box::pin(async move {
            let object = self.object(key);
            let action = self.bucket.put_object(Some(&self.credentials), &object);
            succeeded(self.call(Method::PUT, action, &bytes).await?).map(drop)
        })
    }

    fn get<'a>(&'a self, key: &'a BlobKey) -> Storing<'a, Option<Bytes>> {
        Box::pin(async move {
            let object = self.object(key);
            let action = self.bucket.get_object(Some(&self.credentials), &object);
            let response = self.call(Method::GET, action, &[]).await?;
            match response.status().as_u16() {
                404 => Ok(None),
                _ => Ok(Some(succeeded(response)?.into_body().into())),
            }
        })
    }

    fn delete<'a>(&'a self, key: &'a BlobKey) -> Storing<'a, ()> {
        Box::pin(async move {
            let object = self.object(key);
            let action = self.bucket.delete_object(Some(&self.credentials), &object);
            let response = self.call(Method::DELETE, action, &[]).await?;
            match response.status().as_u16() {
                404 => Ok(()),
                _ => succeeded(response).map(drop),
            }
        })
    }

    fn list<'a>(
        &'a self,
        first_segment: &'a str,
        after: Option<&'a BlobKey>,
    ) -> Storing<'a, Vec<StoredBlob>> {
        Box::pin(self.page(first_segment, after))
    }
}

fn succeeded(response: Response<Vec<u8>>) -> Result<Response<Vec<u8>>, BlobError> {
    if response.status().is_success() { Ok(response) } else { Err(responded(&response)) }
}

fn responded(response: &Response<Vec<u8>>) -> BlobError {
    BlobError(format!("it responded with {}", response.status().as_u16()))
}
