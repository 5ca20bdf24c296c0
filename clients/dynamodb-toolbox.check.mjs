// DynamoDB-Toolbox: two entities in one table, with an index whose key has several attributes, against $ENDPOINT.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  $add,
  $append,
  $delete,
  $remove,
  $set,
  BatchDeleteRequest,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  DeleteItemCommand,
  Entity,
  executeBatchGet,
  executeBatchWrite,
  GetItemCommand,
  item,
  list,
  map,
  number,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  set,
  string,
  Table,
  UpdateAttributesCommand,
  UpdateItemCommand,
} from 'dynamodb-toolbox';

const client = new DynamoDBClient({ endpoint: process.env.ENDPOINT });
const name = `Toolbox-${process.env.RUN}-Fleet`;
const soon = { client, minDelay: 0.1, maxDelay: 0.5, maxWaitTime: 60 };
const TRIPS = 24;

const table = new Table({
  documentClient: DynamoDBDocumentClient.from(client),
  name,
  partitionKey: { name: 'ship', type: 'string' },
  sortKey: { name: 'entry', type: 'string' },
  indexes: {
    byLength: { type: 'local', sortKey: { name: 'miles', type: 'number' } },
    byPort: { type: 'global', partitionKey: { name: 'port', type: 'string' }, sortKey: { name: 'miles', type: 'number' } },
    byLine: {
      type: 'global',
      partitionKeys: [
        { name: 'line', type: 'string' },
        { name: 'port', type: 'string' },
      ],
      sortKeys: [
        { name: 'year', type: 'number' },
        { name: 'miles', type: 'number' },
      ],
    },
  },
});

const ship = new Entity({
  name: 'ship',
  table,
  schema: item({
    ship: string().key(),
    entry: string().key().default('ship'),
    name: string(),
    tons: number().optional(),
    flags: set(string()).optional(),
    log: list(string()).optional(),
    engine: map({ kind: string(), hours: number() }).optional(),
  }),
  timestamps: false,
});

const trip = new Entity({
  name: 'trip',
  table,
  schema: item({
    ship: string().key(),
    entry: string().key(),
    port: string(),
    line: string(),
    year: number(),
    miles: number(),
  }),
  timestamps: false,
});

const tripOf = (n) => ({
  ship: `s-${n % 2}`,
  entry: `trip#${String(n).padStart(3, '0')}`,
  port: n % 3 === 0 ? 'Bergen' : 'Oslo',
  line: 'north',
  year: 2020 + (n % 4),
  miles: 1000 - 10 * n,
});
const trips = (matches = () => true) => Array.from({ length: TRIPS }, (_, n) => tripOf(n)).filter(matches);
const entries = (found) => found.map((one) => one.entry);
const without = ({ entity, ...rest }) => rest;

async function everyPage(query, options) {
  const found = [];
  let exclusiveStartKey;
  let pages = 0;
  do {
    const page = await table
      .build(QueryCommand)
      .entities(trip)
      .query(query)
      .options({ limit: 4, ...options, exclusiveStartKey })
      .send();
    found.push(...page.Items);
    exclusiveStartKey = page.LastEvaluatedKey;
    pages++;
  } while (exclusiveStartKey !== undefined);
  return { found, pages };
}

before(async () => {
  const hash = (AttributeName) => ({ AttributeName, KeyType: 'HASH' });
  const range = (AttributeName) => ({ AttributeName, KeyType: 'RANGE' });
  const Projection = { ProjectionType: 'ALL' };
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        ...['ship', 'entry', 'port', 'line'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        ...['miles', 'year'].map((AttributeName) => ({ AttributeName, AttributeType: 'N' })),
      ],
      KeySchema: [hash('ship'), range('entry')],
      LocalSecondaryIndexes: [{ IndexName: 'byLength', KeySchema: [hash('ship'), range('miles')], Projection }],
      GlobalSecondaryIndexes: [
        { IndexName: 'byPort', KeySchema: [hash('port'), range('miles')], Projection },
        { IndexName: 'byLine', KeySchema: [hash('line'), hash('port'), range('year'), range('miles')], Projection },
      ],
    }),
  );
  await waitUntilTableExists(soon, { TableName: name });
  await executeBatchWrite(
    table.build(BatchWriteCommand).requests(...trips().map((one) => trip.build(BatchPutRequest).item(one))),
  );
});

after(async () => {
  await client.send(new DeleteTableCommand({ TableName: name }));
  await waitUntilTableNotExists(soon, { TableName: name });
  client.destroy();
});

test('an item is put under a condition, read and deleted', async () => {
  const one = { ship: 's-9', entry: 'ship', name: 'Nine', tons: 900, flags: new Set(['NO']), log: ['built'], engine: { kind: 'steam', hours: 1 } };
  const put = ship.build(PutItemCommand).item(one).options({ condition: { attr: 'ship', exists: false } });
  await put.send();
  await assert.rejects(put.send(), { name: 'ConditionalCheckFailedException' });
  const { Item } = await ship.build(GetItemCommand).key({ ship: 's-9' }).options({ consistent: true }).send();
  assert.deepEqual(Item, one);
  const some = await ship
    .build(GetItemCommand)
    .key({ ship: 's-9' })
    .options({ consistent: true, attributes: ['name', 'engine.kind', 'log[0]'] })
    .send();
  assert.deepEqual(some.Item, { name: 'Nine', engine: { kind: 'steam' }, log: ['built'] });
  const remove = (tons) =>
    ship
      .build(DeleteItemCommand)
      .key({ ship: 's-9' })
      .options({
        condition: { and: [{ attr: 'tons', gte: tons }, { or: [{ attr: 'name', beginsWith: 'Ni' }, { attr: 'flags', contains: 'SE' }] }] },
        returnValues: 'ALL_OLD',
      })
      .send();
  await assert.rejects(remove(901), { name: 'ConditionalCheckFailedException' });
  assert.equal((await remove(900)).Attributes.name, 'Nine');
  assert.equal((await ship.build(GetItemCommand).key({ ship: 's-9' }).options({ consistent: true }).send()).Item, undefined);
});

