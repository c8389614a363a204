"""Row T12: cells, unrolled and in loops; a network that is restored and sampled one step at a time."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["t12_cells", "t12_restored"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
