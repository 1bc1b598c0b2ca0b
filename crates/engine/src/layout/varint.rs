//! Unsigned LEB128 integers, for lengths and counts.

use super::Malformed;

/// Appends `value`, seven bits per byte, least significant first.
pub(crate) fn write(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value as u8) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads one integer from the front of `input`.
pub(crate) fn read(input: &mut &[u8]) -> Result<u64, Malformed> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = input.split_first().ok_or(Malformed("integer ends early"))?;
        *input = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(Malformed("integer too long"))
}

/// Reads a length and then that many bytes.
pub(crate) fn read_bytes<'a>(input: &mut &'a [u8]) -> Result<&'a [u8], Malformed> {
    let length = usize::try_from(read(input)?).map_err(|_| Malformed("length too large"))?;
    take(input, length)
}

/// Takes `length` bytes from the front of `input`.
pub(crate) fn take<'a>(input: &mut &'a [u8], length: usize) -> Result<&'a [u8], Malformed> {
    if length > input.len() {
        return Err(Malformed("bytes end early"));
    }
    let (taken, rest) = input.split_at(length);
    *input = rest;
    Ok(taken)
}

/// Takes one byte from the front of `input`.
pub(crate) fn take_byte(input: &mut &[u8]) -> Result<u8, Malformed> {
    Ok(take(input, 1)?[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_survive_the_round_trip() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            write(&mut out, value);
            let mut input = out.as_slice();
            assert_eq!(read(&mut input), Ok(value));
            assert!(input.is_empty());
        }
    }

    #[test]
    fn an_endless_integer_is_refused() {
        assert_eq!(read(&mut [0xff; 11].as_slice()), Err(Malformed("integer too long")));
        assert_eq!(read(&mut [0x80].as_slice()), Err(Malformed("integer ends early")));
    }
}
