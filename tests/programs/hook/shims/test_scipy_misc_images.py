"""scipy.misc's image functions; values computed by hand and from scipy 1.2's documented behavior."""

import numpy as np
import pytest
from PIL import Image

from tfmini._src.programs.hook.shims import scipy_misc_images

COLOURS = np.array(
    [[[255, 0, 0], [0, 255, 0], [0, 0, 255]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]], np.uint8
)


def test_saved_image_round_trip(tmp_path):
    scipy_misc_images.imsave(tmp_path / "colours.png", COLOURS)
    np.testing.assert_array_equal(scipy_misc_images.imread(tmp_path / "colours.png"), COLOURS)
    scipy_misc_images.imsave(tmp_path / "grey.png", COLOURS[0])
    np.testing.assert_array_equal(scipy_misc_images.imread(tmp_path / "grey.png"), COLOURS[0])


def test_flatten_converts_to_grey(tmp_path):
    scipy_misc_images.imsave(tmp_path / "colours.png", COLOURS)
    flat = scipy_misc_images.imread(tmp_path / "colours.png", flatten=True)
    assert flat.dtype == np.float32
    np.testing.assert_allclose(flat, COLOURS @ [0.299, 0.587, 0.114], atol=1e-5)
    assert scipy_misc_images.imread(tmp_path / "colours.png", mode="L").dtype == np.uint8


def test_palette_image_is_read_as_rgb(tmp_path):
    Image.fromarray(COLOURS).quantize(16).save(tmp_path / "few.png")
    assert scipy_misc_images.imread(tmp_path / "few.png").shape == (2, 3, 3)


def test_bytescale_spans_full_range():
    actual = scipy_misc_images.bytescale(np.array([[-1.0, 0.0], [0.5, 1.0]]))
    assert actual.tolist() == [[0, 128], [191, 255]]
    assert scipy_misc_images.bytescale(np.array([0.0, 5.0]), cmin=0, cmax=10).tolist() == [0, 128]
    assert scipy_misc_images.bytescale(COLOURS) is COLOURS
    with pytest.raises(ValueError, match="cmax"):
        scipy_misc_images.bytescale(np.array([0.0]), cmin=2, cmax=1)


def test_imresize_sizes():
    image = np.full((4, 6), 9, np.uint8)
    assert scipy_misc_images.imresize(image, (2, 3)).shape == (2, 3)
    assert scipy_misc_images.imresize(image, 50).shape == (2, 3)
    assert scipy_misc_images.imresize(image, 2.0).shape == (8, 12)
    square = COLOURS[:, :2]  # the first axis of 3 is the channels
    resized = scipy_misc_images.imresize(square, (4, 4), interp="nearest")
    np.testing.assert_array_equal(resized, np.kron(square, np.ones((2, 2, 1), np.uint8)))


def test_channels_first_images():
    np.testing.assert_array_equal(
        np.array(scipy_misc_images.toimage(COLOURS.transpose(2, 0, 1), channel_axis=0)), COLOURS
    )
    with pytest.raises(ValueError, match="suitable array shape"):
        scipy_misc_images.toimage(np.zeros([2, 5, 6]))


def test_imrotate():
    assert (
        scipy_misc_images.imrotate(COLOURS[:, :2], 180, "nearest").tolist()
        == COLOURS[::-1, 1::-1].tolist()
    )


def test_grey_image_with_palette():
    palette = np.stack([np.arange(256), 255 - np.arange(256), np.zeros(256)], 1).astype(np.uint8)
    numbers = np.array([[0, 10], [200, 255]], np.uint8)
    image = scipy_misc_images.toimage(numbers, pal=palette)
    np.testing.assert_array_equal(np.asarray(image.convert("RGB")), palette[numbers])
    image = scipy_misc_images.toimage(numbers, mode="P")
    np.testing.assert_array_equal(np.asarray(image.convert("L")), numbers)


def test_bilevel_images_and_transparent_palettes():
    bits = Image.fromarray(np.array([[0, 255]], np.uint8)).convert("1")
    assert scipy_misc_images.fromimage(bits).tolist() == [[0, 255]]
    assert scipy_misc_images.fromimage(bits, flatten=True).dtype == np.float32
    palette = Image.fromarray(COLOURS).quantize(4)
    palette.info["transparency"] = 0
    assert scipy_misc_images.fromimage(palette).shape == (2, 3, 4)
    assert scipy_misc_images.fromimage(palette, mode="L").shape == (2, 3)


