"""Reports wordy or unidiomatic English in pages, docstrings and comments, with a replacement for each hit.

Also reports paths in backticks, such as `ci/commands/check.py`, that no file has.

usage: ci/check words             lists each package with its hits and its limit
       ci/check words PATH...     lists the hits in these files and folders
       ci/check words --lower     lowers the limits in tests/repository/word_limits.txt to the hits, rounded up to tens
"""

import functools
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LIMITS = ROOT / "tests" / "repository" / "word_limits.txt"
ROOTS = ("tfmini", "ci", "docs", "examples", "tests")
NO_FILE = "no such file"

# pattern -> replacement, anywhere in prose
ANYWHERE = {
    r"all the same": "regardless",
    r"anew|over again|once more": "again",
    r"ask(?:s|ed)? for": "requests",
    r"bears?|borne": "supports, tolerates",
    r"beside": "next to",
    r"besides": "also, in addition to",
    r"comes? to (?:an|its|their) end": "ends",
    r"for ever": "forever",
    r"how (?:many|much|often|far)": "number of, distance",
    r"give[sn]? back|gave back": "returns, releases",
    r"go(?:es)? round|went round": "back edge, iterates",
    r"goes on|go on|went on": "continues",
    r"imitat(?:es?|ions?)": "emulates, emulator",
    r"in vain": "without success",
    r"is no (?:number|tensor|list|layer|node|boolean|file|reference|array|slice|op|name)": "is not a",
    r"lies? (?:in|on|at|beside|there)|lying (?:in|on|at)": "is in, resides in",
    r"longer ago|longest ago": "least recently used, older",
    r"memory is short|short of memory": "out of memory",
    r"names of (?:nodes|ops|tensors|files|variables|devices|attrs|inputs|outputs)": "node names, file names",
    r"no more than": "only, at most",
    r"nobody|somebody|anybody|everybody": "the caller or component by its name",
    r"None where": "None if",
    r"nothing but": "only",
    r"of (?:one's|its|their) own": "own, separate",
    r"(?:says?|said|saying) (?:so|which|that|what|how|whether|where|nothing)": "specifies, reports",
    r"so many": "this many, the count",
    r"one after (?:the other|another)": "in sequence",
    r"(?<=:\s)what(?:ever)?": "a noun",
    r"stands? (?:at|on|above|below|before|behind|there|in(?! for))": "is",
    r"that which|those (?:that|which|whose)": "the noun",
    r"thrice": "three times",
    r"unattended": "asynchronous",
    r"(?:of|from|in|with|by|for|to|as|than|and|all|is|are) what"
    r" (?:it|they|is|was|are|were|has|have|the|an?|each|no)": "a noun",
    r"wants?|wanted": "requests, requires, expects",
    r"(?:where|if) (?:there is|it has|they have) (?:one|none|any)": "if any, if present",
    r"(?<!users\s)(?<!people\s)(?<!anyone\s)who(?:ever)?": "that, which",
}
# first words of a docstring
BEGINNINGS = r"It|That|They|Those|What|Whatever|Who|Whoever|Whose"

