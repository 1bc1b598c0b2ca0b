//! HackTracker's single table: softball teams, rosters and games, with five global indexes.
//!
//! ```text
//! cargo run --release --example team_roster -p monotable              # in memory
//! cargo run --release --example team_roster -p monotable -- ./data    # in a directory
//! ```
//!
//! It creates the table, loads the design's example items with its conditional write and its
//! transaction, and runs every query of the design.

use std::env;
use std::process::ExitCode;

use monotable::dynamodb::{
    BatchWriteItem, CreateTable, DeleteTable, DescribeTable, Error, Expression, IndexDefinition,
    PutItem, Query, QueryOutput, Result, ReturnValues, TransactWriteItems, UpdateItem,
};
use monotable::{AttributeValue, Database, Item, Options, item, list};

const TABLE: &str = "hacktracker-test";
const USER_ID: &str = "12345678-1234-1234-1234-123456789012";
const TEAM_ID: &str = "a6f27724-7042-4816-94d3-a2183ef50a09";
const PLAYER_ID: &str = "b7e38835-8153-5927-a5e4-b3294fg61b1a";
const GAME_ID: &str = "c8d39946-9264-6038-c6f5-d4405gh72c2b";
const CREATED: &str = "2025-10-25T12:00:00.000Z";

/// The indexes: each is on `<name>PK` and `<name>SK`, and projects everything.
const INDEXES: [(&str, &str); 5] = [
    ("GSI1", "user by Cognito sub"),
    ("GSI2", "all entities of a type"),
    ("GSI3", "games of a team"),
    ("GSI4", "players of a user (reserved)"),
    ("GSI5", "at-bats of a player (reserved)"),
];

