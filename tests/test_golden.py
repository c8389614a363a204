"""tfmini builds the graphs and computes the values that TensorFlow 1.15.5 did.

tests/golden/programs holds what TensorFlow made of each program of tests/programs;
`python -m tests.compare NAME` shows the differences of one of them whole.
"""

import pytest

from tests import compare, recording


@pytest.mark.parametrize("name", recording.names_in("programs"))
def test_same_graph_and_values(name):
    lines = compare.differences(name)
    assert not lines, "\n".join([f"python -m tests.compare {name}", *lines[:20]])
