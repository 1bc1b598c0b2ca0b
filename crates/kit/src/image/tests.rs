//! Photos made by hand, and what may hide in them.

use super::*;

/// A segment of a JPEG.
fn segment(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&[0xff, kind], &length[..], content].concat()
}

/// A JPEG of this size with these segments behind its start.
fn jpeg_with(width: u16, height: u16, extra: &[u8]) -> Vec<u8> {
    let [h, w] = [height.to_be_bytes(), width.to_be_bytes()];
    let frame = segment(0xc0, &[8, h[0], h[1], w[0], w[1], 1, 1, 0x11, 0]);
    let table = segment(0xdb, &[&[0][..], &[1; 64]].concat());
    let codes = segment(0xc4, &[&[0, 1][..], &[0; 15], &[0]].concat());
    let scan = segment(0xda, &[1, 1, 0, 0, 63, 0]);
    let pixels = [0x12, 0xff, 0, 0x34, 0xff, 0xd0, 0x56];
    [&[0xff, 0xd8], extra, &table, &frame, &codes, &scan, &pixels, &[0xff, 0xd9]].concat()
}

fn jpeg() -> Vec<u8> {
    jpeg_with(16, 8, &[])
}

/// EXIF with an orientation, a camera's name and a place.
fn exif(orientation: u8, is_little: bool) -> Vec<u8> {
    let u16 = |number: u16| if is_little { number.to_le_bytes() } else { number.to_be_bytes() };
    let u32 = |number: u32| if is_little { number.to_le_bytes() } else { number.to_be_bytes() };
    let entry =
        |tag: u16, kind: u16, value: [u8; 4]| [&u16(tag)[..], &u16(kind), &u32(1), &value].concat();
    let [first, second] = u16(orientation.into());
    let content = [
        &b"Exif\0\0"[..],
        if is_little { b"II" } else { b"MM" },
        &u16(42),
        &u32(8),
        &u16(2),
        &entry(0x010f, 2, *b"Cam\0"),
        &entry(0x0112, 3, [first, second, 0, 0]),
        &u32(0),
        b"GPS 52.5 13.4",
    ];
    segment(0xe1, &content.concat())
}

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut checked = crc32fast::Hasher::new();
    checked.update(kind);
    checked.update(content);
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    [&length[..], kind, content, &checked.finalize().to_be_bytes()].concat()
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A PNG with eight bits per pixel.
fn png_with(width: u32, height: u32, is_interlaced: bool, pixels: &[u8], extra: &[u8]) -> Vec<u8> {
    let [w, h] = [width.to_be_bytes(), height.to_be_bytes()];
    let header = [&w[..], &h, &[8, 0, 0, 0, is_interlaced.into()]].concat();
    [png::SIGNATURE, &chunk(b"IHDR", &header), extra, &chunk(b"IDAT", pixels), &chunk(b"IEND", b"")]
        .concat()
}

fn png() -> Vec<u8> {
    png_with(3, 2, false, &deflated(&[0; 8]), &[])
}

fn gif_with(extra: &[u8]) -> Vec<u8> {
    let screen = [3, 0, 2, 0, 0x80, 0, 0];
    let palette = [0, 0, 0, 255, 255, 255];
    let control = [0x21, 0xf9, 4, 0, 0, 0, 0, 0];
    let picture = [0x2c, 0, 0, 0, 0, 3, 0, 2, 0, 0, 2, 2, 0x44, 0x01, 0];
    [&b"GIF89a"[..], &screen, &palette, extra, &control, &picture, &[0x3b]].concat()
}

fn webp_chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap().to_le_bytes();
    [kind, &length[..], content, &vec![0; content.len() % 2]].concat()
}

fn webp_with(chunks: &[u8]) -> Vec<u8> {
    let length = u32::try_from(chunks.len() + 4).unwrap().to_le_bytes();
    [b"RIFF", &length[..], b"WEBP", chunks].concat()
}

