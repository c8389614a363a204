"""Requests with lists of numbers, in the natively parsed forms; all others are left to Python's parser."""

import json

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.devices.host.native.json_numbers import json_numbers
from tfmini._src.programs.serving.json_numbers import Numbers, numeric_request

pytestmark = pytest.mark.skipif(json_numbers(b"[1]", 0) is None, reason="no native library")


@pytest.mark.parametrize(
    "text",
    [
        '{"instances":[[1,2.5],[3,-4]]}',
        ' { "instances" : [ [1, 2.5] ,\n[3, -4]\t]\r} ',
        '{"inputs": [[1, 2.5], [3, -4]], "signature_name": "a.b (c)"}',
        '{"signature_name": "", "inputs": [[1, 2.5], [3, -4]]}',
    ],
)
def test_numeric_forms_are_parsed(text):
    expected = json.loads(text)
    for body in (text.encode(), bytearray(text, "ascii")):
        result = numeric_request(body)
        assert result.keys() == expected.keys()
        for key, value in result.items():
            if isinstance(value, Numbers):
                assert value.lists() == value.array(tf.float32).tolist() == expected[key]
            else:
                assert value == expected[key]


@pytest.mark.parametrize(
    "text",
    [
        *('{"instances": [1, 2', '{"instances": [1, 2]', '{"instances": [1, 2]}}', "[1, 2]", ""),
        *(
            '{"instances": ["a"]}',
            '{"instances": [{"x": 1}]}',
            '{"instances": []}',
            '{"examples": [1]}',
        ),
        *('{"instances": 1}', '{"instances": [1], "inputs": [1]}', '{"instances": [1], "a": 1}'),
        '{"signature_name": "a", "instances": [1], "signature_name": "b"}',
        *(
            '{"signature_name": "\\u0061", "instances": [1]}',
            '{"signature_name": "é", "inputs": [1]}',
        ),
        *(
            '{"signature_name": 1, "instances": [1]}',
            '{"instances": [1],}',
            '\x0b{"instances": [1]}',
        ),
    ],
)
def test_other_forms_are_not_parsed(text):
    assert numeric_request(text.encode()) is None
    assert numeric_request(text.encode("utf-16")) is None


def test_lossless_dtypes():
    """Those that represent the same numbers; float16 rounds 0.1 to nearest."""

    def array(text, dtype):
        return numeric_request(b'{"inputs": [%s]}' % text)["inputs"].array(dtype)

    assert array(b"1, -2", tf.int8).tolist() == [1, -2]
    assert array(b"2048, 0.1", tf.float16).tolist() == [2048, np.float16(0.1)]
    assert array(b"9007199254740, 1e300", tf.float64).tolist() == [9007199254740, 1e300]
    refused = [(b"1, 2.0", tf.int32), (b"128", tf.int8), (b"-1", tf.uint8), (b"2049", tf.float16)]
    refused += [(b"16777217", tf.float32), (b"1e39", tf.float32), (b"1", tf.bfloat16)]
    refused += [(b"1", tf.bool), (b"1", tf.string), (b"1", tf.complex64)]
    for text, dtype in refused:
        assert array(text, dtype) is None, (text, dtype)
