"""Imported packages that are not installed, or that require a newer TensorFlow than 1.15."""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
from importlib import metadata

from tfmini._src.programs.check.findings import Problem

# Distributions whose names differ from the package's.
_DISTRIBUTIONS = {
    "Crypto": "pycryptodome",
    "PIL": "Pillow",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "google.protobuf": "protobuf",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "tensorflow_addons": "tensorflow-addons",
    "tensorflow_hub": "tensorflow-hub==0.7.0",
    "tensorflow_probability": "tensorflow-probability==0.8.0",
    "yaml": "PyYAML",
}
# First version of each package that requires TensorFlow 2, and the remedy.
_NEWER = {
    "tensorflow_addons": ((0,), "its contents came from tf.contrib, which tfmini has"),
    "tensorflow_hub": ((0, 8), "tensorflow-hub 0.7.0 is of TensorFlow 1.15's time"),
    "tensorflow_probability": (
        (0, 9),
        "tensorflow-probability 0.8.0 is the last for TensorFlow 1.15",
    ),
}
_SUPPLIED_PACKAGES = ("horovod", "keras")  # supplied by the runner if not installed
_PROJECT = (".git", "setup.py", "pyproject.toml", "requirements.txt", "README.md", "README.rst")
_MAX_FILES = 20_000  # file limit of the search for a program's own module
_MAX_DEPTH = 6  # parent directories searched for a program's project root


def import_problem(module: str, directory: str) -> Problem | None:
    """Returns the problem with importing a third-party module from a file in `directory`; None if it is installed."""
    root = module.partition(".")[0]
    if (
        root in sys.stdlib_module_names
        or root in sys.builtin_module_names
        or root in _SUPPLIED_PACKAGES
    ):
        return None
    if _is_program_module(root, os.path.abspath(directory)):
        return None
    if not _is_importable(root):
        return Problem("not installed", root, _advice(root))
    if root in _NEWER:
        first, advice = _NEWER[root]
        version = _version(root)
        if (
            version
            and tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) >= first
        ):
            return Problem("TensorFlow 2", f"{root} {version}", advice)
    return None


def _advice(root: str) -> str:
    if root in _DISTRIBUTIONS:
        return f"pip install {_DISTRIBUTIONS[root]}"
    return "install its package, or add its directory to PYTHONPATH"


@functools.cache
def _is_importable(root: str) -> bool:
    return importlib.util.find_spec(root) is not None


@functools.cache
def _version(root: str) -> str:
    try:
        return metadata.version(root.replace("_", "-"))
    except metadata.PackageNotFoundError:
        return ""


def _is_program_module(root: str, directory: str) -> bool:
    """Whether the module belongs to the program: next to the file, or anywhere in its project."""
    project = directory
    above = directory
    for _ in range(_MAX_DEPTH):
        if any(os.path.exists(os.path.join(above, root + end)) for end in ("", ".py", ".ipynb")):
            return True
        if any(os.path.exists(os.path.join(above, name)) for name in _PROJECT):
            project = above
        above = os.path.dirname(above)
    return root in _modules_below(project)


@functools.lru_cache(maxsize=16)
def _modules_below(project: str) -> frozenset[str]:
    """Returns the module and directory names of a project."""
    names: set[str] = set()
    for _, directories, files in os.walk(project):
        directories[:] = [name for name in directories if not name.startswith(".")]
        names.update(directories)
        names.update(
            name.partition(".")[0] for name in files if name.endswith((".py", ".pyx", ".so"))
        )
        if len(names) > _MAX_FILES:
            break
    return frozenset(names)
