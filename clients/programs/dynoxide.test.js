// dynoxide: another implementation of DynamoDB's API, which imports the server's export and serves it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import {
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { bucketPath, createBucket, exportTable } from "../node/buckets.js";
import { client, createTable, index, strings } from "../node/endpoint.js";

const ITEMS = 200;

/** The program, if there is one for this machine. */
function program() {
  try {
    return createRequire(import.meta.url).resolve("@dynoxide/linux-x64/dynoxide");
  } catch {
    return undefined;
  }
}

/** A port that nothing uses. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** All items of a table, by their keys. */
async function scan(of, TableName) {
  const { Items, LastEvaluatedKey } = await of.send(new ScanCommand({ TableName }));
  assert.equal(LastEvaluatedKey, undefined);
  return new Map(Items.map((item) => [`${item.pk.S} ${item.sk.S}`, item]));
}

/** Tries until the program serves. */
async function served(child, read) {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      assert.equal(child.exitCode, null, `dynoxide has ended: ${error}`);
      await setTimeout(50);
    }
  }
}

test("an export is imported and served", { skip: !program() }, async (t) => {
  const TableName = await createTable(t, {
    AttributeDefinitions: strings("pk", "sk", "team"),
    GlobalSecondaryIndexes: [index("by-team", "team", "sk")],
  });
  for (let number = 0; number < ITEMS; number++) {
    const Item = {
      pk: { S: `shelf ${number % 7}` },
      sk: { S: `book "${number}" äöü\n` },
      team: { S: `team ${number % 3}` },
      price: { N: `${number}.5` },
      huge: { N: "12345678901234567890123456789012345678" },
      cover: { B: Uint8Array.of(0, 255, number) },
      tags: { SS: ["a", "b"] },
      editions: { NS: ["1", "2.5"] },
      scans: { BS: [Uint8Array.of(0), Uint8Array.of(1)] },
      out: { BOOL: number % 2 === 0 },
      none: { NULL: true },
      more: { M: { "x y": { L: [{ S: "" }, { N: "0.0000001" }] } } },
    };
    await client.send(new PutItemCommand({ TableName, Item }));
  }
  const bucket = createBucket();
  const done = await exportTable(TableName, bucket);

  // dynoxide takes the names of folders for those of tables.
  const directory = mkdtempSync(join(tmpdir(), "dynoxide-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const source = join(directory, "source");
  cpSync(bucketPath(bucket, dirname(done.ExportManifest)), join(source, TableName), {
    recursive: true,
  });
  const schema = join(directory, "schema.json");
  const described = await client.send(new DescribeTableCommand({ TableName }));
  writeFileSync(schema, JSON.stringify([{ Table: described.Table }]));
  const port = await freePort();
  const child = spawn(
    program(),
    ["import", "--source", source, "--schema", schema, "--serve", "--port", `${port}`],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  t.after(() => child.kill());
  const other = new DynamoDBClient({ endpoint: `http://127.0.0.1:${port}`, maxAttempts: 1 });
  const items = await served(child, () => scan(other, TableName));
  assert.deepEqual(items, await scan(client, TableName));
  assert.equal(items.size, ITEMS);
});
