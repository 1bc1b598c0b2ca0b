//! Buckets as directories: `S3Bucket` is a directory below the one that the owner of the
//! database allows, and a key is a path in it.

use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Refusal, Result};

/// The directory whose subdirectories are buckets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets(pub(crate) Option<PathBuf>);

impl Buckets {
    /// Returns the directory of a bucket, which must exist.
    pub(crate) fn find(&self, bucket: &str) -> Result<PathBuf> {
        let refuse = |why: String| {
            Err(Refusal::Validation
                .with(format!("The S3 bucket {bucket} is not supported by this server: {why}")))
        };
        let Some(root) = &self.0 else {
            return refuse("it was started without --buckets DIR".to_owned());
        };
        let is_name =
            bucket.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        let path = root.join(bucket);
        if !is_name || bucket.is_empty() || bucket.starts_with('.') || !path.is_dir() {
            return refuse(format!("the directory of --buckets has no subdirectory {bucket}"));
        }
        Ok(path)
    }
}

/// Returns the path of a key in a bucket, never a path outside of it.
pub(crate) fn path_of_key(bucket: &Path, key: &str) -> Result<PathBuf> {
    let relative = Path::new(key);
    let is_inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
    if is_inside && !key.contains('\0') {
        Ok(bucket.join(relative))
    } else {
        Err(Refusal::Validation.with(format!(
            "The S3 key {key:?} is not supported by this server: it must be a path without . and .. and empty parts at its start"
        )))
    }
}

/// Returns the objects whose keys begin with a prefix, in order of their keys, with their sizes.
pub(crate) fn objects(bucket: &Path, prefix: &str, max: usize) -> Result<Vec<(String, u64)>> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let path = bucket.join(&folder);
        let entries = std::fs::read_dir(&path).map_err(|error| Error::io(&path, "read", &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Error::io(&path, "read", &error))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let key = format!("{folder}{name}");
            let metadata =
                entry.metadata().map_err(|error| Error::io(&entry.path(), "read", &error))?;
            if metadata.is_dir() {
                let folder = format!("{key}/");
                if folder.starts_with(prefix) || prefix.starts_with(&folder) {
                    folders.push(folder);
                }
            } else if metadata.is_file() && key.starts_with(prefix) {
                found.push((key, metadata.len()));
            }
            if found.len() > max {
                return Err(
                    Refusal::LimitExceeded.with(format!("There are more than {max} objects"))
                );
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_not_lead_out_of_their_bucket() {
        let bucket = Path::new("/buckets/one");
        for bad in ["../two/x", "a/../../x", "/etc/passwd", "a/\0"] {
            assert!(path_of_key(bucket, bad).is_err(), "{bad}");
        }
        assert_eq!(path_of_key(bucket, "a/b.json").unwrap(), Path::new("/buckets/one/a/b.json"));
    }

    #[test]
    fn buckets_that_are_no_subdirectories_are_refused_by_name() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("one")).unwrap();
        let buckets = Buckets(Some(root.path().to_owned()));
        assert!(buckets.find("one").is_ok());
        for bad in ["two", "..", ".", "", "one/../one", "a/b"] {
            let text = buckets.find(bad).unwrap_err().to_string();
            assert!(text.contains("is not supported by this server"), "{text}");
        }
        assert!(Buckets(None).find("one").is_err());
    }

    #[test]
    fn objects_are_found_by_prefix_in_order() {
        let root = tempfile::tempdir().unwrap();
        for key in ["a/1", "a/2", "ab", "b/a/1"] {
            let path = root.path().join(key);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, key).unwrap();
        }
        let keys = |prefix| -> Vec<String> {
            objects(root.path(), prefix, 10).unwrap().into_iter().map(|(key, _)| key).collect()
        };
        assert_eq!(keys("a"), ["a/1", "a/2", "ab"]);
        assert_eq!(keys("a/"), ["a/1", "a/2"]);
        assert_eq!(keys("b/a/1"), ["b/a/1"]);
        assert_eq!(keys(""), ["a/1", "a/2", "ab", "b/a/1"]);
        assert!(objects(root.path(), "", 3).is_err());
    }
}
