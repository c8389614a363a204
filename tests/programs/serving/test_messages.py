"""TensorFlow Serving's messages, built by hand with the field numbers of its .proto files."""

import struct

import pytest

import tfmini as tf
from tests.programs.serving.test_grpc_services import field
from tfmini._src.base import proto
from tfmini._src.programs.serving.messages import MESSAGES

MANY = (1 << 40) + 5  # more than 32 bits
LARGE = b"\x85\x80\x80\x80\x80\x20"  # MANY as a varint
SPEC = field(1, b"m") + field(2, b"\x08" + LARGE) + field(3, b"s") + field(4, b"l")
SPEC_TEXT = (
    f'model_spec {{ name: "m" version {{ value: {MANY} }} signature_name: "s" version_label: "l" }}'
)
TENSOR = field(1, 1)  # dtype: DT_FLOAT
EXAMPLE = field(1, field(1, field(1, b"f") + field(2, b"")))
EXAMPLE_TEXT = 'features { feature { key: "f" value {} } }'
INPUT = field(1, field(1, EXAMPLE) * 2)
INPUT_TEXT = f"example_list {{ examples {{ {EXAMPLE_TEXT} }} examples {{ {EXAMPLE_TEXT} }} }}"
POLICY = "model_version_policy"


def config(content):
    return field(1, field(1, content))


def config_text(text):
    return f"model_config_list {{ config {{ {text} }} }}"


def wide(number, content):
    """A field with a two-byte tag, as for numbers from 16 on."""
    return bytes([(number << 3 & 0x7F | 2) | 0x80, number >> 4, len(content)]) + content


ROWS = [
    (
        "PredictRequest",
        SPEC_TEXT + 'inputs { key: "x" value { dtype: DT_FLOAT } } output_filter: "a"'
        ' output_filter: "b"',
        field(1, SPEC)
        + field(2, field(1, b"x") + field(2, TENSOR))
        + field(3, b"a")
        + field(3, b"b"),
    ),
    (
        "PredictResponse",
        SPEC_TEXT + 'outputs { key: "y" value { dtype: DT_FLOAT } }',
        field(1, field(1, b"y") + field(2, TENSOR)) + field(2, SPEC),
    ),
    (
        "ClassificationRequest",
        SPEC_TEXT + f"input {{ {INPUT_TEXT} }}",
        field(1, SPEC) + field(2, INPUT),
    ),
    (
        "RegressionRequest",
        f"{SPEC_TEXT} input {{ example_list_with_context {{ examples {{ {EXAMPLE_TEXT} }}"
        " context { features {} } } }",
        field(1, SPEC) + field(2, field(2, field(1, EXAMPLE) + field(2, field(1, b"")))),
    ),
    (
        "ClassificationResponse",
        'result { classifications { classes { label: "a" score: 0.1 } classes { score: 2 } }'
        " classifications {} }" + SPEC_TEXT,
        field(
            1,
            field(
                1,
                field(1, field(1, b"a") + b"\x15" + struct.pack("<f", 0.1))
                + field(1, b"\x15" + struct.pack("<f", 2)),
            )
            + field(1, b""),
        )
        + field(2, SPEC),
    ),
    (
        "RegressionResponse",
        "result { regressions { value: 0.1 } regressions { value: -3 } }" + SPEC_TEXT,
        field(
            1,
            field(1, b"\x0d" + struct.pack("<f", 0.1)) + field(1, b"\x0d" + struct.pack("<f", -3)),
        )
        + field(2, SPEC),
    ),
    (
        "MultiInferenceRequest",
        f'tasks {{ {SPEC_TEXT} method_name: "a" }} tasks {{ method_name: "b" }} input {{ {INPUT_TEXT} }}',
        field(1, field(1, SPEC) + field(2, b"a")) + field(1, field(2, b"b")) + field(2, INPUT),
    ),
    (
        "MultiInferenceResponse",
        "results { classification_result { classifications {} } } "
        f"results {{ {SPEC_TEXT} regression_result {{ regressions {{ value: 0.1 }} }} }}",
        field(1, field(2, field(1, b"")))
        + field(1, field(1, SPEC) + field(3, field(1, b"\x0d" + struct.pack("<f", 0.1)))),
    ),
    (
        "PredictionLog",
        f"classify_log {{ request {{ {SPEC_TEXT} }} }} regress_log {{ request {{ {SPEC_TEXT} }} }}"
        f" predict_log {{ request {{ {SPEC_TEXT} }} }}"
        f" multi_inference_log {{ request {{ tasks {{ {SPEC_TEXT} }} }} }}"
        f' session_run_log {{ request {{ {SPEC_TEXT} feed {{ name: "x" tensor {{ dtype: DT_FLOAT }} }}'
        ' fetch: "y" target: "t" } }',
        field(2, field(1, field(1, SPEC)))
        + field(3, field(1, field(1, SPEC)))
        + field(4, field(1, field(1, field(1, SPEC))))
        + field(
            5,
            field(
                1,
                field(1, SPEC)
                + field(2, field(1, b"x") + field(2, TENSOR))
                + field(3, b"y")
                + field(4, b"t"),
            ),
        )
        + field(6, field(1, field(1, SPEC))),
    ),
    (
        "GetModelMetadataRequest",
        SPEC_TEXT + 'metadata_field: "signature_def" metadata_field: "b"',
        field(1, SPEC) + field(2, b"signature_def") + field(2, b"b"),
    ),
    (
        "SignatureDefMap",
        'signature_def { key: "s" value { method_name: "m" } }',
        field(1, field(1, b"s") + field(2, field(3, b"m"))),
    ),
    (
        "GetModelMetadataResponse",
        SPEC_TEXT + 'metadata { key: "k" value { type_url: "u" value: "\\377" } }',
        field(1, SPEC) + field(2, field(1, b"k") + field(2, field(1, b"u") + field(2, b"\xff"))),
    ),
    ("GetModelStatusRequest", SPEC_TEXT, field(1, SPEC)),
    (
        "GetModelStatusResponse",
        f"model_version_status {{ version: {MANY} state: 30"
        ' status { error_code: 2 error_message: "e" } } model_version_status { version: 2 }',
        field(1, b"\x08" + LARGE + field(2, 30) + field(3, field(1, 2) + field(2, b"e")))
        + field(1, field(1, 2)),
    ),
    ("HealthCheckRequest", 'service: "s"', field(1, b"s")),
    ("HealthCheckResponse", "status: 2", field(1, 2)),
    (
        "ModelServerConfig",
        config_text(
            'name: "n" base_path: "p" model_type: TENSORFLOW model_platform: "tensorflow" logging_config {'
            ' log_collector_config { type: "t" filename_prefix: "f" }'
            ' sampling_config { sampling_rate: 0.1 } saved_model_tags: "a" saved_model_tags: "b" }'
            f' version_labels {{ key: "l" value: {MANY} }}'
        ),
        config(
            field(1, b"n")
            + field(2, b"p")
            + field(3, 1)
            + field(4, b"tensorflow")
            + field(
                6,
                field(1, field(1, b"t") + field(2, b"f"))
                + field(2, b"\x09" + struct.pack("<d", 0.1))
                + field(3, b"a")
                + field(3, b"b"),
            )
            + field(8, field(1, b"l") + b"\x10" + LARGE)
        ),
    ),
    (
        "ModelServerConfig",
        config_text(f"model_type: OTHER {POLICY} {{ latest {{ num_versions: 3 }} }}"),
        config(field(3, 2) + field(7, wide(100, field(1, 3)))),
    ),
    (
        "ModelServerConfig",
        config_text(f"{POLICY} {{ all {{}} }}"),
        config(field(7, wide(101, b""))),
    ),
]


