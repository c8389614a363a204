"""tf.Print writes the same to stderr as TensorFlow 1.15.5."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("print_stderr", tf)
