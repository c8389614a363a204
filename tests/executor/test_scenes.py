"""Scenes return, print, raise and write the same as in TensorFlow."""

from tests.support import room_tests

test_scene = room_tests.of_scenes("executor")
