// Query and Scan through the JavaScript SDK: conditions, pages, indexes, segments.

import assert from "node:assert/strict";
import test from "node:test";
import {
  BatchWriteItemCommand,
  paginateQuery,
  paginateScan,
  QueryCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { client, createTable, index, refusal, strings } from "./endpoint.js";

/** Two teams of twelve games each, with an index of the games by status. */
async function games(t) {
  const TableName = await createTable(t, {
    AttributeDefinitions: strings("pk", "sk", "status"),
    GlobalSecondaryIndexes: [index("by-status", "status", "sk")],
  });
  for (const pk of ["TEAM#1", "TEAM#2"]) {
    const puts = Array.from({ length: 12 }, (_, number) => ({
      PutRequest: {
        Item: marshall({
          pk,
          sk: `GAME#${String(number).padStart(3, "0")}`,
          status: number % 3 === 0 ? "FINAL" : "SCHEDULED",
          score: number,
        }),
      },
    }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
  }
  return TableName;
}

test("key conditions select ranges in both directions", async (t) => {
  const TableName = await games(t);
  for (const [condition, values, expected] of [
    ["sk = :a", ["GAME#007"], ["007"]],
    ["sk < :a", ["GAME#002"], ["000", "001"]],
    ["sk >= :a", ["GAME#010"], ["010", "011"]],
    ["sk BETWEEN :a AND :b", ["GAME#003", "GAME#004"], ["003", "004"]],
    ["begins_with(sk, :a)", ["GAME#01"], ["010", "011"]],
  ]) {
    for (const ScanIndexForward of [true, false]) {
      const [a, b] = values;
      const answer = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: `pk = :pk AND ${condition}`,
          ExpressionAttributeValues: marshall(
            { ":pk": "TEAM#1", ":a": a, ":b": b },
            { removeUndefinedValues: true },
          ),
          ScanIndexForward,
        }),
      );
      const found = answer.Items.map((item) => item.sk.S.slice(5));
      assert.deepEqual(found, ScanIndexForward ? expected : [...expected].reverse());
    }
  }
});

test("the paginators bring everything once", async (t) => {
  const TableName = await games(t);
  const query = {
    TableName,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: marshall({ ":pk": "TEAM#2" }),
  };
  const counts = [];
  for await (const page of paginateQuery({ client, pageSize: 5 }, query)) counts.push(page.Count);
  assert.deepEqual(counts, [5, 5, 2]);

  const found = new Set();
  for await (const page of paginateScan({ client, pageSize: 7 }, { TableName })) {
    for (const item of page.Items) found.add(`${item.pk.S} ${item.sk.S}`);
  }
  assert.equal(found.size, 24);
});

test("an index is queried and filtered", async (t) => {
  const TableName = await games(t);
  const query = {
    TableName,
    IndexName: "by-status",
    KeyConditionExpression: "#status = :status",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: marshall({ ":status": "FINAL" }),
  };
  const all = await client.send(new QueryCommand(query));
  assert.equal(all.Count, 8);
  const some = await client.send(
    new QueryCommand({
      ...query,
      FilterExpression: "score > :score",
      ExpressionAttributeValues: marshall({ ":status": "FINAL", ":score": 5 }),
      ProjectionExpression: "score",
    }),
  );
  assert.deepEqual(
    some.Items.map((item) => item.score.N),
    ["6", "6", "9", "9"],
  );
  assert.equal(some.ScannedCount, 8);
  const consistent = new QueryCommand({ ...query, ConsistentRead: true });
  assert.match(
    (await refusal(client.send(consistent))).message,
    /Consistent reads are not supported on global secondary indexes/,
  );
});

test("the segments of a scan are the whole table", async (t) => {
  const TableName = await games(t);
  const segments = await Promise.all(
    [0, 1, 2].map((Segment) =>
      client.send(new ScanCommand({ TableName, Segment, TotalSegments: 3 })),
    ),
  );
  const total = segments.reduce((sum, segment) => sum + segment.Count, 0);
  assert.equal(total, 24);
  const count = await client.send(new ScanCommand({ TableName, Select: "COUNT" }));
  assert.equal(count.Count, 24);
  assert.equal(count.Items, undefined);
});
