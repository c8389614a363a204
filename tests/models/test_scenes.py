"""Scenes give, say, raise, write and leave what TensorFlow's do."""

import pytest

import tfmini as tf
from tests import every_day, scenes


@pytest.mark.parametrize("function, wanted", every_day.scenes_of("models"))
def test_a_scene(function, wanted):
    scenes.check(tf, function, wanted)
