"""The error for a missing package of an optional extra."""

from __future__ import annotations

from tfmini._src.base.errors import UnimplementedError
from tfmini._src.base.package import DISTRIBUTION


def missing_package(
    consumer: str, package: str, extra: str, error: ImportError
) -> UnimplementedError:
    """Returns the error raised by `consumer` (a plural noun) if `package`, installed by `extra`, is missing."""
    return UnimplementedError(
        None, None, f"{consumer} need {package}: pip install '{DISTRIBUTION}[{extra}]' ({error})"
    )
