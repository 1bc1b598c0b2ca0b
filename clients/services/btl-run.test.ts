// btl.run over one table with the functions of its design document, which run as they were written: they
// read what the service writes, and the service reads what they write.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { after } from 'node:test';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  acquireLock,
  appendEventLog,
  batchGetStates,
  deleteItem,
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
} from '../seeds/btl-run/access-patterns.ts';
import { dynamodb } from '../seeds/btl-run/left-undefined.ts';

const SERVICE = `${process.env.AWS_ENDPOINT_URL}/btl-run`;
const ADMIN = { 'x-user-id': 'program', 'x-user-roles': 'kv:admin' };

after(() => dynamodb.destroy());

type Headers = Record<string, string>;

/** What the service answers. */
async function ask(method: string, path: string, headers: Headers, body?: unknown) {
  const answer = await fetch(`${SERVICE}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
}

/** What the service answers to a request that it must not refuse. */
async function told(method: string, path: string, headers: Headers, body?: unknown) {
  const answer = await ask(method, path, headers, body);
  assert(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const once = () => ({ 'idempotency-key': randomUUID() });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const row = (pk: string, sk: string) => `/kv/${encodeURIComponent(pk)}/${encodeURIComponent(sk)}`;

/** A match of a host of its own. */
async function openMatch(settings: object = {}) {
  const host = { 'x-user-id': `host-${randomUUID()}` };
  const body = { mode: 'quick', aiCount: 4, ...settings };
  const opened = await told('POST', '/match', { ...host, ...once() }, body);
  const { matchId, adminToken, inviteCode } = opened;
  return { id: matchId as string, admin: bearer(adminToken), code: inviteCode as string };
}

/** The same with a player, and begun. */
async function startedMatch(settings: object = {}) {
  const { id, admin, code } = await openMatch(settings);
  const joined = await told('POST', `/match/${id}/join`, once(), { code, name: 'Zoë' });
  await told('POST', `/match/${id}/start`, { ...admin, ...once() }, {});
  return { id, admin, player: bearer(joined.playerToken) };
}

/** The same with its first turn played. What happened is told later, when the narrator has a word. */
async function playedMatch(settings: object = {}) {
  const { id, player } = await startedMatch(settings);
  const { turnId } = await getMatchState(id);
  await told('POST', `/match/${id}/action`, { ...player, ...once() }, { turnId, action: 'hide' });
  return { id };
}

async function stored(key: { pk: string; sk: string }) {
  const { Item } = await dynamodb.send(
    new GetItemCommand({ TableName: 'btlrun_kv', Key: marshall(key) }),
  );
  return Item && unmarshall(Item);
}

test('a state that the service wrote is read and replaced, and the service goes on from it', async () => {
  const { id, admin } = await startedMatch();
  const state = await getMatchState(id);
  const shown = await told('GET', `/match/${id}`, {});
  assert.deepEqual([state.matchId, state.status, state.day], [id, 'active', shown.day]);
  assert.equal(state.roster.length, shown.roster.length);
  const { ver } = (await stored({ pk: `match#${id}`, sk: 'state' })) ?? {};
  assert.equal(state.version, ver);
  assert.deepEqual(await getLargeValue(`match#${id}`, 'state'), state);

  state.theme.arena = 'the mill';
  assert.equal(await updateMatchState(id, state, ver), ver + 1);
  await assert.rejects(updateMatchState(id, state, ver), /Concurrent modification detected/);
  assert.equal((await told('GET', `/match/${id}`, {})).theme.arena, 'the mill');
  const turn = { turnId: state.turnId, force: true };
  await told('POST', `/match/${id}/advance`, { ...admin, ...once() }, turn);
  const next = await getMatchState(id);
  assert.equal(next.theme.arena, 'the mill');
  assert(next.version >= ver + 2 && next.logSeq > state.logSeq);
});

test('an event that the functions append behind the state does not stop the match', async () => {
  const { id, admin } = await startedMatch();
  const { logSeq, turnId } = await getMatchState(id);
  await appendEventLog(id, logSeq + 1, { seq: logSeq + 1, type: 'HAZARD' });
  await told('POST', `/match/${id}/advance`, { ...admin, ...once() }, { turnId, force: true });
  const [next] = await getEventLogs(id, logSeq, 1);
  assert.deepEqual([next.seq, next.event.seq, next.event.turnId], [logSeq + 1, logSeq + 1, turnId]);
});

test('a state that the functions wrote is a match', async () => {
  const { id } = await openMatch();
  const copy = { ...(await getMatchState(id)), matchId: `${id}-copy`, logSeq: 2 };
  assert.equal(await updateMatchState(copy.matchId, copy), 1);
  const shown = await told('GET', `/match/${copy.matchId}`, {});
  assert.deepEqual([shown.matchId, shown.status], [copy.matchId, 'lobby']);

  const [{ event }] = await getEventLogs(id, undefined, 1);
  for (const seq of [1, 2, 3]) await appendEventLog(copy.matchId, seq, { ...event, seq });
  const log = await told('GET', `/match/${copy.matchId}/log`, {});
  assert.deepEqual(
    log.items.map(({ seq }: { seq: number }) => seq),
    [1, 2],
    'what the state does not know of did not happen',
  );

  const long = { ...copy, matchId: `${id}-long`, memoryBlob: 'ä'.repeat(20_000) };
  await putLargeValue(`match#${long.matchId}`, 'state', long);
  assert.equal((await told('GET', `/match/${long.matchId}`, {})).matchId, long.matchId);
});

