"""Which golden programs are run every day where `ci/check` runs all of them."""

import os

import pytest

from tests import recording


def mostly_thorough(names):
    """Parameters for programs: all but a small one of each family, whose names begin alike, are marked `thorough`."""
    small = {}
    for name in sorted(names, key=lambda name: (os.path.getsize(recording.path_of(name)), name)):
        small.setdefault(name.partition("_")[0], name)
    every_day = set(small.values())
    thorough = pytest.mark.thorough
    return [name if name in every_day else pytest.param(name, marks=thorough) for name in names]
