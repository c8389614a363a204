"""Row V1: get_variable: name, shape, dtype, initializer; a tensor as initializer."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("v1_get_variable", tf)
