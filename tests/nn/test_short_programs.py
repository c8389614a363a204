"""One-line programs return or raise the same as in TensorFlow 1.15.5."""

from tests.support import recorded_tests

test_same_answer = recorded_tests.of_short_programs("nn")
