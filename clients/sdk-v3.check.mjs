// The SDK for JavaScript v3 with lib-dynamodb, against the server at $ENDPOINT.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  paginateListTables,
  ResourceNotFoundException,
  TagResourceCommand,
  UpdateTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  paginateScan,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

const client = new DynamoDBClient({ endpoint: process.env.ENDPOINT });
const documents = DynamoDBDocumentClient.from(client, {
  marshallOptions: { removeUndefinedValues: true },
  unmarshallOptions: { wrapNumbers: false },
});
const TableName = `SdkV3-${process.env.RUN}-Orders`;
const CUSTOMERS = 3;
const ORDERS = 20;
const soon = { client, minDelay: 0.1, maxDelay: 0.5, maxWaitTime: 60 };

const order = (customer, number) => ({
  customer: `c-${customer}`,
  number,
  state: number % 4 === 0 ? 'open' : 'sent',
  placed: `2026-03-${String(1 + (number % 10)).padStart(2, '0')}`,
  amount: number * 1.25,
  ...(number % 5 === 0 ? { complaint: `late by ${number}` } : {}),
});
const orders = (customer) => Array.from({ length: ORDERS }, (_, number) => order(customer, number));

async function everyPage(pages) {
  const found = [];
  for await (const page of pages) {
    found.push(page.Items);
  }
  return found;
}

