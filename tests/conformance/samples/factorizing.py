"""Masked matrix products and weighted least squares normal equations, against loops."""

import numpy as np

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(3)
A, B = RANDOM.randn(3, 4).astype("f"), RANDOM.randn(4, 5).astype("f")
PLACES = np.array([[0, 4], [2, 0], [2, 1], [1, 3]], "i8")
FACTORS, FACTOR_WEIGHTS = RANDOM.randn(4, 2).astype("f"), np.array([0, 1, 2, 3], "f")
ENTRIES, VALUES = np.array([[0, 1], [0, 3], [1, 0], [2, 2]], "i8"), np.array([1, 2, 3, 4], "f")
ROW_WEIGHTS, NONE = np.array([1, 2, 3], "f"), np.zeros(0, "f")


def masked(a, b, places, transpose_a, transpose_b):
    a, b = a.T if transpose_a else a, b.T if transpose_b else b
    return np.array([a[i].astype("d") @ b[:, j] for i, j in places], "f")


def sums(factors, factor_weights, unobserved, row_weights, places, values, weights, count, turned):
    lhs, rhs = np.zeros((count, 2, 2)), np.zeros((count, 2))
    for entry, (row, column) in enumerate(places[:, ::-1] if turned else places):
        factor = factors[column].astype("d")
        weight = weights[entry] if len(weights) else row_weights[row] * factor_weights[column]
        lhs[row] += weight * np.outer(factor, factor)
        rhs[row] += (unobserved + weight) * values[entry] * factor
    return lhs.astype("f"), rhs.astype("f")


def products(a, b, *turned):
    turned = [np.array(each) for each in turned]
    return Sample(
        "MaskedMatmul", [a, b, PLACES, *turned], expect=masked, static=False, note=str(turned)
    )


def equations(factor_weights, row_weights, places, weights, count, turned):
    inputs = [FACTORS, factor_weights, np.array(0.5, "f"), row_weights, places, VALUES, weights]
    inputs += [np.array(count, "i8"), np.array(turned)]
    note = f"{count} {turned} {len(weights)}"
    return Sample("WALSComputePartialLhsAndRhs", inputs, expect=sums, static=False, note=note)


SAMPLES = [
    products(A, B, False, False),
    products(np.ascontiguousarray(A.T), B, True, False),
    products(A, np.ascontiguousarray(B.T), False, True),
    equations(FACTOR_WEIGHTS, ROW_WEIGHTS, ENTRIES, NONE, 3, False),
    equations(FACTOR_WEIGHTS, ROW_WEIGHTS, np.ascontiguousarray(ENTRIES[:, ::-1]), NONE, 3, True),
    equations(NONE, NONE, ENTRIES, ROW_WEIGHTS[[0, 1, 2, 0]], 5, False),
]
