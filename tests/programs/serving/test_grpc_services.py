"""The gRPC services: called by TensorFlow Serving's client if installed, and with hand-built messages."""

import asyncio
import contextlib
import struct
import subprocess
from pathlib import Path

import grpc
import pytest

import tfmini as tf
from tests.programs.serving import served
from tfmini._src.base import proto
from tfmini._src.programs.serving import grpc_services
from tfmini._src.programs.serving.messages import MESSAGES
from tfmini._src.programs.serving.model_versions import Source
from tfmini._src.programs.serving.service import Options, Service

CLIENT = Path(__file__).with_name("serving_client.py")
DT_FLOAT = 1
PREDICTION = "tensorflow.serving.PredictionService"


@pytest.mark.reference
def test_tensorflow_serving_client(server, serving_client):
    command = [serving_client, "-W", "ignore", str(CLIENT), server.grpc]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert process.stdout == "answered\n", process.stderr


def field(number, content):
    """A bytes or integer field of a message."""
    if isinstance(content, int):
        return bytes([number << 3, content])
    return bytes([number << 3 | 2, len(content)]) + content


def shape(*sizes):
    return field(2, b"".join(field(2, field(1, size)) for size in sizes))


def called(server, method, request):
    with grpc.insecure_channel(server.grpc) as channel:
        return channel.unary_unary(method)(request, timeout=60)


def test_predict(server):
    values = struct.pack("<4f", 1, 0.5, 2, 0)
    tensor = field(1, DT_FLOAT) + shape(2, 2) + field(4, values)  # tensor_content
    spec = field(1, b"line") + field(2, field(1, 12))
    request = field(1, spec) + field(2, field(1, b"x") + field(2, tensor)) + field(3, b"y")
    response = called(server, "/tensorflow.serving.PredictionService/Predict", request)
    floats = field(5, struct.pack("<2f", 3.5, 6))  # float_val, which clients read
    output = field(1, b"y") + field(2, field(1, DT_FLOAT) + shape(2, 1) + floats)
    spec = field(1, b"line") + field(2, field(1, 12)) + field(3, b"serving_default")
    assert response == field(1, output) + field(2, spec)


def test_status(server):
    request = field(1, field(1, b"kinds"))
    response = called(server, "/tensorflow.serving.ModelService/GetModelStatus", request)
    available = 30
    assert response == field(1, field(1, 5) + field(2, available) + field(3, b""))


def test_health(server):
    serving = 1
    assert called(server, "/grpc.health.v1.Health/Check", b"") == field(1, serving)


@pytest.mark.parametrize(
    "method, request_bytes, code, text",
    [
        ("Predict", b"", grpc.StatusCode.INVALID_ARGUMENT, "Missing ModelSpec"),
        ("Predict", field(1, field(1, b"o")), grpc.StatusCode.NOT_FOUND, "Latest(o)"),
        ("Predict", field(1, field(1, b"line")), grpc.StatusCode.INVALID_ARGUMENT, "required: {x}"),
        ("Predict", b"\xff\xff", grpc.StatusCode.INTERNAL, "The request is not a PredictRequest"),
        ("MultiInference", b"", grpc.StatusCode.INVALID_ARGUMENT, "Missing ModelSpec"),
        ("Explain", b"", grpc.StatusCode.UNIMPLEMENTED, "Method not found"),
        ("Predict", bytes(200_000), grpc.StatusCode.RESOURCE_EXHAUSTED, "larger than max"),
    ],
)
def test_invalid_requests(server, method, request_bytes, code, text):
    with pytest.raises(grpc.RpcError) as caught:
        called(server, f"/tensorflow.serving.PredictionService/{method}", request_bytes)
    assert caught.value.code() == code
    assert text in caught.value.details()


