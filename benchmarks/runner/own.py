"""What only Tidemark is asked: starts, kills, tables, lag at a steady rate, the log as a way in, backfill."""

import json
import shutil
import subprocess
import time
from pathlib import Path

from runner import machine
from runner.servers import Failure, Tidemark, free_port

KEYS = {"sensorId": "S", "measuredAt": "S", "buildingId": "S", "severity": "S", "qualityScore": "N"}
RATE = 1_000


def table_request(name):
    """Returns the CreateTable of the load generator's table: a local index and two global ones."""
    everything = {"ProjectionType": "ALL"}

    def keys(partition, sort):
        return [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]

    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": kind} for key, kind in KEYS.items()],
        "KeySchema": keys("sensorId", "measuredAt"),
        "LocalSecondaryIndexes": [
            {"IndexName": "byQuality", "KeySchema": keys("sensorId", "qualityScore"), "Projection": everything}],
        "GlobalSecondaryIndexes": [
            {"IndexName": "bySeverity", "KeySchema": keys("severity", "measuredAt"), "Projection": everything},
            {"IndexName": "byBuilding", "KeySchema": keys("buildingId", "measuredAt"), "Projection": everything}],
    }


class OwnPhases:
    def __init__(self, generator, scratch, results, options):
        self.generator = generator
        self.scratch = Path(scratch)
        self.results = results
        self.options = options
        self.started = 0

    def write(self, phase, **fields):
        line = {"label": "tidemark", "phase": phase, **fields}
        with open(self.results, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print("  " + ", ".join(f"{name} {value:,.3f}" if isinstance(value, float) else f"{name} {value}"
                               for name, value in line.items() if name != "label"), flush=True)

    def start(self):
        """Starts the server on a new data folder and returns it when it is ready."""
        self.started += 1
        server = Tidemark(self.scratch / f"data-{self.started}", free_port(),
                          self.scratch / f"tidemark-{self.started}.log", self.options.set)
        self.write("cold-serve", seconds=server.await_ready())
        return server

    def stop(self, server):
        server.stop()
        shutil.rmtree(server.data, ignore_errors=True)

    # --- one by one

    def create_table(self, server):
        """From CreateTable until the table and its indexes are ACTIVE; the first is left out, as it warms up."""
        for number in range(-1, self.options.repeats + 2):
            name = f"Created{number + 1}"
            start = time.monotonic()
            status, answer = server.call("CreateTable", table_request(name))
            if status != 200:
                raise Failure(f"CreateTable: {status} {answer}")
            server.await_true(lambda table=name: self.is_active(server, table), 60, f"{name} is not ACTIVE")
            if number >= 0:
                self.write("create-table", seconds=time.monotonic() - start)
            server.call("DeleteTable", {"TableName": name})
            server.await_true(lambda table=name: server.call("DescribeTable", {"TableName": table})[0] == 400, 60,
                              f"{name} does not go")

    @staticmethod
    def is_active(server, table):
        status, answer = server.call("DescribeTable", {"TableName": table})
        if status != 200:
            return False
        described = answer["Table"]
        indexes = described.get("GlobalSecondaryIndexes", [])
        return all(part == "ACTIVE" for part in [described["TableStatus"], *(at["IndexStatus"] for at in indexes)])

    def steady_rate(self, server):
        """Outcomes and index lag while 1,000 writes a second arrive (open loop)."""
        seconds = self.options.duration
        self.generator.run(server, label="tidemark-steady", phases="preload,load-put,freshness", rate=RATE,
                           items=self.options.items, concurrency=16, duration=2 * seconds,
                           warmup=2 * self.options.warmup, probes=400, freshness_load=16, freshness_limit=10)

    def straight_into_the_log(self, server):
        table = f"Straight{self.started}"
        status, answer = server.call("CreateTable", table_request(table))
        if status != 200:
            raise Failure(f"CreateTable: {status} {answer}")
        server.await_true(lambda: self.is_active(server, table), 60, "the table is not ACTIVE")
        count = self.options.straight_items
        done = subprocess.run(
            machine.java("-Xmx1g", "-XX:+UseParallelGC", "-cp", machine.class_path(),
                         "dev.tidemark.benchmarks.StraightIntoTheLog", server.endpoint, server.bootstrap_servers(),
                         table, str(count), "0"), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(done.stdout[-2000:], done.stderr[-4000:])
            raise Failure("writing straight into the log failed")
        self.write("straight", **json.loads(done.stdout.strip().splitlines()[-1]))
        found = self.count(server, table)
        if found != count:
            raise Failure(f"{table} holds {found} of {count} items")

    @staticmethod
    def count(server, table):
        total, start = 0, None
        while True:
            request = {"TableName": table, "Select": "COUNT", "ConsistentRead": True}
            if start:
                request["ExclusiveStartKey"] = start
            status, answer = server.call("Scan", request)
            if status != 200:
                raise Failure(f"Scan: {status} {answer}")
            total += answer["Count"]
            start = answer.get("LastEvaluatedKey")
            if not start:
                return total

    def backfill_and_kills(self):
        """A table of many items gets an index, and then its process is killed while writes arrive."""
        server = self.start()
        try:
            self.backfill(server, self.options.kill_items)
            self.beside_a_backfill(server, self.options.kill_items)
            for _ in range(self.options.repeats):
                self.kill_under_load(server, self.options.kill_items)
        finally:
            self.stop(server)

    def backfill(self, server, items):
        self.generator.run(server, label="tidemark-large", phases="preload", items=items, preload_limit=600)
        start = time.monotonic()
        self.add_index(server)
        server.await_true(lambda: self.is_active(server, "SensorReadings"), 300, "the index is not ACTIVE")
        seconds = time.monotonic() - start
        self.write("backfill", items=items, seconds=seconds, items_per_s=items / seconds)
        self.drop_index(server)

    def beside_a_backfill(self, server, items):
        """Requests at a steady rate, first alone, then while an index is filled at the default rate."""
        for phase, rate in (("load-put", RATE), ("get", 2 * RATE), ("query-gsi", RATE / 2)):
            for label in ("tidemark-alone", "tidemark-beside"):
                if label == "tidemark-beside":
                    self.add_index(server)
                self.generator.run(server, label=label, phases=phase, rate=int(rate), items=items, keep_table="true",
                                   concurrency=16, duration=2 * self.options.duration, warmup=self.options.warmup)
            if self.is_active(server, "SensorReadings"):
                print(f"  {phase}: the index was filled before the requests ended")
            self.drop_index(server)

    def add_index(self, server):
        status, answer = server.call("UpdateTable", {
            "TableName": "SensorReadings",
            "AttributeDefinitions": [{"AttributeName": "status", "AttributeType": "S"},
                                     {"AttributeName": "measuredAt", "AttributeType": "S"}],
            "GlobalSecondaryIndexUpdates": [{"Create": {
                "IndexName": "byStatus",
                "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"},
                              {"AttributeName": "measuredAt", "KeyType": "RANGE"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"}}}]})
        if status != 200:
            raise Failure(f"UpdateTable: {status} {answer}")

    def drop_index(self, server):
        status, answer = server.call("UpdateTable", {
            "TableName": "SensorReadings",
            "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byStatus"}}]})
        if status != 200:
            raise Failure(f"UpdateTable: {status} {answer}")
        server.await_true(lambda: self.is_active(server, "SensorReadings"), 60, "the index does not go")

    def kill_under_load(self, server, items):
        load = self.generator.begin(server, phases="load-put", rate=RATE, items=items, keep_table="true",
                                    concurrency=16, duration=60, warmup=0)
        try:
            time.sleep(self.options.before_kill)
            server.kill()
        finally:
            load.kill()
            load.wait()
        server.start_again()
        ready = server.await_ready()
        server.await_true(lambda: self.answers(server), 60, "it does not answer")
        self.write("kill", items=items, ready_s=ready, seconds=time.monotonic() - server.started)

    @staticmethod
    def answers(server):
        """Whether the table, its local index and a global one answer with what they hold."""
        requests = [
            ("GetItem", {"Key": {"sensorId": {"S": "sensor-000000"}, "measuredAt": {"S": "2026-01-01T00:00:00.000Z"}}}),
            ("Query", {"IndexName": "byQuality", "Limit": 1, "KeyConditionExpression": "sensorId = :v",
                       "ExpressionAttributeValues": {":v": {"S": "sensor-000000"}}}),
            ("Query", {"IndexName": "byBuilding", "Limit": 1, "KeyConditionExpression": "buildingId = :v",
                       "ExpressionAttributeValues": {":v": {"S": "building-00"}}}),
        ]
        for operation, request in requests:
            status, answer = server.call(operation, {"TableName": "SensorReadings", **request})
            if status != 200 or not (answer.get("Item") or answer.get("Count")):
                return False
        return True
