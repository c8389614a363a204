"""Row T17: two models and merge_all, and the cure."""

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("t17_two_models", tf)
