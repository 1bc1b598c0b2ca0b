// PartiQL through the JavaScript SDK, in DynamoDB's notation and as documents.

import assert from "node:assert/strict";
import test from "node:test";
import {
  BatchExecuteStatementCommand,
  DuplicateItemException,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import * as lib from "@aws-sdk/lib-dynamodb";
import { client, createTable, documents, refusal } from "./endpoint.js";

const execute = (Statement, ...Parameters) =>
  client.send(new ExecuteStatementCommand({ Statement, ...(Parameters.length && { Parameters }) }));

/** A table with the items 0, 1 and 2. */
async function numbers(t) {
  const name = await createTable(t);
  for (const number of ["0", "1", "2"]) {
    await execute(
      `INSERT INTO "${name}" VALUE {'pk': ?, 'sk': 'x', 'number': ?}`,
      { S: `ITEM#${number}` },
      { N: number },
    );
  }
  return name;
}

test("statements insert, select, update and delete", async (t) => {
  const name = await numbers(t);
  const where = "WHERE pk = 'ITEM#1' AND sk = 'x'";
  const selected = await execute(`SELECT * FROM "${name}" ${where}`);
  assert.deepEqual(selected.Items, [{ pk: { S: "ITEM#1" }, sk: { S: "x" }, number: { N: "1" } }]);
  const updated = await execute(
    `UPDATE "${name}" SET "number" = "number" + 5 ${where} RETURNING ALL NEW *`,
  );
  assert.equal(updated.Items[0].number.N, "6");
  await execute(`DELETE FROM "${name}" ${where}`);
  assert.equal((await execute(`SELECT * FROM "${name}"`)).Items.length, 2);
  const again = execute(`INSERT INTO "${name}" VALUE {'pk': 'ITEM#0', 'sk': 'x'}`);
  await refusal(again, DuplicateItemException);
});

test("pages of statements follow each other", async (t) => {
  const name = await numbers(t);
  const Statement = `SELECT pk FROM "${name}"`;
  const first = await client.send(new ExecuteStatementCommand({ Statement, Limit: 2 }));
  assert.equal(first.Items.length, 2);
  const { NextToken } = first;
  const second = await client.send(new ExecuteStatementCommand({ Statement, NextToken }));
  assert.equal(second.Items.length, 1);
  assert.equal(second.NextToken, undefined);
});

test("a batch answers every statement for itself", async (t) => {
  const name = await numbers(t);
  const { Responses } = await client.send(
    new BatchExecuteStatementCommand({
      Statements: [
        { Statement: `SELECT "number" FROM "${name}" WHERE pk = 'ITEM#2' AND sk = 'x'` },
        { Statement: `SELECT * FROM "nowhere" WHERE pk = 'a' AND sk = 'x'` },
      ],
    }),
  );
  assert.deepEqual(Responses[0].Item, { number: { N: "2" } });
  assert.equal(Responses[1].Error.Code, "ResourceNotFound");
});

test("a transaction of statements is all or nothing", async (t) => {
  const name = await numbers(t);
  const insert = (pk) => ({ Statement: `INSERT INTO "${name}" VALUE {'pk': '${pk}', 'sk': 'x'}` });
  const error = await refusal(
    client.send(
      new ExecuteTransactionCommand({ TransactStatements: [insert("NEW"), insert("ITEM#0")] }),
    ),
    TransactionCanceledException,
  );
  assert.deepEqual(
    error.CancellationReasons.map((reason) => reason.Code),
    ["None", "DuplicateItem"],
  );
  await client.send(new ExecuteTransactionCommand({ TransactStatements: [insert("NEW")] }));
  assert.equal((await execute(`SELECT * FROM "${name}"`)).Items.length, 4);
});

test("statements take and return documents", async (t) => {
  const name = await createTable(t);
  const Statement = `INSERT INTO "${name}" VALUE {'pk': ?, 'sk': ?, 'map': ?}`;
  const Parameters = ["a", "b", { list: [1, { deep: true }] }];
  await documents.send(new lib.ExecuteStatementCommand({ Statement, Parameters }));
  const select = { Statement: `SELECT "map" FROM "${name}" WHERE pk = 'a' AND sk = 'b'` };
  const expected = { map: { list: [1, { deep: true }] } };
  const alone = await documents.send(new lib.ExecuteStatementCommand(select));
  assert.deepEqual(alone.Items, [expected]);
  const batch = await documents.send(
    new lib.BatchExecuteStatementCommand({ Statements: [select] }),
  );
  assert.deepEqual(batch.Responses[0].Item, expected);
  const transaction = await documents.send(
    new lib.ExecuteTransactionCommand({ TransactStatements: [select] }),
  );
  assert.deepEqual(transaction.Responses[0].Item, expected);
});
