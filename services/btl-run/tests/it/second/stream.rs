//! ChaCha20 from the text of RFC 8439, and what is drawn from it.

use sha2::{Digest as _, Sha256};

pub(crate) struct Stream {
    key: [u32; 8],
    counter: u32,
    block: Vec<u32>,
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect()
}

fn quarter(s: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (rotate_d, rotate_b) in [(16, 12), (8, 7)] {
        s[a] = s[a].wrapping_add(s[b]);
        s[d] = (s[d] ^ s[a]).rotate_left(rotate_d);
        s[c] = s[c].wrapping_add(s[d]);
        s[b] = (s[b] ^ s[c]).rotate_left(rotate_b);
    }
}

fn block(key: &[u32; 8], counter: u32) -> Vec<u32> {
    let mut start = [0; 16];
    start[..4].copy_from_slice(&words(b"expand 32-byte k"));
    start[4..12].copy_from_slice(key);
    start[12] = counter;
    let mut state = start;
    for _ in 0..10 {
        for column in 0..4 {
            quarter(&mut state, [column, column + 4, column + 8, column + 12]);
        }
        for column in 0..4 {
            let at = |row: usize| row * 4 + (column + row) % 4;
            quarter(&mut state, [at(0), at(1), at(2), at(3)]);
        }
    }
    state.iter().zip(start).map(|(word, start)| word.wrapping_add(start)).collect()
}

impl Stream {
    pub(crate) fn new(seed: [u8; 32], match_id: &str, day: u32, turn: u32) -> Self {
        let mut text = seed.to_vec();
        text.extend(match_id.bytes());
        for number in [day, turn, 1] {
            text.extend(number.to_be_bytes());
        }
        let key = words(&Sha256::digest(text)).try_into().unwrap();
        Self { key, counter: 0, block: Vec::new() }
    }

    pub(crate) fn below(&mut self, bound: u64) -> usize {
        loop {
            if self.block.is_empty() {
                self.block = block(&self.key, self.counter);
                self.counter += 1;
            }
            let word = u64::from(self.block.remove(0));
            if word < (1 << 32) / bound * bound {
                return (word % bound) as usize;
            }
        }
    }

    pub(crate) fn die(&mut self, sides: u64) -> i64 {
        self.below(sides) as i64 + 1
    }
}

#[test]
fn the_first_block_is_the_one_that_everybody_knows() {
    // RFC 8439, appendix A.1, test vector 1.
    let expected = [0xade0_b876, 0x903d_f1a0, 0xe56a_5d40, 0x28bd_8653];
    assert_eq!(block(&[0; 8], 0)[..4], expected);
}