def test_unrepresentable_outputs_are_refused(tmp_path, monkeypatch):
    served.line(tmp_path / "1", 1)
    monkeypatch.setattr(grpc_services, "_MAX_BYTES", 7)
    request = MESSAGES["PredictRequest"]()
    request.model_spec.name = "line"
    request.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 2.0]]))

    async def run():
        service = Service(Options((Source("line", str(tmp_path)),)))
        async with service.running():
            await grpc_services.GrpcServices(service)._predict(request)

    with pytest.raises(tf.errors.ResourceExhaustedError, match="of 8 bytes exceed the maximum"):
        asyncio.run(run())


def answers(tmp_path, *calls):
    """The answers of a service with models line (versions 1 and 3) and flowers to (method, request)s."""
    (tmp_path / "line").mkdir()
    served.line(tmp_path / "line" / "1", 2)
    served.line(tmp_path / "line" / "3", 3)
    served.flowers(str(tmp_path / "flowers" / "7"))
    sources = (
        Source("line", str(tmp_path / "line"), latest=0, labels={"old": 1}),
        Source("flowers", str(tmp_path / "flowers")),
    )

    async def run():
        service = Service(Options(sources))
        result = []
        async with service.running():
            services = grpc_services.GrpcServices(service)
            for method, request in calls:
                try:
                    result.append(await getattr(services, method)(request))
                except tf.errors.OpError as error:
                    result.append(f"{type(error).__name__}: {error.message}")
        return result

    return asyncio.run(run())


def asked(kind, name="", version=None, label="", signature="", examples=(), context=None):
    request = MESSAGES[kind]()
    spec = request.model_spec
    spec.name, spec.version_label = name, label
    if version is not None:
        spec.version.value = version
    if signature:
        spec.signature_name = signature
    features = [
        tf.train.Example(features=tf.train.Features(feature=each)).SerializeToString()
        for each in examples
    ]
    if context is not None:
        listed = request.input.example_list_with_context
        listed.context.features.feature["shift"].int64_list.value.append(context)
    elif examples:
        listed = request.input.example_list
    for each in features:
        listed.examples.add().MergeFromString(each)
    return request


def x(*values):
    return {"x": tf.train.Feature(float_list=tf.train.FloatList(value=values))}


def test_classification_and_regression(tmp_path):
    rows = [x(0.5, 1.0), x(2.0, 3.0)]
    kind = "ClassificationRequest"
    both, context, labelled, regress, invalid, empty = answers(
        tmp_path,
        ("_classify", asked(kind, "flowers", examples=rows)),
        ("_classify", asked(kind, "flowers", 7, signature="scores", examples=rows, context=2)),
        ("_classify", asked(kind, "flowers", label="none", examples=rows)),
        ("_regress", asked("RegressionRequest", "flowers", signature="value", examples=rows)),
        ("_regress", asked("RegressionRequest", "flowers", examples=rows)),
        ("_classify", asked(kind, "flowers")),
    )

    def shown(response):
        return [
            [(each.label, each.score) for each in row.classes]
            for row in response.result.classifications
        ]

    assert shown(both) == [[("iris", 0.5), ("rose", 1.0)], [("iris", 2.0), ("rose", 3.0)]]
    spec = both.model_spec
    assert (spec.name, spec.version.value, spec.signature_name) == ("flowers", 7, "serving_default")
    assert shown(context) == [[("", 2.5), ("", 3.0)], [("", 4.0), ("", 5.0)]]
    assert context.model_spec.signature_name == "scores"
    assert labelled == "InvalidArgumentError: Unrecognized servable version label: none"
    assert [each.value for each in regress.result.regressions] == [1.5, 5.0]
    assert invalid.startswith("InvalidArgumentError: ") and "regress" in invalid
    assert empty == "InvalidArgumentError: Input is empty."


