"""The servers that are measured, one process each, started on a fresh state and stopped for good."""

import atexit
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from runner import machine

PEERS = ("dynalite", "dynoxide")


class Failure(Exception):
    """A server did not do what it is measured at: told, and the rest is measured all the same."""


class Server:
    """A running server: {endpoint} answers the DynamoDB protocol."""

    def __init__(self, label, command, port, log):
        self.label = label
        self.command = command
        self.port = port
        self.endpoint = f"http://127.0.0.1:{port}"
        self.log = Path(log)
        self.start_again()

    def start_again(self):
        self.started = time.monotonic()
        with open(self.log, "ab") as output:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=output,
                                            stderr=subprocess.STDOUT, start_new_session=True)
        atexit.register(self.process.kill)  # whatever happens here, no server stays

    @property
    def pid(self):
        return self.process.pid

    def call(self, operation, body, timeout=10):
        """Returns the status and the parsed answer; status 0 if there is none."""
        request = urllib.request.Request(self.endpoint, json.dumps(body).encode(), {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "Authorization": "AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, "
                             "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64,
            "X-Amz-Date": "20260101T000000Z",
        })
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as problem:
            return problem.code, problem.read().decode("utf-8", "replace")[:300]
        except (OSError, ValueError):
            return 0, None

    def get(self, path, timeout=5):
        try:
            with urllib.request.urlopen(self.endpoint + path, timeout=timeout) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as problem:
            return problem.code, ""
        except OSError:
            return 0, ""

    def await_true(self, condition, limit, what):
        """Returns the seconds from now until {condition}()."""
        start = time.monotonic()
        while not condition():
            if self.process.poll() is not None:
                raise Failure(f"{self.label} ended with {self.process.returncode}:\n{self.tail()}")
            if time.monotonic() - start > limit:
                raise Failure(f"{self.label}: gave up waiting: {what}\n{self.tail()}")
            time.sleep(0.01)
        return time.monotonic() - start

    def await_answering(self, limit=60):
        self.await_true(lambda: self.call("ListTables", {})[0] == 200, limit, "it does not answer")
        return self

    def tail(self):
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-30:])

    def stop(self):
        self.end(signal.SIGTERM, 15)

    def kill(self):
        self.end(signal.SIGKILL, 5)

    def end(self, how, limit):
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(limit)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Tidemark(Server):
    """./tidemark serve on a data folder."""

    def __init__(self, data, port, log, settings=()):
        self.data = data
        words = [word for setting in settings for word in ("--set", setting)]
        super().__init__("tidemark", [str(machine.HOME / "tidemark"), "serve", "--port", str(port),
                                      "--data", str(data), *words], port, log)

    def is_ready(self):
        return self.get("/health/ready")[0] == 200

    def await_ready(self, limit=90):
        """Returns the seconds from the start of the process."""
        self.await_true(self.is_ready, limit, "it does not become ready")
        return time.monotonic() - self.started

    def bootstrap_servers(self):
        found = re.findall(r"Kafka inside at (\S+:\d+)", self.log.read_text(encoding="utf-8"))
        if not found:
            raise Failure("the ready line does not tell where Kafka is:\n" + self.tail())
        return found[-1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def peer(name, modules, log):
    """Starts a peer, its data in memory."""
    port = free_port()
    commands = {
        "dynalite": ["node", str(modules / "dynalite" / "cli.js"), "--port", str(port), "--host", "127.0.0.1",
                     "--createTableMs", "1", "--deleteTableMs", "1", "--updateTableMs", "1"],
        "dynoxide": [str(modules / "@dynoxide" / "linux-x64" / "dynoxide"), "serve", "--port", str(port)],
    }
    return Server(name, commands[name], port, log).await_answering()


def install_peers(wanted, folder):
    """Installs the wanted peers with npm and returns their modules' folder and the names of those that are there."""
    given = os.environ.get("PEERS_MODULES")
    modules = Path(given) if given else Path(folder) / "node_modules"
    if not given and wanted:
        if not shutil.which("npm"):
            print("npm is not here: the peers are left out")
            return modules, []
        packages = {"dynalite": "dynalite", "dynoxide": "@dynoxide/linux-x64"}
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder),
                        *(packages[name] for name in wanted)], check=False)
    places = {"dynalite": modules / "dynalite" / "cli.js", "dynoxide": modules / "@dynoxide" / "linux-x64" / "dynoxide"}
    there = [name for name in wanted if places[name].exists()]
    for name in wanted:
        if name not in there:
            print(f"{name} is not installed: it is left out")
    return modules, there


def versions(modules, names):
    places = {"dynalite": "dynalite", "dynoxide": "@dynoxide/linux-x64"}
    found = {}
    for name in names:
        package = json.loads((modules / places[name] / "package.json").read_text(encoding="utf-8"))
        found[name] = package["version"]
    return found
