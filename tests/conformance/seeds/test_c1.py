"""Row C1: Automatic names of operations."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("c1_names", tf)
