"""Row V5: initializer.run and eval under a default session; reset_default_graph."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("v5_default_session", tf)
