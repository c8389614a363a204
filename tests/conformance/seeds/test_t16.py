"""Row T16: Summaries of each kind, merged, grouped by name scope, in an event file."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("t16_summaries", tf)
