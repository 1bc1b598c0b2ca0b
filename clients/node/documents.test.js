// The document client: JavaScript values in, JavaScript values out.

import assert from "node:assert/strict";
import test from "node:test";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocument,
  DynamoDBDocumentClient,
  GetCommand,
  NumberValue,
  paginateQuery,
  paginateScan,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { createTable, documents, refusal } from "./endpoint.js";

const KEY = { pk: "TEAM#1", sk: "METADATA" };

test("documents come back equal", async (t) => {
  const TableName = await createTable(t);
  const Item = {
    ...KEY,
    text: "",
    number: -1.5,
    large: Number.MAX_SAFE_INTEGER,
    flag: true,
    nothing: null,
    list: [1, "two", [null, { three: 3 }]],
    map: { a: { b: { c: [] } } },
    strings: new Set(["a", "b"]),
    numbers: new Set([1, 2]),
    binary: Uint8Array.of(0, 128, 255),
    binaries: new Set([Uint8Array.of(1), Uint8Array.of(2)]),
  };
  await documents.send(new PutCommand({ TableName, Item }));
  const got = await documents.send(new GetCommand({ TableName, Key: KEY }));
  assert.deepEqual(got.Item, Item);
});

// A document client writes its options into the client that it is made from, so that these have
// one each.
test("what is undefined is left out and objects of classes become maps", async (t) => {
  const TableName = await createTable(t);
  const lenient = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
    marshallOptions: {
      removeUndefinedValues: true,
      convertClassInstanceToMap: true,
      convertEmptyValues: true,
    },
  });
  class Player {
    constructor(number) {
      this.number = number;
      this.nickname = undefined;
    }
  }
  const Item = { ...KEY, captain: new Player(7), gone: undefined, empty: "" };
  await lenient.send(new PutCommand({ TableName, Item }));
  const got = await lenient.send(new GetCommand({ TableName, Key: KEY }));
  assert.deepEqual(got.Item, { ...KEY, captain: { number: 7 }, empty: null });
});

test("numbers beyond JavaScript's keep their digits", async (t) => {
  const TableName = await createTable(t);
  const exact = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
    unmarshallOptions: { wrapNumbers: true },
  });
  const number = NumberValue.from("1.2345678901234567890123456789012345678");
  await exact.send(new PutCommand({ TableName, Item: { ...KEY, number, big: 2n ** 100n } }));
  const { Item } = await exact.send(new GetCommand({ TableName, Key: KEY }));
  assert.equal(String(Item.number.value), "1.2345678901234567890123456789012345678");
  assert.equal(String(Item.big.value), String(2n ** 100n));
});

test("updates and deletes return documents", async (t) => {
  const TableName = await createTable(t);
  const updated = await documents.send(
    new UpdateCommand({
      TableName,
      Key: KEY,
      UpdateExpression:
        "SET #list = list_append(if_not_exists(#list, :none), :more) ADD tags :tags",
      ExpressionAttributeNames: { "#list": "list" },
      ExpressionAttributeValues: { ":none": [], ":more": [{ a: 1 }], ":tags": new Set(["x"]) },
      ReturnValues: "ALL_NEW",
    }),
  );
  const expected = { ...KEY, list: [{ a: 1 }], tags: new Set(["x"]) };
  assert.deepEqual(updated.Attributes, expected);
  const deleted = await documents.send(
    new DeleteCommand({ TableName, Key: KEY, ReturnValues: "ALL_OLD" }),
  );
  assert.deepEqual(deleted.Attributes, expected);
});

test("queries, scans and their pages are documents", async (t) => {
  const TableName = await createTable(t);
  const items = Array.from({ length: 20 }, (_, number) => ({
    pk: "GAMES",
    sk: String(number).padStart(3, "0"),
    number,
  }));
  const PutRequests = items.map((Item) => ({ PutRequest: { Item } }));
  const written = await documents.send(
    new BatchWriteCommand({ RequestItems: { [TableName]: PutRequests } }),
  );
  assert.deepEqual(written.UnprocessedItems, {});

  const query = {
    TableName,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": "GAMES" },
  };
  const first = await documents.send(new QueryCommand({ ...query, Limit: 3 }));
  assert.deepEqual(first.Items, items.slice(0, 3));
  assert.deepEqual(first.LastEvaluatedKey, { pk: "GAMES", sk: "002" });

  const queried = [];
  for await (const page of paginateQuery({ client: documents, pageSize: 6 }, query)) {
    queried.push(...page.Items);
  }
  assert.deepEqual(queried, items);

  const scanned = [];
  for await (const page of paginateScan({ client: documents, pageSize: 6 }, { TableName })) {
    scanned.push(...page.Items);
  }
  assert.deepEqual(scanned, items);
  const filtered = await documents.send(
    new ScanCommand({
      TableName,
      FilterExpression: "#number >= :min",
      ExpressionAttributeNames: { "#number": "number" },
      ExpressionAttributeValues: { ":min": 18 },
    }),
  );
  assert.equal(filtered.Count, 2);
  assert.equal(filtered.ScannedCount, 20);
});

test("batches and transactions are documents", async (t) => {
  const TableName = await createTable(t);
  await documents.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, Item: { ...KEY, wins: 1 } } },
        {
          Update: {
            TableName,
            Key: { ...KEY, sk: "COUNT" },
            UpdateExpression: "ADD teams :one",
            ExpressionAttributeValues: { ":one": 1 },
          },
        },
      ],
    }),
  );
  const read = await documents.send(
    new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key: KEY } }] }),
  );
  assert.deepEqual(read.Responses, [{ Item: { ...KEY, wins: 1 } }]);
  const batch = await documents.send(
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [KEY] } } }),
  );
  assert.deepEqual(batch.Responses, { [TableName]: [{ ...KEY, wins: 1 }] });
});

test("a cancelled transaction shows its documents", async (t) => {
  const TableName = await createTable(t);
  const document = DynamoDBDocument.from(new DynamoDBClient({}));
  await document.put({ TableName, Item: { ...KEY, wins: 1 } });
  const error = await refusal(
    document.transactWrite({
      TransactItems: [
        {
          Put: {
            TableName,
            Item: KEY,
            ConditionExpression: "attribute_not_exists(pk)",
            ReturnValuesOnConditionCheckFailure: "ALL_OLD",
          },
        },
      ],
    }),
  );
  assert.equal(error.name, "TransactionCanceledException");
  assert.equal(error.CancellationReasons[0].Code, "ConditionalCheckFailed");
  assert(error.CancellationReasons[0].Item);
});
