"""Which golden programs are run every day where `ci/check` runs all of them."""

import os

import pytest

from tests import recording

# Bytes of what is recorded of a program: above, it takes seconds.
LARGE = 80_000
LARGEST_OF_A_FAMILY = 120_000


def mostly_thorough(names):
    """Parameters for programs: all but a small one of each family, whose names begin alike, are marked `thorough`."""
    small = {}
    for name in sorted(names, key=lambda name: (_size(name), name)):
        small.setdefault(name.partition("_")[0], name)
    every_day = {name for name in small.values() if _size(name) < LARGEST_OF_A_FAMILY}
    return _but_thorough(names, every_day)


def large_ones_thorough(names):
    """Parameters for programs: those of which much is recorded are marked `thorough`."""
    return _but_thorough(names, {name for name in names if _size(name) < LARGE})


def _size(name):
    return os.path.getsize(recording.path_of(name))


def _but_thorough(names, every_day):
    thorough = pytest.mark.thorough
    return [name if name in every_day else pytest.param(name, marks=thorough) for name in names]
