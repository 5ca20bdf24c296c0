// ElectroDB: two entities in one table, with a service over both, against the server at $ENDPOINT.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { Entity, Service } from 'electrodb';

const client = new DynamoDBClient({ endpoint: process.env.ENDPOINT });
const table = `ElectroDB-${process.env.RUN}-Company`;
const soon = { client, minDelay: 0.1, maxDelay: 0.5, maxWaitTime: 60 };
const TASKS = 30;

const employee = new Entity(
  {
    model: { entity: 'employee', version: '1', service: 'company' },
    attributes: {
      employee: { type: 'string', required: true },
      team: { type: 'string', required: true },
      name: { type: 'string', required: true },
      salary: { type: 'number' },
      hired: { type: 'string' },
      skills: { type: 'set', items: 'string' },
    },
    indexes: {
      record: { pk: { field: 'pk', composite: ['employee'] }, sk: { field: 'sk', composite: [] } },
      members: {
        index: 'gsi1',
        collection: 'team',
        pk: { field: 'gsi1pk', composite: ['team'] },
        sk: { field: 'gsi1sk', composite: ['hired'] },
      },
    },
  },
  { client, table },
);

const task = new Entity(
  {
    model: { entity: 'task', version: '1', service: 'company' },
    attributes: {
      task: { type: 'string', required: true },
      employee: { type: 'string', required: true },
      team: { type: 'string', required: true },
      points: { type: 'number', default: 1 },
      status: { type: ['open', 'done'], default: 'open' },
      due: { type: 'string', required: true },
      notes: { type: 'list', items: { type: 'string' } },
      detail: { type: 'map', properties: { place: { type: 'string' }, tries: { type: 'number' } } },
    },
    indexes: {
      assigned: { pk: { field: 'pk', composite: ['employee'] }, sk: { field: 'sk', composite: ['task'] } },
      due: {
        index: 'lsi1',
        pk: { field: 'pk', composite: ['employee'] },
        sk: { field: 'lsi1sk', composite: ['due', 'task'] },
      },
      ofTeam: {
        index: 'gsi1',
        collection: 'team',
        pk: { field: 'gsi1pk', composite: ['team'] },
        sk: { field: 'gsi1sk', composite: ['status', 'task'] },
      },
    },
  },
  { client, table },
);

const company = new Service({ employee, task }, { client, table });

const number = (n) => String(n).padStart(3, '0');
const taskOf = (n) => ({
  task: `t-${number(n)}`,
  employee: `e-${n % 2}`,
  team: 'harbour',
  due: `2026-04-${String(30 - n).padStart(2, '0')}`,
  status: n % 3 === 0 ? 'done' : 'open',
});
const names = (found) => found.map((item) => item.task);
const expected = (matches) => Array.from({ length: TASKS }, (_, n) => taskOf(n)).filter(matches);

before(async () => {
  const attribute = (AttributeName) => ({ AttributeName, AttributeType: 'S' });
  const keys = (hash, range) => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ];
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'lsi1sk', 'gsi1pk', 'gsi1sk'].map(attribute),
      KeySchema: keys('pk', 'sk'),
      LocalSecondaryIndexes: [{ IndexName: 'lsi1', KeySchema: keys('pk', 'lsi1sk'), Projection: { ProjectionType: 'ALL' } }],
      GlobalSecondaryIndexes: [{ IndexName: 'gsi1', KeySchema: keys('gsi1pk', 'gsi1sk'), Projection: { ProjectionType: 'ALL' } }],
    }),
  );
  await waitUntilTableExists(soon, { TableName: table });
  for (const n of [0, 1]) {
    await employee
      .create({ employee: `e-${n}`, team: 'harbour', name: `Name ${n}`, salary: 100 * n, hired: `202${n}`, skills: ['knots'] })
      .go();
  }
  const { unprocessed } = await task.put(Array.from({ length: TASKS }, (_, n) => taskOf(n))).go();
  assert.deepEqual(unprocessed, []);
});

after(async () => {
  await client.send(new DeleteTableCommand({ TableName: table }));
  await waitUntilTableNotExists(soon, { TableName: table });
  client.destroy();
});

