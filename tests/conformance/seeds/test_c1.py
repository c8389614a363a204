"""Row C1: Automatic operation names."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("c1_names", tf)