@pytest.mark.parametrize(
    "values, bounds, expected",
    [
        ([0.0, 1.0], {"high": 10}, [0, 10]),
        ([0.0, 1.0], {"low": 100, "high": 200}, [100, 200]),
        ([3.0, 3.0], {}, [0, 0]),
        ([3.0, 3.0], {"low": 7}, [7, 7]),
        ([-5, 0, 20], {"cmin": 0, "cmax": 10}, [0, 0, 255]),
        ([0, 1, 2], {"high": 4}, [0, 2, 4]),
        ([0, 1, 3], {"high": 2}, [0, 1, 2]),
    ],
)
def test_bytescale_bounds(values, bounds, expected):
    result = scipy_misc_images.bytescale(np.array(values), **bounds)
    assert result.tolist() == expected and result.dtype == np.uint8


@pytest.mark.parametrize("bounds", [{"low": -1}, {"high": 256}, {"low": 9, "high": 8}])
def test_invalid_bytescale_bounds(bounds):
    with pytest.raises(ValueError, match="should be in 0..255, `high` no less than `low`"):
        scipy_misc_images.bytescale(np.array([0.0]), **bounds)


def test_grey_image_modes():
    image = scipy_misc_images.toimage
    floats = np.array([[0.25, -3.0], [300.0, 7.5]])
    assert np.asarray(image(floats, mode="F")).tolist() == floats.tolist()
    assert image(floats, mode="F").mode == "F"
    assert np.asarray(image(floats, mode="1")).tolist() == [[False, False], [True, False]]
    assert np.asarray(image(floats, high=1, mode="1")).tolist() == [[False, False], [True, True]]
    spread = image(np.array([[0, 5], [10, 10]]), high=1000, mode="I")
    assert np.asarray(spread).tolist() == [[0, 500], [1000, 1000]] and spread.mode == "I"
    spread = image(np.array([[0, 5], [10, 10]]), mode="I", cmin=-10, cmax=30, low=100, high=200)
    assert np.asarray(spread).tolist() == [[125, 137], [150, 150]]
    assert image(floats, mode="L").mode == image(floats).mode == "L"
    with pytest.raises(ValueError, match="to an image of mode 'RGB'"):
        image(floats, mode="RGB")
    with pytest.raises(ValueError, match="^Cannot convert a complex-valued array.$"):
        image(floats * 1j)


def test_colour_channels():
    image = scipy_misc_images.toimage
    four = np.concatenate([COLOURS, np.full((2, 3, 1), 128, np.uint8)], 2)
    assert image(four, channel_axis=2).mode == "RGBA"
    np.testing.assert_array_equal(np.asarray(image(four, channel_axis=2)), four)
    assert image(np.zeros([4, 5, 6])).size == (6, 5) and image(np.zeros([5, 4, 6])).mode == "RGBA"
    assert (
        image(np.zeros([5, 6, 3])).mode == "RGB"
        and image(np.zeros([5, 6, 3]), mode="L").mode == "L"
    )
    with pytest.raises(ValueError, match="^Channel axis dimension is not valid.$"):
        image(COLOURS, channel_axis=0)


def test_image_formats_and_filters(tmp_path):
    scipy_misc_images.imsave(tmp_path / "image", COLOURS, "bmp")
    with Image.open(tmp_path / "image") as image:
        assert image.format == "BMP"
    for name in ("nearest", "lanczos", "bilinear", "bicubic", "cubic"):
        assert scipy_misc_images.imresize(np.eye(8) * 255, 1.5, name).shape == (12, 12)
    with pytest.raises(KeyError, match="area"):
        scipy_misc_images.imresize(np.eye(8), 1.5, "area")
    assert scipy_misc_images.imresize(np.eye(8), np.int64(25)).shape == (2, 2)
    assert scipy_misc_images.imresize(np.eye(8), np.float32(0.5)).shape == (4, 4)
    floats = scipy_misc_images.imresize(np.array([[0.5, 0.25]]), (2, 2), "nearest", "F")
    assert floats.tolist() == [[0.5, 0.25], [0.5, 0.25]]
