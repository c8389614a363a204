"""Row V3: Initialization: all, one, by another variable; uninitialized variables."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("v3_initialization", tf)
