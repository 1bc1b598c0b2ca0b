//! Digits of fixed width, written and read without the formatting machinery, because every stored
//! instant and every key with one uses them.

/// Writes a number with leading zeros, filling the slice.
pub(super) fn write_digits(mut number: u32, out: &mut [u8]) {
    for digit in out.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

/// Returns the number that a slice of digits represents; `None` if it contains anything else.
pub(super) fn read_digits(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0_u32, |number, byte| match byte {
        b'0'..=b'9' => number.checked_mul(10)?.checked_add(u32::from(byte - b'0')),
        _ => None,
    })
}

/// Returns the digits from one position to another.
pub(super) fn digits_at(text: &[u8], from: usize, to: usize) -> Option<u32> {
    read_digits(text.get(from..to)?)
}
