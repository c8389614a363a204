"""Row I7: Initializers and their numbers under a graph seed."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("i7_initializers", tf)
