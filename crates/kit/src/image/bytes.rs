//! Reading a file from its beginning to its end.

use super::ImageError;

/// The unread bytes of a file.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Takes bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], ImageError> {
        let (taken, rest) =
            self.0.split_at_checked(count).ok_or(ImageError::Damaged("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// Takes the bytes of an array.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], ImageError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn byte(&mut self) -> Result<u8, ImageError> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn big_u16(&mut self) -> Result<u16, ImageError> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn little_u16(&mut self) -> Result<u16, ImageError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn big_u32(&mut self) -> Result<u32, ImageError> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn little_u32(&mut self) -> Result<u32, ImageError> {
        self.array().map(u32::from_le_bytes)
    }

    /// Returns the unread bytes.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
