//! Bars as a PNG.

use png::{BitDepth, ColorType, Encoder, EncodingError};

/// Pixels of a bar with the gap beside it.
const BAR: usize = 10;
const GAP: usize = 2;

/// Pixels of the fullest bar.
const HEIGHT: usize = 120;

const PAPER: u8 = 0xff;
const INK: u8 = 0x33;

/// A bar for each of `counts`, the fullest as high as the picture.
pub(super) fn png(counts: &[usize]) -> Result<Vec<u8>, EncodingError> {
    let width = counts.len() * BAR;
    let fullest = counts.iter().copied().max().unwrap_or(0).max(1);
    let mut pixels = vec![PAPER; width * HEIGHT];
    for (bar, count) in counts.iter().enumerate() {
        let top = HEIGHT - count * HEIGHT / fullest;
        for row in top..HEIGHT {
            let start = row * width + bar * BAR;
            pixels[start..start + BAR - GAP].fill(INK);
        }
    }
    encoded(&pixels, width)
}

fn encoded(pixels: &[u8], width: usize) -> Result<Vec<u8>, EncodingError> {
    let size = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, size(width), size(HEIGHT));
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}
