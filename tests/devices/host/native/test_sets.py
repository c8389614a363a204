"""Set operations compared with Python's: dense and sparse, of numbers and of strings, which NumPy sorts."""

import numpy as np
import pytest

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.devices.host.native import sets as native
from tfmini._src.ops.array import sets

METHODS = {"a-b": "difference", "intersection": "intersection", "Union": "union"}


def operand(rng, dtype, columns, is_sparse):
    """An operand [2, 3, columns] as op inputs, and its sets."""
    dense = rng.integers(-9, 9, (2, 3, columns)).astype(dtype)
    if not is_sparse:
        return [dense], [set(row) for row in dense.reshape(6, -1).tolist()]
    mask = rng.random(dense.shape) < 0.5
    result = [set(dense[i, j][mask[i, j]].tolist()) for i in range(2) for j in range(3)]
    return [np.argwhere(mask), dense[mask], np.array(dense.shape)], result


@pytest.mark.parametrize("dtype", ["i", "q", object])
@pytest.mark.parametrize("kind", ["dense_to_dense", "dense_to_sparse", "sparse_to_sparse"])
def test_set_operations_match_python(build, kind, dtype):
    rng, kernel = np.random.default_rng(0), getattr(sets, f"{kind}_op").kernel
    for columns in (0, 1, 5, 60):
        first, a = operand(rng, dtype, columns, kind.startswith("sparse"))
        second, b = operand(rng, dtype, 7, kind.endswith("sparse"))
        for operation, method in METHODS.items():
            points, values, shape = kernel(np, *first, *second, set_operation=operation)
            expected = [sorted(getattr(p, method)(q)) for p, q in zip(a, b)]
            positions = [(k // 3, k % 3, i) for k in range(6) for i in range(len(expected[k]))]
            assert points.tolist() == [*map(list, positions)]
            assert values.tolist() == sum(expected, []) and values.dtype == dtype
            assert shape.tolist() == [2, 3, max(map(len, expected))]
        if kind.startswith("sparse"):
            assert sets.set_size_op.kernel(np, *first).ravel().tolist() == [*map(len, a)]


def test_invalid_indices_fall_back_to_numpy(build):
    values, shape = np.arange(3), np.array([2, 4])
    for points in ([[0, 0], [0, 0], [1, 1]], [[1, 0], [0, 1], [1, 2]], [[0, 1], [1, 1], [1, 4]]):
        inputs = np.array(points), values, shape
        assert native.set_sizes((values, inputs[0], (2, 4))) is None
        for kernel in (sets.set_size_op.kernel, sets.sparse_to_sparse_op.kernel):
            attrs = {} if kernel is sets.set_size_op.kernel else {"set_operation": "union"}
            with pytest.raises(InvalidArgumentError, match="indices|Index"):
                kernel(np, *inputs, *(inputs if attrs else ()), **attrs)
    assert native.set_sizes((values, np.zeros((3, 2), "i"), (2, 4))) is None
    assert (
        native.combine_sets("b-c", (values[None], None, (1, 3)), (values[None], None, (1, 3)))
        is None
    )
