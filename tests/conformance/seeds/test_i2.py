"""Row I2: Unique names, and a variable's repr."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["i2_names", "i2_w_1"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
