"""Libraries of the TensorFlow 1 era whose sdists contain tests: selection and counting of these."""

import gzip
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ci.commands.real_programs.repositories import extract, mirror

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


@dataclass(frozen=True)
class Library:
    """A library and those of its tests that are run.

    Attributes:
      name: the library and its version.
      archives: its sdist's file name, or those of wheels; they are unpacked over each other.
      tests: paths in it that pytest gets.
      without: paths below these not run because they require a network, a display, or another library than TensorFlow.
      repository: the repository that has the tests, and its commit, where the sdist has none.
      environment: environment variables of the tests.
      besides: imported packages outside the library.
      needs: missing features of tfmini, in words.
      seconds: the time limit of all of them.
    """

    name: str
    archives: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()
    repository: tuple[str, str] | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    besides: tuple[str, ...] = ()
    needs: str = ""
    seconds: int = 1500

    @property
    def passing(self) -> Path:
        """The file that lists the tests passing on TensorFlow 1.15.5."""
        return HERE / "passing" / f"{self.name}.txt.gz"


_KERAS = {"KERAS_BACKEND": "tensorflow"}
_KERAS_DOWNLOADS = (
    "tests/integration_tests/applications_test.py",
    "tests/integration_tests/imagenet_utils_test.py",
    "tests/integration_tests/test_datasets.py",
)

LIBRARIES = (
    Library(
        "keras-2.2.4",
        ("Keras-2.2.4.tar.gz",),
        ("tests",),
        ("tests/integration_tests", "tests/docs", "tests/test_documentation.py"),
        environment=_KERAS,
        besides=("keras_applications", "keras_preprocessing", "h5py", "yaml", "pandas", "flaky"),
    ),
    Library(
        "keras-2.2.5",
        ("Keras-2.2.5.tar.gz",),
        ("tests",),
        (*_KERAS_DOWNLOADS, "tests/docs", "tests/test_api.py"),
        environment=_KERAS,
        besides=("keras_applications", "keras_preprocessing", "h5py", "yaml", "pandas", "flaky"),
    ),
    Library(
        "keras-2.3.1",
        ("Keras-2.3.1.tar.gz",),
        ("tests",),
        (*_KERAS_DOWNLOADS, "tests/docs", "tests/test_api.py"),
        environment=_KERAS,
        besides=("keras_applications", "keras_preprocessing", "h5py", "yaml", "pandas", "flaky"),
    ),
    Library(
        "gpflow-1.5.1",
        ("gpflow-1.5.1.tar.gz",),
        ("tests",),
        ("tests/test_notebooks.py", "tests/test_examples.py"),
        besides=("multipledispatch", "pandas", "h5py", "tabulate"),
    ),
    Library(
        "mesh-tensorflow-0.1.13",
        ("mesh-tensorflow-0.1.13.tar.gz",),
        ("mesh_tensorflow",),
        besides=("gin", "mock"),
    ),
    Library(
        "tflearn-0.3.2",
        ("tflearn-0.3.2.tar.gz",),
        ("tests",),
        besides=("h5py",),
    ),
    Library(
        "sonnet-1.36",
        ("dm_sonnet-1.36-py3-none-any.whl", "tensorflow_probability-0.8.0-py2.py3-none-any.whl"),
        ("sonnet/python",),
        repository=("deepmind/sonnet", "cd5b5fa48e15e4d020f744968f5209949ebe750f"),
        besides=("semantic_version", "contextlib2", "wrapt", "mock", "gast", "cloudpickle"),
    ),
    Library(
        "larq-0.8.3",
        (),
        ("larq",),
        repository=("larq/larq", "04114d35d540eb3f8d8a4b4023395df2ceefadef"),
        besides=("terminaltables", "snapshottest", "fastdiff", "termcolor", "wasmer", "pandas"),
    ),
    Library(
        "tensorforce-0.4.3",
        ("tensorforce-0.4.3.tar.gz",),
        ("tensorforce/tests",),
        besides=("gym", "msgpack", "msgpack_numpy", "cloudpickle", "tqdm", "pkg_resources"),
    ),
    Library(
        "tf_slim-1.1.0",
        ("tf_slim-1.1.0-py2.py3-none-any.whl",),
        ("tf_slim",),
        besides=("nose",),
    ),
    Library(
        "trfl-1.1.0",
        ("trfl-1.1.0-py3-none-any.whl", "tensorflow_probability-0.8.0-py2.py3-none-any.whl"),
        ("trfl",),
        besides=("tree", "wrapt", "gast", "cloudpickle", "decorator"),
    ),
)


