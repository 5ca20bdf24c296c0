"""Reads of global indexes that see the client's own writes, for boto3 against Tidemark.

    import boto3
    from tidemark_position import carry_positions

    client = carry_positions(boto3.client("dynamodb", endpoint_url="http://127.0.0.1:8000"))
    client.put_item(...)
    client.query(IndexName=..., ...)    # waits, within the server's bound, until the index has the put

A resource is served through its client: carry_positions(resource.meta.client). Several clients share what they know with
carry_positions(other, positions). To hand it on, to another process or with a job, take positions.header("Table") and
give it to Positions.note() there.
"""

import json
import threading


class Positions:
    """The last change of each table's partitions that the answers to writes have told. Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self._sequences = {}

    def note(self, header):
        """Takes what an answer's x-tidemark-position says; nothing if there was none."""
        for position in (header or "").split(","):
            if position.strip():
                table, partition, sequence = position.strip().split(":")
                with self._lock:
                    known = self._sequences.setdefault(table, {})
                    known[int(partition)] = max(int(sequence), known.get(int(partition), 0))

    def header(self, table):
        """Returns the x-tidemark-after of reads that must see these changes, or None if there are none."""
        with self._lock:
            known = sorted(self._sequences.get(table, {}).items())
        return ",".join(f"{table}:{partition}:{sequence}" for partition, sequence in known) or None

    def forget(self, table):
        """Forgets a table, which is gone: one of the same name begins anew."""
        with self._lock:
            self._sequences.pop(table, None)


def carry_positions(client, positions=None):
    """Makes a client of boto3 carry positions from its writes to its reads of indexes; returns the client."""
    carried = positions or Positions()

    def before(params, **_):
        request = json.loads(params["body"])
        if "IndexName" in request and "ExclusiveStartKey" not in request:
            after = carried.header(request["TableName"].split("/")[-1])
            if after:
                params["headers"].setdefault("x-tidemark-after", after)

    def after(http_response, **_):
        carried.note(http_response.headers.get("x-tidemark-position"))

    def deleted(parsed, **_):
        carried.forget(parsed.get("TableDescription", {}).get("TableName", ""))

    for operation in ("Query", "Scan"):
        client.meta.events.register(f"before-call.dynamodb.{operation}", before)
    for operation in ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"):
        client.meta.events.register(f"after-call.dynamodb.{operation}", after)
    client.meta.events.register("after-call.dynamodb.DeleteTable", deleted)
    return client
