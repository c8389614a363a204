"""Row V3: Initialization: all, one, by another variable; uninitialized variables."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("v3_initialization", tf)
