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
