"""Row T11: convolutions and pooling, local response normalization, batch normalization."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["t11_networks", "t11_normalization"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
