"""Row T1: Placeholders: feedable values and keys; the error of a missing feed."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("t1_placeholders", tf)
