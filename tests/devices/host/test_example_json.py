"""Example messages in JSON: parsing and rejection, as in TensorFlow 1.15.5."""

import pytest

from tests.support import cases
from tfmini._src.devices.host.example_json import from_json


def feature(text):
    return b'{"features":{"feature":{"a":' + text.encode() + b"}}}"


MESSAGES = {
    b"{}": b"",
    b'{"features":null}': b"",
    b'{"features":{}}': b"\n\0",
    b'{"features":{"feature":null}}': b"\n\0",
    b'{"features":{},"features":{}}': b"\n\0\n\0",
    feature("null"): b"\n\x05\n\x03\n\x01a",
    feature('{"int64List":null}'): b"\n\x07\n\x05\n\x01a\x12\0",
    feature('{"int64List":{"value":null}}'): b"\n\t\n\x07\n\x01a\x12\x02\x1a\0",
    feature('{"int64_list":{"value":[null]}}'): b"\n\t\n\x07\n\x01a\x12\x02\x1a\0",
    feature('{"int64List":{"value":1}}'): b"\n\x0b\n\t\n\x01a\x12\x04\x1a\x02\x08\x01",
    feature('{"int64List":{"value":[[1]]}}'): b"\n\x0b\n\t\n\x01a\x12\x04\x1a\x02\x08\x01",
    feature('{"int64List":{"value":["5", 1e0]}}'): (
        b"\n\r\n\x0b\n\x01a\x12\x06\x1a\x04\x08\x05\x08\x01"
    ),
    feature('{"int64List":{"value":' + "[" * 150 + "1" + "]" * 150 + "}}"): (
        b"\n\x0b\n\t\n\x01a\x12\x04\x1a\x02\x08\x01"
    ),
    feature('{"floatList":{"value":[' + "1" * 25 + "]}}"): (
        b"\n\x0e\n\x0c\n\x01a\x12\x07\x12\x05\rtIkg"
    ),
    feature('{"bytesList":{"value":["-_8", "+/8="]}}'): (
        b"\n\x11\n\x0f\n\x01a\x12\n\n\x08\n\x02\xfb\xff\n\x02\xfb\xff"
    ),
}


@pytest.mark.parametrize("text", MESSAGES)
def test_json_is_parsed(text):
    assert from_json(text) == MESSAGES[text]


PLACE = "features.feature[0].value"
REFUSED = {
    b'{"features":' * 100 + b"{}" + b"}" * 100: (
        "Message too deep. Max recursion depth reached for key 'features'"
    ),
    b'{"features":' * 99 + b"{}" + b"}" * 99: "(features) features: Cannot find field.",
    b'{"features":' * 5000 + b"}" * 5000: (
        "Message too deep. Max recursion depth reached for key 'features'"
    ),
    b"[" * 200_000: "Lists are nested too deep.",
    feature('{"floatList":{"value":[' + "1" * 5000 + "]}}"): "Number exceeds the range of double.",
    feature('{"floatList":{"value":[-1e999]}}'): "Number exceeds the range of double.",
    feature('{"floatList":{"value":["1e999"]}}'): (
        f'({PLACE}.float_list.value[0]): invalid value "1e999" for type TYPE_FLOAT'
    ),
    feature('{"int64List":{"value":[' + "1" * 25 + "]}}"): (
        f"({PLACE}.int64_list.value[0]): invalid value 1.1111111111111111e+24 for type TYPE_INT64"
    ),
    b"[]": ": Root element must be a message.",
    b"null": ": Root element must be a message.",
    b'{"x":1}': "x: Cannot find field.",
    b'{"features":{"x":1}}': "(features) x: Cannot find field.",
    b'{"features":[]}': "features: Proto field is not repeating, cannot start list.",
    b'{"features":"x"}': '(features): invalid value "x" for type type.googleapis.com/tensorflow.Features',
    b'{"features":{"feature":[]}}': (
        "(features): invalid value Cannot bind a list to map for field 'feature'. for type Map"
    ),
    b'{"features":{"feature":1}}': (
        "(features.feature): invalid value 1 for type "
        "type.googleapis.com/tensorflow.Features.FeatureEntry"
    ),
    b'{"features":{"feature":{"a":{},"a":{}}}}': (
        "(features.feature[0]) a: Repeated map key: 'a' is already set."
    ),
    b'{"features":{"feature":{"a":{},"b":{},"a":{}}}}': (
        "(features.feature[1]) a: Repeated map key: 'a' is already set."
    ),
    feature("1"): f"({PLACE}): invalid value 1 for type type.googleapis.com/tensorflow.Feature",
    feature("[]"): (
        f"({PLACE}): invalid value Cannot have repeated items ('a') within a map. for type Map"
    ),
    feature('{"x":1}'): f"({PLACE}) x: Cannot find field.",
    feature('{"int64List":[1]}'): (
        f"({PLACE}) int64_list: Proto field is not repeating, cannot start list."
    ),
    feature('{"int64List":{"x":[1]}}'): f"({PLACE}.int64_list) x: Cannot find field.",
    feature('{"int64List":{},"floatList":{}}'): (
        f"({PLACE}): invalid value oneof field 'kind' is already set. Cannot set 'floatList' for type "
        "oneof"
    ),
    feature('{"int64List":{"value":[1.5]}}'): (
        f"({PLACE}.int64_list.value[0]): invalid value 1.5 for type TYPE_INT64"
    ),
    feature('{"int64List":{"value":[1,9223372036854775808]}}'): (
        f"({PLACE}.int64_list.value[1]): invalid value 9223372036854775808 for type TYPE_INT64"
    ),
    feature('{"int64List":{"value":[true]}}'): (
        f"({PLACE}.int64_list.value[0]): invalid value true for type TYPE_INT64"
    ),
    feature('{"floatList":{"value":["x"]}}'): (
        f'({PLACE}.float_list.value[0]): invalid value "x" for type TYPE_FLOAT'
    ),
    feature('{"floatList":{"value":[1e40]}}'): (
        f"({PLACE}.float_list.value[0]): invalid value 1e+40 for type TYPE_FLOAT"
    ),
    feature('{"bytesList":{"value":["a"]}}'): (
        f'({PLACE}.bytes_list.value[0]): invalid value "a" for type TYPE_BYTES'
    ),
    feature('{"bytesList":{"value":[1]}}'): (
        f"({PLACE}.bytes_list.value[0]): invalid value 1 for type TYPE_BYTES"
    ),
}


@cases.in_one_test
@pytest.mark.parametrize("text", REFUSED)
def test_invalid_json_is_rejected(text):
    with pytest.raises(ValueError) as caught:
        from_json(text)
    assert str(caught.value) == REFUSED[text]
