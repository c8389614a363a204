"""Row T10: sampled losses of word vectors, the loss of sequences."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["t10_sampled_losses", "t10_sequences"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
