"""Scenes reproduce TensorFlow: results, output, errors, files and graph state."""

from tests.support import room_tests

test_scene = room_tests.of_scenes("data")
