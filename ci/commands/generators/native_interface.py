"""Writes the interface of the native library, derived from the declarations in kernels/cpu/.

The version is a checksum of all exported functions and of the structures and enumerations in their signatures:
libraries built from other declarations are ignored. It is written to kernels/cpu/cpu_features.cpp, and to
devices/host/native/declarations.txt, followed by the functions' result and argument types for ctypes. The C++
preprocessor expands the declarations, including those in macros.

usage: ci/generate native_interface [--check]  (--check: exit status 1 if one of them is out of date)
"""

import argparse
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted(
    path for path in (ROOT / "kernels" / "cpu").iterdir() if path.suffix in (".cpp", ".h")
)
CPU_FEATURES = ROOT / "kernels" / "cpu" / "cpu_features.cpp"
DECLARATIONS = ROOT / "tfmini/_src/devices/host/native/declarations.txt"
VERSION = re.compile(r"(?<=EXPORT int interface\(\) \{ return )\d+(?=; \})")
# An exported function up to its body, also in a macro; a whole structure or enumeration.
DECLARATION = re.compile(
    r"EXPORT [^{;]*|^(?:template <[^>]*>\s*)?struct \w+ \{.*?^\};|^enum \w+ \{.*?\};",
    re.MULTILINE | re.DOTALL,
)


def version() -> int:
    """The checksum of all declarations, 31 bits; comments, layout and file names do not change it."""
    declarations = []
    for path in SOURCES:
        text = re.sub(r"//[^\n]*|\\\n", " ", path.read_text(encoding="utf-8"))
        declarations += [" ".join(declaration.split()) for declaration in DECLARATION.findall(text)]
    return zlib.crc32("\n".join(sorted(declarations)).encode()) >> 1


# Type letters of library.py by C type; pointers are "p".
LETTERS = {"Index": "q", "Long": "Q", "int": "i", "float": "f", "double": "d"}
LETTERS |= {"std::uint64_t": "Q", "bool": "b", "void": "void", "char*": "text"}
PREPROCESSED = re.compile(
    r'extern "C" __attribute__\(\(visibility\("default"\)\)\) ([^()]+?)(\w+)\(([^)]*)\)'
)


def _letter(argument: str) -> str:
    if "*" in argument:
        return "p"
    ctype, _ = argument.removeprefix("const ").split()
    return LETTERS[ctype]


def functions() -> list[str]:
    """A line for each exported function: name, result, arguments."""
    lines = []
    for path in SOURCES:
        command = [os.environ.get("CXX", "g++"), "-std=c++17", "-E", "-P", str(path)]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for result, name, arguments in PREPROCESSED.findall(text):
            letters = "".join(_letter(each) for each in arguments.split(",") if each.strip())
            ctype = LETTERS["".join(result.removeprefix("const ").split())]
            lines.append(f"{name} {ctype} {letters}".rstrip())
    return sorted(set(lines))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="ci/generate native_interface", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--check", action="store_true", help="check only")
    check, expected = parser.parse_args().check, str(version())
    cpu_features = CPU_FEATURES.read_text(encoding="utf-8")
    (current,) = VERSION.findall(cpu_features)
    if check:
        written = {CPU_FEATURES: current, DECLARATIONS: DECLARATIONS.read_text().split("\n", 1)[0]}
        stale = [path.relative_to(ROOT) for path, each in written.items() if each != expected]
        for path in stale:
            print(f"{path} is out of date: run ci/generate native_interface", file=sys.stderr)
        return int(bool(stale))
    if current != expected:
        CPU_FEATURES.write_text(VERSION.sub(expected, cpu_features), encoding="utf-8")
    DECLARATIONS.write_text("\n".join([expected, *functions(), ""]), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
