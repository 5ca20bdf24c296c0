"""docs/benchmarks.md: a frame of text whose parts are rewritten one at a time, each between its markers."""

from runner import machine

DOCUMENT = machine.HOME / "docs" / "benchmarks.md"


def replace(part, text):
    """Puts {text} between the markers of {part}."""
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    whole = DOCUMENT.read_text(encoding="utf-8")
    head, found, rest = whole.partition(begin)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"docs/benchmarks.md has no place for {part}")
    DOCUMENT.write_text(f"{head}{begin}\n\n{text.strip()}\n\n{end}{tail}", encoding="utf-8")


def table(titles, rows, right=()):
    """Returns a Markdown table; the columns named in {right} are numbers."""
    lines = ["| " + " | ".join(titles) + " |",
             "|" + "|".join(" ---: " if title in right else " --- " for title in titles) + "|"]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def machine_lines(described):
    return "\n".join(f"- {name}: {value}" for name, value in described.items())
