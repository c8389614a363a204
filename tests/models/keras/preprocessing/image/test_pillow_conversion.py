"""Conversion between images and arrays, not compared with TensorFlow: the reference has no PIL."""

import numpy as np
import pytest

import tfmini as tf

pytest.importorskip("PIL")
image = tf.keras.preprocessing.image
PICTURE = np.arange(24, dtype=np.float32).reshape(2, 4, 3) * 10


def test_array_to_img_scales_on_request():
    scaled = np.asarray(image.array_to_img(PICTURE))
    assert (scaled.shape, scaled.min(), scaled.max()) == ((2, 4, 3), 0, 255)
    np.testing.assert_array_equal(np.asarray(image.array_to_img(PICTURE, scale=False)), PICTURE)
    assert not np.asarray(image.array_to_img(np.zeros((2, 2, 3)))).any()


def test_image_mode_follows_channels():
    modes = [image.array_to_img(PICTURE[..., [0] * n]).mode for n in (1, 3, 4)]
    assert modes == ["L", "RGB", "RGBA"]
    assert image.array_to_img(PICTURE[..., :1] * 100, scale=False).mode == "I"
    assert image.array_to_img(PICTURE.transpose(2, 0, 1), "channels_first").size == (4, 2)


@pytest.mark.parametrize(
    "array, layout, text",
    [
        (PICTURE[..., :2], None, "Unsupported channel number: 2"),
        (PICTURE[0], None, "Expected image array to have rank 3"),
        (PICTURE, "other", "Invalid data_format: other"),
    ],
)
def test_invalid_images(array, layout, text):
    with pytest.raises(ValueError, match=text):
        image.array_to_img(array, layout)


def test_saved_image_round_trip(tmp_path):
    path = str(tmp_path / "a.png")
    image.save_img(path, PICTURE, scale=False, dpi=(300, 300))
    assert "dpi" in image.load_img(path).info
    result = image.img_to_array(image.load_img(path))
    np.testing.assert_array_equal(result, PICTURE)
    assert result.dtype == np.float32
    first = image.img_to_array(image.load_img(path), "channels_first", "float64")
    np.testing.assert_array_equal(first, PICTURE.transpose(2, 0, 1))
    assert first.dtype == np.float64
    modes = {mode: image.load_img(path, color_mode=mode).mode for mode in ("grayscale", "rgba")}
    assert modes == {"grayscale": "L", "rgba": "RGBA"}
    grey = image.img_to_array(image.load_img(path, color_mode="grayscale"))
    assert grey.shape == (2, 4, 1)
    near = image.img_to_array(image.load_img(path, target_size=(4, 8)))
    np.testing.assert_array_equal(near, PICTURE.repeat(2, 0).repeat(2, 1))


def test_invalid_load_arguments(tmp_path):
    path = str(tmp_path / "a.png")
    image.save_img(path, PICTURE)
    with pytest.raises(ValueError, match='color_mode must be "grayscale", "rgb", or "rgba"'):
        image.load_img(path, color_mode="other")
    with pytest.raises(ValueError, match="Invalid interpolation method other"):
        image.load_img(path, target_size=(1, 1), interpolation="other")
    with pytest.raises(ValueError, match="Unknown data_format: other"):
        image.img_to_array(image.load_img(path), "other")


def test_batch_images_are_saved(tmp_path):
    images = np.stack([PICTURE, PICTURE[::-1]])
    flow = image.ImageDataGenerator().flow(
        images, batch_size=2, shuffle=False, save_to_dir=str(tmp_path), save_prefix="p"
    )
    np.testing.assert_array_equal(next(flow), images)
    assert sorted(path.name[:4] for path in tmp_path.iterdir()) == ["p_0_", "p_1_"]
    assert {path.suffix for path in tmp_path.iterdir()} == {".png"}
