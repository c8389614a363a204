"""QR decomposition and eigenvalues against NumPy's in float64: ragged sizes, ranks, scales, threads."""

import numpy as np
import pytest

from tfmini._src.devices.host.native import decompositions

SIZES = (1, 2, 3, 7, 8, 16, 17, 33, 64)
SHAPES = [*((n, n) for n in SIZES), (1, 5), (5, 1), (2, 40), (40, 2), (17, 16), (16, 17), (33, 65)]
EPSILON = np.finfo(np.float32).eps


@pytest.fixture(params=[1, 3])
def threads(request, monkeypatch):
    monkeypatch.setattr(decompositions, "thread_count", lambda: request.param)
    monkeypatch.setattr(decompositions, "_MIN_PARALLEL_MULTIPLICATIONS", 1)


def near(given, expected, size):
    within = 8 * size * EPSILON * (np.abs(expected).max() or 1.0)
    np.testing.assert_allclose(given, expected, 0, within)


def test_qr_matches_numpy(build, threads):
    rng = np.random.default_rng(0)
    for rows, columns in SHAPES:
        matrices = rng.standard_normal((2, 3, rows, columns)).astype("f")
        for full in (False, True):
            q, r = decompositions.qr(matrices, full)
            wanted_q, wanted_r = np.linalg.qr(
                matrices.astype("d"), "complete" if full else "reduced"
            )
            assert q.dtype == r.dtype == np.float32
            assert q.shape == wanted_q.shape and r.shape == wanted_r.shape
            near(q @ r, matrices, rows + columns)
            near(q.swapaxes(-1, -2) @ q - np.eye(q.shape[-1]), 0.0, rows)
            assert not np.tril(r, -1).any()
            if columns <= rows:  # otherwise the square part of r may be nearly singular
                condition = np.linalg.cond(matrices.astype("d")).max()
                own = q[..., :columns], wanted_q[..., :columns]
                near(*(part / condition for part in own), rows)
                diagonals = (np.diagonal(part, 0, -2, -1) for part in (r, wanted_r))
                np.testing.assert_array_equal(*map(np.sign, diagonals))


def test_unreflected_columns_keep_their_signs(build):
    q, r = decompositions.qr(np.diag(np.array([2, -3, 0, 5], "f")), False)
    np.testing.assert_array_equal(q, np.eye(4))
    np.testing.assert_array_equal(r, np.diag([2, -3, 0, 5]))


@np.errstate(all="ignore")
def test_nonfinite_values_stay_in_their_matrix(build):
    matrices = np.random.default_rng(1).standard_normal((3, 9, 9)).astype("f")
    matrices[0, 4, 3], matrices[2, 5, 0] = np.nan, np.inf
    q, r = decompositions.qr(matrices, False)
    assert np.isnan(q[0]).any() and np.isfinite(r[0, :3, :3]).all() and np.isnan(r[0, 3:, 3:]).any()
    assert np.isfinite(q[1]).all() and np.isfinite(r[1]).all()
    assert not np.isfinite(r[2]).all()


def symmetric(rng, size):
    matrices = rng.standard_normal((4, size, size))
    matrices = matrices + matrices.swapaxes(1, 2)
    return matrices.astype("f")


def test_eigenvalues_match_numpy(build, threads):
    rng = np.random.default_rng(2)
    for size in SIZES:
        matrices = symmetric(rng, size)
        matrices[1] = 3 * np.eye(size)  # all equal
        matrices[2] = matrices[2, :1] * matrices[2, :1].T  # all except one are 0
        for scale in (1.0, 1e-30, 1e30):
            inputs = (matrices * scale).astype("f")
            expected = np.linalg.eigvalsh(inputs.astype("d"))
            changed = inputs + np.triu(np.full((size, size), np.inf, "f"), 1)  # never read
            for i, values in enumerate(decompositions.eigenvalues(changed)):
                near(values, expected[i], size)
    np.testing.assert_array_equal(
        decompositions.eigenvalues(np.zeros((2, 5, 5), "f")), np.zeros((2, 5))
    )


def test_eigenvalues_of_graded_and_tridiagonal_matrices(build):
    graded = np.diag(10.0 ** -np.arange(12)).astype("f")
    near(decompositions.eigenvalues(graded), np.sort(np.diag(graded)), 12)
    second = 2 * np.eye(50, dtype="f") - np.eye(50, k=1, dtype="f") - np.eye(50, k=-1, dtype="f")
    near(decompositions.eigenvalues(second), 2 - 2 * np.cos(np.arange(1, 51) * np.pi / 51), 50)


def test_thread_count_does_not_change_results(build, monkeypatch):
    matrices = symmetric(np.random.default_rng(3), 40)
    results = []
    for count in (1, 2, 5):
        monkeypatch.setattr(decompositions, "thread_count", lambda count=count: count)
        results.append((*decompositions.qr(matrices, True), decompositions.eigenvalues(matrices)))
    for other in results[1:]:
        for first, second in zip(results[0], other):
            np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    "call", [lambda x: decompositions.qr(x, False), decompositions.eigenvalues]
)
def test_unsupported_inputs_fall_back_to_lapack(build, use_build, call):
    matrices = np.ones((2, 4, 4), "f")
    assert call(matrices) is not None
    assert call(matrices.astype("d")) is None and call(matrices.astype("F")) is None
    assert call(matrices.swapaxes(1, 2)) is None
    assert call(matrices[:0]) is None and call(np.ones((2, 0, 0), "f")) is None
    assert call(np.ones((300, 300), "f")) is None
    use_build("0")
    assert call(matrices) is None
