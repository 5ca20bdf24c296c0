// dynamodb-admin: its pages, and what its pages ask of it, driven over HTTP, with $ENDPOINT behind it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { DynamoDBClient, waitUntilTableExists, waitUntilTableNotExists } from '@aws-sdk/client-dynamodb';

const name = `Admin-${process.env.RUN}-Berths`;
const BERTHS = 40;
const client = new DynamoDBClient({ endpoint: process.env.ENDPOINT });
const soon = { client, minDelay: 0.1, maxDelay: 0.5, maxWaitTime: 60 };
let admin;
let base;

const berth = (n) => ({ quay: `q-${n % 2}`, berth: n, boat: n % 4 === 0 ? 'none' : `boat-${n}`, length: n / 2 });

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function ask(path, method = 'GET', body = undefined) {
  const reply = await fetch(base + path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await reply.text();
  assert.ok(reply.ok, `${method} ${path} is answered with ${reply.status}: ${text.slice(0, 300)}`);
  return reply.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
}

const items = (query) => ask(`/tables/${name}/items?${new URLSearchParams(query)}`);
const filter = (filters) => JSON.stringify(filters);

before(async () => {
  const port = await freePort();
  const program = join(dirname(createRequire(import.meta.url).resolve('dynamodb-admin')), 'dynamodb-admin.js');
  admin = spawn(process.execPath, [program, '--host', '127.0.0.1', '--port', port, '--dynamo-endpoint', process.env.ENDPOINT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  base = `http://127.0.0.1:${port}`;
  for await (const said of admin.stdout) {
    if (String(said).includes('listening on')) {
      break;
    }
  }
  admin.stdout?.resume();
  // As the page "Create table" asks, but for its numbers: the page sends texts, which DynamoDB's protocol takes for none.
  await ask('/create-table', 'POST', {
    TableDefinition: {
      TableName: name,
      HashAttributeName: 'quay',
      HashAttributeType: 'S',
      RangeAttributeName: 'berth',
      RangeAttributeType: 'N',
      ReadCapacityUnits: 3,
      WriteCapacityUnits: 3,
    },
    SecondaryIndexes: [
      { IndexName: 'byBoat', IndexType: 'global', HashAttributeName: 'boat', HashAttributeType: 'S', ReadCapacityUnits: 3, WriteCapacityUnits: 3 },
      { IndexName: 'byLength', IndexType: 'local', HashAttributeName: 'quay', HashAttributeType: 'S', RangeAttributeName: 'length', RangeAttributeType: 'N' },
    ],
  });
  await waitUntilTableExists(soon, { TableName: name });
  for (let n = 0; n < BERTHS; n++) {
    assert.deepEqual(await ask(`/tables/${name}/add-item`, 'PUT', berth(n)), { quay: `q-${n % 2}`, berth: n });
  }
});

after(async () => {
  if (base) {
    await ask(`/tables/${name}`, 'DELETE');
    await waitUntilTableNotExists(soon, { TableName: name });
  }
  admin?.kill();
  client.destroy();
});

test('the list of tables has the table', async () => {
  assert.match(await ask('/'), new RegExp(`data-table-name="${name}"`));
  const table = (await ask('/api/tables')).find((one) => one.TableName === name);
  assert.equal(table.TableStatus, 'ACTIVE');
  assert.equal(table.ProvisionedThroughput.ReadCapacityUnits, 3);
});

test("the table's pages show its indexes, its items and its expiry", async () => {
  const page = await ask(`/tables/${name}`);
  assert.match(page, /\[Index\] byBoat: boat/);
  assert.match(await ask(`/tables/${name}/meta`), /byLength/);
  assert.match(await ask(`/tables/${name}/ttl`), /DISABLED/);
  assert.match(await ask(`/tables/${name}/get`), /berth/);
  assert.match(await ask(`/tables/${name}/add-item`), /quay/);
});

test('items are paged as the page "next" does', async () => {
  const found = [];
  let startKey = '';
  let pages = 0;
  do {
    const page = await items({ pageSize: 15, startKey });
    found.push(...page.Items);
    startKey = page.nextKey === null ? '' : decodeURIComponent(page.nextKey);
    pages++;
  } while (startKey !== '');
  assert.equal(pages, 3);
  assert.deepEqual(
    found.map((item) => item.berth).sort((a, b) => a - b),
    Array.from({ length: BERTHS }, (_, n) => n),
  );
});

test('queries go to the table and to the global index', async () => {
  const table = await items({
    operationType: 'query',
    filters: filter({ quay: { value: 'q-1', type: 'S', operator: '=' }, berth: { value: '31', type: 'N', operator: '>=' } }),
  });
  assert.deepEqual(table.Items.map((item) => item.berth), [31, 33, 35, 37, 39]);
  const index = await items({
    operationType: 'query',
    queryableSelection: 'byBoat',
    filters: filter({ boat: { value: 'none', type: 'S', operator: '=' }, length: { value: '10', type: 'N', operator: '<' } }),
  });
  assert.deepEqual(index.Items.map((item) => item.berth).sort((a, b) => a - b), [0, 4, 8, 12, 16]);
  const scan = await items({ filters: filter({ boat: { value: 'boat-3', type: 'S', operator: 'begins_with' } }) });
  assert.deepEqual(scan.Items.map((item) => item.berth).sort((a, b) => a - b), [3, 30, 31, 33, 34, 35, 37, 38, 39]);
});

test('an item is shown, changed and deleted', async () => {
  assert.match(await ask(`/tables/${name}/items/q-1,5`), /boat-5/);
  const changed = { ...berth(5), boat: 'another', crew: ['a', { b: true }] };
  assert.deepEqual(await ask(`/tables/${name}/items/q-1,5`, 'PUT', changed), changed);
  await ask(`/tables/${name}/items/q-1,5`, 'DELETE');
  const gone = await fetch(`${base}/tables/${name}/items/q-1,5`);
  assert.equal(gone.status, 404);
  await ask(`/tables/${name}/add-item`, 'PUT', berth(5));
});
