//! `POST /api/scan-photo`: scans the code of a level in a photo.

use monotable_kit::image::{IMAGE_BYTES_MAX, Image, ImageFormat};
use monotable_kit::{UPLOAD_BODY_BYTES_MAX, Upload};
use rqrr::PreparedImage;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::scan;
use super::state::StateView;
use crate::api::prelude::*;

/// Pixels along the longer side in which codes are looked for. Codes that fill less than a tenth of a photo are not found in
/// fewer, and sharp edges blur in more.
const SIDES: [usize; 2] = [1_600, 800];

/// A photo of a code.
#[derive(Debug, Body)]
pub(crate) struct CodePhoto {
    /// A JPEG file of at most 8 MB, as cameras make them.
    #[body(label = "Photo of the code")]
    photo: Upload,
}

/// Scans the code of a level in a photo, for browsers that can't read codes. The photo is not kept.
#[operation(
    POST "/api/scan-photo", body_bytes_max = UPLOAD_BODY_BYTES_MAX,
    refuses(refusal::ACTING, refusal::SCANNING, BadImage, PhotoTooLarge)
)]
pub(crate) async fn scan_photo(app: &App, call: &Call<(), CodePhoto>) -> Answer<Json<StateView>> {
    let playing = policy::player(app, call).await?;
    // Reading a photo is more work than any other scan.
    app.scans.admit(&playing.user.id, app.db.now())?;
    let Upload { bytes, media_type } = call.body.photo.clone();
    Refusal::PhotoTooLarge.unless(bytes.len() <= IMAGE_BYTES_MAX)?;
    let image = Image::received(bytes, media_type).await?;
    if image.format != ImageFormat::Jpeg {
        return Err(Refusal::BadImage.text("The photo must be a JPEG file."));
    }
    let read = tokio::task::spawn_blocking(move || code_in(&image.bytes)).await;
    let code = read.map_err(|_| Problem::internal("reading a code panicked"))?;
    let code = code.ok_or_else(|| {
        let text =
            "No code was found in the photo. Take it from the front, so that the code fills it.";
        Refusal::BadImage.text(text).with(refusal::DISPLAY, text)
    })?;
    scan::scan_code(app, call, playing, &code).await
}

/// Returns the text of the QR code in a JPEG file, if there is one.
fn code_in(jpeg: &[u8]) -> Option<String> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(jpeg), options);
    let pixels = decoder.decode().ok()?;
    let info = decoder.info()?;
    let (width, height) = (usize::from(info.width), usize::from(info.height));
    let grey = Grey { width, height, pixels: pixels.get(..width * height)? };
    SIDES.into_iter().find_map(|side| grey.code(side))
}

/// A picture in grey.
struct Grey<'a> {
    width: usize,
    height: usize,
    pixels: &'a [u8],
}

impl Grey<'_> {
    /// Looks for a code, with at most so many pixels along a side.
    fn code(&self, side: usize) -> Option<String> {
        let step = self.width.max(self.height).div_ceil(side).max(1);
        let mean = |x: usize, y: usize| {
            let rows = (y * step..(y + 1) * step).map(|row| row * self.width + x * step);
            let pixels = rows.flat_map(|start| &self.pixels[start..start + step]);
            let sum: usize = pixels.map(|pixel| usize::from(*pixel)).sum();
            u8::try_from(sum / (step * step)).unwrap_or(u8::MAX)
        };
        let (width, height) = (self.width / step, self.height / step);
        let mut prepared = PreparedImage::prepare_from_greyscale(width, height, mean);
        let found = prepared.detect_grids().into_iter().find_map(|grid| grid.decode().ok());
        found.map(|(_, text)| text).filter(|text| (1..=200).contains(&text.len()))
    }
}