test('events that the service wrote are read in order and by page', async () => {
  const { id } = await playedMatch();
  const { logSeq } = await getMatchState(id);
  assert(logSeq > 3);
  const events = await getEventLogs(id, undefined, logSeq);
  assert.deepEqual(
    events.map(({ seq, event }) => [seq, event.seq]),
    Array.from({ length: logSeq }, (_, index) => [index + 1, index + 1]),
  );
  assert.equal(events[0].event.type, 'MATCH_CREATED');
  assert.deepEqual(await getEventLogs(id, 2, 1), [events[2]]);
  const log = await told('GET', `/match/${id}/log`, {});
  const types = new Map(events.map(({ seq, event }) => [seq, event.type]));
  const shared = log.items.filter(({ seq }: { seq: number }) => types.has(seq));
  assert(shared.length > 3);
  for (const { seq, type } of shared) assert.equal(types.get(seq), type);
});

test('a log that the service spreads is where the document puts it', async () => {
  const { id } = await playedMatch({ shardedLog: true });
  const { logSeq } = await getMatchState(id);
  for (let seq = 1; seq <= logSeq; seq += 1) {
    const found = await stored(getShardedLogKey(id, seq));
    assert.equal(JSON.parse(found?.v).seq, seq);
  }
  const logs = await getAllEventLogs(id);
  assert.deepEqual(
    logs.slice(0, logSeq).map(({ seq }) => seq),
    Array.from({ length: logSeq }, (_, index) => index + 1),
  );
});

test('states of several matches are read at once', async () => {
  const ids = [(await openMatch()).id, (await openMatch()).id];
  const states = await batchGetStates([...ids, 'missing']);
  assert.deepEqual(states.map(({ matchId }) => matchId).sort(), [...ids].sort());
});

test('numbers are counted on by both', async () => {
  const key = `hits-${randomUUID()}`;
  await told('PUT', row(key, 'count'), ADMIN, 40);
  assert.equal(await incrementCounter(key), 41);
  assert.equal(await incrementCounter(key, 2), 43);
  assert.equal(await told('GET', row(key, 'count'), ADMIN), 43);
});

test('a rate limit that the functions set is the one that the service keeps', async () => {
  const user = `user-${randomUUID()}`;
  const create = () =>
    ask('POST', '/match', { 'x-user-id': user, ...once() }, { mode: 'quick', aiCount: 4 });
  await setRateLimit(user, 'create', 4, 3600);
  assert.equal((await create()).status, 201);
  const refused = await create();
  assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMIT']);
  assert(Number(refused.headers.get('retry-after')) > 0);
});

test('what the functions remove is gone for the service', async () => {
  const { id, code } = await openMatch();
  assert.equal((await told('GET', `/invite/${code}`, {})).matchId, id);
  await deleteItem(`invite#${code}`, 'meta');
  assert.equal((await ask('GET', `/invite/${code}`, {})).body.code, 'INVITE_NOT_FOUND');
});

test('large and small values are the same to both', async () => {
  const pk = `settings#${randomUUID()}`;
  for (const value of [{ text: 'battle '.repeat(20_000) }, { a: [1, null, 'ä'] }]) {
    await putLargeValue(pk, 'theirs', value);
    assert.deepEqual(await told('GET', row(pk, 'theirs'), ADMIN), value);
    await told('PUT', row(pk, 'ours'), ADMIN, value);
    assert.deepEqual(await getLargeValue(pk, 'ours'), value);
  }
  assert((await stored({ pk, sk: 'theirs' }))?.ver === undefined);
  const tag = (await ask('GET', row(pk, 'theirs'), ADMIN)).headers.get('etag');
  assert.match(tag ?? '', /^W\/"/, 'without a version the tag is a weak one of the value');
  const replaced = await ask('PUT', row(pk, 'theirs'), { ...ADMIN, 'if-match': '"0"' }, { b: 1 });
  assert.deepEqual([replaced.status, replaced.body.version], [200, 1]);
  assert.deepEqual(await getLargeValue(pk, 'theirs'), { b: 1 });
});

test('a lock of one is respected by the other', async () => {
  const id = randomUUID();
  const path = row(`lock#match#${id}`, 'v');
  const ttl = Math.floor(Date.now() / 1000) + 30;
  assert.equal((await ask('POST', `${path}?ttl=${ttl}`, ADMIN, 'ours')).status, 201);
  assert.equal(await acquireLock(id), false);
  await told('DELETE', path, ADMIN);
  assert.equal(await acquireLock(id), true);
  assert.equal((await ask('POST', `${path}?ttl=${ttl}`, ADMIN, 'ours')).status, 409);
  assert.equal(await told('GET', path, ADMIN), 'locked');
  await releaseLock(id);
  assert.equal((await ask('GET', path, ADMIN)).status, 404);

  // Theirs has expired, and for the service it is free whether or not it is still there.
  assert.equal(await acquireLock(id, -1), true);
  assert.equal((await ask('POST', `${path}?ttl=${ttl}`, ADMIN, 'ours')).status, 201);
});
