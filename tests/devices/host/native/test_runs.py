"""Runs: column copies, products with packed matrices and elementwise groups in one call, on any number of threads."""

import os
import threading

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host.native import packed_matmul
from tfmini._src.devices.host.native.elementwise_program import NativeProgram, operations
from tfmini._src.devices.host.native.runs import COPY, GROUP, PRODUCT, NativeRun, Stage

WHOLE = (0, 0, 0, 0)
# The maximum per call, for the thread sanitizer in ci/check native.
COUNTS = range(1, 66) if os.environ.get("TFMINI_TIER") == "full" else (4, 64, 65)


def cell(x, h, w, bias, threads):
    """tanh([x, h] w + bias), and its second half times the first, in four stages."""
    rows, columns = len(x), w.shape[1]
    inner, half = len(w), columns // 2
    numbers = operations()
    tanh = NativeProgram([(numbers["tanh"], 0, 0, 0, 1)], 1, 2, ["f"], "f", 1)
    product = NativeProgram([(numbers["multiply"], 0, 1, 1, 2)], 2, 3, ["f"], "f", 1)
    y, z = np.full((rows, columns), 7, "f"), np.full((rows, half), 7, "f")
    inputs = [x, h, packed_matmul.pack_matrix(w, False), bias, y, z]
    beside = (0, x.strides[0] // 4, x.shape[1], 0), (0, h.shape[1], h.shape[1], 0), WHOLE
    halves = (0, columns, 1, 0), (columns - half, columns, 1, 0), (0, half, 1, 0)
    stages = [
        Stage(COPY, (0, 1, 6), beside, inner),
        Stage(PRODUCT, (6, 2, 7, 3), ((0, inner, inner, 0), *(WHOLE,) * 3), columns, inner),
        Stage(GROUP, (7, 4), ((0, columns, 1, 0),) * 2, columns, program=tanh),
        Stage(GROUP, (4, 4, 5), halves, half, program=product),
    ]
    NativeRun(stages, len(inputs), [inner, columns], rows, threads)(inputs)
    return y, z


def numbers_of(seed, *shape):
    return (np.random.RandomState(seed).randn(*shape) / 4).astype("f")


@cases.in_one_test
@pytest.mark.parametrize("rows", [1, 4, 5, 6, 7, 13, 14, 15, 31, 57, 130, 300])
@pytest.mark.parametrize(("inner", "columns"), [(3, 2), (15, 17), (40, 31), (600, 66)])
def test_thread_count_does_not_change_results(build, rows, inner, columns):
    x, h = numbers_of(1, rows, inner + 5)[:, :inner], numbers_of(2, rows, 9)
    w, bias = numbers_of(3, inner + 9, columns), numbers_of(4, columns)
    y, z = cell(x, h, w, bias, 1)
    expected = np.tanh(np.concatenate([x, h], 1).astype("d") @ w.astype("d") + bias)
    np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-5)
    half = columns // 2
    np.testing.assert_array_equal(z, y[:, :half] * y[:, columns - half :])
    for threads in (2, 3, 7):
        again = cell(x, h, w, bias, threads)
        np.testing.assert_array_equal(again[0], y)
        np.testing.assert_array_equal(again[1], z)


def test_nonfinite_values_stay_in_their_row(build):
    x, h = numbers_of(1, 40, 20), numbers_of(2, 40, 9)
    x[3, 5], h[17, 2], x[30, 1] = np.nan, np.inf, -np.inf
    for threads in (1, 2):
        y, _ = cell(x, h, numbers_of(3, 29, 18), numbers_of(4, 18), threads)
        assert np.isnan(y[3]).all() and not np.isnan(np.delete(y, 3, 0)).any()
        assert (np.abs(y[[17, 30]]) == 1).all()


@pytest.mark.parametrize("rows", [20, 4000])
def test_more_than_64_threads(build, rows):
    given = numbers_of(1, rows, 7), numbers_of(2, rows, 9), numbers_of(3, 16, 18), numbers_of(4, 18)
    expected = cell(*given, 1)
    for count in COUNTS:
        for actual, alone in zip(cell(*given, count), expected):
            np.testing.assert_array_equal(actual, alone)


@pytest.mark.parametrize("rows", [20, 300])
def test_concurrent_callers(build, rows):
    given = numbers_of(1, rows, 7), numbers_of(2, rows, 9), numbers_of(3, 16, 18), numbers_of(4, 18)
    expected = cell(*given, 1)
    same = []

    def call(count):
        for _ in range(10):
            same.append(all(map(np.array_equal, cell(*given, count), expected)))

    callers = [threading.Thread(target=call, args=(count,)) for count in (1, 2, 3, 5)]
    for each in callers:
        each.start()
    for each in callers:
        each.join()
    assert same == [True] * 40
