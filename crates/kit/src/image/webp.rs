//! WebP (RFC 9649): chunks in a RIFF file.

use super::bytes::Reader;
use super::{ImageError, Stripped, check_size};

/// The flag for transparency in `VP8X`.
const HAS_ALPHA: u8 = 0x10;
/// The flag for animation in `VP8X`.
const IS_ANIMATED: u8 = 0x02;

pub(super) fn strip(mut file: Reader<'_>) -> Result<Stripped, ImageError> {
    file.take(4)?;
    let length = usize::try_from(file.little_u32()?).unwrap_or(usize::MAX);
    // Data after the RIFF chunk is not part of the file.
    let mut chunks = Reader::new(file.take(length)?);
    chunks.take(4)?;
    let (mut canvas, mut alpha) = (None, None);
    loop {
        let (kind, content) = chunk(&mut chunks)?;
        match &kind {
            b"VP8X" if canvas.is_none() => canvas = Some(read_canvas(content)?),
            b"ALPH" if canvas.is_some() => alpha = Some(content),
            b"VP8 " | b"VP8L" => {
                let (width, height) =
                    if &kind == b"VP8L" { lossless_size(content)? } else { lossy_size(content)? };
                check_size(width, height)?;
                if canvas.is_some_and(|canvas| canvas != (width, height)) {
                    return Err(ImageError::Damaged("its two sizes differ"));
                }
                let alpha = alpha.filter(|_| &kind == b"VP8 ");
                return Ok(Stripped {
                    bytes: written((width, height), alpha, &kind, content),
                    width,
                    height,
                });
            }
            b"ANIM" | b"ANMF" => return Err(ImageError::Animated),
            b"ICCP" | b"EXIF" | b"XMP " => {}
            _ => return Err(ImageError::Damaged("it has a part of an unknown kind")),
        }
    }
}

fn written(
    (width, height): (u32, u32),
    alpha: Option<&[u8]>,
    kind: &[u8; 4],
    content: &[u8],
) -> Vec<u8> {
    let mut bytes = b"RIFF\0\0\0\0WEBP".to_vec();
    if let Some(alpha) = alpha {
        let mut canvas = vec![HAS_ALPHA, 0, 0, 0];
        for side in [width, height] {
            canvas.extend(&(side - 1).to_le_bytes()[..3]);
        }
        write(&mut bytes, b"VP8X", &canvas);
        write(&mut bytes, b"ALPH", alpha);
    }
    write(&mut bytes, kind, content);
    let length = u32::try_from(bytes.len() - 8).unwrap_or(u32::MAX);
    bytes[4..8].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// Takes a chunk: its kind and its content. A chunk of odd length is followed by a padding byte.
fn chunk<'a>(chunks: &mut Reader<'a>) -> Result<([u8; 4], &'a [u8]), ImageError> {
    let kind = chunks.array()?;
    let length = usize::try_from(chunks.little_u32()?).unwrap_or(usize::MAX);
    let content = chunks.take(length)?;
    chunks.take(length % 2)?;
    Ok((kind, content))
}

fn write(bytes: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    bytes.extend(kind);
    bytes.extend(u32::try_from(content.len()).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(content);
    bytes.extend(vec![0; content.len() % 2]);
}

/// Reads the size of the canvas.
fn read_canvas(content: &[u8]) -> Result<(u32, u32), ImageError> {
    let mut canvas = Reader::new(content);
    let [flags, ..] = canvas.array::<4>()?;
    if flags & IS_ANIMATED != 0 {
        return Err(ImageError::Animated);
    }
    let [w0, w1, w2, h0, h1, h2] = canvas.array()?;
    let side = |bytes: [u8; 3]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]) + 1;
    Ok((side([w0, w1, w2]), side([h0, h1, h2])))
}

/// Reads the size in the first frame of VP8, which must be a key frame.
fn lossy_size(content: &[u8]) -> Result<(u32, u32), ImageError> {
    let mut frame = Reader::new(content);
    let [tag, _, _, 0x9d, 0x01, 0x2a] = frame.array()? else {
        return Err(ImageError::Damaged("its frame is malformed"));
    };
    if tag & 1 != 0 {
        return Err(ImageError::Damaged("its frame is malformed"));
    }
    let (width, height) = (frame.little_u16()?, frame.little_u16()?);
    Ok(((width & 0x3fff).into(), (height & 0x3fff).into()))
}

/// Reads the size in the header of VP8L.
fn lossless_size(content: &[u8]) -> Result<(u32, u32), ImageError> {
    let mut frame = Reader::new(content);
    if frame.byte()? != 0x2f {
        return Err(ImageError::Damaged("its frame is malformed"));
    }
    let bits = frame.little_u32()?;
    Ok(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
}
