"""Linear systems against NumPy's solutions: triangular, general, transposed, ragged sizes, NaN, threads."""

import itertools

import numpy as np
import pytest

from tfmini._src.devices.host.native import linear_systems

solve = linear_systems.solve_triangles
SIZES, COLUMNS = (1, 2, 3, 4, 5, 8, 17, 64), (1, 3, 4, 8, 15, 16, 17, 33, 70)


def system(rng, size, columns, dtype):
    matrices = rng.standard_normal((3, size, size)) + size * np.eye(size)
    return matrices.astype(dtype), rng.standard_normal((3, size, columns)).astype(dtype)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_solutions_match_numpy(build, monkeypatch, threads, dtype):
    monkeypatch.setattr(linear_systems, "thread_count", lambda: threads)
    monkeypatch.setattr(linear_systems, "_MIN_PARALLEL_PRODUCTS", 1)
    rng = np.random.default_rng(0)
    for size, columns in itertools.product(SIZES, COLUMNS):
        matrices, sides = system(rng, size, columns, dtype)
        for lower, transposed in itertools.product((False, True), repeat=2):
            triangles = np.tril(matrices) if lower else np.triu(matrices)
            if transposed:
                triangles = triangles.swapaxes(1, 2)
            expected = np.linalg.solve(triangles.astype("d"), sides.astype("d"))
            actual = solve(matrices, sides, lower, transposed)
            near = 1e-5 if dtype == np.float32 else 1e-13
            np.testing.assert_allclose(actual, expected, near, near)
        matrices = np.ascontiguousarray(
            matrices[:, rng.permutation(size)]
        )  # so that rows are swapped
        for transposed in (False, True):
            turned = matrices.swapaxes(1, 2) if transposed else matrices
            expected = np.linalg.solve(turned.astype("d"), sides.astype("d"))
            actual = linear_systems.solve_systems(matrices, sides, transposed)
            np.testing.assert_allclose(actual, expected, 10 * near, 10 * near)
            inverse = linear_systems.solve_systems(matrices, None, transposed)
            np.testing.assert_allclose(inverse, np.linalg.inv(turned), 30 * near, 30 * near)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_factors_and_tridiagonal_solutions_match_numpy(build, monkeypatch, dtype):
    monkeypatch.setattr(linear_systems, "thread_count", lambda: 3)
    monkeypatch.setattr(linear_systems, "_MIN_PARALLEL_PRODUCTS", 1)
    rng, near = np.random.default_rng(2), 1e-4 if dtype == np.float32 else 1e-12
    for size, columns in itertools.product(SIZES, (1, 3, 17)):
        matrices = rng.standard_normal((5, size, size)).astype(dtype)
        packed, order = linear_systems.factors(matrices)
        lower, upper = np.tril(packed, -1) + np.eye(size, dtype=dtype), np.triu(packed)
        expected = np.take_along_axis(matrices, order[:, :, None], 1)
        np.testing.assert_allclose(lower @ upper, expected, near, near)
        assert (np.abs(lower) <= 1).all()
        diagonals = rng.standard_normal((5, 3, size)).astype(dtype)
        sides = rng.standard_normal((5, size, columns)).astype(dtype)
        for pivoting in (True, False):
            diagonals[:, 1] += 0 if pivoting else 6
            result = [
                np.diag(d[1]) + np.diag(d[0, :-1], 1) + np.diag(d[2, 1:], -1) for d in diagonals
            ]
            actual = linear_systems.solve_tridiagonal(diagonals, sides, pivoting)
            largest = np.abs(actual).max((1, 2), keepdims=True)
            assert (np.abs(np.stack(result) @ actual - sides) <= near * (1 + largest)).all()


def test_cholesky_matches_numpy(build):
    for dtype, size in itertools.product((np.float32, np.float64), (1, 3, 8, 31, 48)):
        roots = np.random.default_rng(size).standard_normal((5, size, size))
        matrices = (roots @ roots.swapaxes(1, 2) + np.eye(size)).astype(dtype)
        actual, expected = linear_systems.cholesky(matrices), np.linalg.cholesky(matrices)
        np.testing.assert_allclose(actual, expected, 0, 300 * np.finfo(dtype).eps)
    for wrong in (-1, 0):
        matrices[3, 5, 5] = wrong
        with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
            linear_systems.cholesky(matrices)
    matrices[3, 5, 5] = np.nan
    assert linear_systems.cholesky(matrices) is None  # LAPACK passes NaN on


def test_singular_matrix_raises(build):
    begins_with_nan = np.eye(5)
    begins_with_nan[0, 0] = np.nan
    for other in (np.ones((5, 5)), begins_with_nan):
        matrices = np.stack([np.eye(5), other])
        for sides in (np.ones((2, 5, 1)), None):
            with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
                linear_systems.solve_systems(matrices, sides, False)
        with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
            linear_systems.factors(matrices)
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        linear_systems.solve_tridiagonal(np.zeros((1, 3, 4)), np.ones((1, 4, 2)), True)


@np.errstate(all="ignore")
def test_nonfinite_values_propagate_down_their_column(build):
    rng = np.random.default_rng(1)
    matrices, sides = system(rng, 9, 20, np.float32)
    sides[0, 4, 7], sides[1, 0, 3] = np.nan, np.inf
    result = solve(matrices, sides, True, False)
    assert np.isnan(result[0, 4:, 7]).all() and not np.isfinite(result[1, :, 3]).any()
    assert np.isfinite(result[0, :4]).all()
    assert np.isfinite(np.delete(result[0], 7, 1)).all() and np.isfinite(result[2]).all()


def test_unsupported_inputs_fall_back_to_scipy(build, use_build):
    matrices, sides = np.ones((2, 4, 4), "f"), np.ones((2, 4, 6), "f")
    assert solve(matrices, sides, True, False).shape == (2, 4, 6)
    assert solve(matrices, sides.astype("d"), True, False) is None
    assert solve(matrices.astype("F"), sides.astype("F"), True, False) is None
    assert solve(matrices, sides[:, :, ::2], True, False).shape == (2, 4, 3)
    assert solve(matrices, sides[:, :, :0], True, False) is None
    large = np.ones((1, 256, 256))
    assert linear_systems.solve_systems(large, large, False) is None
    assert linear_systems.factors(large) is None
    assert linear_systems.solve_tridiagonal(matrices, sides, True) is None
    use_build("0")
    assert solve(matrices, sides, True, False) is None
