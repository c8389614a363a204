"""Row I5: Errors of get_variable and scopes."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("i5_refused", tf)
