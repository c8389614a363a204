"""Row T1: Placeholders: feedable values and keys; the error of a missing feed."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("t1_placeholders", tf)
