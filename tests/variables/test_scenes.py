"""Scenes give, say, raise, write and leave what TensorFlow's do."""

import pytest

import tfmini as tf
from tests.conformance import scenes

SCENES = scenes.cases("variables")


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene(scene):
    scenes.check(tf, *SCENES[scene])