@pytest.mark.parametrize("name, text, data", ROWS, ids=[f"{n}-{r[0]}" for n, r in enumerate(ROWS)])
def test_message_wire_format(name, text, data):
    message = MESSAGES[name]()
    proto.parse_text(text, message)
    assert message.SerializeToString(deterministic=True) == data
    read = MESSAGES[name].FromString(data)
    assert read == message
    assert message.DESCRIPTOR.full_name == f"tensorflow.serving.{name}"


def test_packed_and_unpacked_versions_are_parsed():
    """proto3 packs repeated integers, and parsers accept both forms."""
    text = config_text(f"{POLICY} {{ specific {{ versions: {MANY} versions: 2 }} }}")
    message = MESSAGES["ModelServerConfig"]()
    proto.parse_text(text, message)
    alone = config(field(7, wide(102, b"\x08" + LARGE + field(1, 2))))
    packed = config(field(7, wide(102, field(1, LARGE + b"\x02"))))
    for data in (alone, packed):
        assert MESSAGES["ModelServerConfig"].FromString(data) == message


def test_missing_field_differs_from_zero():
    spec = MESSAGES["ModelSpec"]()
    assert not spec.HasField("version") and spec.version.value == 0
    spec.version.SetInParent()
    assert spec.HasField("version") and spec.SerializeToString() == field(2, b"")
    request = MESSAGES["ClassificationRequest"]()
    assert not request.HasField("model_spec") and not request.input.HasField(
        "example_list_with_context"
    )
    request.input.example_list.examples.add()
    assert isinstance(request.input.example_list.examples[0], tf.train.Example)


def test_out_of_range_integers_are_refused():
    for name, key, value in (
        ("Int64Value", "value", 1 << 63),
        ("Latest", "num_versions", 1 << 32),
        ("Latest", "num_versions", -1),
        ("StatusProto", "error_code", 1 << 31),
        ("HealthCheckResponse", "status", 1 << 31),
    ):
        with pytest.raises(ValueError, match="out of range"):
            MESSAGES[name](**{key: value})
    assert MESSAGES["Int64Value"](value=-1 << 63).value == -1 << 63
    assert MESSAGES["Latest"](num_versions=(1 << 32) - 1).num_versions == (1 << 32) - 1
    assert MESSAGES["StatusProto"](error_code=-1).error_code == -1
