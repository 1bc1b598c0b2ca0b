// Batches and transactions through the JavaScript SDK.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  IdempotentParameterMismatchException,
  PutItemCommand,
  ResourceNotFoundException,
  ScanCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { client, createTable, refusal } from "./endpoint.js";

const key = (sk) => marshall({ pk: "ACCOUNT", sk });

/** A table with two accounts of ten each. */
async function accounts(t) {
  const TableName = await createTable(t);
  for (const sk of ["a", "b"]) {
    const Item = { ...key(sk), balance: { N: "10" } };
    await client.send(new PutItemCommand({ TableName, Item }));
  }
  return TableName;
}

/** The actions that move money if there is enough. */
function pay(TableName, amount) {
  const ExpressionAttributeValues = marshall({ ":amount": amount });
  return [
    {
      Update: {
        TableName,
        Key: key("a"),
        UpdateExpression: "SET balance = balance - :amount",
        ConditionExpression: "balance >= :amount",
        ExpressionAttributeValues,
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    },
    {
      Update: {
        TableName,
        Key: key("b"),
        UpdateExpression: "SET balance = balance + :amount",
        ExpressionAttributeValues,
      },
    },
  ];
}

async function balances(TableName) {
  const { Responses } = await client.send(
    new TransactGetItemsCommand({
      TransactItems: ["a", "b"].map((sk) => ({ Get: { TableName, Key: key(sk) } })),
    }),
  );
  return Responses.map(({ Item }) => Number(Item.balance.N));
}

test("everything happens together", async (t) => {
  const TableName = await accounts(t);
  await client.send(new TransactWriteItemsCommand({ TransactItems: pay(TableName, 4) }));
  assert.deepEqual(await balances(TableName), [6, 14]);
});

test("a cancelled transaction gives a reason for every action", async (t) => {
  const TableName = await accounts(t);
  const command = new TransactWriteItemsCommand({ TransactItems: pay(TableName, 11) });
  const error = await refusal(client.send(command), TransactionCanceledException);
  assert.equal(error.name, "TransactionCanceledException");
  assert.deepEqual(error.CancellationReasons, [
    {
      Code: "ConditionalCheckFailed",
      Message: "The conditional request failed",
      Item: { ...key("a"), balance: { N: "10" } },
    },
    { Code: "None" },
  ]);
  assert.deepEqual(await balances(TableName), [10, 10]);
});

test("a token makes a transaction happen once", async (t) => {
  const TableName = await accounts(t);
  const ClientRequestToken = randomUUID();
  const send = (amount) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: pay(TableName, amount),
        ClientRequestToken,
      }),
    );
  await send(1);
  await send(1);
  assert.deepEqual(await balances(TableName), [9, 11]);
  await refusal(send(2), IdempotentParameterMismatchException);
});

test("puts, deletes and checks fit in one transaction", async (t) => {
  const TableName = await accounts(t);
  await client.send(
    new TransactWriteItemsCommand({
      TransactItems: [
        { Put: { TableName, Item: key("c") } },
        { Delete: { TableName, Key: key("b") } },
        {
          ConditionCheck: {
            TableName,
            Key: key("a"),
            ConditionExpression: "attribute_exists(pk)",
          },
        },
      ],
    }),
  );
  assert.equal((await client.send(new ScanCommand({ TableName }))).Count, 2);
});

test("a batch writes and gets", async (t) => {
  const TableName = await createTable(t);
  const Keys = Array.from({ length: 25 }, (_, number) => key(String(number)));
  const written = await client.send(
    new BatchWriteItemCommand({
      RequestItems: { [TableName]: Keys.map((Item) => ({ PutRequest: { Item } })) },
    }),
  );
  assert.deepEqual(written.UnprocessedItems, {});
  const got = await client.send(
    new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }),
  );
  assert.equal(got.Responses[TableName].length, 25);
  assert.deepEqual(got.UnprocessedKeys, {});
  await client.send(
    new BatchWriteItemCommand({
      RequestItems: { [TableName]: Keys.map((Key) => ({ DeleteRequest: { Key } })) },
    }),
  );
  assert.equal((await client.send(new ScanCommand({ TableName }))).Count, 0);
});

test("a batch for a table that is not there is not found", async () => {
  const RequestItems = { nowhere: { Keys: [key("a")] } };
  await refusal(client.send(new BatchGetItemCommand({ RequestItems })), ResourceNotFoundException);
});
