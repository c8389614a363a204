"""Programs of a line give or raise what TensorFlow 1.15.5 gave or raised."""

from tests.support import room_tests

test_same_answer = room_tests.of_short_programs("ops")
