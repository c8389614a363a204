"""Row I1: tf.Variable with every argument."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("i1_variable_arguments", tf)
