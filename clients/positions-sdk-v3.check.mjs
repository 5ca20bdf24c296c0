// tidemark-position.mjs with the SDK for JavaScript v3, against the server at $ENDPOINT, whose index reads do not wait by
// themselves.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  QueryCommand as DocumentQueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { carryPositions, Positions } from './javascript/tidemark-position.mjs';

const TABLE = `Positions-${process.env.RUN}-SdkV3`;
const TRIES = 400;
const makeClient = () => new DynamoDBClient({ endpoint: process.env.ENDPOINT });

/** Writes and reads at once, again and again; returns how often the read did not see the write. */
async function staleReads(writer, reader, prefix) {
  let stale = 0;
  for (let number = 0; number < TRIES; number++) {
    const key = { S: `${prefix}${number}` };
    await writer.send(new PutItemCommand({ TableName: TABLE, Item: { pk: key, g: key } }));
    const found = await reader.send(
      new QueryCommand({
        TableName: TABLE,
        IndexName: 'byG',
        KeyConditionExpression: 'g = :g',
        ExpressionAttributeValues: { ':g': key },
      }),
    );
    stale += found.Count === 0 ? 1 : 0;
  }
  return stale;
}

before(async () => {
  const client = makeClient();
  await client.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'g'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byG',
          KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: TABLE });
});

test('without it some reads are stale', { skip: 'READS_WAIT' in process.env }, async () => {
  assert.ok((await staleReads(makeClient(), makeClient(), 'plain')) > 0);
});

test('with it no read is stale', async () => {
  const client = makeClient();
  carryPositions(client);
  assert.equal(await staleReads(client, client, 'own'), 0);
});

test('clients that share positions see each other’s writes', async () => {
  const [writer, reader] = [makeClient(), makeClient()];
  carryPositions(reader, carryPositions(writer));
  assert.equal(await staleReads(writer, reader, 'shared'), 0);
});

test('a batch and a document client are carried too', async () => {
  const client = makeClient();
  carryPositions(client);
  const documents = DynamoDBDocumentClient.from(client);
  for (let number = 0; number < 20; number++) {
    const items = Array.from({ length: 25 }, (_, each) => ({ pk: `batch${number}-${each}`, g: `batch${number}` }));
    await documents.send(
      new BatchWriteCommand({ RequestItems: { [TABLE]: items.map((Item) => ({ PutRequest: { Item } })) } }),
    );
    const found = await documents.send(
      new DocumentQueryCommand({
        TableName: TABLE,
        IndexName: 'byG',
        KeyConditionExpression: 'g = :g',
        ExpressionAttributeValues: { ':g': `batch${number}` },
      }),
    );
    assert.equal(found.Count, 25);
  }
});

test('positions are kept by partition and handed on as text', () => {
  const positions = new Positions();
  positions.note('T:1:5,T:0:9007199254740993');
  positions.note('T:1:3, Other:0:1');
  assert.equal(positions.header('T'), 'T:1:5,T:0:9007199254740993');
  assert.equal(positions.header('None'), undefined);
  positions.forget('T');
  assert.equal(positions.header('T'), undefined);
});
