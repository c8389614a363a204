"""Row T17: two models and merge_all, and the cure."""

import tfmini as tf
from tests.support import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("t17_two_models", tf)
