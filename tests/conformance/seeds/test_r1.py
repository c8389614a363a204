"""Row R1: Variable values saved and restored in memory."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["r1_state", "r1_tuple_of_assigns"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
