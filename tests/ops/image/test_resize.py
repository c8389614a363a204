"""tf.compat.v2.image.resize."""

import numpy as np
import pytest

import tfmini as tf
import tfmini.compat.v2 as tf2

IMAGES = np.arange(48, dtype=np.float32).reshape(1, 4, 4, 3)


@pytest.mark.parametrize(
    "method, antialias, first",
    [
        ("bilinear", False, [2.0, 3.0, 4.0, 3.5]),
        ("bilinear", True, [3.6, 4.6, 5.6, 5.1]),
        ("nearest", False, [0.0, 1.0, 2.0, 3.0]),
        ("bicubic", False, [1.039, 2.039, 3.039, 2.472]),
        ("bicubic", True, [2.082, 3.082, 4.082, 3.514]),
        ("area", False, [3.0, 4.0, 5.0, 4.5]),
        ("lanczos3", False, [0.839, 1.839, 2.839, 2.144]),
        ("lanczos3", True, [1.722, 2.722, 3.722, 3.028]),
        ("lanczos5", False, [1.193, 2.193, 3.193, 2.817]),
        ("gaussian", True, [4.362, 5.362, 6.362, 5.667]),
        ("mitchellcubic", False, [1.887, 2.887, 3.887, 3.26]),
        ("mitchellcubic", True, [3.151, 4.151, 5.151, 4.523]),
    ],
)
def test_recorded_values(session, method, antialias, first):
    resized = session.run(tf2.image.resize(IMAGES, [3, 6], method=method, antialias=antialias))
    assert resized.shape == (1, 3, 6, 3)
    np.testing.assert_allclose(resized.reshape(-1)[:4], first, atol=6e-4)
    np.testing.assert_allclose(resized.sum(), 1404.0 if method == "nearest" else 1269.0, rtol=1e-5)


def test_preserve_aspect_ratio_and_pad(session):
    assert tf2.image.resize(IMAGES[0], [2, 8], preserve_aspect_ratio=True).shape == (2, 2, 3)
    unchanged = tf.image.resize_images(
        np.zeros((4, 5, 3), "u1"), [4, 9], preserve_aspect_ratio=True
    )
    assert unchanged.dtype == tf.float32
    assert session.run(tf2.image.resize_with_pad(IMAGES, 6, 5)).sum() == 1762.5
    with pytest.raises(ValueError, match=r"^Resize method is not implemented\.$"):
        tf2.image.resize(IMAGES, [2, 2], method="foo")
