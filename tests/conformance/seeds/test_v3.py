"""Row V3: Initialising: all, one, by another variable; what is not initialised yet."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("v3_initialization", tf)