fn main() -> ExitCode {
    match run(env::args().nth(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("team_roster: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(directory: Option<String>) -> Result<()> {
    let db = match &directory {
        Some(directory) => Database::open(directory, Options::default())?,
        None => Database::memory(),
    };
    println!("HackTracker in {}", directory.as_deref().unwrap_or("memory"));
    create_table(&db)?;
    load_examples(&db)?;
    load_league(&db)?;
    ask_every_question(&db)?;
    change_the_user(&db)?;
    show_table(&db)
}

// ── The table ───────────────────────────────────────────────────────────────────────────────────

fn create_table(db: &Database) -> Result<()> {
    match db.delete_table(DeleteTable::new(TABLE)) {
        Ok(_) => println!("\nThe table of an earlier run is removed."),
        Err(Error::ResourceNotFound(_)) => {}
        Err(error) => return Err(error),
    }
    let mut table = CreateTable::new(TABLE).partition_key("PK", "S")?.sort_key("SK", "S")?;
    for (name, _) in INDEXES {
        let (partition, sort) = (format!("{name}PK"), format!("{name}SK"));
        table = table
            .attribute(&partition, "S")?
            .attribute(&sort, "S")?
            .global_index(IndexDefinition::new(name, &[&partition], &[&sort]));
    }
    db.create_table(table)?;
    heading(&format!("Create {TABLE}, on demand, with five global indexes"));
    let rows = INDEXES.map(|(name, purpose)| {
        [name.to_owned(), format!("{name}PK, {name}SK"), purpose.to_owned()].to_vec()
    });
    print_columns(&["index", "keys", "finds"], &rows);
    Ok(())
}

/// The counts are exact and there at once.
fn show_table(db: &Database) -> Result<()> {
    let table = db.describe_table(DescribeTable::new(TABLE))?.table;
    heading("What is in the table and its indexes now");
    let counted = |name: &str, items: u64, bytes: u64| {
        vec![name.to_owned(), items.to_string(), bytes.to_string()]
    };
    let mut rows = vec![counted(&table.table_name, table.item_count, table.table_size_bytes)];
    for index in &table.global_secondary_indexes {
        rows.push(counted(&index.index_name, index.item_count, index.index_size_bytes));
    }
    print_columns(&["name", "items", "bytes"], &rows);
    Ok(())
}

// ── The design's example items ──────────────────────────────────────────────────────────────────

fn user() -> Item {
    item! {
        "PK" => format!("USER#{USER_ID}"),
        "SK" => "METADATA",
        "userId" => USER_ID,
        "email" => "john.doe@example.com",
        "firstName" => "John",
        "lastName" => "Doe",
        "phoneNumber" => "+15555551234",
        "createdAt" => CREATED,
        "updatedAt" => CREATED,
        "GSI1PK" => format!("COGNITO#{USER_ID}"),
        "GSI1SK" => "USER",
        "GSI2PK" => "ENTITY#USER",
        "GSI2SK" => format!("METADATA#{USER_ID}"),
    }
}

fn team(team_id: &str, name: &str) -> Item {
    item! {
        "PK" => format!("TEAM#{team_id}"),
        "SK" => "METADATA",
        "teamId" => team_id,
        "name" => name,
        "description" => "Best team in Seattle",
        "ownerId" => USER_ID,
        "team_type" => "MANAGED",
        "createdAt" => CREATED,
        "updatedAt" => CREATED,
        "GSI2PK" => "ENTITY#TEAM",
        "GSI2SK" => format!("METADATA#{team_id}"),
    }
}

fn membership(team_id: &str) -> Item {
    item! {
        "PK" => format!("USER#{USER_ID}"),
        "SK" => format!("TEAM#{team_id}"),
        "userId" => USER_ID,
        "teamId" => team_id,
        "role" => "owner",
        "status" => "active",
        "joinedAt" => CREATED,
        "invitedBy" => AttributeValue::Null,
    }
}

fn player() -> Item {
    item! {
        "PK" => format!("TEAM#{TEAM_ID}"),
        "SK" => format!("PLAYER#{PLAYER_ID}"),
        "playerId" => PLAYER_ID,
        "teamId" => TEAM_ID,
        "firstName" => "John",
        "lastName" => "Doe",
        "playerNumber" => 12,
        "positions" => list!["SS", "2B"],
        "status" => "active",
        "isGhost" => false,
        "userId" => USER_ID,
        "linkedAt" => CREATED,
        "createdAt" => CREATED,
        "updatedAt" => CREATED,
    }
}

/// Returns a roster slot without a user.
fn ghost_player(player_id: &str, number: u32, first_name: &str, last_name: &str) -> Item {
    let mut ghost = player();
    ghost.extend(item! {
        "SK" => format!("PLAYER#{player_id}"),
        "playerId" => player_id,
        "firstName" => first_name,
        "lastName" => last_name,
        "playerNumber" => number,
        "positions" => list!["P", "1B", "OF"],
        "isGhost" => true,
        "userId" => AttributeValue::Null,
    });
    ghost.remove("linkedAt");
    ghost
}

fn game(game_id: &str, start: &str, opponent: &str) -> Item {
    item! {
        "PK" => format!("GAME#{game_id}"),
        "SK" => "METADATA",
        "gameId" => game_id,
        "teamId" => TEAM_ID,
        "status" => "SCHEDULED",
        "scheduledStart" => start,
        "opponentName" => opponent,
        "location" => "Lincoln Park Field 3",
        "teamScore" => 0,
        "opponentScore" => 0,
        "lineup" => list![],
        "createdAt" => CREATED,
        "updatedAt" => CREATED,
        "GSI2PK" => "ENTITY#GAME",
        "GSI2SK" => format!("METADATA#{game_id}"),
        "GSI3PK" => format!("TEAM#{TEAM_ID}"),
        "GSI3SK" => format!("GAME#{game_id}"),
    }
}

// ── Writes ──────────────────────────────────────────────────────────────────────────────────────

/// Returns the design's conditional write: create, never replace.
fn create(item: Item) -> PutItem {
    PutItem::new(TABLE, item).condition("attribute_not_exists(PK) AND attribute_not_exists(SK)")
}

/// Returns the design's transaction: a team and its owner's membership, both or neither.
fn create_team(team_id: &str, name: &str) -> TransactWriteItems {
    let put = |item| PutItem::new(TABLE, item).condition("attribute_not_exists(PK)");
    TransactWriteItems::new().action(put(team(team_id, name))).action(put(membership(team_id)))
}

/// Every write twice: the second time there is something in its way.
fn load_examples(db: &Database) -> Result<()> {
    heading("Put each example where there is none yet, and once more");
    let game = game(GAME_ID, "2025-11-01T19:30:00.000Z", "Portland Pioneers");
    let mut rows = Vec::new();
    for (name, item) in [("user", user()), ("player", player()), ("game", game)] {
        let first = outcome(db.put_item(create(item.clone())))?;
        rows.push(vec![name.to_owned(), first, outcome(db.put_item(create(item)))?]);
    }
    print_columns(&["item", "first", "again"], &rows);

    heading("Create team and membership in one transaction, and once more");
    let first = outcome(db.transact_write_items(create_team(TEAM_ID, "Seattle Sluggers")))?;
    println!("  first   {first}");
    let again = outcome(db.transact_write_items(create_team(TEAM_ID, "Impostors")))?;
    println!("  again   {again}");
    Ok(())
}

/// Returns the outcome of a conditional write; other failures are returned to the caller.
fn outcome<T>(result: Result<T>) -> Result<String> {
    match result {
        Ok(_) => Ok("done".to_owned()),
        Err(Error::ConditionalCheckFailed { .. }) => Ok("refused, it exists".to_owned()),
        Err(Error::TransactionCanceled { reasons }) => {
            let codes: Vec<&str> = reasons.iter().map(|reason| reason.code()).collect();
            Ok(format!("nothing done: {}", codes.join(", ")))
        }
        Err(error) => Err(error),
    }
}

/// More teams than fit a page, more players and more games.
fn load_league(db: &Database) -> Result<()> {
    let teams: Vec<Item> = (1..=119)
        .map(|number| team(&format!("team-{number:03}"), &format!("Team {number}")))
        .collect();
    for chunk in teams.chunks(25) {
        let batch = chunk.iter().cloned();
        db.batch_write_item(batch.fold(BatchWriteItem::new(), |all, team| all.put(TABLE, team)))?;
    }
    db.put_item(create(ghost_player("player-2", 7, "Maria", "Alvarez")))?;
    db.put_item(create(ghost_player("player-3", 31, "Sam", "Okafor")))?;
    db.put_item(create(game("game-2", "2025-11-08T19:30:00.000Z", "Tacoma Titans")))?;
    db.put_item(create(game("game-3", "2025-11-15T18:00:00.000Z", "Boise Bandits")))?;
    Ok(())
}

/// Updates the user, with a new `updatedAt` as the design requires.
fn change_the_user(db: &Database) -> Result<()> {
    heading("Change the user's name and refresh updatedAt");
    let key = item! { "PK" => format!("USER#{USER_ID}"), "SK" => "METADATA" };
    let update = UpdateItem::new(TABLE, key)
        .update("SET firstName = :name, updatedAt = :now")
        .condition("attribute_exists(PK)")
        .value(":name", "Johnny")
        .value(":now", "2025-11-15T12:00:00.000Z")
        .return_values(ReturnValues::UpdatedNew);
    let changed = db.update_item(update)?.attributes.unwrap_or_default();
    print_items(&["firstName", "updatedAt"], &[changed]);
    Ok(())
}

// ── Questions ───────────────────────────────────────────────────────────────────────────────────

fn ask_every_question(db: &Database) -> Result<()> {
    let user = Query::new(TABLE)
        .index("GSI1")
        .key_condition("GSI1PK = :pk AND GSI1SK = :sk")
        .value(":pk", format!("COGNITO#{USER_ID}"))
        .value(":sk", "USER");
    ask(db, "Who logs in with this Cognito sub?", &["firstName", "lastName", "email"], user)?;

    list_teams(db)?;

    let games = Query::new(TABLE)
        .index("GSI3")
        .key_condition("GSI3PK = :pk AND begins_with(GSI3SK, :sk_prefix)")
        .value(":pk", format!("TEAM#{TEAM_ID}"))
        .value(":sk_prefix", "GAME#");
    let columns = ["scheduledStart", "opponentName", "location", "status"];
    ask(db, "Which games does the team play?", &columns, games)?;

    let roster = by_prefix(&format!("TEAM#{TEAM_ID}"), "PLAYER#");
    let columns = ["playerNumber", "firstName", "lastName", "positions", "isGhost", "status"];
    ask(db, "Who is on the team's roster?", &columns, roster)?;

    let memberships = by_prefix(&format!("USER#{USER_ID}"), "TEAM#");
    let columns = ["teamId", "role", "status", "invitedBy"];
    ask(db, "Which teams is the user a member of?", &columns, memberships)
}

/// Returns a partition of the table itself, by a prefix of the sort key.
fn by_prefix(partition: &str, prefix: &str) -> Query {
    Query::new(TABLE)
        .key_condition("PK = :pk AND begins_with(SK, :sk_prefix)")
        .value(":pk", partition)
        .value(":sk_prefix", prefix)
}

/// Runs a query and shows what came back.
fn ask(db: &Database, question: &str, columns: &[&str], query: Query) -> Result<()> {
    heading(question);
    println!("  {}\n", describe(&query));
    let page = db.query(query)?;
    print_items(columns, &page.items.into_iter().map(Item::from).collect::<Vec<_>>());
    Ok(())
}

/// Lists all teams, fifty at a time: each page continues after the last key of the previous one.
fn list_teams(db: &Database) -> Result<()> {
    let teams = Query::new(TABLE)
        .index("GSI2")
        .key_condition("GSI2PK = :pk")
        .value(":pk", "ENTITY#TEAM")
        .limit(50u32);
    heading("Which teams are there? Fifty at a time");
    println!("  {}\n", describe(&teams));
    let mut rows = Vec::new();
    let mut next = Some(teams.clone());
    while let Some(query) = next {
        let page = db.query(query)?;
        rows.push(describe_page(rows.len() + 1, &page));
        let last_key = page.last_evaluated_key;
        next = last_key.map(|key| teams.clone().exclusive_start_key(key));
    }
    print_columns(&["page", "teams", "from", "to", "more"], &rows);
    Ok(())
}

fn describe_page(number: usize, page: &QueryOutput) -> Vec<String> {
    let name = |position: Option<usize>| {
        let item = position.and_then(|position| page.items.get(position));
        item.and_then(|item| item.get("name")).map_or("-".to_owned(), |name| text(&name))
    };
    let more = if page.last_evaluated_key.is_some() { "yes" } else { "no" };
    let (first, last) = (name(Some(0)), name(page.items.len().checked_sub(1)));
    vec![number.to_string(), page.count.to_string(), first, last, more.to_owned()]
}

// ── Printing ────────────────────────────────────────────────────────────────────────────────────

fn heading(text: &str) {
    println!("\n{text}\n{}", "─".repeat(text.chars().count()));
}

/// Returns the query in one line, with the values in place of their placeholders.
fn describe(query: &Query) -> String {
    let mut condition = match &query.key_condition {
        Some(Expression::Text(text)) => text.clone(),
        _ => String::new(),
    };
    for (placeholder, value) in query.substitutions.values.iter().flatten().rev() {
        condition = condition.replace(placeholder, &format!("\"{}\"", text(value)));
    }
    let source = query.index_name.as_deref().unwrap_or("the table");
    let limit = query.limit.map(|limit| format!(", at most {limit}")).unwrap_or_default();
    format!("query {source}: {condition}{limit}")
}

fn print_items(columns: &[&str], items: &[Item]) {
    let cell = |item: &Item, column: &str| item.get(column).map_or("-".to_owned(), text);
    let rows: Vec<Vec<String>> = items
        .iter()
        .map(|item| columns.iter().map(|column| cell(item, column)).collect())
        .collect();
    print_columns(columns, &rows);
}

/// Rows under their titles, each column as wide as its widest cell.
fn print_columns(titles: &[&str], rows: &[Vec<String>]) {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        widest.max(titles[column].chars().count())
    };
    let widths: Vec<usize> = (0..titles.len()).map(width).collect();
    let print = |cells: Vec<&str>| {
        let padded: Vec<String> =
            cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        println!("  {}", padded.join("   ").trim_end());
    };
    print(titles.to_vec());
    print(widths.iter().map(|width| &DASHES[..(*width).min(DASHES.len())]).collect());
    rows.iter().for_each(|row| print(row.iter().map(String::as_str).collect()));
}

const DASHES: &str = "------------------------------------------------------------";

/// Returns a value as a person would write it.
fn text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::Bool(boolean) => if *boolean { "yes" } else { "no" }.to_owned(),
        AttributeValue::Null => "none".to_owned(),
        AttributeValue::L(elements) => elements.iter().map(text).collect::<Vec<_>>().join(" "),
        other => format!("{other:?}"),
    }
}
