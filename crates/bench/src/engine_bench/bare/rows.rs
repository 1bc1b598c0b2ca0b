//! The rows of an item, byte for byte as long as the engine's (`docs/format.md`).

use fjall::Slice;
use monotable_bench::Workload;
use monotable_bench::sample::{self, Value};
use xxhash_rust::xxh3::xxh3_64;

use super::{Layout, Request};

/// Bytes of table and area in front of every key.
const PREFIX_BYTES: usize = 6;
/// Bytes of table, area and partition hash in front of the key attributes.
const HEAD_BYTES: usize = PREFIX_BYTES + 8;
/// The size of the engine's checksum after a value on disk.
pub(super) const CHECKSUM_BYTES: usize = 4;

/// Returns the row that the engine writes with every commit on disk: the table's counts.
pub(super) fn counts_row(commits: u64) -> (Slice, Slice) {
    let mut value = [0; 48];
    value[..8].copy_from_slice(&commits.to_le_bytes());
    (Slice::from([0, 0, 0, 0, 0, 2, 0, 0, 0, 1]), Slice::from(value))
}

/// Returns the request of one call. `seal_bytes` is what a store adds to each value.
pub(super) fn request(
    workload: Workload,
    number: u64,
    layout: Layout,
    seal_bytes: usize,
) -> Request {
    match workload {
        Workload::Get | Workload::GetDecoded => Request::Get(base_key(number).into()),
        Workload::Query | Workload::QueryDecoded => {
            Request::Partition(partition(0, &sample::partition_key(number)))
        }
        Workload::QueryIndex => Request::Group(partition(1, &sample::group_key(0, number))),
        Workload::Update => Request::Increment {
            key: base_key(number).into(),
            copies: match layout {
                Layout::Keys => Vec::new(),
                Layout::Full => (0..2).map(|index| index_key(index, number).0.into()).collect(),
            },
        },
        Workload::Put | Workload::Transaction | Workload::Batch => Request::Write(
            (number..number + workload.items())
                .flat_map(|number| item_rows(number, layout, seal_bytes))
                .collect(),
        ),
    }
}

/// Returns the rows of one item: its own and two of indexes.
fn item_rows(number: u64, layout: Layout, seal_bytes: usize) -> [(Slice, Slice); 3] {
    let value = Slice::from(item_value(number, seal_bytes));
    let index_row = |index| {
        let (key, base_at) = index_key(index, number);
        let value = match layout {
            Layout::Keys => {
                let mut value = vec![0; 2 + seal_bytes];
                value[..2].copy_from_slice(&base_at.to_le_bytes());
                value.into()
            }
            Layout::Full => value.clone(),
        };
        (Slice::from(key), value)
    };
    [(base_key(number).into(), value.clone()), index_row(0), index_row(1)]
}

fn push_text(key: &mut Vec<u8>, text: &str) {
    key.extend_from_slice(text.as_bytes());
    key.extend_from_slice(&[0, 0]);
}

fn partition(area: u16, partition_key: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(160);
    key.extend_from_slice(&[0, 0, 0, 1]);
    key.extend_from_slice(&area.to_be_bytes());
    key.extend_from_slice(&[0; HEAD_BYTES - PREFIX_BYTES]);
    push_text(&mut key, partition_key);
    let hash = xxh3_64(&key[HEAD_BYTES..]);
    key[PREFIX_BYTES..HEAD_BYTES].copy_from_slice(&hash.to_be_bytes());
    key
}

fn base_key(number: u64) -> Vec<u8> {
    let (partition_key, sort_key) = sample::key(number);
    let mut key = partition(0, &partition_key);
    push_text(&mut key, &sort_key);
    key
}

/// Returns the key of an index row, and where in it the item's own key starts.
fn index_key(index: usize, number: u64) -> (Vec<u8>, u16) {
    let (partition_key, sort_key) = sample::index_key(index, number);
    let mut key = partition(index as u16 + 1, &partition_key);
    push_text(&mut key, &sort_key);
    let base_at = key.len() as u16;
    key.extend_from_slice(&base_key(number)[HEAD_BYTES..]);
    (key, base_at)
}

/// Returns the key of the item that an index row stands for; `None` for other rows.
pub(super) fn base_of_index(key: &[u8], value: &[u8]) -> Option<Vec<u8>> {
    let base_at = u16::from_le_bytes([*value.first()?, *value.get(1)?]);
    let base = key.get(usize::from(base_at)..)?;
    let partition_end = base.windows(2).position(|pair| pair == [0, 0])? + 2;
    let mut row_key = Vec::with_capacity(HEAD_BYTES + base.len());
    row_key.extend_from_slice(&[0, 0, 0, 1, 0, 0]);
    row_key.extend_from_slice(&xxh3_64(&base[..partition_end]).to_be_bytes());
    row_key.extend_from_slice(base);
    Some(row_key)
}

/// As many bytes as the engine's encoding of the item: its names and values, a length before each, a
/// tag before each value, version and size in front.
fn item_value(number: u64, seal_bytes: usize) -> Vec<u8> {
    let mut value = Vec::with_capacity(1200);
    value.extend_from_slice(&[1, 0, 8]);
    for (name, attribute) in sample::attributes(number) {
        value.push(name.len() as u8);
        value.extend_from_slice(name.as_bytes());
        match attribute {
            Value::Text(text) => {
                value.push(1);
                value.extend_from_slice(&(text.len() as u16).to_le_bytes()[..length_bytes(&text)]);
                value.extend_from_slice(text.as_bytes());
            }
            Value::Number(number) => value.extend_from_slice(&[2, 1, number as u8]),
        }
    }
    value.resize(value.len() + seal_bytes, 0);
    value
}

fn length_bytes(text: &str) -> usize {
    if text.len() < 128 { 1 } else { 2 }
}

/// Returns a copy of a row with 1 added to its counter, the last 8 bytes.
pub(super) fn incremented(value: &[u8]) -> Slice {
    let mut value = value.to_vec();
    if let Some(counter) = value.last_chunk_mut::<8>() {
        *counter = u64::from_le_bytes(*counter).wrapping_add(1).to_le_bytes();
    }
    value.into()
}
