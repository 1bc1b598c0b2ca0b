//! The typed model as a subject.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use monotable::Database;
use monotable::prelude::*;
use monotable_bench::sample::PARTITION_ITEMS;
use monotable_bench::{Result, Scratch, Subject, Workload, load};

use crate::player::{League, LeagueReads as _, Player, PlayerKey};

/// The name in tables.
pub(crate) const NAME: &str = "model";

/// A table opened through its declaration.
pub(crate) struct Model {
    store: Store<League>,
    _directory: Option<Scratch>,
}

impl Model {
    pub(crate) fn filled(
        database: Database,
        directory: Option<Scratch>,
        items: u64,
    ) -> Result<Self> {
        let store = wait(League::open(Embedded::new(database)))?;
        let model = Self { store, _directory: directory };
        load(&model, NAME, items)?;
        Ok(model)
    }
}

impl Subject for Model {
    /// The whole operation is the layer's work, so nothing is prepared but the values to write.
    type Request = (u64, Vec<Player>);

    fn prepare(&self, workload: Workload, number: u64) -> Self::Request {
        let players = match workload {
            Workload::Put | Workload::Transaction | Workload::Batch => {
                (number..number + workload.items()).map(Player::numbered).collect()
            }
            _ => Vec::new(),
        };
        (number, players)
    }

    fn perform(&self, workload: Workload, (number, players): Self::Request) -> Result<u64> {
        let store = &self.store;
        match workload {
            Workload::Get | Workload::GetDecoded => {
                let player = wait(store.player(number / PARTITION_ITEMS, number).into_future())?;
                return Ok(player.map_or(0, |player| u64::from(player.number == number)));
            }
            Workload::Query | Workload::QueryDecoded => {
                let page = wait(store.team(number).take(PARTITION_ITEMS as usize).page())?;
                return Ok(page.rows.len() as u64);
            }
            Workload::QueryIndex => {
                let page = wait(store.league(number).take(PARTITION_ITEMS as usize).page())?;
                return Ok(page.rows.len() as u64);
            }
            Workload::Update => {
                let key = PlayerKey::new(number / PARTITION_ITEMS, number);
                wait(store.update(Player::update(&key).add_games(1)))?;
            }
            Workload::Put => {
                for player in &players {
                    wait(store.create(player))?;
                }
            }
            Workload::Transaction => {
                let rows = players.into_iter();
                let transaction = rows.fold(store.transact(), |all, row| all.with(create(row)));
                wait(transaction.commit())?;
            }
            Workload::Batch => {
                let batch = players.iter().fold(store.batch(), |all, player| all.put(player));
                wait(batch.into_future())?;
            }
        }
        Ok(workload.items())
    }
}

/// Wakes a thread that waits for a future.
struct Waiting(Thread);

impl Wake for Waiting {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future in this thread: what is measured has no runtime around it.
fn wait<F: IntoFuture>(future: F) -> F::Output {
    let mut future = pin!(future.into_future());
    if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        return output;
    }
    let waker = Waker::from(Arc::new(Waiting(thread::current())));
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread::park();
    }
}
