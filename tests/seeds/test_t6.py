"""Row T6: Sessions with and without `with`, nested fetches, InteractiveSession."""

import tfmini as tf
from tests import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("t6_sessions", tf)
