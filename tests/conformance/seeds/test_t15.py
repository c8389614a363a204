"""Row T15: Optimizers, the global step, learning-rate decays."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["t15_decay", "t15_optimizers"])
def test_prints_what_tensorflow_printed(name):
    snippets.check(name, tf)
