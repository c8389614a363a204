"""Row I1: tf.Variable with every argument."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("i1_variable_arguments", tf)
