"""Row T19: tf.train.Supervisor."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("t19_supervisor", tf)
