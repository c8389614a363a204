"""The environment of an alias: its site-packages directory, and any TensorFlow installed there."""

from __future__ import annotations

import os
import sys
import sysconfig
from importlib import metadata
from importlib.machinery import PathFinder

from tfmini._src.base.errors import FailedPreconditionError
from tfmini._src.programs.alias.package_files import MARK, PACKAGE


def packages_directory() -> str:
    """Returns pip's site-packages directory; raises FailedPreconditionError if it belongs to the operating system."""
    directory = sysconfig.get_path("purelib")
    marker = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
    if sys.prefix == sys.base_prefix and os.path.exists(marker):
        raise _refusal(f"{directory} belongs to the operating system; create a virtual environment")
    return directory


def check_for_tensorflow(directory: str) -> None:
    """Raises FailedPreconditionError if TensorFlow, or a replacement of it, is installed."""
    paths = [directory, sysconfig.get_path("platlib")]
    paths += [path for path in sys.path if os.path.basename(path) in _DIRECTORY_KINDS]
    for entry in dict.fromkeys(paths):
        path = os.path.join(entry, PACKAGE)
        if os.path.lexists(path) and not os.path.exists(os.path.join(path, MARK)):
            raise _refusal(f"{_describe(entry)} is installed at {path}; uninstall it first")
    spec = PathFinder.find_spec(PACKAGE, list(dict.fromkeys(paths)))
    if spec is not None and spec.origin and not _is_tfmini_alias(spec.origin):
        raise _refusal(f"{PACKAGE} is installed at {spec.origin}; uninstall it first")


_DIRECTORY_KINDS = ("site-packages", "dist-packages")


def _is_tfmini_alias(origin: str) -> bool:
    return os.path.exists(os.path.join(os.path.dirname(origin), MARK))


def _describe(entry: str) -> str:
    for distribution in metadata.distributions(path=[entry]):
        name = distribution.metadata["Name"] or ""
        if name.lower().replace("_", "-").startswith(("tensorflow", "tf-nightly")):
            if (distribution.read_text("top_level.txt") or PACKAGE).split()[0] == PACKAGE:
                return f"{name} {distribution.version}"
    return "another TensorFlow"


def _refusal(text: str) -> FailedPreconditionError:
    return FailedPreconditionError(None, None, text)
