"""Scenes return, print, raise and write the same as in TensorFlow."""

from tests.support import recorded_tests

test_scene = recorded_tests.of_scenes("devices")