test('an entity is created once, read, patched and removed', async () => {
  const made = { employee: 'e-9', team: 'locks', name: 'Nine', salary: 1, hired: '2029', skills: ['a', 'b'] };
  await employee.create(made).go();
  await assert.rejects(employee.create(made).go(), /The conditional request failed/);
  assert.deepEqual((await employee.get({ employee: 'e-9' }).go({ consistent: true })).data, made);
  const { data } = await employee
    .patch({ employee: 'e-9' })
    .set({ name: 'Nina' })
    .add({ salary: 41 })
    .delete({ skills: ['a'] })
    .where(({ salary }, { lt }) => lt(salary, 100))
    .go({ response: 'all_new' });
  assert.deepEqual(data, { ...made, name: 'Nina', salary: 42, skills: ['b'] });
  await assert.rejects(
    employee.patch({ employee: 'e-9' }).set({ name: 'No' }).where(({ salary }, { gt }) => gt(salary, 100)).go(),
    /The conditional request failed/,
  );
  await assert.rejects(employee.patch({ employee: 'e-10' }).set({ name: 'Nobody' }).go(), /The conditional request failed/);
  assert.equal((await employee.remove({ employee: 'e-9' }).go({ response: 'all_old' })).data.name, 'Nina');
  assert.equal((await employee.get({ employee: 'e-9' }).go({ consistent: true })).data, null);
});

test('an update reaches into lists and maps', async () => {
  const key = { task: 't-900', employee: 'e-8' };
  await task.create({ ...key, team: 'locks', due: '2026-05-01', notes: ['a'], detail: { place: 'quay', tries: 1 } }).go();
  const { data } = await task
    .update(key)
    .append({ notes: ['b', 'c'] })
    .data(({ detail }, { add, set }) => {
      add(detail.tries, 4);
      set(detail.place, 'pier');
    })
    .go({ response: 'all_new' });
  assert.deepEqual(data.notes, ['a', 'b', 'c']);
  assert.deepEqual(data.detail, { place: 'pier', tries: 5 });
  const upserted = await task.upsert({ ...key, team: 'locks', due: '2026-05-02', points: 8 }).go({ response: 'all_new' });
  assert.equal(upserted.data.points, 8);
  assert.deepEqual(upserted.data.notes, ['a', 'b', 'c']);
  await task.delete(key).go();
});

test('many are read and deleted in batches', async () => {
  const keys = Array.from({ length: 28 }, (_, n) => ({ task: `t-8${number(n)}`, employee: 'e-7' }));
  await task.put(keys.map((key) => ({ ...key, team: 'locks', due: '2026-06-01' }))).go();
  const { data, unprocessed } = await task.get([...keys, { task: 'none', employee: 'e-7' }]).go({ consistent: true });
  assert.deepEqual(unprocessed, []);
  assert.deepEqual(names(data).sort(), names(keys));
  await task.delete(keys).go();
  assert.deepEqual((await task.query.assigned({ employee: 'e-7' }).go({ consistent: true })).data, []);
});

test('a query of the table goes by its sort key, page by page', async () => {
  const wanted = names(expected((one) => one.employee === 'e-1' && one.task >= 't-005' && one.task < 't-020'));
  const found = [];
  let cursor = null;
  let pages = 0;
  do {
    const page = await task.query
      .assigned({ employee: 'e-1' })
      .between({ task: 't-005' }, { task: 't-019' })
      .go({ cursor, limit: 3 });
    found.push(...page.data);
    cursor = page.cursor;
    pages++;
  } while (cursor !== null);
  assert.deepEqual(names(found), wanted);
  assert.ok(pages >= 3);
  const back = await task.query
    .assigned({ employee: 'e-1' })
    .between({ task: 't-005' }, { task: 't-019' })
    .go({ order: 'desc', pages: 'all', limit: 4 });
  assert.deepEqual(names(back.data), wanted.toReversed());
});

test('a query of the local index goes by its own order', async () => {
  const found = await task.query.due({ employee: 'e-0' }).lt({ due: '2026-04-21' }).go({ consistent: true, pages: 'all', limit: 4 });
  assert.deepEqual(
    names(found.data),
    expected((one) => one.employee === 'e-0' && one.due <= '2026-04-20').toReversed().map((one) => one.task),
  );
});

test('a query of the global index filters', async () => {
  const found = await task.query
    .ofTeam({ team: 'harbour', status: 'open' })
    .where(({ employee }, { eq }) => eq(employee, 'e-0'))
    .go({ pages: 'all', limit: 5 });
  assert.deepEqual(names(found.data), names(expected((one) => one.status === 'open' && one.employee === 'e-0')));
});

test('a collection finds both entities at once', async () => {
  const { data } = await company.collections.team({ team: 'harbour' }).go({ pages: 'all', limit: 7 });
  assert.deepEqual(data.employee.map((one) => one.employee).sort(), ['e-0', 'e-1']);
  assert.deepEqual(names(data.task).sort(), names(expected(() => true)));
});

test('a scan finds the entities of its kind', async () => {
  const { data } = await task.scan.where(({ team }, { eq }) => eq(team, 'harbour')).go({ pages: 'all', limit: 10 });
  assert.deepEqual(names(data).sort(), names(expected(() => true)));
});
