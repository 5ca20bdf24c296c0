"""From JSON lines to what docs/benchmarks.md shows: medians, ratios, and what the product is held to."""

import json
import statistics
from collections import defaultdict

from runner import document

PHASE_NAMES = {
    "load-put": "PutItem, 1 LSI + 2 GSIs", "load-batch": "BatchWriteItem of 25, items/s", "get": "GetItem",
    "query": "Query, 50 items", "query-lsi": "Query LSI, 50 items", "query-gsi": "Query GSI, latest 50",
    "query-sparse": "Query sparse GSI, latest 50", "update": "UpdateItem", "scan": "Scan, items/s",
    "mixed": "half GetItem, half PutItem", "preload": "preload by BatchWriteItem, items/s",
}
BY_ITEMS = ("load-batch", "scan", "preload")


class Results:
    def __init__(self, path):
        self.groups = defaultdict(list)
        with open(path, encoding="utf-8") as file:
            for text in file:
                line = json.loads(text)
                self.groups[line["label"], line["phase"], line.get("connections")].append(line)

    def median(self, label, phase, connections, field):
        values = [line[field] for line in self.groups.get((label, phase, connections), ())
                  if line.get(field) is not None]
        return statistics.median(values) if values else None

    def rate(self, label, phase, connections):
        return self.median(label, phase, connections, "items_per_s" if phase in BY_ITEMS else "ops_per_s")

    def errors(self, label):
        return sum(line.get("errors", 0) for (of, _, _), lines in self.groups.items() if of == label for line in lines)

    def repeats(self, label, phase, connections):
        return len(self.groups.get((label, phase, connections), ()))

    def other_cores(self):
        values = [line["other_cores"] for lines in self.groups.values() for line in lines
                  if line.get("other_cores") is not None]
        return statistics.median(values) if values else None


def held_to(results):
    """Yields what, the figure, the peer's figure, the floor and the goal, and whether the floor is met."""
    put, batch, get = (("load-put", 64), ("load-batch", 64), ("get", 64))
    yield against(results, "PutItem, durable in the log, 64 connections", put, "dynalite", 2, "17,900/s")
    yield against(results, "BatchWriteItem, items/s, 64 connections", batch, "dynalite", 2, "40,000/s")
    yield against(results, "GetItem, 64 connections", get, "dynoxide", 1.5, "50,000/s")
    for phase in ("query", "query-lsi", "query-gsi", "query-sparse"):
        yield against(results, PHASE_NAMES[phase] + ", 64 connections", (phase, 64), "dynalite", 4, "17,000/s")
    yield against(results, "Scan, items/s, one connection", ("scan", 1), "dynalite", 3, "500,000/s")
    outcome = millis(results.median("tidemark-steady", "load-put", 16, "p99_us"))
    yield at_most("Write outcome at 1,000/s, p99", [outcome], [15], "ms", "5 ms")
    lag = [millis(results.median("tidemark-steady", "freshness", 16, field)) for field in ("p50_us", "p99_us")]
    yield at_most("GSI lag at 1,000 writes/s, p50/p99, embedded", lag, [10, 100], "ms", "2/25 ms")
    yield at_least("Straight into the log until all is caught up, items/s",
                   results.median("tidemark", "straight", None, "items_per_s"), 10_000, "40,000/s")
    yield at_least("Backfill of a KEYS_ONLY index, items/s",
                   results.median("tidemark", "backfill", None, "items_per_s"), 20_000, "100,000/s")
    for phase, name in (("load-put", "PutItem at 1,000/s"), ("get", "GetItem at 2,000/s"),
                        ("query-gsi", "Query GSI at 500/s")):
        beside, alone = (millis(results.median(label, phase, 16, "p99_us"))
                         for label in ("tidemark-beside", "tidemark-alone"))
        yield no_more_than(f"{name}, p99 while an index is filled, against none", beside, alone, 2)
    kill = results.median("tidemark", "kill", None, "seconds")
    items = results.median("tidemark", "kill", None, "items") or 400_000
    yield at_most(f"kill -9 under load, {items:,.0f} items, until answering", [kill], [5], "s", "1.5 s")
    yield at_most("Cold `serve` until ready", [results.median("tidemark", "cold-serve", None, "seconds")], [8], "s",
                  "3 s")
    yield at_most("CreateTable with 3 indexes, warm, until ACTIVE",
                  [results.median("tidemark", "create-table", None, "seconds")], [2], "s", "0.5 s")