before(async () => {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'customer', AttributeType: 'S' },
        { AttributeName: 'number', AttributeType: 'N' },
        { AttributeName: 'placed', AttributeType: 'S' },
        { AttributeName: 'state', AttributeType: 'S' },
        { AttributeName: 'complaint', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'customer', KeyType: 'HASH' },
        { AttributeName: 'number', KeyType: 'RANGE' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'byDate',
          KeySchema: [
            { AttributeName: 'customer', KeyType: 'HASH' },
            { AttributeName: 'placed', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['amount'] },
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byState',
          KeySchema: [
            { AttributeName: 'state', KeyType: 'HASH' },
            { AttributeName: 'placed', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'complaints',
          KeySchema: [{ AttributeName: 'complaint', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
  await waitUntilTableExists(soon, { TableName });
  for (let customer = 0; customer < CUSTOMERS; customer++) {
    const { UnprocessedItems } = await documents.send(
      new BatchWriteCommand({
        RequestItems: { [TableName]: orders(customer).map((Item) => ({ PutRequest: { Item } })) },
      }),
    );
    assert.deepEqual(UnprocessedItems, {});
  }
});

after(async () => {
  await client.send(new DeleteTableCommand({ TableName }));
  await waitUntilTableNotExists(soon, { TableName });
  client.destroy();
});

test('a table is described, listed and tagged', async () => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  assert.equal(Table.TableStatus, 'ACTIVE');
  assert.ok(Table.CreationDateTime instanceof Date && Date.now() - Table.CreationDateTime < 600_000);
  assert.deepEqual(Table.LocalSecondaryIndexes.map((index) => index.IndexName), ['byDate']);
  assert.deepEqual(
    Table.GlobalSecondaryIndexes.map((index) => [index.IndexName, index.IndexStatus]).sort(),
    [['byState', 'ACTIVE'], ['complaints', 'ACTIVE']],
  );
  const names = [];
  for await (const page of paginateListTables({ client, pageSize: 1 }, {})) {
    names.push(...page.TableNames);
  }
  assert.ok(names.includes(TableName));
  await client.send(new TagResourceCommand({ ResourceArn: Table.TableArn, Tags: [{ Key: 'stage', Value: 'test' }] }));
  const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: Table.TableArn }));
  assert.deepEqual(Tags, [{ Key: 'stage', Value: 'test' }]);
  await assert.rejects(
    client.send(new DescribeTableCommand({ TableName: `${TableName}-not` })),
    ResourceNotFoundException,
  );
});

test('documents come back as they were put', async () => {
  const Item = {
    customer: 'types',
    number: 1,
    text: 'ünï ☃',
    fraction: -0.125,
    yes: true,
    nothing: null,
    bytes: Uint8Array.from([0, 255, 7]),
    list: ['a', 1, [], {}],
    map: { inner: { empty: '' } },
    texts: new Set(['a', 'b']),
    numbers: new Set([1, 2.5]),
  };
  await documents.send(new PutCommand({ TableName, Item: { ...Item, left: undefined } }));
  const found = await documents.send(
    new GetCommand({ TableName, Key: { customer: 'types', number: 1 }, ConsistentRead: true }),
  );
  assert.deepEqual(found.Item, Item);
  const some = await documents.send(
    new GetCommand({
      TableName,
      Key: { customer: 'types', number: 1 },
      ProjectionExpression: '#map.#inner, #list[1]',
      ExpressionAttributeNames: { '#map': 'map', '#inner': 'inner', '#list': 'list' },
    }),
  );
  assert.deepEqual(some.Item, { map: { inner: { empty: '' } }, list: [1] });
});

test('a condition that fails is an error of its own, with the item it met', async () => {
  const Key = { customer: 'conditions', number: 1 };
  const put = (note) =>
    documents.send(
      new PutCommand({
        TableName,
        Item: { ...Key, note },
        ConditionExpression: 'attribute_not_exists(customer)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
  await put('first');
  await assert.rejects(put('second'), (failure) => {
    assert.ok(failure instanceof ConditionalCheckFailedException);
    assert.equal(failure.message, 'The conditional request failed');
    assert.deepEqual(failure.Item, { customer: { S: 'conditions' }, number: { N: '1' }, note: { S: 'first' } });
    return true;
  });
  const gone = await documents.send(
    new DeleteCommand({
      TableName,
      Key,
      ConditionExpression: 'begins_with(note, :f) AND NOT (number_of > :n OR note IN (:x, :y))',
      ExpressionAttributeValues: { ':f': 'fir', ':n': 1, ':x': 'second', ':y': 'third' },
      ReturnValues: 'ALL_OLD',
    }),
  );
  assert.deepEqual(gone.Attributes, { ...Key, note: 'first' });
});

test('an update reaches into a document and counts', async () => {
  const Key = { customer: 'updates', number: 1 };
  await documents.send(new PutCommand({ TableName, Item: { ...Key, lines: [{ sku: 'a', count: 1 }], marks: new Set(['x', 'y']) } }));
  const update = (UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues) =>
    documents.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression,
        ExpressionAttributeNames,
        ExpressionAttributeValues,
        ReturnValues: 'ALL_NEW',
      }),
    );
  await assert.rejects(
    update('SET #lines[0] = :one, #lines = :one', { '#lines': 'lines' }, { ':one': 1 }),
    /Two document paths overlap with each other/,
  );
  await update('SET #lines = list_append(#lines, :more)', { '#lines': 'lines' }, { ':more': [{ sku: 'b', count: 2 }] });
  const { Attributes } = await update(
    'SET #lines[0].#count = #lines[0].#count + :one REMOVE nothing ADD seen :one DELETE marks :x',
    { '#lines': 'lines', '#count': 'count' },
    { ':one': 1, ':x': new Set(['x']) },
  );
  assert.deepEqual(Attributes, {
    ...Key,
    lines: [{ sku: 'a', count: 2 }, { sku: 'b', count: 2 }],
    seen: 1,
    marks: new Set(['y']),
  });
});

test('batches read and delete', async () => {
  const keys = [...orders(0), { customer: 'nobody', number: 1 }].map(({ customer, number }) => ({ customer, number }));
  const { Responses, UnprocessedKeys } = await documents.send(
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys, ConsistentRead: true } } }),
  );
  assert.deepEqual(UnprocessedKeys, {});
  assert.deepEqual(Responses[TableName].sort((a, b) => a.number - b.number), orders(0));
  const spare = Array.from({ length: 5 }, (_, number) => ({ customer: 'spare', number }));
  await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: spare.map((Item) => ({ PutRequest: { Item } })) } }));
  await documents.send(
    new BatchWriteCommand({ RequestItems: { [TableName]: spare.map((Key) => ({ DeleteRequest: { Key } })) } }),
  );
  const left = await documents.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'customer = :c',
      ExpressionAttributeValues: { ':c': 'spare' },
      ConsistentRead: true,
    }),
  );
  assert.equal(left.Count, 0);
});

