"""Affine transforms of linear ramps, whose inner pixels are known by hand."""

import numpy as np
import pytest

from tfmini.keras.preprocessing.image import ImageDataGenerator, apply_affine_transform

SIZE = 9
PLACES = np.arange(SIZE, dtype=float)
ROWS = np.broadcast_to(PLACES[:, None, None], (SIZE, SIZE, 2))


@pytest.mark.parametrize("degrees", [1, -1, 8, 20])
def test_shear(degrees):
    """[1 -sin; 0 cos] about (SIZE + 1) / 2: a pixel's source row depends on its column's distance."""
    result = apply_affine_transform(ROWS, shear=degrees)
    across = (PLACES - (SIZE + 1) / 2)[None, :]
    expected = PLACES[:, None] - np.sin(np.deg2rad(degrees)) * across
    inside = slice(3, 6)
    np.testing.assert_allclose(result[inside, inside, 0], expected[inside, inside], rtol=1e-6)
    np.testing.assert_array_equal(result[..., 0], result[..., 1])


@pytest.mark.parametrize("degrees", [1, -1, 8])
def test_rotation(degrees):
    result = apply_affine_transform(ROWS, theta=degrees)
    angle, off = np.deg2rad(degrees), PLACES - (SIZE + 1) / 2
    expected = (SIZE + 1) / 2 + np.cos(angle) * off[:, None] - np.sin(angle) * off[None, :]
    inside = slice(3, 6)
    np.testing.assert_allclose(result[inside, inside, 0], expected[inside, inside], rtol=1e-6)


@pytest.mark.parametrize("tx, zx", [(1, 1), (0, 1.5), (2, 0.5)])
def test_shift_and_zoom(tx, zx):
    result = apply_affine_transform(ROWS, tx=tx, zx=zx)
    off = PLACES - (SIZE + 1) / 2
    expected = (SIZE + 1) / 2 + zx * off + tx
    inside = slice(4, 6)
    np.testing.assert_allclose(result[inside, 4, 0], expected[inside], rtol=1e-6)
    columns = ROWS.swapaxes(0, 1)
    nearest = apply_affine_transform(columns, ty=tx, zy=zx, order=0)[4, inside, 0]
    assert np.abs(nearest - expected[inside]).max() <= 0.5 and (nearest % 1 == 0).all()


def test_shift_range_accepts_arrays():
    """TensorFlow fails, since it evaluates an array as a bool."""
    for inputs in ([1, 2, 3], [0]):
        drawn = []
        for shifts in (inputs, np.array(inputs)):
            generator = ImageDataGenerator(width_shift_range=shifts)
            drawn.append(generator.get_random_transform((4, 6, 1), seed=5))
        assert drawn[0] == drawn[1] and abs(drawn[0]["ty"]) in inputs
