//! What one client has been told of its rows, and the one request that it has no answer to.

use monotable_testkit::crash::seed::Random;

use super::change::{Change, Kind, Request, Row, Rows};

/// The row that transactions of all clients add to.
pub(crate) const TOTAL: &str = "total";
const ROWS: u64 = 12;

/// The journal of a client, which alone writes its rows.
pub(crate) struct Journal {
    client: u64,
    random: Random,
    /// Where it has put something, or taken it away: all acknowledged.
    rows: Rows,
    /// Sent, and not acknowledged.
    pending: Option<Request>,
    values: u64,
}

impl Journal {
    pub(crate) fn new(client: u64, seed: u64) -> Self {
        let random = Random::part(seed, client);
        Self { client, random, rows: Rows::new(), pending: None, values: 0 }
    }

    /// The directory is empty.
    pub(crate) fn forget(&mut self) {
        self.rows.clear();
        self.pending = None;
    }

    fn prefix(&self) -> String {
        format!("{}-", self.client)
    }

    fn tally(&self) -> String {
        format!("{}-tally", self.client)
    }

    /// The next request, which counts as sent.
    pub(crate) fn next(&mut self, body_bytes_max: u64) -> Request {
        let (kind, changes) = match self.random.below(10) {
            0..3 => (Kind::Single, self.changes(1, &[0, 1, 2], body_bytes_max)),
            3 => (Kind::Single, vec![(self.any_row(), Change::Add)]),
            4 => (Kind::Single, vec![(self.any_row(), Change::Delete)]),
            5..7 => (Kind::Transaction, self.changes(2, &[0, 1, 2], body_bytes_max)),
            7..9 => {
                let both = [self.tally(), TOTAL.to_owned()];
                (Kind::Transaction, both.map(|id| (id, Change::Add)).to_vec())
            }
            _ => (Kind::Batch, self.changes(5, &[0, 2], body_bytes_max)),
        };
        let request = Request { kind, client: self.client, changes };
        self.pending = Some(request.clone());
        request
    }

    fn any_row(&mut self) -> String {
        format!("{}{}", self.prefix(), self.random.below(ROWS))
    }

    /// Changes of so many different rows, each of one of these sorts.
    fn changes(&mut self, count: u64, sorts: &[u64], body_bytes_max: u64) -> Vec<(String, Change)> {
        let first = self.random.below(ROWS);
        let rows = (0..count).map(|next| (first + next) % ROWS).collect::<Vec<_>>();
        let mut changes = Vec::new();
        for row in rows {
            let change = match sorts[self.random.below(sorts.len() as u64) as usize] {
                0 => {
                    self.values += 1;
                    let value = self.values * 1_000_003 + self.random.below(1_000_000);
                    Change::Put { value, body_bytes_max }
                }
                1 => Change::Add,
                _ => Change::Delete,
            };
            changes.push((format!("{}{row}", self.prefix()), change));
        }
        changes
    }

    /// The request was answered with success.
    pub(crate) fn acknowledge(&mut self) {
        let request = self.pending.take().expect("a request under way");
        for (id, change) in &request.changes {
            self.apply(id, *change);
        }
    }

    fn apply(&mut self, id: &str, change: Change) {
        if id == TOTAL {
            return;
        }
        match change.apply(self.rows.get(id).copied()) {
            Some(row) => self.rows.insert(id.to_owned(), row),
            None => self.rows.remove(id),
        };
    }

    /// Takes this client's rows out of what was found. They must be as they were acknowledged, or
    /// as the request without an answer would have left them. Returns its tally.
    #[track_caller]
    pub(crate) fn verify(&mut self, found: &mut Rows) -> u64 {
        let prefix = self.prefix();
        let mine = |id: &str| id.starts_with(&prefix);
        let ids: Vec<String> = found.keys().filter(|id| mine(id)).cloned().collect();
        let found: Rows = ids.into_iter().filter_map(|id| found.remove_entry(&id)).collect();
        if let Some(request) = self.pending.take() {
            self.settle(request, &found);
        }
        assert_eq!(found, self.rows, "what client {} was told", self.client);
        found.get(&self.tally()).and_then(|row| row.count).unwrap_or(0)
    }

    /// Takes over what happened of the request without an answer.
    fn settle(&mut self, request: Request, found: &Rows) {
        let happened = |rows: &Rows, (id, change): &(String, Change)| {
            let after: Option<Row> = change.apply(rows.get(id).copied());
            id != TOTAL && after != rows.get(id).copied() && after == found.get(id).copied()
        };
        let rows = &self.rows;
        let did: Vec<_> = match request.kind {
            Kind::Batch => request.changes.iter().filter(|change| happened(rows, change)).collect(),
            // One sign of it means that all of it is there, which the comparison then proves.
            Kind::Single | Kind::Transaction => {
                match request.changes.iter().any(|change| happened(rows, change)) {
                    true => request.changes.iter().collect(),
                    false => Vec::new(),
                }
            }
        };
        for (id, change) in did {
            self.apply(id, *change);
        }
    }
}
