"""Row T9: Softmax, cross entropies, activations, dropout."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["t9_cross_entropies", "t9_activations"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
