// dynamodb-toolbox: a schema, an entity and its commands, queries and transactions.

import assert from "node:assert/strict";
import test from "node:test";
import { Entity } from "dynamodb-toolbox/entity";
import { DeleteItemCommand } from "dynamodb-toolbox/entity/actions/delete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { execute } from "dynamodb-toolbox/entity/actions/transactWrite";
import { $add, $append, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { list } from "dynamodb-toolbox/schema/list";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { Table } from "dynamodb-toolbox/table";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { ScanCommand } from "dynamodb-toolbox/table/actions/scan";
import { createTable, documents } from "../node/endpoint.js";

async function games(t) {
  const table = new Table({
    documentClient: documents,
    name: await createTable(t),
    partitionKey: { name: "pk", type: "string" },
    sortKey: { name: "sk", type: "string" },
  });
  const entity = new Entity({
    name: "Game",
    table,
    schema: item({
      team: string().key().savedAs("pk"),
      game: string().key().savedAs("sk"),
      score: number().default(0),
      innings: list(number()).default([]),
    }),
  });
  return { table, entity };
}

const KEY = { team: "1", game: "001" };

test("an entity is put, got, updated and deleted", async (t) => {
  const { entity } = await games(t);
  await entity.build(PutItemCommand).item(KEY).send();
  const { Item } = await entity.build(GetItemCommand).key(KEY).options({ consistent: true }).send();
  assert.equal(Item.score, 0);
  assert.deepEqual(Item.innings, []);
  const { Attributes } = await entity
    .build(UpdateItemCommand)
    .item({ ...KEY, score: $add(3), innings: $append([1, 2]) })
    .options({ returnValues: "ALL_NEW" })
    .send();
  assert.equal(Attributes.score, 3);
  assert.deepEqual(Attributes.innings, [1, 2]);
  const refused = entity
    .build(PutItemCommand)
    .item(KEY)
    .options({ condition: { attr: "team", exists: false } })
    .send();
  await assert.rejects(refused, { name: "ConditionalCheckFailedException" });
  await entity.build(DeleteItemCommand).key(KEY).send();
  assert.equal((await entity.build(GetItemCommand).key(KEY).send()).Item, undefined);
});

test("a table is queried and scanned for an entity", async (t) => {
  const { table, entity } = await games(t);
  for (const game of ["001", "002", "011"]) {
    await entity
      .build(PutItemCommand)
      .item({ team: "1", game, score: Number(game) })
      .send();
  }
  const found = await table
    .build(QueryCommand)
    .query({ partition: "1", range: { beginsWith: "00" } })
    .entities(entity)
    .options({ filters: { Game: { attr: "score", gt: 1 } } })
    .send();
  assert.deepEqual(
    found.Items.map(({ game }) => game),
    ["002"],
  );
  const scanned = await table.build(ScanCommand).entities(entity).options({ limit: 2 }).send();
  assert.equal(scanned.Count, 2);
  assert(scanned.LastEvaluatedKey);
});

test("a transaction is all or nothing", async (t) => {
  const { table, entity } = await games(t);
  const once = (game) =>
    entity
      .build(PutTransaction)
      .item({ team: "1", game })
      .options({ condition: { attr: "team", exists: false } });
  await execute(once("001"), once("002"));
  const cancelled = execute(once("003"), once("001"));
  await assert.rejects(cancelled, { name: "TransactionCanceledException" });
  assert.equal((await table.build(ScanCommand).entities(entity).send()).Count, 2);
});
