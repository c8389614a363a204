"""Scenes give, say, raise, write and leave what TensorFlow's do."""

import pytest

import tfmini as tf
from tests import scenes

CASES = list(scenes.cases("executor"))


@pytest.mark.parametrize("function, wanted", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_scene(function, wanted):
    scenes.check(tf, function, wanted)
