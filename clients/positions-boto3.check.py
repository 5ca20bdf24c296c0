"""tidemark_position with boto3, against the server at $ENDPOINT, whose index reads do not wait by themselves."""

import os
import sys
import unittest
from pathlib import Path

import boto3

sys.path.insert(0, str(Path(__file__).resolve().parent / "python"))
from tidemark_position import Positions, carry_positions  # noqa: E402

ENDPOINT = os.environ["ENDPOINT"]
TABLE = f"Positions-{os.environ['RUN']}-Boto3"
TRIES = 400


def make_client():
    return boto3.client("dynamodb", endpoint_url=ENDPOINT)


def setUpModule():
    client = make_client()
    client.create_table(
        TableName=TABLE, BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        GlobalSecondaryIndexes=[{"IndexName": "byG", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                                 "Projection": {"ProjectionType": "ALL"}}])
    client.get_waiter("table_exists").wait(TableName=TABLE, WaiterConfig={"Delay": 1, "MaxAttempts": 60})


def stale_reads(writer, reader, prefix):
    """Writes and reads at once, again and again; returns how often the read did not see the write."""
    stale = 0
    for number in range(TRIES):
        key = f"{prefix}{number}"
        writer.put_item(TableName=TABLE, Item={"pk": {"S": key}, "g": {"S": key}})
        found = reader.query(TableName=TABLE, IndexName="byG", KeyConditionExpression="g = :g",
                             ExpressionAttributeValues={":g": {"S": key}})
        stale += found["Count"] == 0
    return stale


class PositionsTest(unittest.TestCase):

    def test_without_it_some_reads_are_stale(self):
        if "READS_WAIT" in os.environ:
            self.skipTest("this server's index reads wait by themselves")
        self.assertGreater(stale_reads(make_client(), make_client(), "plain"), 0)

    def test_with_it_no_read_is_stale(self):
        client = carry_positions(make_client())
        self.assertEqual(stale_reads(client, client, "own"), 0)

    def test_clients_that_share_positions_see_each_others_writes(self):
        positions = Positions()
        writer, reader = (carry_positions(make_client(), positions) for _ in range(2))
        self.assertEqual(stale_reads(writer, reader, "shared"), 0)

    def test_a_batch_and_a_resource_are_carried_too(self):
        resource = boto3.resource("dynamodb", endpoint_url=ENDPOINT)
        carry_positions(resource.meta.client)
        table = resource.Table(TABLE)
        for number in range(20):
            with table.batch_writer() as batch:
                for each in range(25):
                    batch.put_item(Item={"pk": f"batch{number}-{each}", "g": f"batch{number}"})
            found = table.query(IndexName="byG", KeyConditionExpression="g = :g",
                                ExpressionAttributeValues={":g": f"batch{number}"})
            self.assertEqual(found["Count"], 25)

    def test_positions_are_kept_by_partition_and_handed_on_as_text(self):
        positions = Positions()
        positions.note("T:1:5,T:0:7")
        positions.note("T:1:3, Other:0:1")
        self.assertEqual(positions.header("T"), "T:0:7,T:1:5")
        self.assertIsNone(positions.header("None"))
        positions.forget("T")
        self.assertIsNone(positions.header("T"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
