"""Deletes supported names, and rows and families left empty, from docs/left_out.md.

ci/generate left_out [--check]    (--check: exit status 1 if it lists supported names)
"""

import argparse
import re
import sys
from pathlib import Path

from tests.conformance import test_left_out
from tfmini._src.base.names import deprecation, left_out

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "left_out.md"


def without_known(document: str) -> str:
    lines = document.splitlines()
    with deprecation.silence():
        missing = test_left_out.missing_names() | test_left_out.missing_ops()
    for line_number, owner, names in left_out.parse_rows("\n".join(lines)):
        left = [f"`{name}`" for name in names if f"{owner}.{name}" in missing]
        lines[line_number - 1] = f"| {owner} | {' '.join(left)} |" if left else ""
    text = "\n".join(lines) + "\n"
    text = re.sub(r"(?m)^(\|.*\|)\n\n+(?=\|)", r"\1\n", text)  # rows deleted from within a table
    text = re.sub(r"### [^#]*?\| \| \|\n\| --- \| --- \|\n\n+(?=#|$)", "", text)
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="ci/generate left_out", description=__doc__)
    parser.add_argument("--check", action="store_true")
    document = DOCUMENT.read_text(encoding="utf-8")
    written = without_known(document)
    if parser.parse_args().check:
        return int(written != document)
    DOCUMENT.write_text(written, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
