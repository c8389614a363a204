"""Scenes give, say, raise, write and leave what TensorFlow's do."""

from tests.support import room_tests

test_a_scene = room_tests.of_scenes("data")
