"""Row T15: Optimizers, the global step, learning-rate decays."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["t15_decay", "t15_optimizers"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
