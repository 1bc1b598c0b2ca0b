//! The storage of photos and other files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Args;
use monotable_kit::blobs::{BlobStore, DirectoryBlobs, MemoryBlobs};

/// The folder of files in the data directory.
pub(crate) const BLOB_DIRECTORY: &str = "blobs";
/// The scheme of buckets.
const SCHEME: &str = "s3://";

#[derive(Args)]
#[command(next_help_heading = "Services")]
pub(crate) struct BlobArguments {
    /// Store photos and other files of services in this directory, or in a bucket with S3's API:
    /// s3://BUCKET/PREFIX?region=eu-central-1, for stores other than Amazon's with
    /// &endpoint=https://…; the key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY [default: the
    /// folder blobs in the data directory]
    #[arg(long, value_name = "DIR|URL")]
    blobs: Option<String>,
}

/// The location of files.
pub(crate) enum BlobSource {
    /// In a directory, which is created if it does not exist.
    Directory(PathBuf),
    /// In a store that needs no preparation.
    Open(Arc<dyn BlobStore>),
}

impl BlobArguments {
    pub(crate) fn is_given(&self) -> bool {
        self.blobs.is_some()
    }

    /// Returns the location of files. A server without a directory keeps them in memory, like its
    /// data.
    ///
    /// # Errors
    /// Fails if the bucket can't be used.
    pub(crate) fn source(&self, directory: Option<&Path>) -> Result<BlobSource> {
        Ok(match (self.blobs.as_deref(), directory) {
            (Some(url), _) if url.starts_with(SCHEME) => BlobSource::Open(bucket(url)?),
            (Some(path), _) => BlobSource::Directory(path.into()),
            (None, Some(directory)) => BlobSource::Directory(directory.join(BLOB_DIRECTORY)),
            (None, None) => BlobSource::Open(Arc::new(MemoryBlobs::default())),
        })
    }
}

impl BlobSource {
    /// Returns the directory of the files, if they are in one.
    pub(crate) fn directory(&self) -> Option<&Path> {
        match self {
            Self::Directory(path) => Some(path),
            Self::Open(_) => None,
        }
    }

    /// Opens the store.
    ///
    /// # Errors
    /// Fails if its directory can't be created.
    pub(crate) fn open(self) -> Result<Arc<dyn BlobStore>> {
        Ok(match self {
            Self::Open(store) => store,
            Self::Directory(path) => {
                let store = DirectoryBlobs::open(&path);
                Arc::new(store.with_context(|| {
                    format!("the directory of files {} can't be opened", path.display())
                })?)
            }
        })
    }
}

#[cfg(not(feature = "s3"))]
fn bucket(_: &str) -> Result<Arc<dyn BlobStore>> {
    anyhow::bail!("--blobs {SCHEME}… needs a build with the feature `s3`")
}

#[cfg(feature = "s3")]
fn bucket(url: &str) -> Result<Arc<dyn BlobStore>> {
    let variable = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
    let settings = bucket_settings(url, variable)?;
    let store = monotable_host::S3Blobs::new(settings).context("--blobs can't be used")?;
    Ok(Arc::new(store))
}

/// Reads `s3://BUCKET/PREFIX?region=…&endpoint=…`.
#[cfg(feature = "s3")]
fn bucket_settings(
    url: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<monotable_host::S3Settings> {
    use anyhow::bail;

    let rest = url.strip_prefix(SCHEME).unwrap_or(url);
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
    let prefix = prefix.trim_end_matches('/');
    let is_prefix = prefix.is_empty() || prefix.parse::<monotable_kit::blobs::BlobKey>().is_ok();
    if bucket.is_empty() || !is_prefix {
        bail!(
            "--blobs needs a bucket, and a prefix of letters, digits, `_`, `-`, `.` and `/`: s3://photos/hunts"
        );
    }
    let (mut region, mut endpoint) = (variable("AWS_REGION"), None);
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("region", value)) => region = Some(value.to_owned()),
            Some(("endpoint", value)) => endpoint = Some(value.to_owned()),
            _ => bail!("--blobs {SCHEME}{bucket} takes region=… and endpoint=…, not {pair:?}"),
        }
    }
    let Some(region) = region.or_else(|| endpoint.is_some().then(|| "us-east-1".to_owned())) else {
        bail!(
            "--blobs {SCHEME}{bucket} needs a region: add ?region=eu-central-1, or set AWS_REGION"
        );
    };
    let key = |name: &str| {
        variable(name)
            .with_context(|| format!("--blobs {SCHEME}{bucket} needs the variable {name}"))
    };
    Ok(monotable_host::S3Settings {
        bucket: bucket.to_owned(),
        prefix: prefix.to_owned(),
        region,
        endpoint,
        access_key_id: key("AWS_ACCESS_KEY_ID")?,
        secret_access_key: key("AWS_SECRET_ACCESS_KEY")?,
        session_token: variable("AWS_SESSION_TOKEN"),
    })
}

#[cfg(all(test, feature = "s3"))]
mod tests {
    use super::*;

    fn settings(url: &str) -> Result<monotable_host::S3Settings, String> {
        let variable = |name: &str| match name {
            "AWS_ACCESS_KEY_ID" => Some("id".to_owned()),
            "AWS_SECRET_ACCESS_KEY" => Some("secret".to_owned()),
            _ => None,
        };
        bucket_settings(url, variable).map_err(|error| error.to_string())
    }

    #[test]
    fn a_bucket_has_a_prefix_a_region_and_an_endpoint() {
        let read = settings("s3://photos/hunts/2026/?region=eu-central-1").unwrap();
        assert_eq!((read.bucket.as_str(), read.prefix.as_str()), ("photos", "hunts/2026"));
        assert_eq!((read.region.as_str(), read.endpoint), ("eu-central-1", None));
        let read = settings("s3://photos?endpoint=http://127.0.0.1:9000").unwrap();
        assert_eq!(read.endpoint.as_deref(), Some("http://127.0.0.1:9000"));
        assert_eq!((read.prefix.as_str(), read.region.as_str()), ("", "us-east-1"));
    }

    #[test]
    fn what_no_request_can_use_is_refused() {
        for (url, text) in [
            ("s3://", "needs a bucket"),
            ("s3:///a", "needs a bucket"),
            ("s3://photos/../a?region=x", "a prefix of letters"),
            ("s3://photos", "needs a region"),
            ("s3://photos?region=x&acl=public", "not \"acl=public\""),
        ] {
            let error = settings(url).err().unwrap();
            assert!(error.contains(text), "{url}: {error}");
        }
        let error = bucket_settings("s3://photos?region=x", |_| None).err().unwrap().to_string();
        assert!(error.contains("AWS_ACCESS_KEY_ID"), "{error}");
    }
}
