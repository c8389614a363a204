"""Row T1: Placeholders: what can be fed and by which key; what a missing feed says."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("t1_placeholders", tf)
