"""Scenes give, say, raise, write and leave what TensorFlow's do."""

import pytest

import tfmini as tf
from tests.conformance import scenes


@pytest.mark.parametrize("scene", scenes.names("models"))
def test_a_scene(scene):
    scenes.check(tf, scene)
