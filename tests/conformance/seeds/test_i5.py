"""Row I5: What get_variable and scopes refuse."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("i5_refused", tf)
