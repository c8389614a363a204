"""Writes tests/programs/hook/library_names.txt: the TensorFlow names used by libraries written for 1.x.

usage: ci/generate library_names              downloads the libraries with pip
       ci/generate library_names --from DIR   reads wheels and source archives in DIR

Parses the sources without running them. Skips names that TensorFlow 1.15.5 lacks, which belong to other releases:
TFMINI_REFERENCE names its Python; by default, ci/reference installs one.
"""

import argparse
import ast
import collections
import os
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import warnings
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "tests" / "programs" / "hook" / "library_names.txt"

# The newest releases that ran on TensorFlow 1.15, and those of tensorflow_hub that differ; the packages in each.
LIBRARIES = {
    "adanet==0.8.0": "adanet",
    "bert-tensorflow==1.0.4": "bert",
    "dm-sonnet==1.36": "sonnet",
    "edward==1.3.5": "edward",
    "gpflow==1.5.1": "gpflow",
    "Keras==2.2.5": "keras",
    "kfac==0.2.0": "kfac",
    "lucid==0.3.8": "lucid",
    "mesh-tensorflow==0.1.17": "mesh_tensorflow",
    "OpenNMT-tf==1.25.3": "opennmt",
    "stable-baselines==2.10.1": "stable_baselines",
    "tensor2tensor==1.15.7": "tensor2tensor",
    "tensorflow-datasets==1.3.0": "tensorflow_datasets",
    "tensorflow-hub==0.5.0": "tensorflow_hub",
    "tensorflow-hub==0.7.0": "tensorflow_hub",
    "tensorflow-hub==0.9.0": "tensorflow_hub",
    "tensorflow-model-optimization==0.2.1": "tensorflow_model_optimization",
    "tensorflow-privacy==0.2.2": "tensorflow_privacy privacy",
    "tensorflow-probability==0.8.0": "tensorflow_probability",
    "tensorflow-ranking==0.2.0": "tensorflow_ranking",
    "tensorflow-transform==0.15.0": "tensorflow_transform",
    "Tensorforce==0.5.4": "tensorforce",
    "tensorlayer==1.11.1": "tensorlayer",
    "tensorpack==0.9.8": "tensorpack",
    "texar==0.2.4": "texar",
    "tf_slim==1.1.0": "tf_slim",
    "tflearn==0.3.2": "tflearn",
}

HEADER = """\
# Names of TensorFlow 1.15.5 that libraries written for 1.x use: `ci/generate library_names` writes this file.
#
#   MODULE NAME NAME ...         "tf" is tensorflow
#   > NAME(COUNT, KEYWORD ...)   a call during import, or of an internal function: the number of positional arguments,
#                                then the names of the others
#
"""

# Run by the reference: selects its own names from standard input.
RESOLVES = """
import importlib, sys

def has(path):
    parts = path.split(".")
    found = importlib.import_module("tensorflow")
    for index, part in enumerate(parts[1:], 2):
        try:
            found = getattr(found, part)
        except AttributeError:
            found = importlib.import_module("tensorflow." + ".".join(parts[1:index]))

for line in sys.stdin:
    try:
        has(line.strip())
    except Exception:
        continue
    print(line.strip())
"""


class Uses(ast.NodeVisitor):
    """Names below `tensorflow` that a module uses, and its calls: those on import, and all of internal functions."""

    def __init__(self):
        self.names, self.calls = set(), set()
        self.aliases = {}
        self.inside = 0

    def visit_Import(self, node):
        for alias in node.names:
            if alias.name.split(".")[0] == "tensorflow":
                self.names.add(alias.name)
                self.aliases[alias.asname or "tensorflow"] = (
                    alias.name if alias.asname else "tensorflow"
                )

    def visit_ImportFrom(self, node):
        if node.level == 0 and (node.module or "").split(".")[0] == "tensorflow":
            for alias in node.names:
                if alias.name == "*":
                    self.names.add(node.module)
                    continue
                name = f"{node.module}.{alias.name}"
                self.names.add(name)
                self.aliases[alias.asname or alias.name] = name

    def path(self, node):
        """`tensorflow.a.b` of an attribute chain that begins at an imported name; else None."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id)
        if isinstance(node, ast.Attribute):
            below = self.path(node.value)
            return below and f"{below}.{node.attr}"
        return None

    def visit_Attribute(self, node):
        dotted = self.path(node)
        if dotted:
            self.names.add(dotted)
        else:
            self.generic_visit(node)

    def visit_Call(self, node):
        path = self.path(node.func)
        plain = not any(isinstance(a, ast.Starred) for a in node.args) and all(
            k.arg for k in node.keywords
        )
        if path and plain and (not self.inside or ".python." in path or "._" in path):
            self.calls.add((path, (str(len(node.args)), *sorted(k.arg for k in node.keywords))))
        self.generic_visit(node)

    def function(self, node):
        for part in [*getattr(node, "decorator_list", ()), node.args]:
            self.visit(part)
        self.inside += 1
        for part in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(part)
        self.inside -= 1

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = function


def parse_source(text):
    """A source file's tree; None if it is not Python 3."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError):
            return None