test('an update adds, appends, deletes, removes and reaches into maps', async () => {
  await ship
    .build(PutItemCommand)
    .item({ ship: 's-8', name: 'Eight', tons: 1, flags: new Set(['NO', 'SE']), log: ['built'], engine: { kind: 'steam', hours: 1 } })
    .send();
  const { Attributes } = await ship
    .build(UpdateItemCommand)
    .item({
      ship: 's-8',
      tons: $add(4),
      flags: $delete(new Set(['SE'])),
      log: $append(['launched', 'sold']),
      engine: { hours: $add(10) },
    })
    .options({ returnValues: 'ALL_NEW' })
    .send();
  assert.deepEqual(without(Attributes), {
    ship: 's-8',
    entry: 'ship',
    name: 'Eight',
    tons: 5,
    flags: new Set(['NO']),
    log: ['built', 'launched', 'sold'],
    engine: { kind: 'steam', hours: 11 },
  });
  const replaced = await ship
    .build(UpdateItemCommand)
    .item({ ship: 's-8', log: { 1: 'towed' }, engine: $set({ kind: 'diesel', hours: 0 }), tons: $remove() })
    .options({ returnValues: 'ALL_NEW' })
    .send();
  assert.deepEqual(replaced.Attributes.log, ['built', 'towed', 'sold']);
  assert.deepEqual(replaced.Attributes.engine, { kind: 'diesel', hours: 0 });
  assert.equal(replaced.Attributes.tons, undefined);
  const whole = await ship
    .build(UpdateAttributesCommand)
    .item({ ship: 's-8', log: ['scrapped'] })
    .options({ returnValues: 'UPDATED_NEW' })
    .send();
  assert.deepEqual(whole.Attributes.log, ['scrapped']);
});

test('items are written, read and deleted in batches', async () => {
  const some = Array.from({ length: 10 }, (_, n) => ({ ...tripOf(n), ship: 's-7' }));
  await executeBatchWrite(table.build(BatchWriteCommand).requests(...some.map((one) => trip.build(BatchPutRequest).item(one))));
  const keys = some.map(({ ship: of, entry }) => ({ ship: of, entry }));
  const read = () =>
    executeBatchGet(
      table.build(BatchGetCommand).requests(...keys.map((key) => trip.build(BatchGetRequest).key(key))).options({ consistent: true }),
    );
  assert.deepEqual((await read()).Responses[0], some);
  await executeBatchWrite(table.build(BatchWriteCommand).requests(...keys.map((key) => trip.build(BatchDeleteRequest).key(key))));
  assert.deepEqual((await read()).Responses[0].filter(Boolean), []);
});

test('a query of the table pages in both directions', async () => {
  const query = { partition: 's-1', range: { between: ['trip#003', 'trip#017'] } };
  const wanted = trips((one) => one.ship === 's-1' && one.entry >= 'trip#003' && one.entry <= 'trip#017');
  const { found, pages } = await everyPage(query, { consistent: true });
  assert.deepEqual(found, wanted);
  assert.ok(pages >= 2);
  assert.deepEqual((await everyPage(query, { consistent: true, reverse: true })).found, wanted.toReversed());
});

test('a query of the local index goes by its own order', async () => {
  const { found } = await everyPage({ index: 'byLength', partition: 's-0', range: { gt: 850 } }, { consistent: true });
  assert.deepEqual(found, trips((one) => one.ship === 's-0' && one.miles > 850).toReversed());
});

test('a query of the global index filters', async () => {
  const { found } = await everyPage({ index: 'byPort', partition: 'Bergen', range: { lte: 900 } }, { filters: { trip: { attr: 'year', gt: 2021 } } });
  assert.deepEqual(entries(found), entries(trips((one) => one.port === 'Bergen' && one.miles <= 900 && one.year > 2021).toReversed()));
});

test('a query of an index with several key attributes', async () => {
  const wanted = trips((one) => one.port === 'Oslo' && one.year === 2022 && one.miles < 950).toReversed();
  const { found } = await everyPage({ index: 'byLine', partition: ['north', 'Oslo'], range: [2022, { lt: 950 }] }, {});
  assert.deepEqual(found, wanted);
});

test('a scan finds the items of an entity', async () => {
  const found = [];
  let exclusiveStartKey;
  do {
    const page = await table
      .build(ScanCommand)
      .entities(trip)
      .options({ limit: 9, filters: { trip: { attr: 'line', eq: 'north' } }, exclusiveStartKey })
      .send();
    found.push(...page.Items);
    exclusiveStartKey = page.LastEvaluatedKey;
  } while (exclusiveStartKey !== undefined);
  assert.deepEqual(entries(found).sort(), entries(trips()));
});