def test_model_metadata_and_status(tmp_path):
    metadata = asked("GetModelMetadataRequest", "line", label="old")
    metadata.metadata_field.append("signature_def")
    others = asked("GetModelMetadataRequest", "line")
    others.metadata_field.append("graph")
    kind = "GetModelStatusRequest"
    every, one, old, missing, unknown, result, refused, health, invalid = answers(
        tmp_path,
        ("_status", asked(kind, "line")),
        ("_status", asked(kind, "line", 3)),
        ("_status", asked(kind, "line", label="old")),
        ("_status", asked(kind, "line", 2)),
        ("_status", asked(kind, "none")),
        ("_metadata", metadata),
        ("_metadata", others),
        ("_check", MESSAGES["HealthCheckRequest"](service="tensorflow.serving.ModelService")),
        ("_check", MESSAGES["HealthCheckRequest"](service="other")),
    )

    def states(response):
        return [(each.version, each.state) for each in response.model_version_status]

    assert states(every) == [(3, 30), (1, 30)]
    assert states(one) == [(3, 30)] and states(old) == [(1, 30)]
    assert missing == "NotFoundError: Could not find version 2 of model line"
    assert unknown == "NotFoundError: Could not find any versions of model none"
    assert result.model_spec.version.value == 1 and result.model_spec.signature_name == ""
    signatures = MESSAGES["SignatureDefMap"]()
    assert result.metadata["signature_def"].Unpack(signatures)
    shown = signatures.signature_def["serving_default"]
    assert list(shown.inputs) == ["x"] and sorted(shown.outputs) == ["twice", "y"]
    assert refused == "InvalidArgumentError: metadata_field must be signature_def, not ['graph']"
    assert health.status == 1
    assert invalid == "NotFoundError: No service other"


def test_invalid_inputs_are_refused(tmp_path):
    broken = asked("PredictRequest", "line")
    broken.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 2.0]]))
    broken.inputs["x"].tensor_content = b"123"
    large = asked("PredictRequest", "line")
    large.inputs["x"].CopyFrom(tf.make_tensor_proto(0.0, shape=[1 << 20, 1 << 10]))
    filtered = asked("PredictRequest", "line", label="old")
    filtered.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 2.0]]))
    filtered.output_filter.append("twice")
    result = answers(tmp_path, ("_predict", broken), ("_predict", large), ("_predict", filtered))
    assert result[0].startswith("InvalidArgumentError: input x: ")
    assert result[1].startswith("ResourceExhaustedError: input x exceeds ")
    assert list(result[2].outputs) == ["twice"]
    assert list(result[2].outputs["twice"].float_val) == [8.0]
    assert result[2].model_spec.version.value == 1


PREDICTED = """
outputs {
  key: "is_even"
  value { dtype: DT_BOOL tensor_shape { dim { size: 2 } } bool_val: false bool_val: true }
}
outputs {
  key: "next"
  value {
    dtype: DT_INT64 tensor_shape { dim { size: 2 } } int64_val: 1099511627780 int64_val: 5
  }
}
outputs {
  key: "raw_bytes"
  value { dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: "\\377" string_val: "b" }
}
outputs {
  key: "third"
  value {
    dtype: DT_DOUBLE tensor_shape { dim { size: 2 } }
    double_val: 366503875926.3333 double_val: 1.3333333333333333
  }
}
outputs {
  key: "upper"
  value { dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: "\\377" string_val: "B" }
}
model_spec { name: "kinds" version { value: 5 } signature_name: "serving_default" }
"""


