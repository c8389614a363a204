"""Row T19: tf.train.Supervisor."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("t19_supervisor", tf)
