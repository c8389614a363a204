"""Tensors from and to JSON, element by element."""

import json
import math

import numpy as np
import pytest

import tfmini as tf
from tests.programs.serving import served
from tests.support import cases
from tfmini._src.programs.serving import json_tensors


def rows(results):
    return b"".join(json_tensors.rows_response(results))


def columns(results):
    return b"".join(json_tensors.columns_response(results))


def read(text, dtype):
    return json_tensors.list_to_array(json_tensors.parse(b'{"v": %s}' % text.encode())["v"], dtype)


def read_natively(text, dtype):
    """As the only input of a request, whose lists of numbers are parsed natively."""
    if not text.startswith("["):
        return read(text, dtype)
    request = json_tensors.parse(b'{"inputs": %s}' % text.encode())
    return json_tensors.parse_inputs(request, {"x": dtype})["x"]


@pytest.mark.parametrize(
    "text, dtype, expected",
    [
        ("[9223372036854775808, 1]", tf.uint64, [1 << 63, 1]),
        ("[NaN, Infinity, -Infinity]", tf.float32, [math.nan, math.inf, -math.inf]),
        ("[16777217.0, 1]", tf.float32, [16777216, 1]),
        ("[[], []]", tf.int32, [[], []]),
        ("true", tf.bool, True),
        ('[{"b64": "YQ"}, {"b64": "Y\\nQ==\\n"}, "ü"]', tf.string, [b"a", b"a", "ü".encode()]),
        ('[["a"], ["b"]]', tf.string, [[b"a"], [b"b"]]),
        ('{"b64": "+/8="}', tf.string, b"\xfb\xff"),
        ("[]", tf.string, []),
        ("[]", tf.bool, []),
        ("[]", tf.float16, []),
        ("[-128, 127]", tf.int8, [-128, 127]),
        ("[0, 65535]", tf.uint16, [0, 65535]),
        ("[-9223372036854775808, 9223372036854775807]", tf.int64, [-(1 << 63), (1 << 63) - 1]),
        ("[2048, 0.1, -65504]", tf.float16, [2048, 0.1, -65504]),
        ("[256, 1.5]", tf.bfloat16, [256, 1.5]),
        ("[9007199254740992, 1e300]", tf.float64, [1 << 53, 1e300]),
        ("[[[1, 2], [3, 4], [5, 6]]]", tf.int32, [[[1, 2], [3, 4], [5, 6]]]),
    ],
)
def test_values_are_parsed(text, dtype, expected):
    for reader in (read, read_natively):
        found = reader(text, dtype)
        np.testing.assert_array_equal(found, np.array(expected, dtype.as_numpy_dtype))
        assert found.dtype == dtype.as_numpy_dtype


@cases.in_one_test
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
        ('{"b64": "Y!Q="}', tf.string, "Unable to base64 decode"),
        ('{"b64": "YQ-_"}', tf.string, "Unable to base64 decode"),
        ('{"b64": "YQ="}', tf.string, "Unable to base64 decode"),
        ('{"b64": 3}', tf.string, r'JSON Value: {"b64": 3} is not of expected type: string'),
        ('["a", 1]', tf.string, "JSON Value: 1 is not of expected type: string"),
        ("[[0.5, 2.5]]", tf.int32, "JSON Value: 0.5 is not of expected type: int32"),
        ("[128]", tf.int8, "JSON Value: 128 is not of expected type: int8"),
        ("[-129]", tf.int8, "JSON Value: -129 is not of expected type: int8"),
        ("[18446744073709551616]", tf.uint64, "JSON Value: 1844.* not of expected type: uint64"),
        ("[70000.0]", tf.float16, "Cannot convert JSON value: .* to float16 without loss"),
        ("[2049]", tf.float16, "Cannot convert JSON value: .* to float16 without loss"),
        ("[257]", tf.bfloat16, "Cannot convert JSON value: .* to bfloat16 without loss"),
        ("[9007199254740993]", tf.float64, "Cannot convert JSON value: .* to float64 without"),
        ("null", tf.float32, "JSON Value: null is not of expected type: float32"),
        (
            "[[1, 2], 3]",
            tf.int32,
            r"JSON Value: \[\[1, 2\], 3\] is not a tensor of int32: lists at .*",
        ),
        ("[1, [2]]", tf.int32, "JSON Value: .* is not of expected type: int32"),
        (r'"\ud800"', tf.string, "JSON Value: .* half of a surrogate pair"),
        ("[" * 70 + '"a"' + "]" * 70, tf.string, "JSON Value: .* has 70 dimensions"),
        ("[[1], " + "[" * 900 + "]" * 901, tf.int32, "JSON Value: .* is not of expected type"),
    ],
)
def test_invalid_values_are_refused(text, dtype, error):
    for reader in (read, read_natively):
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            reader(text, dtype)
        served.assert_matches(error, caught.value.message)


