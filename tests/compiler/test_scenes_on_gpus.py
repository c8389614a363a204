"""Scenes recorded from TensorFlow on a CPU give the same results on a GPU, with its passes and kernels, except for
out-of-bounds indices, which GPUs do not report, and integer casts of unrepresentable numbers.
"""

import pytest

import tfmini as tf
from tests.conformance import scenes
from tests.support.cuda_on_cpu import available

pytestmark = pytest.mark.skipif(not available(), reason="needs g++ on Linux")
SCENES = {
    "compiler_programs": ("references", "loops", "updates", "elementwise", "cells"),
    "compiler_rewrites": (
        *("paddings_and_tiles", "reshapes", "constants_and_copies", "conditions"),
        "sums_in_loops",
    ),
    "devices_numbers": ("each_element", "two_by_two", "reduced", "layers", "moved"),
    "executor_runs": ("queues_in_a_step", "calls", "memory", "steps_in_parts"),
    "executor_states": ("drawn",),
}
_LONG = ("loops", "updates", "elementwise", "cells", "sums_in_loops", "drawn")  # many kernels
CASES = [
    pytest.param(f"{file}-{name}", marks=[pytest.mark.full] * (name in _LONG))
    for file in SCENES
    for name in SCENES[file]
]
# Parts of lines that differ on a GPU, in TensorFlow too.
_OTHERWISE = (" is not in [", "outside the valid range", "-2147483648", "-9223372036854775808")


@pytest.mark.parametrize("scene", CASES)
def test_scene(scene, gpu):
    function, expected = scenes.with_record(scene)
    actual = scenes.lines_of(tf, function)
    pairs = zip(actual, expected, strict=True)
    kept = [pair for pair in pairs if not any(part in pair[1] for part in _OTHERWISE)]
    scenes.compare(*map(list, zip(*kept)))