def test_complete_response_with_several_dtypes(tmp_path):
    """Each value is in its type's field; a scalar has a shape without dimensions."""
    served.kinds(str(tmp_path / "5"))
    request = asked("PredictRequest", "kinds")
    request.inputs["text"].CopyFrom(tf.make_tensor_proto([b"\xff", b"b"]))
    request.inputs["number"].CopyFrom(tf.make_tensor_proto([(1 << 40) + 3, 4], tf.int64))
    total = asked("PredictRequest", "kinds", 5, signature="total")
    total.inputs["number"].CopyFrom(tf.make_tensor_proto([3, 4], tf.int64))
    negative = asked("PredictRequest", "kinds", signature="total")
    negative.inputs["number"].CopyFrom(tf.make_tensor_proto([-3], tf.int64))

    async def run():
        service = Service(Options((Source("kinds", str(tmp_path)),)))
        async with service.running():
            services = grpc_services.GrpcServices(service)
            return [await services._predict(each) for each in (request, total, negative)]

    both, scalar, below = asyncio.run(run())
    expected = MESSAGES["PredictResponse"]()
    proto.parse_text(PREDICTED, expected)
    assert both == expected
    assert (
        str(scalar.outputs["total"]).split()
        == "dtype: DT_INT64 tensor_shape { } int64_val: 7".split()
    )
    assert scalar.model_spec.signature_name == "total"
    assert list(below.outputs["total"].int64_val) == [-3]


def test_failed_versions_report_their_error(tmp_path):
    """Its code and text are in the status; the health check reports the server as not serving."""
    (tmp_path / "2").mkdir()
    services = {name: MESSAGES["HealthCheckRequest"](service=name) for name in ("", PREDICTION)}

    async def run():
        service = Service(Options((Source("line", str(tmp_path)),)))
        async with service.running():
            here = grpc_services.GrpcServices(service)
            before = [await here._check(each) for each in services.values()]
            status = await here._status(asked("GetModelStatusRequest", "line"))
            served.line(tmp_path / "4", 1)
            await service._refresh()
            after = [await here._check(each) for each in services.values()]
            both = await here._status(asked("GetModelStatusRequest", "line"))
        return before, status, after, both

    before, status, after, both = asyncio.run(run())
    assert [each.SerializeToString() for each in before] == [field(1, 2)] * 2
    assert [each.SerializeToString() for each in after] == [field(1, 1)] * 2
    (version,) = status.model_version_status
    assert (version.version, version.state) == (2, 50)
    assert version.status.error_code == tf.errors.INTERNAL
    assert version.status.error_message.startswith("OSError: SavedModel file does not exist at")
    assert " line/2/" in version.status.error_message
    assert str(tmp_path) not in version.status.error_message
    newest, older = both.model_version_status
    assert older == version
    assert (newest.version, newest.state) == (4, 30)
    assert newest.HasField("status") and newest.status.error_code == 0
    assert newest.status.error_message == ""


class Call:
    """A gRPC call that records its abort."""

    def __init__(self):
        self.aborted = None

    def peer(self):
        return "ipv4:127.0.0.1:1"

    async def abort(self, code, text):
        self.aborted = code, text
        raise grpc.aio.AbortError


def test_errors_set_status_code_and_are_counted(tmp_path):
    """Requests are counted by model and status, latencies by method and protocol; unknown models are not stored."""
    served.line(tmp_path / "1", 1)
    good = asked("PredictRequest", "line")
    good.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 2.0]]))
    texts = [good, asked("PredictRequest", "line"), asked("PredictRequest", "none")]
    nothing = MESSAGES["PredictRequest"]()
    data = [*(each.SerializeToString() for each in (*texts, nothing)), b"\xff"]

    async def breaks(request):
        raise ZeroDivisionError("mine")

    async def run():
        service = Service(Options((Source("line", str(tmp_path)),)))
        told = []
        async with service.running():
            here = grpc_services.GrpcServices(service)
            for method, each in [*((here._predict, one) for one in data), (breaks, data[0])]:
                handler, call = here._handler("Predict", "PredictRequest", method), Call()
                answer = None
                with contextlib.suppress(grpc.aio.AbortError):
                    answer = await handler.unary_unary(each, call)
                told.append((answer is not None, call.aborted))
        return told, service.metrics.text().splitlines()

    told, metrics = asyncio.run(run())
    code = grpc.StatusCode
    assert [result and result[0] for _, result in told] == [
        None,
        code.INVALID_ARGUMENT,
        code.NOT_FOUND,
        code.INVALID_ARGUMENT,
        code.INTERNAL,
        told[-1][1][0],
    ]
    assert [answered for answered, _ in told] == [True, *[False] * 5]
    assert told[2][1][1] == "Servable not found for request: Latest(none)"
    assert told[3][1][1] == "Missing ModelSpec"
    assert told[4][1][1] == "The request is not a PredictRequest"
    assert told[5][1][0] in (code.UNKNOWN, code.INTERNAL) and "mine" in told[5][1][1]
    counted = {line for line in metrics if ":request_count{" in line}
    start = ":tensorflow:serving:request_count{model_name="
    assert counted >= {
        f'{start}"line",status="OK"}} 1',
        f'{start}"line",status="INVALID_ARGUMENT"}} 1',
        f'{start}"",status="NOT_FOUND"}} 1',
    }
    assert len(counted) == 4
    times = [line for line in metrics if ":request_latency_count{" in line]
    labels = 'API="Predict",entrypoint="gRPC"'
    start = ":tensorflow:serving:request_latency_count{model_name="
    assert times == [f'{start}"",{labels}}} 1', f'{start}"line",{labels}}} 3']
    assert ":tensorflow:serving:batch_size_count 1" in metrics


