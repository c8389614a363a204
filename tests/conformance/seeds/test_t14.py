"""Row T14: cond, case, group, tuple, control_dependencies, while_loop."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["t14_choices", "t14_loops"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
