"""Row V5: initializer.run and eval under a default session; reset_default_graph."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("v5_default_session", tf)
