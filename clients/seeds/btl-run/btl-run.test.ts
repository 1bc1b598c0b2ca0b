// btl.run: its table definition and all its access patterns, with its own SDK and CDK.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  UpdateContinuousBackupsCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as cdk from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import {
  acquireLock,
  appendEventLog,
  batchGetStates,
  deleteItem,
  exponentialBackoff,
  getAllEventLogs,
  getEventLogs,
  getLargeValue,
  getMatchState,
  getShardedLogKey,
  incrementCounter,
  putLargeValue,
  releaseLock,
  setRateLimit,
  updateMatchState,
} from './access-patterns.ts';
import { save } from './error-handling.ts';
import { dynamodb } from './left-undefined.ts';
import { defineTable } from './table.ts';

const TableName = 'btlrun_kv';

/** The properties of the table in the CloudFormation template that the CDK makes of it. */
function properties() {
  const stack = new cdk.Stack(new cdk.App(), 'stack');
  defineTable.call(stack);
  const tables = Template.fromStack(stack).findResources('AWS::DynamoDB::Table');
  return Object.values(tables)[0].Properties;
}

async function stored(pk: string, sk: string) {
  const { Item } = await dynamodb.send(
    new GetItemCommand({ TableName, Key: marshall({ pk, sk }) }),
  );
  return Item && unmarshall(Item);
}

before(async () => {
  const { TimeToLiveSpecification, PointInTimeRecoverySpecification, ...table } = properties();
  await dynamodb.send(new CreateTableCommand(table));
  await dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  // The one setting of the document that needs a server that keeps its log.
  const recovery = new UpdateContinuousBackupsCommand({
    TableName,
    PointInTimeRecoverySpecification,
  });
  await assert.rejects(dynamodb.send(recovery), /the server does not keep its log/);
});

after(async () => {
  await dynamodb.send(new DeleteTableCommand({ TableName }));
  dynamodb.destroy();
});

test('the table expires items by the attribute of the definition', async () => {
  const described = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }));
  assert.equal(described.TimeToLiveDescription?.AttributeName, 'ttl');
});

test('every kind of key of the conventions is stored', async () => {
  const text = readFileSync(new URL('./key-naming.ts', import.meta.url), 'utf8');
  const pairs = [...text.matchAll(/^pk: `(.*)`\nsk: `(.*)`$/gm)];
  assert.equal(pairs.length, 9);
  await import('./key-naming.ts');
  for (const [, pk, sk] of pairs) {
    await dynamodb.send(new PutItemCommand({ TableName, Item: marshall({ pk, sk }) }));
    assert.deepEqual(await stored(pk, sk), { pk, sk });
    await deleteItem(pk, sk);
  }
});

test('the state of a match is kept under optimistic locking', async () => {
  assert.equal(await getMatchState('m1'), null);
  assert.equal(await updateMatchState('m1', { turn: 1 }), 1);
  assert.equal(await updateMatchState('m1', { turn: 2 }, 1), 2);
  assert.deepEqual(await getMatchState('m1'), { turn: 2 });
  const conflict = /Concurrent modification detected/;
  await assert.rejects(updateMatchState('m1', { turn: 9 }), conflict);
  await assert.rejects(updateMatchState('m1', { turn: 9 }, 1), conflict);
  assert.deepEqual(await getMatchState('m1'), { turn: 2 });
});

test('of many writers at once one wins', async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 20 }, (_, writer) => updateMatchState('race', { writer })),
  );
  assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('event logs are read in order and by page', async () => {
  for (const seq of [3, 1, 2, 10, 100]) await appendEventLog('m2', seq, { seq });
  const sequence = async (...page: [number?, number?]) =>
    (await getEventLogs('m2', ...page)).map(({ seq }) => seq);
  assert.deepEqual(await sequence(), [1, 2, 3, 10, 100]);
  assert.deepEqual(await sequence(undefined, 2), [1, 2]);
  assert.deepEqual(await sequence(2), [3, 10, 100]);
});

test('states are read in batches', async () => {
  for (const id of ['b1', 'b2']) await updateMatchState(id, { id });
  const states = await batchGetStates(['b1', 'b2', 'missing']);
  assert.deepEqual(states.map(({ id }) => id).sort(), ['b1', 'b2']);
});

test('a counter counts, also for many at once', async () => {
  assert.equal(await incrementCounter('counter'), 1);
  assert.equal(await incrementCounter('counter', 41), 42);
  await Promise.all(Array.from({ length: 50 }, () => incrementCounter('counter')));
  assert.equal(await incrementCounter('counter', 0), 92);
});

test('a rate limit is stored with its expiry', async () => {
  await setRateLimit('u1', 'GET /', 5);
  const { Items } = await dynamodb.send(new ScanCommand({ TableName }));
  const limit = Items?.map((item) => unmarshall(item)).find(({ pk }) => pk === 'rate#u1');
  assert.equal(limit?.v, 5);
  assert(limit?.ttl > Date.now() / 1000);
});

test('sharded logs are read in order', async () => {
  for (const seq of [5, 2, 7, 1, 4]) {
    const Item = marshall({ ...getShardedLogKey('m3', seq), v: JSON.stringify({ seq }) });
    await dynamodb.send(new PutItemCommand({ TableName, Item }));
  }
  const logs = await getAllEventLogs('m3');
  assert.deepEqual(
    logs.map(({ seq }) => seq),
    [1, 2, 4, 5, 7],
  );
});

test('large values are compressed and come back equal', async () => {
  const large = { text: 'battle '.repeat(20_000) };
  await putLargeValue('large', 'v', large);
  assert((await stored('large', 'v'))?.v instanceof Uint8Array);
  assert.deepEqual(await getLargeValue('large', 'v'), large);
  await putLargeValue('small', 'v', { a: 1 });
  assert.deepEqual(await getLargeValue('small', 'v'), { a: 1 });
  assert.equal(await getLargeValue('missing', 'v'), null);
});

test('a lock is held by one', async () => {
  const attempts = await Promise.all(Array.from({ length: 10 }, () => acquireLock('m4')));
  assert.equal(attempts.filter(Boolean).length, 1);
  await releaseLock('m4');
  assert.equal(await acquireLock('m4'), true);

  await import('./lock-usage.ts');
  assert.equal(await stored('lock#match#locked', 'v'), undefined);
});

test('a save succeeds or tells of the conflict', async () => {
  await save('m5', { turn: 1 });
  await save('m5', { turn: 2 }, 1);
  assert.deepEqual(await getMatchState('m5'), { turn: 2 });
  await assert.rejects(save('m5', { turn: 3 }, 1), /Concurrent modification detected/);
});

test('the backoff tries again', async () => {
  let attempts = 0;
  const counted = await exponentialBackoff(async () => {
    attempts += 1;
    if (attempts < 2) throw new Error('throttled');
    return incrementCounter('backoff');
  });
  assert.deepEqual([attempts, counted], [2, 1]);
});
