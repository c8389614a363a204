"""Tensors from JSON and to JSON, element by element."""

import json
import math

import numpy as np
import pytest

import tfmini as tf
from tests.programs.serving import served
from tfmini._src.programs.serving import json_tensors


def read(text, dtype):
    return json_tensors.array_of(json_tensors.parsed(b'{"v": %s}' % text.encode())["v"], dtype)


@pytest.mark.parametrize(
    "text, dtype, wanted",
    [
        ("[9223372036854775808, 1]", tf.uint64, [1 << 63, 1]),
        ("[NaN, Infinity, -Infinity]", tf.float32, [math.nan, math.inf, -math.inf]),
        ("[16777217.0, 1]", tf.float32, [16777216, 1]),
        ("[[], []]", tf.int32, [[], []]),
        ("true", tf.bool, True),
        ('[{"b64": "YQ"}, {"b64": "Y\\nQ==\\n"}, "ü"]', tf.string, [b"a", b"a", "ü".encode()]),
        ('[["a"], ["b"]]', tf.string, [[b"a"], [b"b"]]),
    ],
)
def test_read(text, dtype, wanted):
    found = read(text, dtype)
    np.testing.assert_array_equal(found, np.array(wanted, dtype.as_numpy_dtype))
    assert found.dtype == dtype.as_numpy_dtype


@pytest.mark.parametrize(
    "text, dtype, error",
    [
        ("[true, 2]", tf.int32, r"JSON Value: \[true, 2\] is not of expected type: int32"),
        ("[1, true]", tf.float32, "JSON Value: .* is not of expected type: float32"),
        ("[1, false]", tf.bool, "JSON Value: .* is not of expected type: bool"),
        ("[16777217, 0.5]", tf.float32, "Cannot convert JSON value: .* without loss"),
        ("[1e999]", tf.float64, "Cannot convert JSON value: .* without loss"),
        ("1" + "0" * 400, tf.float64, "JSON Value: 10+... is not of expected type"),
        ("[1, -1]", tf.uint8, "JSON Value: .* is not of expected type: uint8"),
        ('{"b64": "ü"}', tf.string, "Unable to base64 decode"),
        (r'"\ud800"', tf.string, "JSON Value: .* half of a surrogate pair"),
        ("[" * 70 + '"a"' + "]" * 70, tf.string, "JSON Value: .* has 70 dimensions"),
        ("[[1], " + "[" * 900 + "]" * 901, tf.int32, "JSON Value: .* is not of expected type"),
    ],
)
def test_refused(text, dtype, error):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        read(text, dtype)
    served.assert_matches(error, caught.value.message)


@pytest.mark.parametrize("shape", [(50_000,), (3, 20_000), (20_000, 3), (2, 2, 20_000)])
def test_large_answers_are_written_part_by_part(shape):
    x, y = np.random.RandomState(1).rand(*shape).astype(np.float32), np.arange(shape[0])
    assert json.loads(json_tensors.answer_of_columns({"x": x})) == {
        "outputs": json_tensors.plain("x", x)
    }
    found = json.loads(json_tensors.answer_of_rows({"x": x, "y": y}))["predictions"]
    assert found == [{"x": row, "y": i} for i, row in enumerate(json_tensors.plain("x", x))]
    assert json_tensors.answer_of_rows({"y": y[:0], "x": x[:0]}) == b'{"predictions":[]}'


def test_what_has_no_form():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Failed to write JSON value"):
        json_tensors.answer_of_columns({"x": np.zeros(2, np.complex64)})


def test_examples():
    def features(text):
        (example,) = json_tensors.examples_of(json.loads(f'{{"examples": [{{"v": {text}}}]}}'))
        return tf.train.Example.FromString(example).features.feature["v"]

    assert features("[]").WhichOneof("kind") is None  # no values of any type
    assert features("[0.5]").float_list.value == [0.5]
    wrong = {"[1e300]": "loss of precision", "[1, 0.5]": "several", r'"\ud800"': "surrogate"}
    for text, error in wrong.items():
        with pytest.raises(tf.errors.InvalidArgumentError, match=error):
            features(text)
