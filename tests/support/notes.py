"""The hint of an error, which is one of its notes."""

import sys

import pytest


def hint_of(error: BaseException) -> str:
    if sys.version_info < (3, 11):
        pytest.skip("this Python has no notes of exceptions")
    return " ".join(getattr(error, "__notes__", []))
