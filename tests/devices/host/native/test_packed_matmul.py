"""Products with packed matrices, compared with NumPy in higher precision: ragged sizes, NaN, infinities, threads."""

import numpy as np
import pytest

from tfmini._src.devices.host import threads
from tfmini._src.devices.host.native import packed_matmul

# Tiles have 6 or 14 rows, and panels 4 to 32 columns; 576 inner elements are summed at a time.
SHAPES = [
    (1, 1, 1),
    (14, 576, 32),
    (15, 577, 33),
    (13, 575, 31),
    (150, 3, 5),
    (20, 1300, 70),
    (7, 40, 129),
]


def matrices(rows, inner, columns, seed=0):
    random = np.random.RandomState(seed)
    return random.randn(rows, inner).astype("f"), random.randn(inner, columns).astype("f")


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_thread_count_does_not_change_results(build, monkeypatch, shape):
    monkeypatch.setattr(packed_matmul, "_MIN_PARALLEL_MULTIPLICATIONS", 1)
    a, b = matrices(*shape)
    expected = a.astype("d") @ b.astype("d")
    tolerance = 10 * np.finfo("f").eps * (np.abs(a).astype("d") @ np.abs(b).astype("d"))
    results = []
    for count in (1, 2, 5):
        monkeypatch.setattr(threads._threads, "count", count)
        for transposed, right in ((False, b), (True, np.ascontiguousarray(b.T))):
            panels = packed_matmul.pack_matrix(right, transposed)
            results.append(packed_matmul.product(a, shape[2], panels))
            assert (np.abs(results[-1] - expected) <= tolerance).all()
    for other in results[1:]:
        np.testing.assert_array_equal(other, results[0])


def test_nonfinite_values_stay_in_their_row_and_column(build):
    a, b = matrices(16, 9, 35)
    clean = packed_matmul.product(a, 35, packed_matmul.pack_matrix(b, False))
    a[3, 2], b[1, 34], a[15, 8] = np.nan, np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        actual, expected = packed_matmul.product(a, 35, packed_matmul.pack_matrix(b, False)), a @ b
    np.testing.assert_array_equal(np.isnan(actual), np.isnan(expected))
    np.testing.assert_array_equal(np.isinf(actual), np.isinf(expected))
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(actual[finite], clean[finite])


def test_unsupported_inputs_fall_back_to_numpy(build):
    a, b = matrices(4, 6, 8)
    panels = packed_matmul.pack_matrix(b, False)
    assert packed_matmul.pack_matrix(b[:, ::2], False) is None
    assert packed_matmul.pack_matrix(b.astype("d"), False) is None
    assert packed_matmul.pack_matrix(b[:0], False) is None
    assert packed_matmul.pack_matrix(b[0], False) is None
    for other in (a[:, ::-1], a.astype("d"), a[:0], a[0]):
        assert packed_matmul.product(other, 8, panels) is None


def test_missing_library_packs_nothing(use_build):
    use_build("0")
    assert not packed_matmul.is_available()
    assert packed_matmul.pack_matrix(np.ones((2, 2), "f"), False) is None