_ALTERNATIVES = "|".join(f"(?P<p{n}>{text})" for n, text in enumerate(ANYWHERE))
_WORD = re.compile(rf"\b(?:{_ALTERNATIVES})\b".replace(" ", r"\s+"), re.I)
_REPLACEMENTS = {f"p{n}": text for n, text in enumerate(ANYWHERE.values())}
_BEGINNING = re.compile(rf"(?:{BEGINNINGS})\b")
# Any triple-quoted string, so that one's end is not taken for another's beginning; docstrings begin their line.
_PYTHON = re.compile(
    r'(?P<indent>^[ \t]*r?)?"""(?P<docstring>(?s:.*?))"""|(?:^|(?<=\s))#(?P<comment> .*)$', re.M
)
_PATH = re.compile(r"`((?:[a-z_0-9]+/)+[a-z_0-9]+\.(?:py|md|txt|cpp|h|cu))`")
# Files of other projects and of users' programs.
_FOREIGN = {"horovod/runner/http/http_server.py", "tests/run.py"}
_CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`", re.M | re.S)


@dataclass(frozen=True)
class Hit:
    path: str
    line: int
    text: str
    replacement: str

    @property
    def package(self) -> str:
        """The folder of tfmini/_src, else the top-level folder; top-level pages count as docs."""
        parts = self.path.split("/")
        if parts[:2] == ["tfmini", "_src"]:
            return parts[2] if len(parts) > 3 else "tfmini"
        return parts[0] if len(parts) > 1 else "docs"

    @property
    def is_beginning(self) -> bool:
        return self.text.startswith("begins with ")

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}: {self.replacement}"


def hits(path: str, text: str) -> list[Hit]:
    """The hits in one file, in order."""
    prose = _page(text) if path.endswith(".md") else _docstrings_and_comments(text)
    missing = [
        Hit(path, text.count("\n", 0, match.start()) + 1, match[1], NO_FILE)
        for match in _PATH.finditer(text)
        if match[1] not in _FOREIGN and match[1] not in _path_ends()
    ]
    return missing + [
        Hit(path, text.count("\n", 0, begin + offset) + 1, " ".join(word.split()), replacement)
        for begin, part in prose
        for offset, word, replacement in _find_hits(part)
    ]


@functools.cache
def _path_ends() -> frozenset[str]:
    """The ends of the paths of all files: "a/b/c.py", "b/c.py", "c.py"."""
    paths = [
        file.relative_to(ROOT).parts
        for top in (*ROOTS, "kernels")
        for file in (ROOT / top).rglob("*.*")
    ]
    return frozenset("/".join(parts[n:]) for parts in paths for n in range(len(parts)))


def _page(text: str) -> list[tuple[int, str]]:
    """A part of a page, without code: its position and text."""
    return [(0, _blank_code(text))]


def _docstrings_and_comments(source: str) -> Iterator[tuple[int, str]]:
    for match in _PYTHON.finditer(source):
        group = match.lastgroup or ""
        if group == "docstring" and match["indent"] is None:
            continue
        part = _blank_code(match[group])
        # A marker in place of the quotes: `_find_hits` looks for beginnings behind it.
        yield match.start(group) - 1, ("\f" if group == "docstring" else " ") + part


def _blank_code(text: str) -> str:
    return _CODE.sub(lambda code: re.sub(r"[^\n]", "_", code[0]), text)


def _find_hits(part: str) -> Iterator[tuple[int, str, str]]:
    """Offset, words and replacement of each hit in one part."""
    if part.startswith("\f") and (beginning := _BEGINNING.match(part, 1)):
        yield 1, f'begins with "{beginning[0]}"', "a noun or an imperative"
    for match in _WORD.finditer(part):
        yield match.start(), match[0], _REPLACEMENTS[match.lastgroup or ""]


def files(paths: list[Path]) -> Iterator[Path]:
    """The pages and Python files at or below these paths."""
    for path in paths:
        sorted_paths = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (one for one in sorted_paths if one.suffix in (".py", ".md"))


def hits_below(paths: list[Path]) -> Iterator[Hit]:
    this_file = Path(__file__).resolve()
    for path in files(paths):
        if path.resolve() != this_file:  # lists the words itself
            name = path.resolve().relative_to(ROOT).as_posix()
            yield from hits(name, path.read_text(encoding="utf-8"))


def whole_tree() -> list[Path]:
    return [*(ROOT / name for name in ROOTS), *sorted(ROOT.glob("*.md"))]


def counts() -> Counter[str]:
    """Hits per package for the whole tree."""
    return Counter(hit.package for hit in hits_below(whole_tree()))


def limits() -> dict[str, int]:
    rows = (line.split() for line in LIMITS.read_text(encoding="utf-8").splitlines())
    return {package: int(limit) for package, limit in rows}


def lower(allowed: dict[str, int], counts: Counter[str]) -> dict[str, int]:
    """The limits, reduced to the hits rounded up to tens; a new package gets that limit."""
    rounded = {package: -(-counts[package] // 10) * 10 for package in {*allowed, *counts}}
    return {package: min(limit, allowed.get(package, limit)) for package, limit in rounded.items()}


def main(arguments: list[str]) -> None:
    if arguments == ["--lower"]:
        rows = sorted(lower(limits(), counts()).items())
        LIMITS.write_text(
            "".join(f"{package} {limit}\n" for package, limit in rows), encoding="utf-8"
        )
        return
    if arguments:
        for hit in hits_below([Path(name).resolve() for name in arguments]):
            print(hit)
        return
    allowed = limits()
    for package, count in sorted(counts().items()):
        mark = "  above its limit" if count > allowed.get(package, 0) else ""
        print(f"{package:14} {count:5} {allowed.get(package, 0):5}{mark}")


if __name__ == "__main__":
    main(sys.argv[1:])
