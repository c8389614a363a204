"""Scenes reproduce TensorFlow: results, output, errors, files and graph state."""

from tests.support import recorded_tests

test_scene = recorded_tests.of_scenes("probability")