def test_regression_examples_inherit_context(tmp_path):
    rows = [x(0.5, 1.0), x(2.0, 3.0), x(0.0, 0.0)]
    kind = "RegressionRequest"
    none = asked(kind, "flowers", signature="value", context=4)
    own = asked(kind, "flowers", signature="value", examples=rows, context=4)
    own.input.example_list_with_context.examples[1].features.feature[
        "shift"
    ].int64_list.value.append(9)
    zero = asked("ClassificationRequest", "line", 0)
    both = asked("ClassificationRequest", "line", 1, label="old", examples=rows)
    text = asked(kind, "flowers", signature="text", examples=rows)
    numbers = asked("ClassificationRequest", "flowers", signature="numbers", examples=rows)
    latin = asked("ClassificationRequest", "flowers", signature="latin", examples=rows)
    result = answers(
        tmp_path,
        *(("_regress", each) for each in (own, none, text)),
        *(("_classify", each) for each in (zero, both, numbers, latin)),
    )
    assert [each.value for each in result[0].result.regressions] == [9.5, 23.0, 8.0]
    spec = result[0].model_spec
    assert (spec.name, spec.version.value, spec.signature_name) == ("flowers", 7, "value")
    label = "A label is not UTF-8: 'utf-8' codec can't decode byte 0xe9 in position 0: unexpected end of data"
    assert result[1:] == [
        "InvalidArgumentError: Input is empty.",
        "InvalidArgumentError: Expected output Tensor of DT_FLOAT.  Got: DT_STRING",
        "NotFoundError: Servable not found for request: Specific(line, 0)",
        "InvalidArgumentError: Expected classification signature method_name to be "
        "tensorflow/serving/classify. Was: tensorflow/serving/predict",
        "InvalidArgumentError: Expected classes Tensor of DT_STRING. Got: DT_INT32",
        f"InvalidArgumentError: {label}",
    ]


@pytest.mark.parametrize("name", ["m" * 20_000, "\u6a21" * 7_000])
def test_long_error_message_is_truncated(server, name):
    data = name.encode()
    size = bytes([0x80 | len(data) & 0x7F, 0x80 | len(data) >> 7 & 0x7F, len(data) >> 14])
    spec = b"\x0a" + size + data
    length = len(spec)
    size = bytes([0x80 | length & 0x7F, 0x80 | length >> 7 & 0x7F, length >> 14])
    with pytest.raises(grpc.RpcError, match="NOT_FOUND") as caught:
        called(server, "/tensorflow.serving.PredictionService/Predict", b"\x0a" + size + spec)
    text = caught.value.details()
    assert text.startswith("Servable not found for request: Latest(" + name[:100])
    assert text.endswith(name[:1] + " ...")
