"""scipy.misc's functions of images; values by hand, and by scipy 1.2's documented behaviour."""

import numpy as np
import pytest
from PIL import Image

from tfmini._src.programs.hook.shims import scipy_misc_images

COLOURS = np.array(
    [[[255, 0, 0], [0, 255, 0], [0, 0, 255]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]], np.uint8
)


def test_what_is_saved_is_read(tmp_path):
    scipy_misc_images.imsave(tmp_path / "colours.png", COLOURS)
    np.testing.assert_array_equal(scipy_misc_images.imread(tmp_path / "colours.png"), COLOURS)
    scipy_misc_images.imsave(tmp_path / "grey.png", COLOURS[0])
    np.testing.assert_array_equal(scipy_misc_images.imread(tmp_path / "grey.png"), COLOURS[0])


def test_colours_become_grey(tmp_path):
    scipy_misc_images.imsave(tmp_path / "colours.png", COLOURS)
    flat = scipy_misc_images.imread(tmp_path / "colours.png", flatten=True)
    assert flat.dtype == np.float32
    np.testing.assert_allclose(flat, COLOURS @ [0.299, 0.587, 0.114], atol=1e-5)
    assert scipy_misc_images.imread(tmp_path / "colours.png", mode="L").dtype == np.uint8


def test_a_palette_becomes_colours(tmp_path):
    Image.fromarray(COLOURS).quantize(16).save(tmp_path / "few.png")
    assert scipy_misc_images.imread(tmp_path / "few.png").shape == (2, 3, 3)


def test_floats_are_spread_over_all_bytes():
    got = scipy_misc_images.bytescale(np.array([[-1.0, 0.0], [0.5, 1.0]]))
    assert got.tolist() == [[0, 128], [191, 255]]
    assert scipy_misc_images.bytescale(np.array([0.0, 5.0]), cmin=0, cmax=10).tolist() == [0, 128]
    assert scipy_misc_images.bytescale(COLOURS) is COLOURS
    with pytest.raises(ValueError, match="cmax"):
        scipy_misc_images.bytescale(np.array([0.0]), cmin=2, cmax=1)


def test_sizes():
    image = np.full((4, 6), 9, np.uint8)
    assert scipy_misc_images.imresize(image, (2, 3)).shape == (2, 3)
    assert scipy_misc_images.imresize(image, 50).shape == (2, 3)
    assert scipy_misc_images.imresize(image, 2.0).shape == (8, 12)
    square = COLOURS[:, :2]  # the first axis of 3 is the channels
    resized = scipy_misc_images.imresize(square, (4, 4), interp="nearest")
    np.testing.assert_array_equal(resized, np.kron(square, np.ones((2, 2, 1), np.uint8)))


def test_channels_may_stand_first():
    np.testing.assert_array_equal(
        np.array(scipy_misc_images.toimage(COLOURS.transpose(2, 0, 1), channel_axis=0)), COLOURS
    )
    with pytest.raises(ValueError, match="suitable array shape"):
        scipy_misc_images.toimage(np.zeros([2, 5, 6]))


def test_turned_images():
    assert (
        scipy_misc_images.imrotate(COLOURS[:, :2], 180, "nearest").tolist()
        == COLOURS[::-1, 1::-1].tolist()
    )


def test_grey_by_a_palette():
    palette = np.stack([np.arange(256), 255 - np.arange(256), np.zeros(256)], 1).astype(np.uint8)
    numbers = np.array([[0, 10], [200, 255]], np.uint8)
    image = scipy_misc_images.toimage(numbers, pal=palette)
    np.testing.assert_array_equal(np.asarray(image.convert("RGB")), palette[numbers])
    image = scipy_misc_images.toimage(numbers, mode="P")
    np.testing.assert_array_equal(np.asarray(image.convert("L")), numbers)