def sources(archive, packages):
    """The text of each source file of the packages, except tests."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            files = {name: wheel.read(name) for name in wheel.namelist() if name.endswith(".py")}
    else:
        with tarfile.open(archive) as tar:
            members = [m for m in tar.getmembers() if m.isfile() and m.name.endswith(".py")]
            files = {m.name.partition("/")[2]: tar.extractfile(m).read() for m in members}
    for name, text in sorted(files.items()):
        is_test = (
            name.endswith("_test.py")
            or "/tests/" in name
            or "/test_" in name
            or "/testing/" in name
        )
        if name.split("/")[0] in packages and not is_test:
            yield text.decode("utf-8", "replace")


def find_uses(archive, packages):
    names, calls = set(), set()
    for text in sources(archive, packages):
        tree = parse_source(text)
        if tree is None:
            continue
        uses = Uses()
        uses.visit(tree)
        names |= uses.names
        calls |= uses.calls
    return {n for n in names if ".__" not in n}, calls


def known_to_the_reference(names):
    python = os.environ.get("TFMINI_REFERENCE")
    python = python or subprocess.check_output([ROOT / "ci" / "reference"], text=True).strip()
    ran = subprocess.run(
        [python, "-W", "ignore", "-c", RESOLVES],
        input="\n".join(sorted(names)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
    )
    return set(ran.stdout.split())


def rows(names, calls):
    """The lines: names by module, then calls."""
    modules = collections.defaultdict(set)
    for name in names:
        owner, _, last = name.rpartition(".")
        if owner:
            modules[owner].add(last)
    for owner in sorted(modules):
        members = [n for n in sorted(modules[owner]) if f"{owner}.{n}" not in modules]
        if members:
            short = "tf" + owner.removeprefix("tensorflow")
            yield from textwrap.wrap(
                " ".join(members),
                118,
                initial_indent=short + " ",
                subsequent_indent=short + " ",
                break_on_hyphens=False,
            )
    for path, arguments in sorted(calls):
        yield f"> tf{path.removeprefix('tensorflow')}({', '.join(arguments)})"


def download_archive(library, directory):
    prefix = library.replace("==", "-").replace("_", "-").lower()
    for path in sorted(directory.iterdir()):
        if path.name.replace("_", "-").lower().startswith((prefix + "-", prefix + ".tar")):
            return path
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-d",
        directory,
    ]
    command.append(library)
    subprocess.run(command, check=True, stdout=sys.stderr)
    return download_archive(library, directory)


def main():
    parser = argparse.ArgumentParser(
        prog="ci/generate library_names", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--from", dest="folder", type=Path, help="folder of library archives")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.folder or Path(temporary)
        uses = [
            find_uses(download_archive(library, directory), packages.split())
            for library, packages in LIBRARIES.items()
        ]
    referenced = known_to_the_reference({name for names, _ in uses for name in names})
    calls = {call for _, calls in uses for call in calls if call[0] in referenced}
    filled = textwrap.wrap(", ".join(LIBRARIES), 116, break_on_hyphens=False)
    libraries = "\n".join(f"# {line}" for line in filled)
    OUT.write_text("\n".join([HEADER + libraries, *rows(referenced, calls), ""]), encoding="utf-8")


main()
