"""Row V2: Collections: the variables' own, any other name, trainable=False, filters by scope."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["v2_collections", "v2_trainable"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
