"""The load generator: a program with the phases named here, given as a jar, as its sources or as classes."""

import subprocess
import time
from pathlib import Path

from runner import machine

PHASES = ("preload", "get", "query", "query-gsi", "query-sparse", "query-lsi", "scan", "update", "freshness", "mixed",
          "load-put", "load-batch")
MAIN = "sensorbench.Main"


class LoadGenerator:
    """Runs phases against a server and appends what it measured to a file of JSON lines."""

    def __init__(self, given, scratch, results):
        self.class_path = self.located(Path(given).resolve(), Path(scratch) / "loadgen")
        self.results = results

    @staticmethod
    def located(given, scratch):
        if given.suffix == ".jar":
            return given
        if (given / "loadgen.jar").exists():
            return given / "loadgen.jar"
        sources = sorted(str(source) for source in given.glob("src/**/*.java"))
        if not sources:
            raise SystemExit(f"{given} is neither the load generator's jar nor its folder")
        subprocess.run([str(machine.newest_java() / "bin" / "javac"), "--release", "17", "-d", str(scratch), *sources],
                       check=True)
        return scratch

    def command(self, server, options):
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        return machine.java("-Xmx512m", "-XX:+UseParallelGC", "-cp", str(self.class_path), MAIN, "--endpoint",
                            server.endpoint, "--server-pid", str(server.pid), *words)

    def run(self, server, label=None, **options):
        """Runs to the end; a phase without one success is told, not hidden."""
        options = {name.replace("_", "-"): value for name, value in options.items()}
        options.setdefault("label", label or server.label)
        options.setdefault("out", self.results)
        start = time.monotonic()
        ended = subprocess.run(self.command(server, options), check=False)
        if ended.returncode != 0:
            print(f"  the load generator ended with {ended.returncode} against {server.label}; its log ends:\n"
                  f"{server.tail()}")
        return time.monotonic() - start

    def begin(self, server, **options):
        """Starts a run that the caller ends; its figures are of no interest."""
        options = {name.replace("_", "-"): value for name, value in options.items()}
        return subprocess.Popen(self.command(server, options), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, start_new_session=True)