def against(results, what, key, peer, factor, goal):
    phase, connections = key
    ours, theirs = (results.rate(label, phase, connections) for label in ("tidemark", peer))
    if ours is None:
        return [what, "-", "-", f"{factor:g} x {peer}", goal, "not measured"]
    if not theirs:
        return [what, number(ours), "-", f"{factor:g} x {peer}", goal, f"{peer} not measured"]
    ratio = ours / theirs
    return [what, number(ours), f"{number(theirs)} ({ratio:.1f} x)", f"{factor:g} x {peer}", goal,
            verdict(ratio >= factor)]


def at_least(what, value, floor, goal):
    shown = "-" if value is None else number(value)
    return [what, shown, "", f"{floor:,}/s", goal, "not measured" if value is None else verdict(value >= floor)]


def at_most(what, values, floors, unit, goal):
    floor = "/".join(f"{limit:g}" for limit in floors) + f" {unit}"
    if any(value is None for value in values):
        return [what, "-", "", floor, goal, "not measured"]
    shown = "/".join(f"{value:.1f}" if unit == "ms" else f"{value:.2f}" for value in values) + f" {unit}"
    return [what, shown, "", floor, goal, verdict(all(value <= limit for value, limit in zip(values, floors)))]


def no_more_than(what, value, other, factor):
    floor = f"at most {factor} x"
    if value is None or not other:
        return [what, "-", "-", floor, "", "not measured"]
    ratio = value / other
    return [what, f"{value:.1f} ms", f"{other:.1f} ms ({ratio:.1f} x)", floor, "", verdict(ratio <= factor)]


def verdict(met):
    return "pass" if met else "**FAIL**"


def side_by_side(results, labels):
    rows = []
    for phase, name in PHASE_NAMES.items():
        for connections in (1, 16, 64):
            cells = [cell(results, label, phase, connections) for label in labels]
            if any(found != "-" for found in cells):
                row = [name, connections, *cells]
                ours = results.rate("tidemark", phase, connections)
                for peer in labels[1:]:
                    theirs = results.rate(peer, phase, connections)
                    row.append(f"{ours / theirs:.1f}" if ours and theirs else "-")
                rows.append(row)
    titles = ["Work", "Conn", *(f"{label}, per s (p99 ms)" for label in labels), *(f"x {peer}" for peer in labels[1:])]
    return document.table(titles, rows, right=set(titles[1:]))


def cell(results, label, phase, connections):
    rate = results.rate(label, phase, connections)
    if rate is None:
        return "-"
    p99 = millis(results.median(label, phase, connections, "p99_us"))
    return f"{number(rate)} ({p99:,.1f})"


def freshness(results, labels):
    rows = []
    for label in [*labels, "tidemark-steady"]:
        for writers in (0, 16, 64):
            values = [results.median(label, "freshness", writers, field)
                      for field in ("p50_us", "p99_us", "first_poll_percent", "background_puts_per_s")]
            if values[0] is not None:
                rows.append([label, writers, f"{millis(values[0]):,.2f}", f"{millis(values[1]):,.2f}",
                             f"{values[2]:.0f} %", number(values[3])])
    titles = ["Server", "Writers", "p50 ms", "p99 ms", "seen by the first poll", "puts/s meanwhile"]
    return document.table(titles, rows, right=set(titles[1:]))


def number(value):
    return "-" if value is None else f"{value:,.0f}"


def millis(micros):
    return None if micros is None else micros / 1000


def part(results, facts, labels):
    """Returns the part of docs/benchmarks.md that the end-to-end run writes."""
    floors = list(held_to(results))
    titles = ["Work", "Tidemark", "Peer (ratio)", "Floor", "Goal", "Floor met"]
    other = results.other_cores()
    facts = {**facts, "Other load": "unknown" if other is None else f"{other:.2f} cores in use by others (median)"}
    errors = ", ".join(f"{label} {results.errors(label)}" for label in labels)
    return "\n\n".join([
        document.machine_lines(facts),
        "### What the product is held to",
        document.table(titles, floors, right=("Tidemark", "Peer (ratio)")),
        "### Side by side",
        f"Medians of {results.repeats('tidemark', 'get', 64)} runs. Requests answered with an error: {errors}.",
        side_by_side(results, labels),
        "### How fresh a global index is",
        "From the acknowledgement of a put to the answer of a query that holds it, over one connection.",
        freshness(results, labels),
    ])
