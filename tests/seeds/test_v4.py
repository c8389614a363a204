"""Row V4: A variable used as a tensor; assignments; values kept, private to a session."""

import tfmini as tf
from tests import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("v4_use", tf)
