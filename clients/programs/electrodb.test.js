// ElectroDB: entities, collections, updates and transactions of a library over the SDK.

import assert from "node:assert/strict";
import test from "node:test";
import { Entity, Service } from "electrodb";
import { createTable, documents as client, index, strings } from "../node/endpoint.js";

async function league(t) {
  const table = await createTable(t, {
    AttributeDefinitions: strings("pk", "sk", "gsi1pk", "gsi1sk"),
    GlobalSecondaryIndexes: [index("gsi1", "gsi1pk", "gsi1sk")],
  });
  const key = { pk: { field: "pk" }, sk: { field: "sk" } };
  const entity = (name, attributes, indexes) =>
    new Entity(
      { model: { entity: name, version: "1", service: "league" }, attributes, indexes },
      { client, table },
    );
  const team = entity(
    "team",
    {
      teamId: { type: "string", required: true },
      name: { type: "string", required: true },
      wins: { type: "number", default: 0 },
      tags: { type: "set", items: "string" },
    },
    {
      byId: {
        collection: "roster",
        pk: { ...key.pk, composite: ["teamId"] },
        sk: { ...key.sk, composite: [] },
      },
    },
  );
  const player = entity(
    "player",
    {
      teamId: { type: "string", required: true },
      playerId: { type: "string", required: true },
      position: { type: ["P", "C", "SS"], required: true },
      history: { type: "list", items: { type: "string" } },
    },
    {
      byTeam: {
        collection: "roster",
        pk: { ...key.pk, composite: ["teamId"] },
        sk: { ...key.sk, composite: ["playerId"] },
      },
      byPosition: {
        index: "gsi1",
        pk: { field: "gsi1pk", composite: ["position"] },
        sk: { field: "gsi1sk", composite: ["playerId"] },
      },
    },
  );
  return { team, player, service: new Service({ team, player }, { client, table }) };
}

test("an entity is created, read, changed and deleted", async (t) => {
  const { team } = await league(t);
  await team.create({ teamId: "1", name: "Sluggers", tags: ["a"] }).go();
  await assert.rejects(team.create({ teamId: "1", name: "Again" }).go());
  assert.deepEqual((await team.get({ teamId: "1" }).go()).data, {
    teamId: "1",
    name: "Sluggers",
    wins: 0,
    tags: ["a"],
  });
  const changed = await team
    .update({ teamId: "1" })
    .add({ wins: 2, tags: ["b"] })
    .where(({ name }, { eq }) => eq(name, "Sluggers"))
    .go({ response: "all_new" });
  assert.equal(changed.data.wins, 2);
  assert.deepEqual([...changed.data.tags].sort(), ["a", "b"]);
  await assert.rejects(team.patch({ teamId: "none" }).set({ name: "Nobody" }).go());
  await team.delete({ teamId: "1" }).go();
  assert.equal((await team.get({ teamId: "1" }).go()).data, null);
});

test("queries, pages and collections cross entities", async (t) => {
  const { team, player, service } = await league(t);
  await team.put({ teamId: "1", name: "Sluggers" }).go();
  const players = Array.from({ length: 30 }, (_, number) => ({
    teamId: "1",
    playerId: String(number).padStart(3, "0"),
    position: number % 3 === 0 ? "P" : "SS",
  }));
  const written = await player.put(players).go();
  assert.deepEqual(written.unprocessed, []);

  const first = await player.query.byTeam({ teamId: "1" }).go({ limit: 10 });
  assert.equal(first.data.length, 10);
  const rest = await player.query.byTeam({ teamId: "1" }).go({ cursor: first.cursor });
  assert.equal(rest.data.length, 20);
  const pitchers = await player.query
    .byPosition({ position: "P" })
    .between({ playerId: "003" }, { playerId: "012" })
    .go();
  assert.deepEqual(
    pitchers.data.map(({ playerId }) => playerId),
    ["003", "006", "009", "012"],
  );
  const roster = await service.collections.roster({ teamId: "1" }).go({ pages: "all" });
  assert.equal(roster.data.team.length, 1);
  assert.equal(roster.data.player.length, 30);
  const many = await player.get(players.slice(0, 5)).go();
  assert.equal(many.data.length, 5);
  const scanned = await player.scan
    .where(({ position }, { eq }) => eq(position, "P"))
    .go({ pages: "all" });
  assert.equal(scanned.data.length, 10);
});

test("a transaction is accepted or cancelled with reasons", async (t) => {
  const { service } = await league(t);
  const create = (name) =>
    service.transaction
      .write(({ team, player }) => [
        team.create({ teamId: "1", name }).commit({ response: "all_old" }),
        player.put({ teamId: "1", playerId: "7", position: "C" }).commit(),
      ])
      .go();
  assert.equal((await create("Sluggers")).canceled, false);
  const again = await create("Pioneers");
  assert.equal(again.canceled, true);
  assert.equal(again.data[0].code, "ConditionalCheckFailed");
  assert.equal(again.data[0].item.name, "Sluggers");
  const read = await service.transaction
    .get(({ team }) => [team.get({ teamId: "1" }).commit()])
    .go();
  assert.equal(read.data[0].item.name, "Sluggers");
});