/// A frame of VP8 with 5 × 4 pixels.
const VP8: [u8; 13] = [0x10, 0, 0, 0x9d, 0x01, 0x2a, 5, 0, 4, 0, 1, 2, 3];

fn webp() -> Vec<u8> {
    webp_with(&webp_chunk(b"VP8 ", &VP8))
}

fn canvas(flags: u8) -> Vec<u8> {
    webp_chunk(b"VP8X", &[flags, 0, 0, 0, 4, 0, 0, 3, 0, 0])
}

/// A photo of each format, with its size.
fn photos() -> [(Vec<u8>, &'static str, (u32, u32)); 4] {
    [
        (jpeg(), "image/jpeg", (16, 8)),
        (png(), "image/png", (3, 2)),
        (gif_with(&[]), "image/gif", (3, 2)),
        (webp(), "image/webp", (5, 4)),
    ]
}

fn read(bytes: &[u8]) -> Result<Image, ImageError> {
    Image::read(bytes, None)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_photo_without_anything_else_stays_as_it_is() {
    for (bytes, media_type, size) in photos() {
        let image = Image::read(&bytes, Some(media_type)).unwrap();
        assert_eq!(image.bytes, bytes, "{media_type}");
        assert_eq!((image.width, image.height), size);
        assert_eq!(image.format.media_type(), media_type);
        assert_eq!(ImageFormat::of_extension(image.format.extension()), Some(image.format));
        for other in ["image/svg+xml", "text/html", "", "image/bmp"] {
            assert_eq!(Image::read(&bytes, Some(other)), Err(ImageError::OtherType), "{other}");
        }
        for (_, other, _) in photos().into_iter().filter(|(_, other, _)| *other != media_type) {
            assert_eq!(Image::read(&bytes, Some(other)), Err(ImageError::OtherType), "{other}");
        }
    }
    assert!(Image::read(&jpeg(), Some("image/jpg; charset=binary")).is_ok());
}

#[test]
fn what_is_not_needed_to_draw_is_dropped() {
    let secret = b"<script>52.5200 13.4050</script>";
    let place = segment(0xe1, &[&b"http://ns.adobe.com/xap/1.0/\0"[..], secret].concat());
    let preview = segment(0xe0, &[&b"JFIF\0"[..], secret].concat());
    let profile = segment(0xe2, secret);
    let comment = segment(0xfe, secret);
    let with = |extra: &[&[u8]]| jpeg_with(16, 8, &extra.concat());
    assert_eq!(read(&with(&[&preview, &place, &profile, &comment])).unwrap().bytes, jpeg());
    let mark = segment(0xee, &[&b"Adobe\0\x64\0\0\0\0\x01"[..], secret].concat());
    let marked = read(&with(&[&mark])).unwrap().bytes;
    assert!(contains(&marked, b"Adobe") && !contains(&marked, b"script"));

    let texts = [b"tEXt", b"iTXt", b"zTXt", b"eXIf", b"tIME", b"iCCP", b"prIv", b"acTL", b"fdAT"];
    let texts: Vec<u8> = texts.into_iter().flat_map(|kind| chunk(kind, secret)).collect();
    let noisy = png_with(3, 2, false, &deflated(&[0; 8]), &texts);
    assert_eq!(read(&noisy).unwrap().bytes, png());

    let comment = [&[0x21, 0xfe, 32][..], secret, &[0]].concat();
    let application = [&[0x21, 0xff, 11][..], b"XMP DataXMP", &[32], secret, &[0]].concat();
    assert_eq!(read(&gif_with(&[comment, application].concat())).unwrap().bytes, gif_with(&[]));

    let chunks = [
        canvas(0x2c),
        webp_chunk(b"ICCP", secret),
        webp_chunk(b"VP8 ", &VP8),
        webp_chunk(b"EXIF", secret),
        webp_chunk(b"XMP ", secret),
    ];
    assert_eq!(read(&webp_with(&chunks.concat())).unwrap().bytes, webp());
}

#[test]
fn nothing_hides_behind_the_end_of_a_photo() {
    for hidden in [&b"<html><script>alert(1)</script>"[..], b"PK\x03\x04 a ZIP file", b"%PDF-1.7"] {
        for (bytes, media_type, _) in photos() {
            let read = read(&[&bytes, hidden].concat()).unwrap();
            assert_eq!(read.bytes, bytes, "{media_type}");
        }
    }
    let hidden_in_pixels = [deflated(&[0; 8]), b"<script>".to_vec()].concat();
    assert!(read(&png_with(3, 2, false, &hidden_in_pixels, &[])).is_err());
    // A table that is longer than necessary.
    let table = segment(0xdb, &[&[0][..], &[1; 64], b"<script>"].concat());
    assert!(read(&jpeg_with(16, 8, &table)).is_err());
}

#[test]
fn the_orientation_is_kept_alone() {
    for orientation in 1..=8 {
        for is_little in [false, true] {
            let turned = read(&jpeg_with(16, 8, &exif(orientation, is_little))).unwrap();
            let size = if orientation > 4 { (8, 16) } else { (16, 8) };
            assert_eq!((turned.width, turned.height), size, "{orientation}");
            assert!(!contains(&turned.bytes, b"Cam") && !contains(&turned.bytes, b"GPS"));
            assert_eq!(contains(&turned.bytes, b"Exif"), orientation > 1);
            // The result is accepted again.
            assert_eq!(read(&turned.bytes).unwrap(), turned);
        }
    }
    for broken in [0, 9, 255] {
        assert_eq!(read(&jpeg_with(16, 8, &exif(broken, true))).unwrap().bytes, jpeg());
    }
    let whole = exif(6, false);
    for end in 4..whole.len() {
        let cut = segment(0xe1, &whole[4..end]);
        assert!(read(&jpeg_with(16, 8, &cut)).is_ok(), "{end}");
    }
}

#[test]
fn every_photo_that_ends_too_early_is_refused() {
    for (bytes, media_type, _) in photos() {
        for end in 0..bytes.len() {
            let cut = read(&bytes[..end]);
            assert!(cut.is_err(), "{media_type} {end}");
        }
    }
}

#[test]
fn other_files_are_refused() {
    for bytes in [
        &b""[..],
        b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>",
        b"<?xml version=\"1.0\"?><svg/>",
        b"<!doctype html><script>alert(1)</script>",
        b"BM\x3a\0\0\0",
        b"%PDF-1.7",
        b"\0\0\0\x1cftypheic",
        b"GIF88a",
        b"RIFF\0\0\0\0WAVE",
    ] {
        for declared in [None, Some("image/jpeg"), Some("image/svg+xml")] {
            assert_eq!(Image::read(bytes, declared), Err(ImageError::NotAnImage));
        }
    }
}

#[test]
fn bombs_are_refused() {
    assert_eq!(read(&vec![0xff; IMAGE_BYTES_MAX + 1]), Err(ImageError::TooManyBytes));
    for (width, height) in [(10_001, 1), (1, 10_001), (10_000, 5_001), (65_535, 65_535)] {
        assert_eq!(read(&jpeg_with(width, height, &[])), Err(ImageError::TooManyPixels));
        let [width, height] = [width, height].map(u32::from);
        let bomb = png_with(width, height, false, &deflated(&[0; 8]), &[]);
        assert_eq!(read(&bomb), Err(ImageError::TooManyPixels));
    }
    assert!(matches!(read(&jpeg_with(0, 8, &[])), Err(ImageError::Damaged(_))));
    // A few kilobytes that inflate to many megabytes behind a small header.
    let bomb = png_with(3, 2, false, &deflated(&vec![0; 50_000_000]), &[]);
    assert!(matches!(read(&bomb), Err(ImageError::Damaged(_))));
    // Few pixels with a header that promises many.
    assert!(matches!(
        read(&png_with(9_000, 5_000, false, &deflated(&[0; 8]), &[])),
        Err(ImageError::Damaged(_))
    ));
    // A photo with thousands of scans, each of which would be drawn.
    let scan = [segment(0xda, &[1, 1, 0, 0, 63, 0]), vec![0x12]].concat();
    let mut scans = jpeg();
    scans.truncate(scans.len() - 2);
    scans.extend(scan.repeat(64));
    scans.extend([0xff, 0xd9]);
    assert!(matches!(read(&scans), Err(ImageError::Damaged(_))));
    assert_eq!(
        read(&webp_with(&[canvas(0x02), webp_chunk(b"ANIM", &[0; 6])].concat())),
        Err(ImageError::Animated)
    );
    // Of several pictures, one is kept.
    let picture = [0x2c, 0, 0, 0, 0, 3, 0, 2, 0, 0, 2, 2, 0x44, 0x01, 0];
    let mut pictures = gif_with(&[]);
    pictures.pop();
    pictures.extend(picture.repeat(1_000));
    pictures.push(0x3b);
    assert_eq!(read(&pictures).unwrap().bytes, gif_with(&[]));
}

#[test]
fn interlaced_and_transparent_photos_are_read() {
    // The start and the steps of each of the seven passes of Adam7.
    let rows = |width: usize, height: usize| -> usize {
        let starts = [
            (0, 0, 8, 8),
            (4, 0, 8, 8),
            (0, 4, 4, 8),
            (2, 0, 4, 4),
            (0, 2, 2, 4),
            (1, 0, 2, 2),
            (0, 1, 1, 2),
        ];
        let bytes = |(x, y, dx, dy): (usize, usize, usize, usize)| {
            let columns = (x..width).step_by(dx).count();
            let lines = (y..height).step_by(dy).count();
            if columns == 0 { 0 } else { lines * (columns + 1) }
        };
        starts.into_iter().map(bytes).sum()
    };
    for (width, height) in [(1, 1), (3, 2), (5, 5), (8, 8), (9, 17)] {
        let pixels = deflated(&vec![0; rows(width, height)]);
        let [w, h] = [width, height].map(|side| u32::try_from(side).unwrap());
        assert!(read(&png_with(w, h, true, &pixels, &[])).is_ok(), "{width} {height}");
    }
    let chunks = [
        canvas(0x10),
        webp_chunk(b"ALPH", &[0, 1, 2]),
        webp_chunk(b"VP8 ", &VP8),
        webp_chunk(b"EXIF", b"52.5"),
    ];
    let transparent = read(&webp_with(&chunks.concat())).unwrap();
    assert_eq!(transparent.bytes, webp_with(&chunks[..3].concat()));
    let lossless = webp_chunk(b"VP8L", &[0x2f, 4, 0xc0, 0, 0, 9]);
    let image = read(&webp_with(&lossless)).unwrap();
    assert_eq!((image.width, image.height), (5, 4));
    let other_canvas = webp_chunk(b"VP8X", &[0, 0, 0, 0, 4, 0, 0, 4, 0, 0]);
    assert!(read(&webp_with(&[other_canvas, webp_chunk(b"VP8 ", &VP8)].concat())).is_err());
}

#[test]
fn changed_bytes_never_end_in_a_panic_and_what_is_read_is_read_again() {
    use std::hash::{BuildHasher as _, RandomState};
    let seed = std::env::var("MONOTABLE_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    println!("MONOTABLE_SEED={seed}");
    let mut state = seed | 1;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % below
    };
    let photos = photos().map(|(bytes, ..)| bytes);
    for _ in 0..20_000 {
        let mut bytes = photos[random(photos.len())].clone();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            match random(3) {
                0 => bytes[at] = u8::try_from(random(256)).unwrap(),
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, u8::try_from(random(256)).unwrap()),
            }
        }
        if let Ok(image) = read(&bytes) {
            assert_eq!(read(&image.bytes).as_ref(), Ok(&image));
        }
    }
}