@pytest.mark.parametrize("shape", [(50_000,), (3, 20_000), (20_000, 3), (2, 2, 20_000)])
def test_large_answers_are_encoded_in_parts(shape):
    x, y = np.random.RandomState(1).rand(*shape).astype(np.float32), np.arange(shape[0])
    assert json.loads(columns({"x": x})) == {"outputs": json_tensors.as_json_values("x", x)}
    found = json.loads(rows({"x": x, "y": y}))["predictions"]
    assert found == [
        {"x": row, "y": i} for i, row in enumerate(json_tensors.as_json_values("x", x))
    ]
    assert rows({"y": y[:0], "x": x[:0]}) == b'{"predictions":[]}'


def test_complex_dtype_cannot_be_parsed():
    with pytest.raises(tf.errors.UnimplementedError) as caught:
        read("[1, 2]", tf.complex64)
    assert caught.value.message == "Conversion of JSON Value: [1, 2] to type: complex64"


@pytest.mark.parametrize("most", [3, 4, 1000])
def test_answer_parts_join_to_whole(monkeypatch, most):
    """Including rows larger than a part, scalars and texts."""
    monkeypatch.setattr(json_tensors, "_CHUNK_ELEMENTS", most)
    x = np.arange(24).reshape(3, 2, 4)
    text = np.array([[b"a", b"b"], [b"c", b"d"], [b"e", b"f"]], object)
    assert json.loads(columns({"x": x})) == {"outputs": x.tolist()}
    assert json.loads(columns({"s": np.float32(0.5), "x": x})) == {
        "outputs": {"s": 0.5, "x": x.tolist()}
    }
    assert json.loads(rows({"x": x})) == {"predictions": x.tolist()}
    assert json.loads(rows({"x": x, "t": text})) == {
        "predictions": [{"x": x[n].tolist(), "t": [t.decode() for t in text[n]]} for n in range(3)]
    }
    assert columns({"x": x[:, :0]}) == b'{"outputs":[[],[],[]]}'


def test_numbers_use_shortest_digits_of_dtype():
    for dtype, text in (
        (np.float16, b"[0.099975586,1.0]"),
        (tf.bfloat16.as_numpy_dtype, b"[0.100097656,1.0]"),
        (np.float32, b"[0.1,1.0]"),
        (np.float64, b"[0.1,1.0]"),
        (np.uint8, b"[0,1]"),
        (np.int64, b"[0,1]"),
        (np.bool_, b"[true,true]"),
    ):
        value = np.array([0.1, 1]).astype(dtype)
        assert columns({"x": value}) == b'{"outputs":%s}' % text
    third = np.array([1 / 3])
    assert columns({"x": third}) == b'{"outputs":[0.3333333333333333]}'
    special = np.float32([np.nan, np.inf, -np.inf])
    assert rows({"x": special}) == b'{"predictions":[NaN,Infinity,-Infinity]}'


