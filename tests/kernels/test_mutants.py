"""No kernel barrier is redundant: the emulation detects the removal of each one.

Loops over more elements than 32 bits can count, too large for tests, are run on few.
"""

import re

import numpy as np
import pytest

from tests.kernels.device import Device, RawModule
from tests.support.cuda_on_cpu import LaunchError, compile_module
from tfmini._src.devices.cuda import gather_scatter, kernel_sources, reductions

BARRIER = "__syncthreads();"
FILES = ("softmax", "reductions", "top_k", "scans", "argsort")


def launch(module, name):
    """Launches a file's kernels with barriers, on two rows per block and two tiles per row."""
    if name == "argsort":
        launch_sorting(module)
        return
    if name == "reductions":
        launch_others(module)
    x = np.random.RandomState(0).randn(2, 150).astype("f")
    out, indices = np.zeros_like(x), np.zeros(6, "i")
    calls = {
        "softmax": ("softmax_f32", (64,), [x, out, 2, 150]),
        "reductions": ("row_sums_f32", (64,), [x, out, 2, 150]),
        "top_k": ("top_k_f32", (64,), [x, out, indices, 2, 150, 3]),
        "scans": ("cumsum_rows_f32", (64,), [x, out, 2, 150, False, False]),
    }
    kernel, block, args = calls[name]
    module.launch(kernel, (1,), block, args, order="reverse")


def launch_others(module):
    """Launches the other kernels of reductions.cu with barriers."""
    x, out = np.random.RandomState(0).randn(20, 70).astype("f"), np.zeros(70, "f")
    indices = np.zeros(20, "i")
    module.launch("column_sums_f32", (3,), (32, 8), [x, out, 20, 70, 20], order="reverse")
    module.launch("argmax_f32_i32", (1,), (64,), [x, indices, 20, 70], order="reverse")


def launch_sorting(module):
    """Launches all kernels of argsort.cu, on two tiles."""
    indices = np.random.RandomState(0).randint(0, 200, 3000)
    result, order = np.zeros(3000, "i8"), np.zeros(3000, "i8")
    few = (indices[:700], result, order, 700, 200)
    module.launch("rank_i64", (3,), (256,), few, order="reverse")
    counts = np.zeros(512, "i4")
    module.launch("count_digits_i64", (2,), (256,), [indices, counts, 3000, 200, 0], order=3)
    starts = np.cumsum(counts, dtype="i4") - counts
    args = (indices, None, starts, result, order, 3000, 200, 0)
    module.launch("move_digits_i64", (2,), (256,), args, order=3)


def text_for_floats(name):
    """The source reduced to its float32 kernels, which compiles faster."""
    lines = []
    for line in kernel_sources.text(name).splitlines():
        if line.startswith(("#define FOR_FLOATS", "#define FOR_NUMBERS")):
            line = line.partition(")")[0] + ") MAKE(float, f32)"
        lines.append(line)
    return "\n".join(lines)


def barriers(name):
    """Positions of the barriers that the file's kernels reach."""
    text = text_for_floats(name)
    own = text.rindex(f'"{name}.cu"')  # everything before it is from headers
    positions = [match.start() for match in re.finditer(re.escape(BARRIER), text)]
    return [place for place in positions if place > own or name in ("softmax", "reductions")]


CASES = [
    pytest.param(name, place, id=f"{name}-{number}", marks=pytest.mark.full)
    for name in FILES
    for number, place in enumerate(barriers(name))
]


def test_barrier_case_counts():
    assert len(CASES) == 2 + 6 + 2 + 2 + 7


@pytest.mark.parametrize("name, place", CASES)
def test_removed_barrier_is_detected(name, place):
    text = text_for_floats(name)
    module = compile_module(text[:place] + text[place + len(BARRIER) :], kernel_sources.OPTIONS)
    with pytest.raises(LaunchError, match="race|which nobody in its block wrote|divergent"):
        launch(module, name)


@pytest.mark.full
@pytest.mark.parametrize("name", FILES)
def test_complete_barriers_pass(name):
    launch(compile_module(text_for_floats(name), kernel_sources.OPTIONS), name)


@pytest.mark.full
def test_64_bit_indices():
    xp = Device()
    xp.RawModule = lambda code, options: RawModule(
        code=code.replace("1ll << 31", "0"), options=options
    )
    assert "1ll << 31" in kernel_sources.text("gather")
    x, indices = xp.asarray(np.arange(24.0).reshape(4, 6)), xp.asarray([3, -1, 0])
    result = gather_scatter.gather(xp, x, indices)
    np.testing.assert_array_equal(result, [x[3], np.zeros(6), x[0]])
    one, zero = xp.asarray(np.float32(1)), xp.asarray(np.float32(0))
    result = gather_scatter.one_hot(xp, indices, 4, one, zero)
    np.testing.assert_array_equal(result, [[0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0]])
    gather_scatter.scatter(xp, "multiply", x, xp.asarray([1, 1]), xp.asarray(np.full((2, 6), 3.0)))
    np.testing.assert_array_equal(x[1], np.arange(6, 12) * 9)
    gather_scatter.scatter(
        xp, "update", x, xp.asarray([2, 2]), xp.asarray(np.arange(12.0).reshape(2, 6))
    )
    np.testing.assert_array_equal(x[2], np.arange(6, 12))
    result = reductions.bias_add(xp, x, xp.asarray(np.arange(6.0)))
    np.testing.assert_array_equal(result, x + np.arange(6))
