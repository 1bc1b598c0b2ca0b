// Single items through the JavaScript SDK, in DynamoDB's own notation.

import assert from "node:assert/strict";
import test from "node:test";
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDB,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  ResourceNotFoundException,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { client, createTable, refusal } from "./endpoint.js";

const KEY = marshall({ pk: "TEAM#1", sk: "METADATA" });
const TEAM = { ...KEY, name: { S: "Seattle Sluggers" }, wins: { N: "3" } };

test("an item comes back as it was put", async (t) => {
  const TableName = await createTable(t);
  const put = await client.send(new PutItemCommand({ TableName, Item: TEAM }));
  assert.equal(put.Attributes, undefined);
  assert.equal(put.$metadata.attempts, 1);
  assert.equal(put.$metadata.requestId.length, 52);
  const got = await client.send(new GetItemCommand({ TableName, Key: KEY }));
  assert.deepEqual(got.Item, TEAM);
  const none = { TableName, Key: marshall({ pk: "TEAM#2", sk: "METADATA" }) };
  assert.equal((await client.send(new GetItemCommand(none))).Item, undefined);
});

test("values of every kind come back equal", async (t) => {
  const TableName = await createTable(t);
  const Item = {
    ...KEY,
    empty: { S: "" },
    unicode: { S: 'ünïcödé 🚀 \u0000 \u2028 \\ "' },
    digits: { N: "12345678901234567890123456789012345678" },
    small: { N: `0.${"0".repeat(129)}1` },
    binary: { B: Uint8Array.from({ length: 256 }, (_, byte) => byte) },
    flag: { BOOL: false },
    nothing: { NULL: true },
    strings: { SS: ["", "a", "b"] },
    numbers: { NS: ["-1", "2", "10"] },
    binaries: { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
    list: { L: [{ S: "a" }, { L: [] }, { M: {} }] },
    map: { M: { deep: { M: { er: { L: [{ N: "1.5" }] } } } } },
  };
  await client.send(new PutItemCommand({ TableName, Item }));
  const got = await client.send(new GetItemCommand({ TableName, Key: KEY }));
  assert.deepEqual(got.Item, Item);
});

test("an update returns what it is asked for", async (t) => {
  const TableName = await createTable(t);
  const update = {
    TableName,
    Key: KEY,
    UpdateExpression: "SET wins = wins + :one, city = :city REMOVE #name",
    ExpressionAttributeNames: { "#name": "name" },
    ExpressionAttributeValues: marshall({ ":one": 1, ":city": "Seattle" }),
  };
  for (const [ReturnValues, expected] of [
    ["NONE", undefined],
    ["ALL_OLD", TEAM],
    ["UPDATED_OLD", { name: TEAM.name, wins: TEAM.wins }],
    ["ALL_NEW", { ...KEY, wins: { N: "4" }, city: { S: "Seattle" } }],
    ["UPDATED_NEW", { wins: { N: "4" }, city: { S: "Seattle" } }],
  ]) {
    await client.send(new PutItemCommand({ TableName, Item: TEAM }));
    const answer = await client.send(new UpdateItemCommand({ ...update, ReturnValues }));
    assert.deepEqual(answer.Attributes, expected, ReturnValues);
  }
});

test("a failed condition is an exception with the item in it", async (t) => {
  const TableName = await createTable(t);
  await client.send(new PutItemCommand({ TableName, Item: TEAM }));
  const condition = {
    ConditionExpression: "wins > :wins",
    ExpressionAttributeValues: marshall({ ":wins": 3 }),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
  for (const command of [
    new PutItemCommand({ TableName, Item: KEY, ...condition }),
    new DeleteItemCommand({ TableName, Key: KEY, ...condition }),
    new UpdateItemCommand({
      TableName,
      Key: KEY,
      UpdateExpression: "REMOVE wins",
      ...condition,
    }),
  ]) {
    const error = await refusal(client.send(command), ConditionalCheckFailedException);
    assert.equal(error.name, "ConditionalCheckFailedException");
    assert.equal(error.message, "The conditional request failed");
    assert.deepEqual(error.Item, TEAM);
  }
  const plain = new PutItemCommand({
    TableName,
    Item: KEY,
    ConditionExpression: "attribute_not_exists(pk)",
  });
  const error = await refusal(client.send(plain), ConditionalCheckFailedException);
  assert.equal(error.Item, undefined);
});

test("a delete returns what it deleted", async (t) => {
  const TableName = await createTable(t);
  await client.send(new PutItemCommand({ TableName, Item: TEAM }));
  const command = new DeleteItemCommand({ TableName, Key: KEY, ReturnValues: "ALL_OLD" });
  assert.deepEqual((await client.send(command)).Attributes, TEAM);
  assert.equal((await client.send(command)).Attributes, undefined);
});

test("capacity is told when asked for", async (t) => {
  const TableName = await createTable(t);
  const put = await client.send(
    new PutItemCommand({
      TableName,
      Item: { ...KEY, text: { S: "x".repeat(2000) } },
      ReturnConsumedCapacity: "TOTAL",
    }),
  );
  assert.deepEqual(put.ConsumedCapacity, { TableName, CapacityUnits: 2 });
});

test("a refused request names its reason and is not sent again", async (t) => {
  const TableName = await createTable(t);
  const wrong = new PutItemCommand({ TableName, Item: { ...KEY, wins: { N: "ten" } } });
  const error = await refusal(client.send(wrong), DynamoDBServiceException);
  assert.equal(error.name, "ValidationException");
  assert.equal(
    error.message,
    "1 validation error detected: The parameter cannot be converted to a numeric value: ten",
  );
  assert.equal(error.$metadata.attempts, 1);

  const nowhere = new GetItemCommand({ TableName: "nowhere", Key: KEY });
  const missing = await refusal(client.send(nowhere), ResourceNotFoundException);
  assert.equal(missing.message, "Requested resource not found");
});

test("the client with a method for every operation works too", async (t) => {
  const TableName = await createTable(t);
  const dynamodb = new DynamoDB({});
  await dynamodb.putItem({ TableName, Item: TEAM });
  assert.deepEqual((await dynamodb.getItem({ TableName, Key: KEY })).Item, TEAM);
  dynamodb.destroy();
});

test("many requests at once are all answered", async (t) => {
  const TableName = await createTable(t);
  const count = 200;
  const add = () =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: KEY,
        UpdateExpression: "ADD visits :one",
        ExpressionAttributeValues: marshall({ ":one": 1 }),
      }),
    );
  await Promise.all(Array.from({ length: count }, add));
  const { Item } = await client.send(new GetItemCommand({ TableName, Key: KEY }));
  assert.equal(Item.visits.N, String(count));
});