@dataclass(frozen=True)
class Suite:
    """The outcome of a library's tests.

    Attributes:
      outcomes: by test: "passed", "failed" or "skipped", and the error.
      wanted: the tests that pass on TensorFlow 1.15.5.
      seconds: its duration.
      said: why nothing was tried, or its last words where it did not end.
    """

    library: Library
    outcomes: Mapping[str, tuple[str, str]]
    wanted: Sequence[str]
    seconds: float
    said: str = ""

    @property
    def passed(self) -> int:
        """The number of required tests that pass here."""
        return sum(self.outcomes.get(test, ("",))[0] == "passed" for test in self.wanted)

    def causes(self) -> Counter[str]:
        """Error messages of the required tests that fail, with their counts."""
        lost = [self.outcomes.get(test, ("", "not run")) for test in self.wanted]
        return Counter(cause(said, how) for how, said in lost if how != "passed")


def cause(said: str, how: str = "failed") -> str:
    """An error message without test-specific parts."""
    if how == "skipped":
        return "skipped"
    return re.sub(r"0x[0-9a-f]+|\d+\.\d+|/tmp/\S+", "...", said)[:110]


def unpack(library: Library, archives: Path, mirrors: Path | None, into: Path) -> str:
    """Assembles a library's files; returns what is missing, or ""."""
    into.mkdir(parents=True)
    if library.repository is not None:
        name, commit = library.repository
        git = mirror(mirrors, name) if mirrors is not None else None
        if git is None:
            return f"no mirror of {name}"
        extract(git, commit, into)
    for name in library.archives:
        file = archives / name
        if not file.is_file():
            return f"no {name} in {archives}"
        if name.endswith(".whl"):
            with zipfile.ZipFile(file) as wheel:
                wheel.extractall(into)
            continue
        with tarfile.open(file) as sdist:
            sdist.extractall(into, filter="data")
        (directory,) = (entry for entry in into.iterdir() if (entry / "PKG-INFO").is_file())
        for entry in directory.iterdir():
            entry.rename(into / entry.name)
        directory.rmdir()
    return ""


def run(
    library: Library,
    archives: Path,
    mirrors: Path | None,
    besides: Path | None,
    reference: str | None = None,
) -> Suite:
    """Runs a library's tests under the runner, or on TensorFlow itself with the reference's Python."""
    expected = read(library.passing) if reference is None else []
    with tempfile.TemporaryDirectory(prefix="libraries") as box:
        directory = Path(box, "library")
        absent = unpack(library, archives, mirrors, directory)
        if absent:
            return Suite(library, {}, expected, 0.0, absent)
        written = Path(box, "outcomes")
        written.touch()
        Path(box, "home").mkdir()
        Path(box, "tmp").mkdir()
        path = [str(HERE), str(directory)]
        if reference is None:
            path += [str(ROOT), *([str(besides)] if besides is not None else [])]
        environment = {
            **os.environ,
            **library.environment,
            "CUDA_VISIBLE_DEVICES": "",
            "HOME": str(Path(box, "home")),
            "MPLBACKEND": "Agg",
            "OUTCOMES": str(written),
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONWARNINGS": "ignore",
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "TMPDIR": str(Path(box, "tmp")),
        }
        python = [sys.executable, "-m", "tfmini", "run"] if reference is None else [reference]
        options = ["-q", "-p", "no:cacheprovider", "-p", "outcomes", "-W", "ignore", "--tb=no"]
        options += ["--continue-on-collection-errors", f"--rootdir={directory}"]
        ignored = [f"--ignore={directory / path}" for path in library.without]
        command = [*python, "-m", "pytest", *options, *ignored, *library.tests]
        start = time.monotonic()
        said = ""
        with open(Path(box, "printed"), "w", encoding="utf-8") as printed:
            try:
                status = subprocess.run(
                    command,
                    cwd=directory,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=subprocess.STDOUT,
                    timeout=library.seconds,
                ).returncode
            except subprocess.TimeoutExpired:
                status, said = 0, f"timed out after {library.seconds} s"
        if status not in (0, 1):
            lines = Path(box, "printed").read_text("utf-8", "replace").split("\n")
            said = f"exit status {status}: {next((line for line in reversed(lines) if line), '')}"
        outcomes = {}
        for line in written.read_text(encoding="utf-8").splitlines():
            how, name, error = line.split("\t", 2)
            outcomes[name] = (how, error)
    return Suite(library, outcomes, expected, time.monotonic() - start, said)


def read(path: Path) -> list[str]:
    """The names in a file of passing tests; empty if it does not exist."""
    if not path.is_file():
        return []
    return gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()


def write(path: Path, suite: Suite) -> int:
    """Stores the names of passing tests; returns their number."""
    passed = (name for name, (how, _) in suite.outcomes.items() if how == "passed")
    names = sorted(name for name in passed if not name.endswith("::test_session"))  # TestCase's
    path.parent.mkdir(exist_ok=True)
    text = "".join(name + "\n" for name in names)
    path.write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))
    return len(names)
