"""The gRPC services: asked by TensorFlow Serving's client where it is, and by messages put together by hand."""

import asyncio
import struct
import subprocess
from pathlib import Path

import grpc
import pytest

import tfmini as tf
from tests.programs.serving import served
from tfmini._src.programs.serving import grpc_services
from tfmini._src.programs.serving.messages import MESSAGES
from tfmini._src.programs.serving.model_versions import Source
from tfmini._src.programs.serving.service import Options, Service

CLIENT = Path(__file__).with_name("serving_client.py")
DT_FLOAT = 1


@pytest.mark.reference
def test_the_client_of_tensorflow_serving(server, serving_client):
    command = [serving_client, "-W", "ignore", str(CLIENT), server.grpc]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.stdout == "answered\n", ran.stderr


def field(number, content):
    """A field of bytes, or of an integer, of a message."""
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
        ("Predict", b"\xff\xff", grpc.StatusCode.INTERNAL, "This is no PredictRequest"),
        ("MultiInference", b"", grpc.StatusCode.UNIMPLEMENTED, "Method not found"),
        ("Predict", bytes(200_000), grpc.StatusCode.RESOURCE_EXHAUSTED, "larger than max"),
    ],
)
def test_refused(server, method, request_bytes, code, text):
    with pytest.raises(grpc.RpcError) as caught:
        called(server, f"/tensorflow.serving.PredictionService/{method}", request_bytes)
    assert caught.value.code() == code
    assert text in caught.value.details()


def test_outputs_that_no_message_holds(tmp_path, monkeypatch):
    served.line(tmp_path / "1", 1)
    monkeypatch.setattr(grpc_services, "_MOST_BYTES", 7)
    request = MESSAGES["PredictRequest"]()
    request.model_spec.name = "line"
    request.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 2.0]]))

    async def run():
        service = Service(Options((Source("line", str(tmp_path)),)))
        async with service.running():
            await grpc_services.GrpcServices(service)._predict(request)

    with pytest.raises(tf.errors.ResourceExhaustedError, match="have 8 bytes; a message has at"):
        asyncio.run(run())


def answers(tmp_path, *calls):
    """What a service of the models line (versions 1 and 3) and flowers answers to (method, request)s."""
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
        found = []
        async with service.running():
            services = grpc_services.GrpcServices(service)
            for method, request in calls:
                try:
                    found.append(await getattr(services, method)(request))
                except tf.errors.OpError as error:
                    found.append(f"{type(error).__name__}: {error.message}")
        return found

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


def test_classes_and_values_of_examples(tmp_path):
    rows = [x(0.5, 1.0), x(2.0, 3.0)]
    kind = "ClassificationRequest"
    both, context, labelled, regress, wrong, empty = answers(
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
    assert wrong.startswith("InvalidArgumentError: ") and "regress" in wrong
    assert empty == "InvalidArgumentError: Input is empty."


def test_what_the_versions_of_a_model_are(tmp_path):
    metadata = asked("GetModelMetadataRequest", "line", label="old")
    metadata.metadata_field.append("signature_def")
    others = asked("GetModelMetadataRequest", "line")
    others.metadata_field.append("graph")
    kind = "GetModelStatusRequest"
    every, one, old, missing, unknown, found, refused, health, wrong = answers(
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
    assert found.model_spec.version.value == 1 and found.model_spec.signature_name == ""
    signatures = MESSAGES["SignatureDefMap"]()
    assert found.metadata["signature_def"].Unpack(signatures)
    shown = signatures.signature_def["serving_default"]
    assert list(shown.inputs) == ["x"] and sorted(shown.outputs) == ["twice", "y"]
    assert refused == "InvalidArgumentError: metadata_field must be signature_def, not ['graph']"
    assert health.status == 1
    assert wrong == "NotFoundError: There is no service other"


def test_inputs_of_a_message_that_are_refused(tmp_path):
    broken = asked("PredictRequest", "line")
    broken.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 2.0]]))
    broken.inputs["x"].tensor_content = b"123"
    large = asked("PredictRequest", "line")
    large.inputs["x"].CopyFrom(tf.make_tensor_proto(0.0, shape=[1 << 20, 1 << 10]))
    filtered = asked("PredictRequest", "line", label="old")
    filtered.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 2.0]]))
    filtered.output_filter.append("twice")
    found = answers(tmp_path, ("_predict", broken), ("_predict", large), ("_predict", filtered))
    assert found[0].startswith("InvalidArgumentError: input x: ")
    assert found[1].startswith("ResourceExhaustedError: input x has more than ")
    assert list(found[2].outputs) == ["twice"]
    assert list(found[2].outputs["twice"].float_val) == [8.0]
    assert found[2].model_spec.version.value == 1
