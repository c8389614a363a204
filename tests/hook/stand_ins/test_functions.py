"""What numpy and scipy dropped, against known values."""

import html.parser
import io

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from tfmini.hook.stand_ins import arrays, functions, standard, texts


def test_integrals_and_derivatives():
    x = np.linspace(0.0, 1.0, 11)
    assert functions.simps(x**2, x) == pytest.approx(1 / 3)
    assert functions.simps(x**2, dx=0.1) == pytest.approx(1 / 3)
    for order in (3, 5, 7):
        assert functions.derivative(np.exp, 1.0, 1e-2, order=order) == pytest.approx(np.e, rel=1e-4)
        second = functions.derivative(np.exp, 1.0, 1e-2, n=2, order=order)
        assert second == pytest.approx(np.e, rel=1e-4)
    assert functions.derivative(lambda v, k: k * v, 0.0, args=(3,)) == 3
    with pytest.raises(ValueError, match="no derivative 3 of 3 points"):
        functions.derivative(np.exp, 1.0, n=3)


def test_statistics():
    assert functions.itemfreq([3, 1, 3]).tolist() == [[1, 1], [3, 2]]
    assert functions.binom_test(5, 10) == pytest.approx(1.0)
    assert functions.binom_test([9, 1]) == pytest.approx(22 / 1024)


def test_types():
    assert arrays.asfarray([1, 2]).dtype == np.float64
    assert arrays.asfarray([1], np.float32).dtype == np.float32
    assert arrays.asfarray([1], np.int32).dtype == np.float64
    assert arrays.cast["float32"]([1]).dtype == np.float32
    assert arrays.find_common_type([np.float32], [np.float64]) == np.float32
    assert arrays.find_common_type([np.int32], [np.float64]) == np.float64
    assert arrays.find_common_type([], [np.int8, np.int16]) == np.int16
    assert arrays.obj2sctype(np.zeros(1, "f")) is np.float32
    assert arrays.obj2sctype("nothing", 3) == 3
    assert arrays.issctype(np.int32) and not arrays.issctype(object)
    assert np.float32 in arrays.sctypes["float"]
    assert arrays.inner1d([[1, 2], [3, 4]], [[1, 1], [2, 2]]).tolist() == [3, 14]


def test_kinds_of_pictures(tmp_path):
    for kind in ("png", "jpeg", "gif", "bmp", "tiff"):
        path = tmp_path / kind
        Image.new("RGB", (2, 2)).save(path, kind)
        assert standard.kind_of_picture(path) == kind
        with open(path, "rb") as file:
            assert standard.kind_of_picture(file) == kind
            assert file.tell() == 0
    assert standard.kind_of_picture(None, b"RIFF____WEBP") == "webp"
    assert standard.kind_of_picture(io.BytesIO(b"text")) is None


def test_texts():
    assert standard.unescape(html.parser.HTMLParser(), "&lt;&amp;") == "<&"
    draw = ImageDraw.Draw(Image.new("L", (99, 99)))
    font = ImageFont.load_default()
    width, height = texts.textsize(draw, "abc", font)
    assert texts.getsize(font, "abc") == (width, height)
    assert texts.textsize(draw, "abc\nabc", font)[1] > height > 0
    assert texts.textsize(draw, "abcabc", font)[0] > width > 0
