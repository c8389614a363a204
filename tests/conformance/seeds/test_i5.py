"""Row I5: Errors of get_variable and scopes."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("i5_refused", tf)
