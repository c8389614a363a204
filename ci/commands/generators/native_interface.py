"""Write the version of the native library's interface, which follows from the declarations in kernels/cpu/.

A library that was built from other declarations is not called. The version is a checksum of all exported functions
and of the structures that they are given; it stands in kernels/cpu/machine.cpp and devices/host/native/library.py.

usage: ci/generate native_interface [--check]  (--check: only say, by the exit status, whether both have that version)
"""

import argparse
import re
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted(
    path for path in (ROOT / "kernels" / "cpu").iterdir() if path.suffix in (".cpp", ".h")
)
# Each file with its version, between the preceding and following text.
PLACES = {
    ROOT / "kernels" / "cpu" / "machine.cpp": r"(EXPORT int interface\(\) \{ return )(\d+)(; \})",
    ROOT
    / "tfmini"
    / "_src"
    / "devices"
    / "host"
    / "native"
    / "library.py": r"(_INTERFACE = )(\d+)(\n)",
}
# An exported function up to its body, in a macro too; a structure up to its end.
DECLARATION = re.compile(
    r"EXPORT [^{;]*|^(?:template <[^>]*>\s*)?struct \w+ \{.*?^\};", re.MULTILINE | re.DOTALL
)


def version() -> int:
    """The checksum of all declarations, 31 bits; comments, layout and file names do not change it."""
    found = []
    for path in SOURCES:
        text = re.sub(r"//[^\n]*|\\\n", " ", path.read_text(encoding="utf-8"))
        found += [" ".join(declaration.split()) for declaration in DECLARATION.findall(text)]
    return zlib.crc32("\n".join(sorted(found)).encode()) >> 1


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="ci/generate native_interface", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--check", action="store_true", help="check only")
    check, wanted, differ = parser.parse_args().check, version(), False
    for path, pattern in PLACES.items():
        text = path.read_text(encoding="utf-8")
        made, count = re.subn(pattern, rf"\g<1>{wanted}\g<3>", text)
        assert count == 1, path
        if made != text and check:
            print(
                f"{path.relative_to(ROOT)} does not have the version of ci/generate native_interface",
                file=sys.stderr,
            )
            differ = True
        elif made != text:
            path.write_text(made, encoding="utf-8")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