def test_short_floats_match_python_repr():
    """The dtype's shortest digits, formatted like `repr`, regardless of the array's other elements."""
    bits = np.random.RandomState(3).randint(0, 1 << 32, 3000, np.uint64).astype(np.uint32)
    wild = bits.view(np.float32)
    wild = wild[np.isfinite(wild)][:2000]
    for x in (wild, wild[np.abs(wild) < 1e6], np.float32(10) ** np.arange(-8, 18, dtype="f4")):
        texts = [repr(float(str(each))) for each in x]
        assert columns({"x": x}).decode() == f'{{"outputs":[{",".join(texts)}]}}'
        found = rows({"%s": x[: len(x) // 2 * 2].reshape(-1, 2), "n": np.arange(len(x) // 2)})
        pairs = zip(texts[::2], texts[1::2])
        expected = [f'{{"%s":[{a},{b}],"n":{n}}}' for n, (a, b) in enumerate(pairs)]
        assert found.decode() == f'{{"predictions":[{",".join(expected)}]}}'


def test_complex_dtype_cannot_be_encoded():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Failed to write JSON value"):
        columns({"x": np.zeros(2, np.complex64)})


def test_examples():
    def features(text):
        (example,) = json_tensors.parse_examples(json.loads(f'{{"examples": [{{"v": {text}}}]}}'))
        return tf.train.Example.FromString(example).features.feature["v"]

    assert features("[]").WhichOneof("kind") is None  # no values of any type
    assert features("[0.5]").float_list.value == [0.5]
    assert features("2.5").float_list.value == [2.5]
    assert features("[true, false, 3]").int64_list.value == [1, 0, 3]
    assert features("-7").int64_list.value == [-7]
    assert features('["a", {"b64": "/w=="}]').bytes_list.value == [b"a", b"\xff"]
    assert features('{"b64": "YQ"}').bytes_list.value == [b"a"]
    wrong = {"[1e300]": "loss of precision", "[1, 0.5]": "mixed", r'"\ud800"': "surrogate"}
    wrong |= {
        "9223372036854775808": "of expected type: int64",
        '["a", 1]': "v has elements of mixed",
    }
    wrong |= {
        '[["a"]]': r'unsupported types: \[\["a"\]\]$',
        '{"b": "a"}': "mixed or unsupported types",
    }
    for text, error in wrong.items():
        with pytest.raises(tf.errors.InvalidArgumentError, match=error):
            features(text)


@pytest.mark.parametrize(
    "body, expected",
    [
        ({"inputs": [1, 2]}, [1, 2]),
        ({"inputs": {"x": [[1]]}}, [[1]]),
        ({"inputs": {"x": 3, "more": "left out"}}, 3),
        ({"instances": [1, 2]}, [1, 2]),
        ({"instances": [[1], [2]]}, [[1], [2]]),
        ({"instances": [{"x": 1}, {"x": 2}]}, [1, 2]),
    ],
)
def test_single_input_may_be_unnamed(body, expected):
    found = json_tensors.parse_inputs(body, {"x": tf.int32})
    assert list(found) == ["x"] and found["x"].tolist() == expected and found["x"].dtype == np.int32


def test_inputs_by_rows_or_columns():
    expected = {"text": [b"a", b"b"], "x": [1, 2]}
    for body in (
        {"inputs": {"x": [1, 2], "text": ["a", {"b64": "Yg=="}]}},
        {"instances": [{"x": 1, "text": {"b64": "YQ"}}, {"text": "b", "x": 2}]},
    ):
        found = json_tensors.parse_inputs(body, {"x": tf.int64, "text": tf.string})
        assert {name: value.tolist() for name, value in found.items()} == expected
        assert list(found) == ["text", "x"]


@pytest.mark.parametrize(
    "body, error",
    [
        ({}, "^Missing 'inputs' or 'instances' key$"),
        ({"inputs": [1], "instances": [1]}, "only one of 'inputs' or 'instances' keys to exist$"),
        ({"inputs": [1]}, "^inputs is a plain value/list, but expecting an object as multiple"),
        ({"inputs": {"b64": "YQ=="}}, "^inputs is a plain value/list"),
        ({"inputs": {"x": [1]}}, "^Missing named input: y in 'inputs' object.$"),
        ({"instances": {"x": 1}}, "Expecting 'instances' to be a list/array$"),
        ({"instances": []}, "^No values in 'instances' array$"),
        ({"instances": [1]}, "^instances is a plain list, but expecting list of objects"),
        (
            {"instances": [{"x": 1, "y": 2}, 3]},
            "^Expecting object but got list at item 1 of input list$",
        ),
        (
            {"instances": [{"x": 1, "y": 2}, {"x": 1}]},
            "^Failed to process element: 1 of 'instances' list. .* must be equal to: x,y$",
        ),
        ({"instances": [{"x": 1, "y": 2, "z": 3}]}, "^Failed to process element: 0 of"),
    ],
)
def test_invalid_inputs_are_refused(body, error):
    with pytest.raises(tf.errors.InvalidArgumentError, match=error):
        json_tensors.parse_inputs(body, {"x": tf.int32, "y": tf.int32})


def test_mixed_instances_are_refused():
    error = "^Expecting value/list but got object at item 2 of input list$"
    with pytest.raises(tf.errors.InvalidArgumentError, match=error):
        json_tensors.parse_inputs({"instances": [1, 2, {"x": 3}]}, {"x": tf.int32})


@pytest.mark.parametrize(
    "body, error",
    [
        (b"{", "^JSON Parse error: "),
        (b"[" * 100_000, "^JSON Parse error: lists nested too deep$"),
        (b"[1]", r"^JSON Value: \[1\] Is not object$"),
        (b'{"signature_name": 3}', "'signature_name' key must be a string value.$"),
        (b'"' + b"x" * 300 + b'"', '^JSON Value: "x{199}... Is not object$'),
    ],
)
def test_invalid_bodies_are_refused(body, error):
    with pytest.raises(tf.errors.InvalidArgumentError, match=error):
        json_tensors.parse(body)
    assert json_tensors.parse(b'{"signature_name": "s"}') == {"signature_name": "s"}


def test_outputs_by_rows_or_columns():
    x, y = np.float32([0.1, 2]), np.array([b"a", b"\xff"], object)
    assert rows({"x": x}) == b'{"predictions":[0.1,2.0]}'
    assert columns({"x": x}) == b'{"outputs":[0.1,2.0]}'
    assert (
        rows({"x": x, "y_bytes": y})
        == b'{"predictions":[{"x":0.1,"y_bytes":{"b64":"YQ=="}},{"x":2.0,"y_bytes":{"b64":"/w=="}}]}'
    )
    assert columns({"x": x[0], "n": np.array([True])}) == b'{"outputs":{"x":0.1,"n":[true]}}'
    for results, shown in (({"x": x, "y": y[:1]}, r"x \[2\], y \[1\]"), ({"x": x[0]}, r"x \[\]")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"sizes: {shown}; use the column"):
            rows(results)
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Output y is not UTF-8"):
        columns({"y": y})


def test_context_is_merged_into_examples():
    examples = json_tensors.parse_examples(
        {"context": {"c": 1}, "examples": [{"a": "x"}, {"c": 2}]}
    )
    first, second = (dict(tf.train.Example.FromString(e).features.feature) for e in examples)
    assert first["c"].int64_list.value == [1] and first["a"].bytes_list.value == [b"x"]
    assert second["c"].int64_list.value == [2] and list(second) == ["c"]
    for body, error in (
        ({"examples": []}, "Expecting 'examples' to be a list/array of objects$"),
        ({"examples": {}}, "Expecting 'examples' to be a list"),
        ({}, "Expecting 'examples' to be a list"),
        ({"examples": [3]}, "^Example must be JSON object but got 3$"),
        ({"examples": [{}], "context": []}, r"^Example must be JSON object but got \[\]$"),
        (
            {"examples": [{"a": None}]},
            "^Feature: a has elements of mixed or unsupported types: null$",
        ),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=error):
            json_tensors.parse_examples(body)
