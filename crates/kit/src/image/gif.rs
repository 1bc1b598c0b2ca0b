//! GIF: blocks, of which the first picture is kept.

use super::bytes::Reader;
use super::{ImageError, Stripped, check_size};

const EXTENSION: u8 = 0x21;
const PICTURE: u8 = 0x2c;
const END: u8 = 0x3b;
const GRAPHIC_CONTROL: u8 = 0xf9;

pub(super) fn strip(mut file: Reader<'_>) -> Result<Stripped, ImageError> {
    file.take(6)?;
    let mut bytes = b"GIF89a".to_vec();
    let screen: [u8; 7] = file.array()?;
    let [w0, w1, h0, h1, flags, ..] = screen;
    let (width, height) =
        (u16::from_le_bytes([w0, w1]).into(), u16::from_le_bytes([h0, h1]).into());
    check_size(width, height)?;
    bytes.extend(screen);
    bytes.extend(palette(&mut file, flags)?);
    let mut control = None;
    let mut has_picture = false;
    loop {
        match file.byte()? {
            EXTENSION => {
                let label = file.byte()?;
                let content = sub_blocks(&mut file)?;
                if label == GRAPHIC_CONTROL && content.len() == 6 {
                    control = Some(content);
                }
            }
            PICTURE => {
                let start = file;
                let [left, top, columns, rows] = [
                    file.little_u16()?,
                    file.little_u16()?,
                    file.little_u16()?,
                    file.little_u16()?,
                ]
                .map(u32::from);
                let flags = file.byte()?;
                palette(&mut file, flags)?;
                // The width of codes.
                file.byte()?;
                sub_blocks(&mut file)?;
                if left + columns > width || top + rows > height {
                    return Err(ImageError::Damaged("a picture is larger than the screen"));
                }
                if !std::mem::replace(&mut has_picture, true) {
                    if let Some(control) = control {
                        bytes.extend([EXTENSION, GRAPHIC_CONTROL]);
                        bytes.extend(control);
                    }
                    bytes.push(PICTURE);
                    let length = start.rest().len() - file.rest().len();
                    bytes.extend(&start.rest()[..length]);
                }
            }
            END if has_picture => {
                bytes.push(END);
                return Ok(Stripped { bytes, width, height });
            }
            _ => return Err(ImageError::Damaged("it has a part of an unknown kind")),
        }
    }
}

/// Takes a table of colours, if the flags contain one.
fn palette<'a>(file: &mut Reader<'a>, flags: u8) -> Result<&'a [u8], ImageError> {
    let colors = if flags & 0x80 == 0 { 0 } else { 2 << (flags & 7) };
    file.take(3 * colors)
}

/// Takes blocks up to the empty one at their end, with their lengths.
fn sub_blocks<'a>(file: &mut Reader<'a>) -> Result<&'a [u8], ImageError> {
    let start = file.rest();
    loop {
        let length = file.byte()?;
        if length == 0 {
            return Ok(&start[..start.len() - file.rest().len()]);
        }
        file.take(length.into())?;
    }
}
