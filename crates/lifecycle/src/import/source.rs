//! The objects of an import, and the items in them.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;
use monotable_engine::{AttributeDefinition, Item};
use ruzstd::decoding::StreamingDecoder;
use serde::{Deserialize, Serialize};

use super::csv::Columns;
use super::lines::read_line;
use super::{CsvOptions, ImportFormat};
use crate::bucket::{self, path_of_key};
use crate::codec::{ItemCodec, LineError};
use crate::error::{Error, Result};
use crate::ion::{Parsed, parse_item};

/// The limit of objects, as on AWS.
const OBJECTS_MAX: usize = 50_000;
const BUFFER_BYTES: usize = 256 << 10;
/// The limit of an Ion value's length; no item is longer.
const ION_BYTES_MAX: usize = 8 << 20;

/// The compression of objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Compression {
    /// No compression.
    #[default]
    None,
    /// `GZIP`
    Gzip,
    /// `ZSTD`
    Zstd,
}

impl Compression {
    /// Returns AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Gzip => "GZIP",
            Self::Zstd => "ZSTD",
        }
    }
}

/// The objects that an import reads, in order.
pub(crate) struct Objects {
    bucket: PathBuf,
    /// Keys and sizes.
    pub(crate) found: Vec<(String, u64)>,
}

impl Objects {
    pub(crate) fn list(bucket: &Path, prefix: &str) -> Result<Self> {
        let found = bucket::objects(bucket, prefix, OBJECTS_MAX)?;
        Ok(Self { bucket: bucket.to_owned(), found })
    }

    /// Returns the stored bytes of all objects.
    pub(crate) fn total_bytes(&self) -> u64 {
        self.found.iter().map(|(_, bytes)| bytes).sum()
    }
}

/// Reads the items of objects in one format.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) format: ImportFormat,
    pub(crate) csv: Option<CsvOptions>,
    pub(crate) compression: Compression,
    pub(crate) definitions: Vec<AttributeDefinition>,
    pub(crate) codec: Arc<dyn ItemCodec>,
}

/// An error in a part of an object.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) object: String,
    /// The position of the item in the object, from 1.
    pub(crate) item: u64,
    pub(crate) error: LineError,
}

/// The items of one object.
pub(crate) struct ObjectItems {
    key: String,
    reader: Box<dyn BufRead>,
    kind: Kind,
    line: Vec<u8>,
    items: u64,
    /// Bytes read so far, decompressed.
    pub(crate) bytes: u64,
    is_over: bool,
}

enum Kind {
    Json(Arc<dyn ItemCodec>),
    Ion { buffer: Vec<u8>, at: usize, is_whole: bool },
    Csv(Columns),
}

impl Source {
    /// Opens an object.
    pub(crate) fn open(&self, objects: &Objects, key: &str) -> Result<ObjectItems> {
        let path = path_of_key(&objects.bucket, key)?;
        let file = File::open(&path).map_err(|error| Error::io(&path, "read", &error))?;
        let file = BufReader::with_capacity(BUFFER_BYTES, file);
        let reader: Box<dyn BufRead> = match self.compression {
            Compression::None => Box::new(file),
            Compression::Gzip => {
                Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(file)))
            }
            Compression::Zstd => Box::new(BufReader::with_capacity(
                BUFFER_BYTES,
                Frames { file: Some(file), frame: None },
            )),
        };
        let kind = match self.format {
            ImportFormat::DynamoDbJson => Kind::Json(Arc::clone(&self.codec)),
            ImportFormat::Ion => Kind::Ion { buffer: Vec::new(), at: 0, is_whole: false },
            ImportFormat::Csv => {
                let options = self.csv.clone().unwrap_or_default();
                let delimiter = options.delimiter.map_or(b',', |delimiter| delimiter as u8);
                Kind::Csv(Columns::new(options.headers, delimiter, &self.definitions))
            }
        };
        let key = key.to_owned();
        Ok(ObjectItems { key, reader, kind, line: Vec::new(), items: 0, bytes: 0, is_over: false })
    }
}

impl ObjectItems {
    /// Returns the next item, or its error; `None` at the end. After a syntax error nothing more is
    /// read.
    pub(crate) fn next(&mut self) -> Option<Result<Item, Problem>> {
        if self.is_over {
            return None;
        }
        let item = self.read().transpose()?;
        self.items += 1;
        Some(item.map_err(|error| {
            self.is_over = matches!(error, LineError::Syntax(_));
            Problem { object: self.key.clone(), item: self.items, error }
        }))
    }

    fn read(&mut self) -> Result<Option<Item>, LineError> {
        match &mut self.kind {
            Kind::Json(codec) => loop {
                if !read_line(&mut *self.reader, &mut self.line)? {
                    return Ok(None);
                }
                self.bytes += self.line.len() as u64 + 1;
                if !self.line.trim_ascii().is_empty() {
                    return codec.read(&self.line).map(Some);
                }
            },
            Kind::Csv(columns) => columns.next(&mut *self.reader, &mut self.line, &mut self.bytes),
            Kind::Ion { buffer, at, is_whole } => loop {
                match parse_item(&buffer[*at..], *is_whole)? {
                    Parsed::Item { item, rest } => {
                        *at += rest;
                        return Ok(Some(item));
                    }
                    Parsed::Unfit { why, rest } => {
                        *at += rest;
                        return Err(LineError::Item(why));
                    }
                    Parsed::End if *is_whole => return Ok(None),
                    Parsed::End | Parsed::More => {}
                }
                buffer.drain(..*at);
                *at = 0;
                if buffer.len() > ION_BYTES_MAX {
                    return Err(LineError::Syntax("A value is too long".to_owned()));
                }
                // The buffer doubles each time, so that a long value is read only a few times.
                let wanted = buffer.len().max(BUFFER_BYTES) as u64;
                let read = (&mut *self.reader).take(wanted).read_to_end(buffer);
                let read = read.map_err(|error| {
                    LineError::Syntax(format!("The object can't be read: {error}"))
                })?;
                self.bytes += read as u64;
                *is_whole = read == 0;
            },
        }
    }
}

/// The frames of a file that is compressed with Zstandard, in order.
struct Frames {
    file: Option<BufReader<File>>,
    frame: Option<StreamingDecoder<BufReader<File>, ruzstd::decoding::FrameDecoder>>,
}

impl Read for Frames {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                match frame.read(into)? {
                    0 => self.file = self.frame.take().map(StreamingDecoder::into_inner),
                    count => return Ok(count),
                }
            }
            let Some(mut file) = self.file.take() else { return Ok(0) };
            if file.fill_buf()?.is_empty() {
                return Ok(0);
            }
            let frame = StreamingDecoder::new(file).map_err(std::io::Error::other)?;
            self.frame = Some(frame);
        }
    }
}
