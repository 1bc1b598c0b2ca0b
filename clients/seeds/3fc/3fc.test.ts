// 3FC: every access pattern that its document supports, in the envelope that it writes.
//
// The document has no code; its repository is TypeScript with the document client.

import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import * as keys from './keys.ts';

type Key = { pk: string; sk: string };

const TableName = '3fc-test-app';
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const NOW = '2026-01-01T00:00:00.000Z';

/** Writes a record in the envelope, once. */
async function create(key: Key, entityType: string, data: object) {
  const Item = { ...key, entityType, createdAt: NOW, updatedAt: NOW, data: JSON.stringify(data) };
  const ConditionExpression = 'attribute_not_exists(pk)';
  await documents.send(new PutCommand({ TableName, Item, ConditionExpression }));
}

async function read(Key: Key) {
  const { Item } = await documents.send(new GetCommand({ TableName, Key }));
  return Item && JSON.parse(Item.data);
}

async function list(pk: string, prefix: string) {
  const { Items } = await documents.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    }),
  );
  return (Items ?? []).map((item) => JSON.parse(item.data));
}

before(async () => {
  await documents.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
    }),
  );
});

after(async () => {
  await documents.send(new DeleteTableCommand({ TableName }));
});

test('a league is created once and read', async () => {
  await create(keys.league('l1'), 'league', { name: 'Sunday' });
  assert.deepEqual(await read(keys.league('l1')), { name: 'Sunday' });
  await assert.rejects(create(keys.league('l1'), 'league', {}), {
    name: 'ConditionalCheckFailedException',
  });
});

test('seasons, teams and sessions are listed under their parents', async () => {
  for (const id of ['s2', 's1']) {
    await create(keys.season('l2', id), 'season', { id });
    await create(keys.seasonLookup(id), 'seasonLookup', { league: 'l2' });
  }
  await create(keys.team('s1', 't1'), 'team', { id: 't1' });
  await create(keys.session('s1', 'e1'), 'session', { id: 'e1' });
  await create(keys.sessionLookup('e1'), 'sessionLookup', { season: 's1' });

  assert.deepEqual(await list('LEAGUE#l2', 'SEASON#'), [{ id: 's1' }, { id: 's2' }]);
  assert.deepEqual(await list('SEASON#s1', 'TEAM#'), [{ id: 't1' }]);
  assert.deepEqual(await list('SEASON#s1', 'SESSION#'), [{ id: 'e1' }]);
  assert.deepEqual(await read(keys.seasonLookup('s1')), { league: 'l2' });
  assert.deepEqual(await read(keys.sessionLookup('e1')), { season: 's1' });
});

test('the games of a session are listed by their start', async () => {
  for (const [id, start] of [
    ['g2', '2026-01-02T18:00'],
    ['g1', '2026-01-01T18:00'],
  ]) {
    await create(keys.game(id), 'game', { id, start });
    await create(keys.gameOfSession('e2', start, id), 'gameOfSession', { id });
  }
  assert.deepEqual(await list('SESSION#e2', 'GAME#'), [{ id: 'g1' }, { id: 'g2' }]);
  assert.deepEqual(await read(keys.game('g1')), { id: 'g1', start: '2026-01-01T18:00' });
});

test('goals come in the order of the game', async () => {
  for (const [third, minute, event] of [
    [2, 5, 'c'],
    [1, 12, 'b'],
    [1, 9, 'a'],
  ] as const) {
    await create(keys.goal('g3', third, minute, event), 'goal', { event });
  }
  const goals = await list('GAME#g3', 'GOAL#');
  assert.deepEqual(
    goals.map(({ event }) => event),
    ['a', 'b', 'c'],
  );
});

test('rosters, grants and players are kept', async () => {
  await create(keys.roster('g4', 't1', 'p1'), 'roster', { player: 'p1' });
  await create(keys.roster('g4', 't2', 'p2'), 'roster', { player: 'p2' });
  await create(keys.grant('l3', 'u1'), 'grant', { role: 'admin' });
  await create(keys.player('p1'), 'player', { name: 'Ada' });
  assert.equal((await list('GAME#g4', 'ROSTER#')).length, 2);
  assert.deepEqual(await list('GAME#g4', 'ROSTER#t1#'), [{ player: 'p1' }]);
  assert.deepEqual(await list('LEAGUE#l3', 'ACL#USER#'), [{ role: 'admin' }]);
  assert.deepEqual(await read(keys.player('p1')), { name: 'Ada' });
});
