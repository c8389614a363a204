"""tf.Print writes to the error stream what TensorFlow 1.15.5 wrote."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("print_stderr", tf)
