"""Write docs/rooms.md: the rooms of tfmini as a picture and a list, made from the tables of tests/repository/rooms.py.

usage: ci/generate rooms [--check]      (--check: exit status 1 if it is out of date)
"""

import argparse
import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
from tests.repository.rooms import LEVELS, PARTS  # noqa: E402  after the path is set

TARGET = ROOT / "docs" / "rooms.md"
HEAD = """# The rooms

Made by `ci/generate rooms` from the tables of [tests/repository/rooms.py](../tests/repository/rooms.py). The
tests enforce them: a room imports only from the rooms below it, a part of a large room only from the parts below. Read
the picture from top to bottom: what a script calls builds a graph (`ops` and what stands on them), a session turns
fetches into a program (`compiler`), which runs (`executor`) on the devices (`devices`), and results come back. Public
names are tables next to `_src/`: `tfmini/nn/__init__.pyi` says where each name of `tf.nn` comes from.
"""


def first_sentence(path: Path) -> str:
    """The first line of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def module(*names: str) -> Path | None:
    """The file in which a package or module's docstring stands, if it exists."""
    base = ROOT.joinpath("tfmini", "_src", *names)
    for path in (base / "__init__.py", base.with_suffix(".py")):
        if path.exists():
            return path
    return None


def picture(title: str, levels: list[list[str]]) -> list[str]:
    """A mermaid flow chart, the highest level first."""
    lines = ["```mermaid", "flowchart TB"]
    for number, names in enumerate(reversed(levels)):
        lines.append(f'    {title}{number}["{" · ".join(names)}"]')
    lines += [f"    {title}{n} --> {title}{n + 1}" for n in range(len(levels) - 1)]
    return [*lines, "```"]


def existing(levels: tuple, *package: str) -> list[list[str]]:
    """The names of a table that are there, level by level."""
    found = [
        [name for name in names if name != "__init__" and module(*package, name)]
        for names in levels
    ]
    return [names for names in found if names]


def rows(levels: list[list[str]], *package: str) -> list[str]:
    """A table of what lives in each, the lowest level first."""
    lines = ["| where | what lives there |", "| --- | --- |"]
    for name in (name for names in levels for name in names):
        path = module(*package, name)
        assert path is not None
        where = "/".join(("tfmini", "_src", *package, name)) + (
            "/" if path.name == "__init__.py" else ".py"
        )
        lines.append(f"| [{where}](../{where}) | {first_sentence(path)} |")
    return lines


def text() -> str:
    """The whole page."""
    levels = existing(LEVELS)
    lines = [HEAD, "## tfmini/_src/", "", *picture("level", levels), "", *rows(levels)]
    for large, table in PARTS.items():
        inside = existing(table, *large.split("/"))
        title = large.replace("/", "_")
        lines += ["", f"## tfmini/_src/{large}/", "", *picture(title, inside), ""]
        lines += rows(inside, *large.split("/"))
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="ci/generate rooms", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="check only")
    made = text()
    if not parser.parse_args().check:
        TARGET.write_text(made, encoding="utf-8")
        return 0
    if TARGET.read_text(encoding="utf-8") == made:
        return 0
    print(f"{TARGET.relative_to(ROOT)} is not what ci/generate rooms writes", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
