//! `serve --demo`: a small world. Services write theirs by their own commands; the other designs that the
//! project is built around are tables to look at. What is there already is left alone.

mod scavenger_hunt;
mod three_fc;

use anyhow::{Context, Result};
use monotable_engine::{
    BatchWriteItem, CreateTable, Database, Error, GetItem, IndexDefinition, Item, PutItem,
};
use monotable_types::limits::BATCH_WRITE_MAX;

/// One table of the demo.
struct World {
    table_name: &'static str,
    /// What the table is about, in a few words.
    about: &'static str,
    keys: [&'static str; 2],
    /// How many indexes `GSI1`, `GSI2`, … there are, each with keys named after it.
    indexes: usize,
    items: Vec<Item>,
    /// A key condition worth trying, and its one value.
    query: (&'static str, &'static str),
}

/// Loads what is missing; says which tables there are and what to ask them. `aws` begins a command
/// of the AWS CLI.
pub(crate) fn load(database: &Database, aws: &str) -> Result<String> {
    let worlds = [scavenger_hunt::world(), three_fc::world()];
    let mut text = String::from("The demo's tables:\n");
    for world in &worlds {
        world.load(database).with_context(|| format!("loading {}", world.table_name))?;
        text += &format!("  {:<24}{}\n", world.table_name, world.about);
    }
    text += "Ask one of them:\n";
    text += &worlds[0].command(aws);
    Ok(text)
}

impl World {
    fn load(&self, database: &Database) -> Result<(), Error> {
        let [partition_key, sort_key] = self.keys;
        let mut create = CreateTable::new(self.table_name)
            .partition_key(partition_key, "S")?
            .sort_key(sort_key, "S")?;
        for number in 1..=self.indexes {
            let index = format!("GSI{number}");
            let keys = [format!("{index}PK"), format!("{index}SK")];
            create = create.attribute(&keys[0], "S")?.attribute(&keys[1], "S")?.global_index(
                IndexDefinition::new(&index, &[keys[0].as_str()], &[keys[1].as_str()]),
            );
        }
        match database.create_table(create) {
            Ok(_) => {}
            Err(Error::ResourceInUse(_)) => return self.complete(database),
            Err(error) => return Err(error),
        }
        for items in self.items.chunks(BATCH_WRITE_MAX) {
            let batch = items.iter().fold(BatchWriteItem::new(), |batch, item| {
                batch.put(self.table_name, item.clone())
            });
            database.batch_write_item(batch)?;
        }
        Ok(())
    }

    /// Writes what an interrupted start has left out: the last item says whether there is anything.
    fn complete(&self, database: &Database) -> Result<(), Error> {
        let key = |item: &Item| -> Item {
            let is_key = |(name, _): &(&String, _)| self.keys.contains(&name.as_str());
            item.iter().filter(is_key).map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let Some(last) = self.items.last() else { return Ok(()) };
        match database.get_item(GetItem::new(self.table_name, key(last))) {
            Ok(found) if found.item.is_none() => {}
            // A table with other keys is not the demo's.
            Ok(_) | Err(Error::Validation(_)) => return Ok(()),
            Err(error) => return Err(error),
        }
        let is_absent = format!("attribute_not_exists({})", self.keys[0]);
        for item in &self.items {
            let put = PutItem::new(self.table_name, item.clone()).condition(is_absent.as_str());
            match database.put_item(put) {
                Ok(_) | Err(Error::ConditionalCheckFailed { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// A command that asks for one partition.
    fn command(&self, aws: &str) -> String {
        let (condition, value) = self.query;
        format!(
            "  {aws} query \\\n\
             \x20   --table-name {table} --key-condition-expression '{condition}' \\\n\
             \x20   --expression-attribute-values '{{\":value\": {{\"S\": \"{value}\"}}}}'\n",
            table = self.table_name,
        )
    }
}

#[cfg(test)]
mod tests {
    use monotable_engine::{ListTables, Scan};

    use super::*;

    #[test]
    fn the_world_is_loaded_once_and_every_item_is_in_it() {
        let database = Database::memory();
        let text = load(&database, "aws dynamodb").unwrap();
        assert_eq!(load(&database, "aws dynamodb").unwrap(), text);
        let tables = database.list_tables(ListTables::default()).unwrap().table_names;
        assert_eq!(tables.len(), 2);
        for world in [scavenger_hunt::world(), three_fc::world()] {
            let found = database.scan(Scan::new(world.table_name)).unwrap();
            assert_eq!(found.items.len(), world.items.len(), "{}", world.table_name);
        }
        assert!(database.check().unwrap().is_clean());
    }

    #[test]
    fn a_table_that_an_interrupted_start_left_unfilled_is_filled() {
        let database = Database::memory();
        let world = three_fc::world();
        let unfilled = World { items: Vec::new(), ..three_fc::world() };
        unfilled.load(&database).unwrap();
        database.put_item(PutItem::new(world.table_name, world.items[0].clone())).unwrap();
        load(&database, "aws dynamodb").unwrap();
        let found = database.scan(Scan::new(world.table_name)).unwrap();
        assert_eq!(found.items.len(), world.items.len());
    }

    #[test]
    fn a_table_of_somebody_elses_is_left_alone() {
        let database = Database::memory();
        let name = three_fc::world().table_name;
        let other = CreateTable::new(name).partition_key("other", "S").unwrap();
        database.create_table(other).unwrap();
        load(&database, "aws dynamodb").unwrap();
        assert!(database.scan(Scan::new(name)).unwrap().items.is_empty());
    }
}