test('a query of the table pages in both directions', async () => {
  const query = (ScanIndexForward) =>
    everyPage(
      paginateQuery(
        { client: documents, pageSize: 6 },
        {
          TableName,
          KeyConditionExpression: 'customer = :c AND #number BETWEEN :from AND :to',
          ExpressionAttributeNames: { '#number': 'number' },
          ExpressionAttributeValues: { ':c': 'c-1', ':from': 2, ':to': 15 },
          ScanIndexForward,
        },
      ),
    );
  const forward = await query(true);
  assert.deepEqual(forward.map((page) => page.length), [6, 6, 2]);
  assert.deepEqual(forward.flat(), orders(1).slice(2, 16));
  assert.deepEqual((await query(false)).flat(), orders(1).slice(2, 16).reverse());
});

test('a query of the local index pages through equal keys', async () => {
  const pages = await everyPage(
    paginateQuery(
      { client: documents, pageSize: 1 },
      {
        TableName,
        IndexName: 'byDate',
        KeyConditionExpression: 'customer = :c AND begins_with(placed, :month)',
        ExpressionAttributeValues: { ':c': 'c-2', ':month': '2026-03-0' },
        ConsistentRead: true,
      },
    ),
  );
  const found = pages.flat();
  assert.equal(new Set(found.map((item) => item.number)).size, 18);
  assert.deepEqual(found.map((item) => item.placed), found.map((item) => item.placed).toSorted());
  assert.deepEqual(Object.keys(found[0]).sort(), ['amount', 'customer', 'number', 'placed']);
});

test('a query of a global index pages through equal keys in both directions', async () => {
  const query = (ScanIndexForward) =>
    everyPage(
      paginateQuery(
        { client: documents, pageSize: 4 },
        {
          TableName,
          IndexName: 'byState',
          KeyConditionExpression: '#state = :open',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':open': 'open' },
          ScanIndexForward,
        },
      ),
    );
  const found = (await query(true)).flat();
  assert.equal(found.length, (CUSTOMERS * ORDERS) / 4);
  assert.equal(new Set(found.map((item) => `${item.customer} ${item.number}`)).size, found.length);
  for (const item of found) {
    assert.deepEqual(item, order(Number(item.customer.slice(2)), item.number));
  }
  assert.deepEqual((await query(false)).flat(), found.toReversed());
});

test('a scan of a sparse index, and of segments', async () => {
  const sparse = (await everyPage(paginateScan({ client: documents, pageSize: 5 }, { TableName, IndexName: 'complaints' }))).flat();
  assert.equal(sparse.length, (CUSTOMERS * ORDERS) / 5);
  const found = await Promise.all(
    [0, 1, 2].map((Segment) =>
      everyPage(
        paginateScan(
          { client: documents, pageSize: 7 },
          {
            TableName,
            Segment,
            TotalSegments: 3,
            FilterExpression: 'attribute_exists(amount) AND contains(customer, :c)',
            ExpressionAttributeValues: { ':c': 'c-' },
          },
        ),
      ),
    ),
  );
  const items = found.flat(2);
  assert.equal(items.length, CUSTOMERS * ORDERS);
  assert.equal(new Set(items.map((item) => `${item.customer} ${item.number}`)).size, CUSTOMERS * ORDERS);
});

test('an index is added and removed', async () => {
  await client.send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'amount', AttributeType: 'N' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'byTotal',
            KeySchema: [{ AttributeName: 'amount', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        },
      ],
    }),
  );
  await waitUntilTableExists(soon, { TableName });
  const found = await documents.send(
    new QueryCommand({
      TableName,
      IndexName: 'byTotal',
      KeyConditionExpression: 'amount = :t',
      ExpressionAttributeValues: { ':t': 2.5 },
    }),
  );
  assert.deepEqual(found.Items.map((item) => item.customer).sort(), ['c-0', 'c-1', 'c-2']);
  await client.send(
    new UpdateTableCommand({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byTotal' } }] }),
  );
  await waitUntilTableExists(soon, { TableName });
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  assert.ok(!Table.GlobalSecondaryIndexes.some((index) => index.IndexName === 'byTotal' && index.IndexStatus === 'ACTIVE'));
});
