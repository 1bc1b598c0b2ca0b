//! What the service has sent to its table, sent again.

use super::ScavengerHunt;
use super::world::TABLE;
use crate::subject::assert_repeated;

#[test]
fn the_engine_writes_the_very_rows_of_the_service() {
    assert_repeated::<ScavengerHunt>(TABLE);
}
