"""Color conversions against NumPy's formulas: ragged sizes, gray and black pixels, NaN, infinities, threads."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.images import colors
from tfmini._src.devices.numpy import rgb_hsv

CONVERSIONS = {
    "hsv_of_rgb": rgb_hsv.hsv_of_rgb,
    "rgb_of_hsv": rgb_hsv.rgb_of_hsv,
    "hue_shifted": rgb_hsv.hue_shifted,
    "saturation_scaled": rgb_hsv.saturation_scaled,
}


@np.errstate(all="ignore")
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversions_match_numpy(build, use_build, monkeypatch, name, threads):
    monkeypatch.setattr(colors, "thread_count", lambda: threads)
    monkeypatch.setattr(colors, "_MIN_PARALLEL_PIXELS", 1)
    rng = np.random.default_rng(0)
    adjusts = name in ("hue_shifted", "saturation_scaled")
    for count in (1, 7, 8, 9, 15, 16, 17, 255, 257, 5000):
        pixels = rng.random((count, 3)).astype("f")
        pixels[rng.random(count) < 0.1] = 0.5
        pixels[rng.random(count) < 0.1] = 0
        special = rng.random((count, 3)) < 0.02
        pixels[special] = rng.choice([np.nan, np.inf, -np.inf, -1.5], special.sum())
        for amount in [[np.float32(a)] for a in (0.3, -0.7, 0.0)] if adjusts else [[]]:
            use_build(build)
            got = colors.convert_colors(name, pixels, *amount)
            use_build("0")
            assert colors.convert_colors(name, pixels, *amount) is None
            np.testing.assert_array_equal(got, CONVERSIONS[name](np, pixels, *amount))


def test_unsupported_inputs_fall_back_to_numpy(build):
    pixels = np.ones((4, 6), "f")
    assert colors.convert_colors("hsv_of_rgb", pixels[:, :3]) is None
    assert colors.convert_colors("hsv_of_rgb", pixels.astype("d")) is None
    assert colors.convert_colors("hsv_of_rgb", pixels[:0]) is None


@np.errstate(all="ignore")
@pytest.mark.parametrize("threads", [1, 3])
def test_contrast_matches_numpy(build, use_build, monkeypatch, threads):
    monkeypatch.setattr(colors, "thread_count", lambda: threads)
    monkeypatch.setattr(colors, "_MIN_PARALLEL_PIXELS", 1)
    rng = np.random.default_rng(0)
    for shape in (
        (1, 1, 1),
        (3, 7, 9, 3),
        (2, 1, 64, 3),
        (2, 5, 13, 1),
        (9, 64, 65, 4),
        (2, 3, 2, 2),
    ):
        images = rng.random(shape).astype("f")
        got = colors.adjust_contrast(images, np.float32(0.3))
        mean = images.mean((-3, -2), "d", keepdims=True)
        np.testing.assert_allclose(got, (images - mean) * np.float32(0.3) + mean, 1e-6, 1e-7)
    images[0, 1, 1, 0], images[1, 2, 1, 1] = np.nan, -np.inf
    got = colors.adjust_contrast(images, np.float32(2))
    assert [np.isnan(channel).all() for channel in (got[0, ..., 0], got[1, ..., 1])] == [True, True]
    assert np.isfinite(got[0, ..., 1]).all() and np.isfinite(got[1, ..., 0]).all()
    for left in (images[..., :1], images.astype("d"), images[:0], np.ones((1, 1, 5), "f")):
        assert colors.adjust_contrast(left, 2) is None
    use_build("0")
    assert colors.adjust_contrast(images, 2) is None
