"""Row I7: Initializers and their numbers under a graph seed."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("i7_initializers", tf)
