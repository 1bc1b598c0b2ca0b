//! Buffers for requests and responses, borrowed during a request: an idle connection holds none.

use std::cell::RefCell;
use std::rc::Rc;

/// Larger buffers are not kept.
const KEPT_BYTES_MAX: usize = 256 * 1024;
/// How many pairs a worker keeps.
const KEPT_PAIRS_MAX: usize = 64;
const INPUT_BYTES: usize = 8 * 1024;

/// The buffers of one request.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub(crate) input: Vec<u8>,
    pub(crate) output: Vec<u8>,
}

/// Releases the memory of a large request, even if the next one has started to arrive: the memory
/// belongs to one request, and moving the following bytes must stay cheap.
pub(crate) fn slim(buffer: &mut Vec<u8>) {
    buffer.shrink_to(KEPT_BYTES_MAX);
}

/// The spare buffers of one worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool(Rc<RefCell<Vec<Buffers>>>);

impl Pool {
    pub(crate) fn take(&self) -> Buffers {
        let mut buffers = self.0.borrow_mut().pop().unwrap_or_default();
        buffers.input.reserve(INPUT_BYTES);
        buffers
    }

    pub(crate) fn give_back(&self, mut buffers: Buffers) {
        buffers.input.clear();
        buffers.output.clear();
        let small = buffers.input.capacity().max(buffers.output.capacity()) <= KEPT_BYTES_MAX;
        let mut kept = self.0.borrow_mut();
        if small && kept.len() < KEPT_PAIRS_MAX {
            kept.push(buffers);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_empty_and_only_if_small() {
        let pool = Pool::default();
        let mut buffers = pool.take();
        buffers.input.extend_from_slice(b"secret");
        pool.give_back(buffers);
        let mut again = pool.take();
        assert!(again.input.is_empty() && again.input.capacity() >= INPUT_BYTES);
        again.output.reserve(KEPT_BYTES_MAX + 1);
        pool.give_back(again);
        assert!(pool.0.borrow().is_empty());
    }

    #[test]
    fn large_buffers_are_let_go_between_requests() {
        let mut buffer = vec![0; 10 * KEPT_BYTES_MAX];
        buffer.drain(7..);
        slim(&mut buffer);
        assert_eq!(buffer.len(), 7);
        assert!(buffer.capacity() <= KEPT_BYTES_MAX);
    }
}
