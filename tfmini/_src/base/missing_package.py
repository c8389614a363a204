"""The error about a package of an extra that is not installed."""

from __future__ import annotations

from tfmini._src.base.errors import UnimplementedError
from tfmini._src.base.package import DISTRIBUTION


def missing_package(
    consumer: str, package: str, extra: str, error: ImportError
) -> UnimplementedError:
    """The error that `consumer`, in the plural, raises without `package`, which `extra` installs."""
    return UnimplementedError(
        None, None, f"{consumer} need {package}: pip install '{DISTRIBUTION}[{extra}]' ({error})"
    )
