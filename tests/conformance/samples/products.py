"""Products, sums of lists, clipping and decompositions."""

import numpy as np

from tests.conformance.samples import Sample

A = np.array([[1, -2, 0.5], [3, 0.25, 4]], np.float32)
B = np.array([[2, 1], [-1, 0.5], [1.5, 3]], np.float32)
# By hand, column by column: the first rows of R are not positive.
_FIRST = -B[:, 0] / np.sqrt(7.25)
_REST = B[:, 1] - _FIRST * (_FIRST @ B[:, 1])
_SECOND = -_REST / np.sqrt(_REST @ _REST)
QR = (
    np.stack([_FIRST, _SECOND], 1),
    np.array([[-np.sqrt(7.25), _FIRST @ B[:, 1]], [0, -np.sqrt(_REST @ _REST)]], "f"),
)
FULL_QR = (
    np.stack([_FIRST, _SECOND, np.cross(_FIRST, _SECOND)], 1),
    np.concatenate([QR[1], np.zeros((1, 2), "f")]),
)
CA, CB = A * (1 + 0.5j), B * (1 - 2j)
STACK = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 8 - 1
RIGHT = np.arange(16, dtype=np.float32).reshape(2, 4, 2) / 5 - 1


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def einsum(equation, *inputs, note):
    """NumPy's einsum, whose labels are the same except for repeated ones of a result."""
    return Sample(
        "Einsum",
        [list(inputs)],
        {"equation": equation},
        lambda xs: np.einsum(equation, *xs),
        note=note,
    )


SAMPLES = [
    einsum("ij,jk->ik", A, B, note="product"),
    einsum("...ij,...jk->...ik", STACK, RIGHT[:1], note="broadcast"),
    einsum("i...->...i", STACK, note="turned"),
    einsum("ii,ij->j", B[:2], CB[:2].real.astype("f"), note="diagonal"),
    einsum("Ij->", CA.astype("F"), note="sum"),
    Sample("Einsum", [[A[0]]], {"equation": "i->ii"}, lambda xs: np.diag(xs[0]), note="repeated"),
    Sample(
        "Einsum", [[STACK]], {"equation": "i...->...ii"},
        lambda xs: np.moveaxis(xs[0], 0, -1)[..., None] * np.eye(2, dtype="f"), note="repeated last",
    ),
    Sample("MatMul", [A, B], expect=np.matmul, gradient=[0, 1]),
    Sample("MatMul", [A.T, B], {"transpose_a": True}, lambda a, b: a.T @ b, [0, 1], note="a"),
    Sample("MatMul", [A, B.T], {"transpose_b": True}, lambda a, b: a @ b.T, [0, 1], note="b"),
    Sample("MatMul", [A.T, B.T], {"transpose_a": True, "transpose_b": True},
           lambda a, b: a.T @ b.T, [0, 1], note="both"),
    Sample("MatMul", [CA.astype("F"), CB.astype("F")], expect=np.matmul, gradient=[0, 1], note="complex"),
    Sample("MatMul", [np.array([[2**30, 2]], "i4"), np.array([[2], [3]], "i4")],
           expect=np.array([[-2147483642]], "i4"), note="int32"),
    Sample("MatMul", [A.astype("e"), B.astype("e")], expect=np.matmul, note="half"),
    Sample("MatMul", [A[:, :0], B[:0]], expect=np.zeros((2, 2), "f"), note="empty"),
    Sample("SparseMatMul", [A, B], {"a_is_sparse": True}, np.matmul, step=0.25),
    Sample("BatchMatMul", [STACK, RIGHT], expect=np.matmul, gradient=[0, 1]),
    Sample("BatchMatMul", [adjoint(STACK), RIGHT], {"adj_x": True}, lambda x, y: adjoint(x) @ y,
           [0, 1], note="x"),
    Sample("BatchMatMul", [STACK, adjoint(RIGHT)], {"adj_y": True}, lambda x, y: x @ adjoint(y),
           [0, 1], note="y"),
    Sample("BatchMatMulV2", [STACK, RIGHT[0]], expect=np.matmul, gradient=[0, 1]),
    Sample("BatchMatMulV2", [STACK[:1], RIGHT], expect=np.matmul, gradient=[0, 1], note="broadcast"),
    Sample("BatchMatMulV2", [(adjoint(STACK) * 1j).astype("F"), (adjoint(RIGHT) * (1 + 1j)).astype("F")],
           {"adj_x": True, "adj_y": True}, lambda x, y: adjoint(x) @ adjoint(y), [0, 1], note="complex"),
    Sample("Cross", [A, A[::-1] + 1], expect=np.cross, gradient=[0, 1]),
    Sample("AddN", [[A, A * 2, A * 3]], expect=lambda xs: xs[0] * 6, gradient=[0, 1, 2]),
    Sample("AddN", [[A]], expect=lambda xs: xs[0], note="one"),
    Sample("AddN", [[np.float32(1), np.float32(2), np.float32(3)]], expect=np.float32(6), note="scalars"),
    Sample("AccumulateNV2", [[A, A * 2]], {"shape": [2, 3]}, lambda xs: xs[0] * 3, [0, 1]),
    Sample("ClipByValue", [np.array([1, 5, 9], "f"), np.float32(2), np.array([4, 7, 3], "f")],
           expect=np.array([2, 5, 3], "f")),
    Sample("Qr", [B], expect=QR, gradient=[0]),
    Sample("Qr", [B], {"full_matrices": True}, expect=FULL_QR, gradient=(), note="full"),
    Sample("MatrixTriangularSolve", [np.array([[2, 9], [1, 3]], "f"), B[:2]],
           expect=lambda a, b: np.linalg.solve(np.tril(a), b), gradient=[0, 1]),
    Sample("MatrixTriangularSolve", [np.array([[2, 9], [1, 3]], "f"), B[:2]], {"lower": False, "adjoint": True},
           lambda a, b: np.linalg.solve(np.triu(a).T, b), [0, 1], note="upper adjoint"),
]  # fmt: skip
