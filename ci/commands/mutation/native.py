"""Mutants of the C++ and CUDA sources, identified by text, and libraries built from one.

Relies on formatted sources: spaces surround binary operators, but not a type's `<` and `*`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from ci.commands.mutation.operators import Mutant

CPU, CUDA = "kernels/cpu", "kernels"
ENDINGS = (".cpp", ".cu", ".h")
LIBRARIES = Path("tfmini", "_src", "devices", "host", "native")

# Excluded from mutation: comments, strings, directives except macro bodies, parameter type declarations.
_SKIPPED = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"|^#(?!define).*?$|^#define \w+(?:\([^)]*\))?"
    r"|template <[^>]*>|static_assert[^;]*;|__launch_bounds__\([^)]*\)",
    re.MULTILINE | re.DOTALL,
)
_SWAPPED = {
    "comparison": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    "arithmetic": {
        **{"+": "-", "-": "+", "*": "+", "/": "*", "%": "+", "<<": ">>", ">>": "<<"},
        **{"&": "|", "|": "&", "^": "|", "+=": "-=", "-=": "+=", "*=": "+="},
    },
    "boolean": {"&&": "||", "||": "&&"},
}
_OPERATOR = re.compile(r"(?<= )([-+*/%<>&|^=!]{1,2})(?= |\n)")
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.'])")
_CONDITION = re.compile(r"\bif \(((?:[^()]|\([^()]*\))*)\) (?:return|continue|break)\b")
_STATEMENT = re.compile(
    r"(?<=[;{}] )(?:__syncthreads\(\)|break|continue)(?=;)|(?<=\n) +\w+\([^;{}]*\)(?=;)"
)
_BOUND = re.compile(r"\bstd::(?:min|max)\b")
_FUNCTION = re.compile(r"^[\w:<>*&, ]*\b([a-z]\w+)\((?=[^;]*?\{)", re.MULTILINE)


def mutants(path: str, text: bytes) -> list[Mutant]:
    """All mutants of a source, in order."""
    source = text.decode("ascii")
    blank = _SKIPPED.sub(lambda match: " " * len(match[0]), source)
    scopes = [(match.start(), match[1]) for match in _FUNCTION.finditer(blank)]
    results = []
    for operator, start, end, new in _changes(blank):
        scope = next((name for position, name in reversed(scopes) if position <= start), "")
        line = source.count("\n", 0, start) + 1
        old = source[start:end]
        results.append(Mutant(path, line, path, operator, start, end, old, new, scope=scope))
    return sorted(results, key=lambda m: (m.start, m.operator))


def _changes(text: str) -> Iterator[tuple[str, int, int, str]]:
    for match in _OPERATOR.finditer(text):
        for operator, replacements in _SWAPPED.items():
            if match[1] in replacements:
                yield operator, match.start(), match.end(), replacements[match[1]]
    for match in _NUMBER.finditer(text):
        yield "constant", match.start(), match.end(), str(int(match[0]) + 1)
    for match in _CONDITION.finditer(text):
        yield "check", match.start(1), match.end(1), "false"
    for match in _STATEMENT.finditer(text):
        yield "statement", match.start(), match.end(), ""
    for match in _BOUND.finditer(text):
        yield (
            "comparison",
            match.start(),
            match.end(),
            {"n": "std::max", "x": "std::min"}[match[0][-1]],
        )


class Library:
    """The CPU kernels of a copy of the tree, built for this machine only.

    A mutant costs compiling all sources that include its file.
    """

    def __init__(self, directory: Path):
        self._folder = directory
        self._sources = directory / CPU
        self._objects = directory / "build" / "objects"
        self._objects.mkdir(parents=True, exist_ok=True)
        for path in (directory / LIBRARIES).glob("*.so"):
            path.unlink()
        self._made = directory / LIBRARIES / "libtfmini_generic.so"
        for source in self._sources.glob("*.cpp"):
            if not self._compiles(source):
                raise RuntimeError(f"{source.name} does not compile")
        self.link()

    def _compiles(self, source: Path) -> bool:
        command = [
            *(
                "c++",
                "-std=c++17",
                "-O1",
                "-march=native",
                "-fPIC",
                "-pthread",
                "-fvisibility=hidden",
            ),
            *("-fno-exceptions", "-fno-rtti", "-fno-math-errno", "-fno-trapping-math"),
            *("-ffp-contract=off", "-w", "-c", str(source)),
            *("-o", str(self._objects / f"{source.stem}.o")),
        ]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def link(self) -> None:
        objects = map(str, sorted(self._objects.glob("*.o")))
        scratch = self._made.with_suffix(".new")
        subprocess.run(["c++", "-shared", "-pthread", *objects, "-o", str(scratch)], check=True)
        scratch.replace(self._made)

    def build(self, path: str) -> bool:
        """Rebuilds everything that includes a file; returns whether the resulting library differs."""
        name, whole = Path(path).name, {}
        users = [p for p in self._sources.iterdir() if p.suffix in ENDINGS]
        sources = {name}
        while added := {
            p.name
            for p in users
            if p.name not in sources and any(f'#include "{n}"' in p.read_text() for n in sources)
        }:
            sources |= added
        for source in sorted(n for n in sources if n.endswith(".cpp")):
            object_file = self._objects / source.replace(".cpp", ".o")
            whole[object_file] = object_file.read_bytes()
            if not self._compiles(self._sources / source):
                self._put_back(whole)
                return False
        if all(path.read_bytes() == before for path, before in whole.items()):
            return False
        self.link()
        self._put_back(whole)
        return True

    def _put_back(self, objects: dict[Path, bytes]) -> None:
        for path, before in objects.items():
            path.write_bytes(before)


_COMPILE_CUDA = """
import sys
from tests.support.cuda_on_cpu import CompileError, compile_module
from tfmini._src.devices.cuda import kernel_sources
for text in map(kernel_sources.text, kernel_sources.names()):
    if f'"{sys.argv[1]}"' in text:
        compile_module(text, kernel_sources.OPTIONS)
"""


def compiles_as_cuda(directory: Path, path: str) -> bool:
    """Whether the CUDA emulation compiles all kernels that include a file of a copy."""
    command = [sys.executable, "-c", _COMPILE_CUDA, Path(path).name]
    return subprocess.run(command, cwd=directory, capture_output=True, check=False).returncode == 0
