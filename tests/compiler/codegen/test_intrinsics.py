"""Functions called by plan lines, each on handmade arrays."""

import numpy as np
import pytest

from tfmini import errors
from tfmini._src.compiler.codegen import intrinsics

ROWS = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("position", [0, 1])
def test_result_reuses_input_of_equal_shape(position):
    subtract = intrinsics.reusing(np.subtract, position)
    for other in (ROWS + 1, np.float64(2), np.array(2.0)):
        kept = ROWS.copy()
        inputs = (other, kept) if position else (kept, other)
        expected = np.subtract(*inputs)
        result = subtract(*inputs)
        assert result is kept
        np.testing.assert_array_equal(result, expected)
    for other in (np.ones([4, 2, 3]), np.ones(3), np.ones([1, 3])):
        kept = ROWS.copy()
        inputs = (other, kept) if position else (kept, other)
        result = subtract(*inputs)
        assert result is not kept
        np.testing.assert_array_equal(kept, ROWS)
        np.testing.assert_array_equal(result, np.subtract(*inputs))


def test_reusing_functions_are_cached():
    assert intrinsics.reusing(np.add, 0) is intrinsics.reusing(np.add, 0)
    functions = [intrinsics.reusing(u, p) for u in (np.add, np.multiply) for p in (0, 1)]
    assert len(set(functions)) == 4
    assert functions[2](ROWS.copy(), np.float64(3)).tolist() == (ROWS * 3).tolist()


def test_predicates_must_be_scalars():
    assert intrinsics.check_predicate(np.array(True)) is None
    assert intrinsics.check_predicate(np.bool_(False)) is None
    for value, shown in ((np.array([True]), r"\[1\]"), (np.zeros([2, 0], bool), r"\[2,0\]")):
        text = f"^The second input must be a scalar, but it has shape {shown}$"
        with pytest.raises(errors.InvalidArgumentError, match=text):
            intrinsics.check_predicate(value)


def test_current_reads_cells_only():
    class Cell:
        def read(self):
            return ROWS

    assert intrinsics.current(Cell()) is ROWS
    assert intrinsics.current(ROWS) is ROWS and intrinsics.current(3) == 3


def test_no_value_error_names_retval():
    with pytest.raises(errors.InvalidArgumentError, match=r"^Retval\[2\] does not have value$"):
        intrinsics.no_value(2)


def test_factors_are_stacked():
    lists = [np.ones([2, 3]), np.zeros([1, 3])], [np.ones([2, 4]), np.full([1, 4], 7.0)]
    left, right = intrinsics.stack_matrices(np, lists, (3, 4), np.dtype("d"))
    assert left.tolist() == [[1.0] * 3] * 2 + [[0.0] * 3]
    assert right.tolist() == [[1.0] * 4] * 2 + [[7.0] * 4]
    left, right = intrinsics.stack_matrices(np, ([], []), (3, 4), np.dtype("f"))
    assert (left.shape, right.shape, left.dtype, right.dtype) == ((0, 3), (0, 4), "f", "f")


def test_mismatched_factors_are_returned():
    whole, short, vector = np.ones([2, 3]), np.ones([1, 4]), np.ones(2)
    for first, second in ((whole, short), (whole, vector), (vector, vector)):
        lists = [whole, first, whole], [np.ones([2, 4]), second, short]
        left, right = intrinsics.stack_matrices(np, lists, (3, 4), np.dtype("d"))
        assert left is first and right is second


def test_row_major_copies_transposed_arrays():
    assert intrinsics.row_major(ROWS) is ROWS and intrinsics.row_major(3.5) == 3.5
    transposed = intrinsics.row_major(ROWS.T)
    assert transposed.flags.c_contiguous and transposed.tolist() == ROWS.T.tolist()
    assert not np.shares_memory(intrinsics.row_major(ROWS[:, ::2]), ROWS)
    copied = intrinsics.copy(ROWS)
    assert copied.tolist() == ROWS.tolist() and not np.shares_memory(copied, ROWS)
    number = np.float32(2)
    assert intrinsics.copy(number) is number
