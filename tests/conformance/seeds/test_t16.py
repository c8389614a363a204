"""Row T16: Summaries of each kind, merged, grouped by name scope, in an event file."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("t16_summaries", tf)
