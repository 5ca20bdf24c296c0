"""The machine that measures, described without names: what a reader needs to compare figures."""

import os
import platform
import re
import subprocess
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent.parent
TARGET = HOME / "benchmarks" / "target"


def java_version(java_home):
    release = Path(java_home) / "release"
    if not (Path(java_home) / "bin" / "javac").exists() or not release.exists():
        return None
    found = re.search(r'^JAVA_VERSION="?([0-9][^"\s]*)', release.read_text(encoding="utf-8"), re.MULTILINE)
    return found and tuple(int(part) for part in re.findall(r"\d+", found.group(1)))


def newest_java():
    """Returns the home of the newest JDK, chosen as ./tidemark chooses."""
    if os.environ.get("TIDEMARK_JAVA_HOME"):
        return Path(os.environ["TIDEMARK_JAVA_HOME"])
    candidates = [os.environ.get("JAVA_HOME", ""), *map(str, sorted(Path("/usr/lib/jvm").glob("*")))]
    versions = [(java_version(home), home) for home in candidates if home]
    versions = [(version, home) for version, home in versions if version and version >= (17,)]
    if not versions:
        raise SystemExit("no JDK 17 or newer was found: set JAVA_HOME")
    return Path(max(versions)[1])


def build(module):
    java_home = newest_java()
    quiet = {"MAVEN_OPTS": "--sun-misc-unsafe-memory-access=allow"} if java_version(java_home) >= (23,) else {}
    subprocess.run(["mvn", "-q", "-B", "-ntp", "-Dquick", "-Dmaven.test.skip=true", "-pl", module, "-am", "package"],
                   cwd=HOME, check=True, env={**quiet, **os.environ, "JAVA_HOME": str(java_home)})


def java(*arguments):
    return [str(newest_java() / "bin" / "java"), *arguments]


def class_path():
    return f"{TARGET / 'benchmarks.jar'}{os.pathsep}{TARGET / 'lib'}/*"


def describe():
    """Returns the machine as pairs of a name and a value."""
    return {
        "CPU": f"{processor()}, {os.cpu_count()} cores",
        "Memory": memory(),
        "Kernel": f"{platform.system()} {platform.release()}",
        "JDK": jdk(),
    }


def processor():
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def memory():
    try:
        kib = int(re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text(encoding="utf-8")).group(1))
        return f"{kib / 1024 / 1024:.0f} GiB"
    except (OSError, AttributeError):
        return "unknown"


def jdk():
    shown = subprocess.run([*java("-version")], capture_output=True, text=True, check=True).stderr
    return shown.strip().splitlines()[-1]


def cores_in_use(seconds=1.0):
    """Returns how many cores are busy, over a moment in which we do nothing."""
    import time

    def busy():
        fields = [int(field) for field in Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()[1:]]
        return sum(fields) - fields[3] - fields[4], sum(fields)

    try:
        before = busy()
        time.sleep(seconds)
        after = busy()
    except OSError:
        return None
    return (after[0] - before[0]) / max(1, after[1] - before[1]) * (os.cpu_count() or 1)
