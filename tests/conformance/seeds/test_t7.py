"""Row T7: Shaping, reducing, slicing, stacking, gathering, looking up, dense from sparse, one-hot."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["t7_shaping", "t7_sparse_to_dense"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
