// dynamodb-admin: the web interface, started as users start it and used through HTTP.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import test, { after, before } from "node:test";
import { deleteTable } from "../node/endpoint.js";

const TABLE = "admin-games";
let program;
let address;

before(async () => {
  const main = createRequire(import.meta.url).resolve("dynamodb-admin");
  const script = main.replace("backend.js", "dynamodb-admin.js");
  const endpoint = ["--dynamo-endpoint", process.env.AWS_ENDPOINT_URL];
  program = spawn(process.execPath, [script, "--host", "127.0.0.1", "--port", "0", ...endpoint], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(program.stdout)) {
    address = line.match(/listening on (http:\S+)/)?.[1];
    if (address) return;
  }
  assert.fail("dynamodb-admin ended before it listened");
});

after(async () => {
  program.kill();
  await deleteTable(TABLE);
});

async function request(method, path, body) {
  const response = await fetch(address + path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  assert(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text;
}

test("a table is created and listed", async () => {
  await request("POST", "/create-table", {
    TableDefinition: {
      TableName: TABLE,
      HashAttributeName: "pk",
      HashAttributeType: "S",
      RangeAttributeName: "number",
      RangeAttributeType: "N",
      ReadCapacityUnits: 3,
      WriteCapacityUnits: 3,
    },
    SecondaryIndexes: [
      {
        IndexName: "by-city",
        IndexType: "global",
        HashAttributeName: "city",
        HashAttributeType: "S",
        ReadCapacityUnits: 3,
        WriteCapacityUnits: 3,
      },
    ],
  });
  assert.match(await request("GET", "/"), new RegExp(TABLE));
  const tables = JSON.parse(await request("GET", "/api/tables"));
  assert(tables.some(({ TableName }) => TableName === TABLE));
});

test("an item is created, edited and deleted", async () => {
  const item = { pk: "TEAM#1", number: 7, city: "Seattle", list: [1, { a: null }] };
  const key = await request("PUT", `/tables/${TABLE}/add-item`, item);
  assert.deepEqual(JSON.parse(key), { pk: "TEAM#1", number: 7 });

  const path = `/tables/${TABLE}/items/${encodeURIComponent("TEAM#1")},7`;
  assert.match(await request("GET", path), /Seattle/);
  const edited = await request("PUT", path, { ...item, city: "Portland" });
  assert.deepEqual(JSON.parse(edited), { ...item, city: "Portland" });

  await request("DELETE", path);
  assert.equal((await fetch(address + path)).status, 404);
});

test("items are listed, filtered and queried page by page", async () => {
  for (let number = 0; number < 6; number += 1) {
    const city = number < 3 ? "Seattle" : "Portland";
    await request("PUT", `/tables/${TABLE}/add-item`, { pk: "TEAM#2", number, city });
  }
  assert.match(await request("GET", `/tables/${TABLE}`), new RegExp(TABLE));
  const items = async (parameters) => {
    const query = new URLSearchParams(parameters);
    return JSON.parse(await request("GET", `/tables/${TABLE}/items?${query}`));
  };
  const first = await items({ pageSize: 4 });
  assert.deepEqual(
    first.Items.map(({ number }) => number),
    [0, 1, 2, 3],
  );
  const second = await items({ pageSize: 4, startKey: decodeURIComponent(first.nextKey) });
  assert.deepEqual(
    second.Items.map(({ number }) => number),
    [4, 5],
  );
  const filtered = await items({
    filters: JSON.stringify({ city: { type: "S", operator: "=", value: "Seattle" } }),
  });
  assert.equal(filtered.Items.length, 3);
  const queried = await items({
    operationType: "query",
    queryableSelection: "by-city",
    filters: JSON.stringify({ city: { type: "S", operator: "=", value: "Portland" } }),
  });
  assert.equal(queried.Items.length, 3);
  assert.match(await request("GET", `/tables/${TABLE}/meta`), /by-city/);
  assert.match(await request("GET", `/tables/${TABLE}/ttl`), /DISABLED/);
});

test("a table is purged and deleted", async () => {
  await request("DELETE", `/tables/${TABLE}/all`);
  const { Items } = JSON.parse(await request("GET", `/tables/${TABLE}/items`));
  assert.deepEqual(Items, []);
  await request("DELETE", `/tables/${TABLE}`);
  const tables = JSON.parse(await request("GET", "/api/tables"));
  assert(!tables.some(({ TableName }) => TableName === TABLE));
});
