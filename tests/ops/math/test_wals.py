"""Weighted alternating least squares: hand-computed sums, and TensorFlow 1.15.5's errors."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw

FACTORS = np.array([[1, 2], [3, 4], [5, 6]], "f")
SOLVED = {
    "factors": FACTORS,
    "factor_weights": [1.0, 2.0, 3.0],
    "unobserved_weights": 0.5,
    "input_weights": [1.0, 2.0],
    "input_indices": [[0, 1], [1, 2]],
    "input_values": [1.0, 2.0],
    "entry_weights": np.zeros(0),
    "input_block_size": 2,
    "input_is_transpose": False,
}
BY_ENTRIES = {"entry_weights": [2.0, 6.0], "input_weights": [], "factor_weights": []}
MASKED = {
    "a": np.arange(6.0).reshape(3, 2),
    "b": np.arange(8.0).reshape(2, 4),
    "mask_indices": [[0, 1], [2, 3]],
    "transpose_a": False,
    "transpose_b": False,
}
DTYPES = {"f": np.float32, "i": np.int64, "b": np.bool_}


def run(op, inputs):
    """The op's outputs for inputs without static shapes."""
    with tf.Graph().as_default(), tf.Session() as session:
        values = {name: np.asarray(value) for name, value in inputs.items()}
        fed = {name: tf.placeholder(DTYPES[v.dtype.kind]) for name, v in values.items()}
        return session.run(op(**fed), {fed[name]: value for name, value in values.items()})


@pytest.mark.parametrize(
    "changes",
    [{}, BY_ENTRIES, {"input_indices": [[1, 0], [2, 1]], "input_is_transpose": True}],
)
def test_partial_sums(changes):
    lhs, rhs = run(raw.WALSComputePartialLhsAndRhs, {**SOLVED, **changes})
    entries = [(0, 1, 2.0, 1.0), (1, 2, 6.0, 2.0)]  # row, column, weight, value
    expected = [
        (w * np.outer(f, f), (0.5 + w) * v * f) for _, c, w, v in entries for f in [FACTORS[c]]
    ]
    np.testing.assert_allclose(lhs, [left for left, _ in expected], rtol=1e-5)
    np.testing.assert_allclose(rhs, [right for _, right in expected], rtol=1e-5)


WEIGHTS = (
    "To specify the weights for observed entries, either (1) entry_weights must be set or (2) input_weights and "
    "factor_weights must be set, but not both."
)
# TensorFlow does not check the last four, or crashes.
NOT_SOLVED = [
    ({"factors": [1.0]}, "Input factors should be a matrix."),
    ({"factor_weights": 1.0}, "Input factor_weights should be a vector."),
    ({"unobserved_weights": [0.5]}, "Input unobserved_weights should be a scalar."),
    ({"input_weights": 1.0}, "Input input_weights should be a vector."),
    ({"input_indices": [0, 1]}, "Input input_indices should be a matrix."),
    ({"input_indices": [[0, 1, 1]]}, "Input input_indices should have shape (?, 2)."),
    ({"input_values": [[1.0]]}, "Input input_values should be a vector"),
    (
        {"input_values": [1.0]},
        "Input input_values' length should match the first dimension of Input input_indices ",
    ),
    ({"entry_weights": 1.0}, "Input entry_weights should be a vector"),
    ({"entry_weights": [1.0, 1.0]}, WEIGHTS),
    ({"input_weights": []}, WEIGHTS),
    ({"factor_weights": [1.0, 2.0]}, WEIGHTS),
    ({"input_block_size": [2]}, "Input input_block_size should be a scalar."),
    ({"input_is_transpose": [False]}, "Input input_is_transpose should be a scalar."),
    (
        {"input_indices": [[0, 3], [1, 2]]},
        "Index 3 of input_indices is out of bounds [0, 3).",
    ),
    (
        {"input_indices": [[2, 1], [1, 2]]},
        "Index 2 of input_indices is out of bounds [0, 2).",
    ),
    (
        {"input_indices": [[0, -1], [1, 2]]},
        "Index -1 of input_indices is out of bounds [0, 3).",
    ),
    ({"input_weights": [1.0, -2.0]}, "Weights of observed entries should not be negative."),
]


@pytest.mark.parametrize("changes, text", NOT_SOLVED)
def test_invalid_partial_sums(changes, text):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        run(raw.WALSComputePartialLhsAndRhs, {**SOLVED, **changes})
    assert caught.value.message.split("\n")[0] == text


A, B = MASKED["a"], MASKED["b"]


@pytest.mark.parametrize(
    "changes", [{}, {"b": B.T, "transpose_b": True}, {"a": A.T, "transpose_a": True}]
)
def test_masked_product_elements(changes):
    assert run(raw.MaskedMatmul, {**MASKED, **changes}).tolist() == [(A @ B)[0, 1], (A @ B)[2, 3]]


NOT_MULTIPLIED = [
    ({"a": [1.0]}, "Input a should be a matrix."),
    ({"b": [1.0]}, "Input b should be a matrix."),
    ({"mask_indices": [0]}, "Input mask_indices should be a matrix."),
    ({"transpose_a": [True]}, "Input transpose_a should be a scalar."),
    ({"transpose_b": [True]}, "Input transpose_b should be a scalar."),
    (
        {"mask_indices": [[0, 1, 2]]},
        "mask_indices should be a matrix of shape [nnz 2], where nnz is the number of non-zero elements.",
    ),
    (
        {"b": B.T},
        "Matrix shapes are incompatible: a has shape [3,2], while b has shape [4,2].",
    ),
    (
        {"mask_indices": [[0, 1], [3, 0]]},
        "In mask_indices[1, :], the row index 3 is out of bounds [0, 3).",
    ),
    (
        {"mask_indices": [[0, 4]]},
        "In mask_indices[0, :], the column index 4 is out of bounds [0, 4).",
    ),
    (
        {"mask_indices": [[-1, 0]]},
        "In mask_indices[0, :], the row index -1 is out of bounds [0, 3).",
    ),
    (
        {"mask_indices": [[0, -1]]},
        "In mask_indices[0, :], the column index -1 is out of bounds [0, 4).",
    ),
]


@pytest.mark.parametrize("changes, text", NOT_MULTIPLIED)
def test_invalid_masked_products(changes, text):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        run(raw.MaskedMatmul, {**MASKED, **changes})
    assert caught.value.message.split("\n")[0] == text
