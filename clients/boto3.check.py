"""boto3, the client and the resource, against the server at $ENDPOINT."""

import decimal
import os
import unittest

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.config import Config
from botocore.exceptions import ClientError

ENDPOINT = os.environ["ENDPOINT"]
RUN = os.environ["RUN"]
READINGS = f"Boto3-{RUN}-Readings"
SENSORS = 3
TIMES = 30

client = boto3.client("dynamodb", endpoint_url=ENDPOINT)
resource = boto3.resource("dynamodb", endpoint_url=ENDPOINT)
SOON = {"Delay": 1, "MaxAttempts": 60}


def setUpModule():
    client.create_table(
        TableName=READINGS,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": "sensor", "AttributeType": "S"},
            {"AttributeName": "time", "AttributeType": "N"},
            {"AttributeName": "quality", "AttributeType": "N"},
            {"AttributeName": "building", "AttributeType": "S"},
            {"AttributeName": "severity", "AttributeType": "S"},
        ],
        KeySchema=[
            {"AttributeName": "sensor", "KeyType": "HASH"},
            {"AttributeName": "time", "KeyType": "RANGE"},
        ],
        LocalSecondaryIndexes=[
            {
                "IndexName": "byQuality",
                "KeySchema": [
                    {"AttributeName": "sensor", "KeyType": "HASH"},
                    {"AttributeName": "quality", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "byBuilding",
                "KeySchema": [
                    {"AttributeName": "building", "KeyType": "HASH"},
                    {"AttributeName": "time", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            },
            {
                "IndexName": "bySeverity",
                "KeySchema": [{"AttributeName": "severity", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["value"]},
            },
        ],
        Tags=[{"Key": "owner", "Value": "plant 7"}],
    )
    client.get_waiter("table_exists").wait(TableName=READINGS, WaiterConfig=SOON)
    with resource.Table(READINGS).batch_writer() as batch:
        for sensor in range(SENSORS):
            for time in range(TIMES):
                batch.put_item(Item=reading(sensor, time))


def tearDownModule():
    client.delete_table(TableName=READINGS)
    client.get_waiter("table_not_exists").wait(TableName=READINGS, WaiterConfig=SOON)


def reading(sensor, time):
    item = {
        "sensor": f"s-{sensor}",
        "time": time,
        "quality": time % 5,
        "value": decimal.Decimal(time) / 4,
        "building": f"b-{sensor % 2}",
    }
    if time % 10 == 0:
        item["severity"] = "high"
    return item


def pages_of(read, **request):
    """Every page of a read through the resource, which leaves following LastEvaluatedKey to its user."""
    pages = []
    while True:
        page = read(**request)
        pages.append(page["Items"])
        if "LastEvaluatedKey" not in page:
            return pages
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


class Tables(unittest.TestCase):
    def test_a_table_is_described_as_it_was_made(self):
        table = client.describe_table(TableName=READINGS)["Table"]
        self.assertEqual(table["TableStatus"], "ACTIVE")
        self.assertEqual(table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assertEqual([index["IndexName"] for index in table["LocalSecondaryIndexes"]], ["byQuality"])
        self.assertEqual(
            {index["IndexName"]: index["IndexStatus"] for index in table["GlobalSecondaryIndexes"]},
            {"byBuilding": "ACTIVE", "bySeverity": "ACTIVE"},
        )
        names = [name for page in client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 1})
                 for name in page["TableNames"]]
        self.assertIn(READINGS, names)
        self.assertEqual(len(names), len(set(names)))

    def test_tags_come_and_go(self):
        arn = resource.Table(READINGS).table_arn
        client.tag_resource(ResourceArn=arn, Tags=[{"Key": "stage", "Value": "test"}])
        self.assertIn({"Key": "stage", "Value": "test"}, client.list_tags_of_resource(ResourceArn=arn)["Tags"])
        client.untag_resource(ResourceArn=arn, TagKeys=["stage"])
        self.assertEqual(client.list_tags_of_resource(ResourceArn=arn)["Tags"], [{"Key": "owner", "Value": "plant 7"}])

    def test_a_table_is_found_by_its_arn(self):
        arn = resource.Table(READINGS).table_arn
        self.assertEqual(client.describe_table(TableName=arn)["Table"]["TableName"], READINGS)
        found = client.get_item(TableName=arn, Key={"sensor": {"S": "s-1"}, "time": {"N": "4"}})
        self.assertEqual(found["Item"]["value"], {"N": "1"})

    def test_an_index_is_added_to_a_table_that_has_items(self):
        client.update_table(
            TableName=READINGS,
            AttributeDefinitions=[{"AttributeName": "value", "AttributeType": "N"}],
            GlobalSecondaryIndexUpdates=[
                {
                    "Create": {
                        "IndexName": "byValue",
                        "KeySchema": [{"AttributeName": "value", "KeyType": "HASH"}],
                        "Projection": {"ProjectionType": "KEYS_ONLY"},
                    }
                }
            ],
        )
        client.get_waiter("table_exists").wait(TableName=READINGS, WaiterConfig=SOON)
        table = client.describe_table(TableName=READINGS)["Table"]
        added = next(index for index in table["GlobalSecondaryIndexes"] if index["IndexName"] == "byValue")
        self.assertEqual(added["IndexStatus"], "ACTIVE")
        found = resource.Table(READINGS).query(
            IndexName="byValue", KeyConditionExpression=Key("value").eq(decimal.Decimal("1.25"))
        )
        self.assertEqual({(item["sensor"], item["time"]) for item in found["Items"]},
                         {(f"s-{sensor}", 5) for sensor in range(SENSORS)})

    def test_what_is_not_there_is_an_error_with_its_own_class(self):
        with self.assertRaises(client.exceptions.ResourceNotFoundException) as caught:
            client.describe_table(TableName=f"Boto3-{RUN}-Nothing")
        self.assertIn("not found", caught.exception.response["Error"]["Message"])
        with self.assertRaises(client.exceptions.ResourceInUseException):
            client.create_table(
                TableName=READINGS,
                BillingMode="PAY_PER_REQUEST",
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            )


class Items(unittest.TestCase):
    table = resource.Table(READINGS)

    def test_every_type_comes_back_as_it_was_put(self):
        item = {
            "sensor": "types",
            "time": 1,
            "text": "ünï ☃",
            "number": decimal.Decimal("-12345678901234567890.12345678901234567"),
            "bytes": Binary(bytes(range(256))),
            "yes": True,
            "nothing": None,
            "list": ["a", decimal.Decimal(1), [], {}],
            "map": {"inner": {"empty": ""}},
            "texts": {"a", "b"},
            "numbers": {decimal.Decimal(1), decimal.Decimal("2.5")},
            "binaries": {Binary(b"x"), Binary(b"y")},
        }
        self.table.put_item(Item=item)
        found = self.table.get_item(Key={"sensor": "types", "time": 1}, ConsistentRead=True)
        self.assertEqual(found["Item"], item)

    def test_a_condition_that_fails_tells_the_item_it_met(self):
        item = {"sensor": "conditions", "time": 1, "note": "first"}
        self.table.put_item(Item=item, ConditionExpression=Attr("sensor").not_exists())
        with self.assertRaises(client.exceptions.ConditionalCheckFailedException) as caught:
            self.table.put_item(
                Item={**item, "note": "second"},
                ConditionExpression=Attr("sensor").not_exists(),
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        self.assertEqual(caught.exception.response["Error"]["Message"], "The conditional request failed")
        self.assertEqual(caught.exception.response["Item"]["note"], {"S": "first"})
        replaced = self.table.put_item(
            Item={**item, "note": "second"},
            ConditionExpression=Attr("note").begins_with("fi") & Attr("time").between(0, 2) & ~Attr("gone").exists(),
            ReturnValues="ALL_OLD",
        )
        self.assertEqual(replaced["Attributes"], item)
        with self.assertRaises(client.exceptions.ConditionalCheckFailedException):
            self.table.delete_item(
                Key={"sensor": "conditions", "time": 1},
                ConditionExpression=Attr("note").is_in(["first", "third"]) | Attr("note").size().gt(10),
            )
        gone = self.table.delete_item(Key={"sensor": "conditions", "time": 1}, ReturnValues="ALL_OLD")
        self.assertEqual(gone["Attributes"]["note"], "second")
        self.assertNotIn("Item", self.table.get_item(Key={"sensor": "conditions", "time": 1}, ConsistentRead=True))

    def test_updates_reach_into_documents(self):
        key = {"sensor": "updates", "time": 1}
        self.table.put_item(Item={**key, "log": ["a"], "state": {"on": True, "spare": 1}, "marks": {"x", "y"}})
        updated = self.table.update_item(
            Key=key,
            UpdateExpression="SET #log = list_append(#log, :more), #state.#on = :no, hits = if_not_exists(hits, :zero) + :one,"
            " #state.place = :place REMOVE #state.spare ADD sum_of :five DELETE marks :x",
            ExpressionAttributeNames={"#log": "log", "#state": "state", "#on": "on"},
            ExpressionAttributeValues={
                ":more": ["b", "c"], ":no": False, ":zero": 0, ":one": 1, ":five": 5, ":x": {"x"}, ":place": "attic",
            },
            ReturnValues="ALL_NEW",
        )["Attributes"]
        self.assertEqual(
            updated,
            {**key, "log": ["a", "b", "c"], "state": {"on": False, "place": "attic"}, "hits": 1, "sum_of": 5, "marks": {"y"}},
        )
        changed = self.table.update_item(
            Key=key,
            UpdateExpression="SET #log[1] = :z REMOVE #log[0]",
            ExpressionAttributeNames={"#log": "log"},
            ExpressionAttributeValues={":z": "z"},
            ReturnValues="UPDATED_NEW",
        )["Attributes"]
        self.assertIn("z", str(changed))
        self.assertEqual(self.table.get_item(Key=key, ConsistentRead=True)["Item"]["log"], ["z", "c"])

    def test_what_is_wrong_is_refused(self):
        with self.assertRaises(ClientError) as caught:
            self.table.put_item(Item={"sensor": "no time"})
        self.assertEqual(caught.exception.response["Error"]["Code"], "ValidationException")
        self.assertIn("Missing the key time in the item", caught.exception.response["Error"]["Message"])
        with self.assertRaises(ClientError) as caught:
            self.table.update_item(Key={"sensor": "s-1", "time": 1}, UpdateExpression="SET status = :s",
                                   ExpressionAttributeValues={":s": 1})
        self.assertIn("reserved keyword", caught.exception.response["Error"]["Message"])

    def test_a_long_item_comes_back(self):
        text = "tide ☃ " * 40_000
        self.table.put_item(Item={"sensor": "long", "time": 1, "text": text})
        standard = boto3.resource("dynamodb", endpoint_url=ENDPOINT, config=Config(retries={"mode": "standard"}))
        found = standard.Table(READINGS).get_item(Key={"sensor": "long", "time": 1}, ConsistentRead=True)["Item"]
        self.assertEqual(found["text"], text)
        with self.assertRaises(ClientError) as caught:
            self.table.put_item(Item={"sensor": "long", "time": 2, "text": text + text})
        self.assertIn("Item size has exceeded the maximum allowed size", caught.exception.response["Error"]["Message"])

    def test_capacity_is_told(self):
        told = self.table.put_item(
            Item={"sensor": "capacity", "time": 1, "building": "c"}, ReturnConsumedCapacity="INDEXES"
        )["ConsumedCapacity"]
        self.assertEqual(told["TableName"], READINGS)
        self.assertEqual(told["CapacityUnits"], 2)
        self.assertEqual(told["Table"]["CapacityUnits"], 1)
        self.assertEqual(told["GlobalSecondaryIndexes"]["byBuilding"]["CapacityUnits"], 1)


class Batches(unittest.TestCase):
    table = resource.Table(READINGS)

    def test_batches_write_read_and_delete(self):
        items = [{"sensor": "batch", "time": time, "note": "n" * time} for time in range(60)]
        with self.table.batch_writer(overwrite_by_pkeys=["sensor", "time"]) as batch:
            for item in items:
                batch.put_item(Item={**item, "note": "overwritten"})
                batch.put_item(Item=item)
        asked = [{"sensor": "batch", "time": time} for time in range(70)]
        answer = resource.batch_get_item(RequestItems={READINGS: {"Keys": asked, "ConsistentRead": True}})
        self.assertEqual(answer["UnprocessedKeys"], {})
        self.assertEqual(sorted(answer["Responses"][READINGS], key=lambda item: item["time"]), items)
        with self.table.batch_writer() as batch:
            for item in items:
                batch.delete_item(Key={"sensor": "batch", "time": item["time"]})
        self.assertEqual(self.table.query(KeyConditionExpression=Key("sensor").eq("batch"), ConsistentRead=True)["Count"], 0)

    def test_a_batch_with_one_key_twice_is_refused(self):
        put = {"PutRequest": {"Item": {"sensor": {"S": "twice"}, "time": {"N": "1"}}}}
        with self.assertRaises(ClientError) as caught:
            client.batch_write_item(RequestItems={READINGS: [put, put]})
        self.assertIn("duplicates", caught.exception.response["Error"]["Message"])


class Queries(unittest.TestCase):
    table = resource.Table(READINGS)

    def test_a_query_of_the_table_pages_in_both_directions(self):
        condition = Key("sensor").eq("s-1") & Key("time").between(3, 20)
        forward = pages_of(self.table.query, KeyConditionExpression=condition, Limit=7, ConsistentRead=True)
        self.assertEqual([len(page) for page in forward], [7, 7, 4])
        self.assertEqual([item["time"] for page in forward for item in page], list(range(3, 21)))
        back = pages_of(self.table.query, KeyConditionExpression=condition, Limit=7, ScanIndexForward=False)
        self.assertEqual([item["time"] for page in back for item in page], list(range(20, 2, -1)))

    def test_a_query_of_the_local_index_fetches_what_it_lacks(self):
        request = {
            "IndexName": "byQuality",
            "KeyConditionExpression": Key("sensor").eq("s-2") & Key("quality").gte(3),
            "ConsistentRead": True,
            "Limit": 5,
        }
        keys = [item for page in pages_of(self.table.query, **request) for item in page]
        self.assertEqual([item["quality"] for item in keys], [3] * 6 + [4] * 6)
        self.assertEqual(set(keys[0]), {"sensor", "time", "quality"})
        whole = [item for page in pages_of(self.table.query, **request, Select="ALL_ATTRIBUTES") for item in page]
        self.assertEqual(whole, [reading(2, int(item["time"])) for item in keys])

    def test_a_query_of_a_global_index_pages_through_equal_keys(self):
        paginator = client.get_paginator("query")
        found = paginator.paginate(
            TableName=READINGS,
            IndexName="byBuilding",
            KeyConditionExpression="building = :b",
            ExpressionAttributeValues={":b": {"S": "b-0"}},
            PaginationConfig={"PageSize": 7},
        ).build_full_result()["Items"]
        # Sensors 0 and 2 share the building, so every time is there twice.
        self.assertEqual([int(item["time"]["N"]) for item in found], [time for time in range(TIMES) for _ in (0, 2)])
        self.assertEqual(len({(item["sensor"]["S"], item["time"]["N"]) for item in found}), 2 * TIMES)
        again = paginator.paginate(
            TableName=READINGS,
            IndexName="byBuilding",
            KeyConditionExpression="building = :b",
            ExpressionAttributeValues={":b": {"S": "b-0"}},
            PaginationConfig={"MaxItems": 10, "PageSize": 3},
        ).build_full_result()
        self.assertEqual(again["Items"], found[:10])
        self.assertIn("NextToken", again)

    def test_a_sparse_index_has_what_has_its_key(self):
        found = self.table.query(IndexName="bySeverity", KeyConditionExpression=Key("severity").eq("high"))
        self.assertEqual(found["Count"], SENSORS * 3)
        self.assertEqual(set(found["Items"][0]), {"sensor", "time", "severity", "value"})

    def test_a_strong_read_of_a_global_index_is_refused(self):
        with self.assertRaises(ClientError) as caught:
            self.table.query(IndexName="byBuilding", KeyConditionExpression=Key("building").eq("b-0"), ConsistentRead=True)
        self.assertIn("Consistent reads are not supported on global secondary indexes",
                      caught.exception.response["Error"]["Message"])

    def test_filters_count_after_the_limit(self):
        page = self.table.query(
            KeyConditionExpression=Key("sensor").eq("s-0"), FilterExpression=Attr("quality").eq(0), Limit=10
        )
        self.assertEqual((page["Count"], page["ScannedCount"]), (2, 10))

    def test_segments_of_a_scan_find_every_item_once(self):
        found = [
            (item["sensor"], item["time"])
            for segment in range(4)
            for page in pages_of(
                self.table.scan,
                Segment=segment,
                TotalSegments=4,
                Limit=9,
                FilterExpression=Attr("building").begins_with("b-"),
                ProjectionExpression="sensor, #t",
                ExpressionAttributeNames={"#t": "time"},
            )
            for item in page
        ]
        self.assertEqual(sorted(found), [(f"s-{sensor}", time) for sensor in range(SENSORS) for time in range(TIMES)])
        self.assertEqual(
            self.table.scan(Select="COUNT", FilterExpression=Attr("building").begins_with("b-"))["Count"], SENSORS * TIMES
        )


if __name__ == "__main__":
    unittest.main(verbosity=2)
