"""Names removed from numpy and scipy, against known values."""

import html.parser
import io

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.programs.cli.test_run import run
from tfmini._src.programs.hook.shims import numpy_shims, pillow_shims, scipy_shims, stdlib_shims


def test_derivatives():
    derivative, x, dx = scipy_shims.derivative, np.array([1.0, 2.0]), np.array([0.01, 0.02])
    for n, order in ((1, 3), (1, 5), (2, 3), (2, 7), (1, 9), (3, 5)):
        assert derivative(np.exp, x, dx, n, order=order) == pytest.approx(np.exp(x), rel=2e-4)
    assert derivative(lambda v, k: k * v, 0.0, args=(3,)) == 3
    with pytest.raises(ValueError, match="at least the derivative order 'n' . 1"):
        derivative(np.exp, 1.0, n=3)
    with pytest.raises(ValueError, match="must be odd"):
        derivative(np.exp, 1.0, order=4)


SOURCE = """\
import numpy as np
from scipy import sparse
from tfmini._src.programs.hook import removed_names
from tfmini._src.programs.hook.shims import scipy_shims

x = np.linspace(0.0, 1.0, 11)
print(scipy_shims.simps(x**2, x), scipy_shims.simps(x**2, dx=0.1))
print(scipy_shims.binom_test(5, 10), scipy_shims.binom_test([9, 1]))
removed_names.install()
matrix = sparse.csr_matrix([[1j]])
print(matrix.A.imag[0, 0], matrix.H.A.imag[0, 0])
"""


def test_integrals_and_statistics(tmp_path):
    """In a separate process: importing `scipy.stats` needs 40 MB."""
    process = run("-c", SOURCE, cwd=tmp_path)
    result = np.array(process.stdout.split(), float)
    np.testing.assert_allclose(
        result, [1 / 3, 1 / 3, 1, 22 / 1024, 1, -1], rtol=1e-7, err_msg=process.stderr
    )
    assert scipy_shims.itemfreq([3, 1, 3]).tolist() == [[1, 1], [3, 2]]


def test_numpy_types():
    assert numpy_shims.asfarray([1, 2]).dtype == np.float64
    assert numpy_shims.asfarray([1], np.int32).dtype == np.float64
    assert numpy_shims.cast["float32"]([1]).dtype == np.float32
    assert numpy_shims.find_common_type([np.float32], [np.float64]) == np.float32
    assert numpy_shims.find_common_type([np.int32], [np.float64]) == np.float64
    assert numpy_shims.find_common_type([], [np.int8, np.int16]) == np.int16
    assert numpy_shims.obj2sctype(np.zeros(1, "f")) is np.float32
    assert numpy_shims.obj2sctype("nothing", 3) == 3
    assert numpy_shims.issctype(np.int32) and not numpy_shims.issctype(object)
    assert np.float32 in numpy_shims.sctypes["float"]
    assert numpy_shims.inner1d([[1, 2], [3, 4]], [[1, 1], [2, 2]]).tolist() == [3, 14]


def test_picture_types(tmp_path):
    for kind in ("png", "jpeg", "gif", "bmp", "tiff"):
        path = tmp_path / kind
        Image.new("RGB", (2, 2)).save(path, kind)
        assert stdlib_shims.picture_type(path) == kind
        with open(path, "rb") as file:
            assert stdlib_shims.picture_type(file) == kind
            assert file.tell() == 0
    assert stdlib_shims.picture_type(None, b"RIFF____WEBP") == "webp"
    assert stdlib_shims.picture_type(io.BytesIO(b"text")) is None


def test_text_helpers():
    assert stdlib_shims.unescape(html.parser.HTMLParser(), "&lt;&amp;") == "<&"
    draw = ImageDraw.Draw(Image.new("L", (99, 99)))
    font = ImageFont.load_default()
    width, height = pillow_shims.textsize(draw, "abc", font)
    assert pillow_shims.getsize(font, "abc") == (width, height)
    assert pillow_shims.textsize(draw, "abc\nabc", font)[1] > height > 0
    assert pillow_shims.textsize(draw, "abcabc", font)[0] > width > 0
