//! The typed model on the SDK as a subject.

use monotable::prelude::*;
use monotable_bench::sample::PARTITION_ITEMS;
use monotable_bench::{Result, Subject, Workload, load};

use crate::connection::Connection;
use crate::player::{League, LeagueReads as _, Player, PlayerKey};

/// The name in tables.
pub(crate) const NAME: &str = "model";

/// A table opened through its declaration.
pub(crate) struct Model {
    store: Store<League>,
    connection: Connection,
}

impl Model {
    pub(crate) fn filled(connection: &Connection, items: u64) -> Result<Self> {
        connection.delete_table(League::META.table_name)?;
        let backend = Dynamo::new(connection.client.clone());
        let store = connection.wait(League::settings().create_missing().open(backend))?;
        let model = Self { store, connection: connection.clone() };
        load(&model, NAME, items)?;
        Ok(model)
    }
}

impl Subject for Model {
    /// The whole operation is the layer's work, so nothing is prepared but the values to write.
    type Request = (u64, Vec<Player>);

    fn prepare(&self, workload: Workload, number: u64) -> Self::Request {
        (number, crate::players_to_write(workload, number))
    }

    fn perform(&self, workload: Workload, (number, players): Self::Request) -> Result<u64> {
        let Self { store, connection } = self;
        match workload {
            Workload::Get | Workload::GetDecoded => {
                let player = connection.wait(store.player(number / PARTITION_ITEMS, number))?;
                return Ok(player.map_or(0, |player| u64::from(player.number == number)));
            }
            Workload::Query | Workload::QueryDecoded => {
                let team = store.team(number).take(PARTITION_ITEMS as usize);
                return Ok(connection.wait(team.page())?.rows.len() as u64);
            }
            Workload::QueryIndex => {
                let league = store.league(number).take(PARTITION_ITEMS as usize);
                return Ok(connection.wait(league.page())?.rows.len() as u64);
            }
            Workload::Update => {
                let key = PlayerKey::new(number / PARTITION_ITEMS, number);
                connection.wait(store.update(Player::update(&key).add_games(1)))?;
            }
            Workload::Put => {
                for player in &players {
                    connection.wait(store.create(player))?;
                }
            }
            Workload::Transaction => {
                let all = players
                    .iter()
                    .fold(store.transact(), |tx, player| tx.with(create(player.clone())));
                connection.wait(all)?;
            }
            Workload::Batch => {
                let all = players.iter().fold(store.batch(), |all, player| all.put(player));
                connection.wait(all)?;
            }
        }
        Ok(workload.items())
    }
}
