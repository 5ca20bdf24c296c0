// Reads of global indexes that see the client's own writes, for the SDK for JavaScript v3 against Tidemark.
//
//     import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
//     import { carryPositions } from './tidemark-position.mjs';
//
//     const client = new DynamoDBClient({ endpoint: 'http://127.0.0.1:8000' });
//     carryPositions(client);    // also before it goes into DynamoDBDocumentClient.from(client)
//
// After that a Query or Scan of an index waits, within the server's bound, until the index has what the client wrote.
// Several clients share what they know with carryPositions(other, positions). To hand it on, take positions.header('Table')
// and give it to note() there.

/** The last change of each table's partitions that the answers to writes have told. */
export class Positions {
  #sequences = new Map();

  /** Takes what an answer's x-tidemark-position says; nothing if there was none. */
  note(header) {
    for (const position of (header ?? '').split(',').map((part) => part.trim()).filter(Boolean)) {
      const [table, partition, sequence] = position.split(':');
      const known = this.#sequences.get(table) ?? new Map();
      // sequences grow beyond what a number holds exactly
      const told = BigInt(sequence);
      if (!known.has(partition) || known.get(partition) < told) {
        known.set(partition, told);
      }
      this.#sequences.set(table, known);
    }
  }

  /** Returns the x-tidemark-after of reads that must see these changes, or undefined if there are none. */
  header(table) {
    const known = [...(this.#sequences.get(table) ?? [])];
    return known.map(([partition, sequence]) => `${table}:${partition}:${sequence}`).join(',') || undefined;
  }

  /** Forgets a table, which is gone: one of the same name begins anew. */
  forget(table) {
    this.#sequences.delete(table);
  }
}

const nameIn = (tableOrArn) => tableOrArn?.split('/').at(-1);

/** Makes a client carry positions from its writes to its reads of indexes; returns the positions. */
export function carryPositions(client, positions = new Positions()) {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const { TableName, IndexName, ExclusiveStartKey } = args.input;
      const reads = context.commandName === 'QueryCommand' || context.commandName === 'ScanCommand';
      const after = reads && IndexName && !ExclusiveStartKey && positions.header(nameIn(TableName));
      if (after && !args.request.headers['x-tidemark-after']) {
        args.request.headers['x-tidemark-after'] = after;
      }
      const result = await next(args);
      positions.note(result.response?.headers?.['x-tidemark-position']);
      if (context.commandName === 'DeleteTableCommand') {
        positions.forget(nameIn(TableName));
      }
      return result;
    },
    { step: 'build', name: 'tidemarkPositions', override: true },
  );
  return positions;
}
