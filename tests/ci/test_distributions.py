"""Distributions: an sdist with everything its tests need, a wheel with everything that tfmini reads."""

import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.full  # setuptools copies all files several times
PARTS = ("ci", "docs", "examples", "kernels", "tests", "tfmini")
FILES = (
    *(
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Dockerfile",
        "LICENSE",
        "MANIFEST.in",
        "README.md",
        "SECURITY.md",
    ),
    "pyproject.toml",
)

_IGNORED = shutil.ignore_patterns("__pycache__", "*.so")

# Instead of a compiler: the libraries compiled for this environment.
COMPILER = """
import os, shutil, sys
target = sys.argv[sys.argv.index("-o") + 1]
if target.endswith(".o"):
    open(target, "w").close()
else:
    shutil.copy(os.path.join(sys.argv[1], os.path.basename(target)), target)
"""
LIBRARIES = ROOT / "tfmini" / "_src" / "devices" / "host" / "native"


def build(source, out):
    """Copies the sources, and builds an sdist and a wheel of the copy."""
    out.mkdir()
    for part in PARTS:
        shutil.copytree(ROOT / part, source / part, ignore=_IGNORED)
    for name in (*FILES, "setup.py"):
        shutil.copy(ROOT / name, source / name)
    code = (
        "from setuptools import build_meta as b\n"
        f"b.build_sdist({str(out)!r})\nb.build_wheel({str(out)!r})\n"
    )
    environment = dict(os.environ)
    if any(LIBRARIES.glob("lib*.so")):
        compiler = out / "compiler.py"
        compiler.write_text(COMPILER)
        environment["CXX"] = shlex.join([sys.executable, str(compiler), str(LIBRARIES)])
    command = [sys.executable, "-c", code]
    subprocess.run(
        command, cwd=source, env=environment, check=True, timeout=800, capture_output=True
    )


def test_source_and_wheel_are_complete(tmp_path):
    """A single test, because building takes 20 seconds, and a file's tests may run in several processes."""
    source, out = tmp_path / "source", tmp_path / "out"
    build(source, out)
    check_the_sources(source, out)
    check_the_kernels_of_the_wheel(out)
    check_what_tfmini_reads(source, out)


def check_the_sources(source, out):
    (archive,) = out.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    folders = [source / part for part in PARTS]
    expected = {
        p.relative_to(source).as_posix() for f in folders for p in f.rglob("*") if p.is_file()
    }
    assert sorted((expected | {*FILES}) - names) == []


def check_the_kernels_of_the_wheel(out):
    (wheel,) = out.glob("*.whl")
    assert "-py3-none-linux_" in wheel.name
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    if shutil.which("c++"):
        assert "tfmini/_src/devices/host/native/libtfmini_generic.so" in names
    assert wheel.stat().st_size < 6_900_000
    for_readers = (
        *(f"tfmini/_src/docs/{directory}/" for directory in ("guides", "how_it_works", "pictures")),
        *(f"tfmini/_src/docs/{directory}/" for directory in ("reference", "start")),
        "tfmini/_src/docs/index.md",
        "tfmini/_src/docs/source_layout.md",
        "tfmini/_src/kernels/cpu/",
    )
    assert [name for name in names if name.startswith(for_readers)] == []


def check_what_tfmini_reads(source, out):
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        metadata = packed.read(next(n for n in names if n.endswith("METADATA"))).decode()
    package = {
        p.relative_to(source).as_posix() for p in (source / "tfmini").rglob("*") if p.is_file()
    }
    kernels = {f"tfmini/_src/kernels/{p.name}" for p in (source / "kernels").glob("*.[ch]*")}
    assert sorted((package | kernels | {"tfmini/_src/docs/left_out.md"}) - names) == []
    assert wheel.name.startswith("tfmini_runtime-")
    assert "\nName: tfmini-runtime\n" in metadata
    assert "\nAuthor: The tfmini authors\n" in metadata
    assert "\nClassifier: Operating System :: POSIX :: Linux\n" in metadata
