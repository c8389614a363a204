"""Row V1: get_variable: name, shape, dtype, initializer; a tensor as initializer."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("v1_get_variable", tf)
