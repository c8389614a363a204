"""TLS and mutual TLS over REST and gRPC, with certificates created by openssl."""

import json
import shutil
import ssl
import subprocess
from types import SimpleNamespace

import grpc
import pytest

from tests.programs.serving import served
from tests.programs.serving.test_grpc_services import field
from tfmini._src.programs.cli import main
from tfmini._src.programs.serving import server as server_module

pytestmark = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="makes certificates by openssl"
)
STATUS = "/tensorflow.serving.ModelService/GetModelStatus"


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def issued(folder, name, authority=None):
    """A certificate for 127.0.0.1 and its key; self-signed without an authority."""
    key, certificate = folder / f"{name}.key", folder / f"{name}.pem"
    request = ("req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-subj", f"/CN={name}")
    uses = ("-addext", "keyUsage=critical,keyCertSign")
    if authority is None:
        openssl(*request, *uses, "-x509", "-days", 2, "-out", certificate)
    else:
        openssl(*request, "-out", folder / "request")
        extension = folder / "extension"
        # The last one for Python 3.13, which verifies strictly.
        extension.write_text("subjectAltName=IP:127.0.0.1\nauthorityKeyIdentifier=keyid")
        openssl(
            *("x509", "-req", "-in", folder / "request", "-days", 2, "-CAcreateserial"),
            *("-CA", authority.certificate, "-CAkey", authority.key),
            *("-extfile", extension, "-out", certificate),
        )
    return SimpleNamespace(key=key, certificate=certificate)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    authority = issued(folder, "authority")
    created = {name: issued(folder, name, authority) for name in ("server", "client")}
    (folder / "line").mkdir()
    served.line(folder / "line" / "1", 2)
    return SimpleNamespace(
        authority=authority, stranger=issued(folder, "stranger"), model=folder / "line", **created
    )


def trusting(authority, client=None):
    context = ssl.create_default_context(cafile=authority.certificate)
    if client is not None:
        context.load_cert_chain(client.certificate, client.key)
    return context


def status_over_grpc(server, authority, client=None):
    pair = (client.key.read_bytes(), client.certificate.read_bytes()) if client else (None, None)
    credentials = grpc.ssl_channel_credentials(authority.certificate.read_bytes(), *pair)
    with grpc.secure_channel(server.grpc, credentials) as channel:
        return channel.unary_unary(STATUS)(field(1, field(1, b"line")), timeout=60)


AVAILABLE = field(1, field(1, 1) + field(2, 30) + field(3, b""))


def test_server_certificate(files):
    arguments = "--tls-certificate", files.server.certificate, "--tls-key", files.server.key
    context = trusting(files.authority)
    with served.serving(files.model, *arguments, context=context) as server:
        assert server.lines[0].startswith("REST at https://")
        assert server.post("line:predict", {"inputs": [[1, 0.5]]})[1]["outputs"]["y"] == [[2.5]]
        assert status_over_grpc(server, files.authority) == AVAILABLE
        with pytest.raises(grpc.RpcError, match="UNAVAILABLE"):
            status_over_grpc(server, files.stranger)
        server.context = trusting(files.stranger)
        with pytest.raises(ssl.SSLCertVerificationError, match="certificate verify failed"):
            server.ask("GET", "/healthz")
        server.context = None
        with pytest.raises(OSError, match="closed|reset"):  # plain HTTP
            server.ask("GET", "/healthz")
        server.context = context
        assert server.end() == 0


def text_of(path):
    return json.dumps(path.read_text())  # protobuf's text format has the same escapes


@pytest.mark.parametrize("way", ["options", "file"])
def test_client_certificate_is_required(files, way, tmp_path):
    arguments = ["--tls-certificate", files.server.certificate, "--tls-key", files.server.key]
    arguments += ["--tls-client-ca", files.authority.certificate]
    if way == "file":
        config = tmp_path / "ssl.config"
        config.write_text(
            f"server_key: {text_of(files.server.key)} client_verify: true\n"
            f"server_cert: {text_of(files.server.certificate)}\n"
            f"custom_ca: {text_of(files.authority.certificate)}"
        )
        arguments = ["--ssl-config", config, "--workers", 2]
    with served.serving(
        files.model, *arguments, context=trusting(files.authority, files.client)
    ) as server:
        assert server.get("line")[0] == 200
        assert status_over_grpc(server, files.authority, files.client) == AVAILABLE
        for client in (None, files.stranger):
            with pytest.raises(grpc.RpcError, match="UNAVAILABLE"):
                status_over_grpc(server, files.authority, client)
            server.context = trusting(files.authority, client)
            # TLS 1.3 refuses a client once it has sent its request, by closing the connection.
            with pytest.raises(OSError, match="alert|reset|closed|Broken pipe"):
                server.ask("GET", "/healthz")
        server.context = trusting(files.authority, files.client)
        assert server.get("line")[0] == 200


CLIENT = """
import sys
import grpc, tensorflow as tf
from tensorflow_serving.apis import predict_pb2, prediction_service_pb2_grpc

address, *files = sys.argv[1:]
credentials = grpc.ssl_channel_credentials(*[open(file, "rb").read() for file in files])
stub = prediction_service_pb2_grpc.PredictionServiceStub(grpc.secure_channel(address, credentials))
request = predict_pb2.PredictRequest()
request.model_spec.name = "line"
request.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 0.5]]))
try:
    print(list(stub.Predict(request, 60).outputs["y"].float_val))
except grpc.RpcError as error:
    print(error.code())
"""


@pytest.mark.reference
def test_tensorflow_serving_client(files, serving_client):
    arguments = ["--tls-certificate", files.server.certificate, "--tls-key", files.server.key]
    arguments += ["--tls-client-ca", files.authority.certificate]

    def predicted(*named):
        command = [serving_client, "-W", "ignore", "-c", CLIENT, server.grpc, *map(str, named)]
        return subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=120
        ).stdout

    context = trusting(files.authority, files.client)
    with served.serving(files.model, *arguments, context=context) as server:
        authority = files.authority.certificate
        assert predicted(authority, files.client.key, files.client.certificate) == "[2.5]\n"
        assert predicted(authority) == "StatusCode.UNAVAILABLE\n"


def test_handshake_timeout_is_set(files, monkeypatch, tmp_path):
    limits = []

    async def create_server(loop, *arguments, **options):
        limits.append((options.get("ssl"), options.get("ssl_handshake_timeout")))

    monkeypatch.setattr(server_module.asyncio.SelectorEventLoop, "create_server", create_server)
    loop = server_module.EventLoop()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    loop.run_until_complete(loop.create_server(None, ssl=context))
    loop.run_until_complete(loop.create_server(None, sock=None, ssl=None))
    loop.close()
    assert limits == [(context, 15.0), (None, None)]


def test_invalid_certificate_files(files, capsys):
    def refused(certificate, key, *more):
        arguments = "--tls-certificate", certificate, "--tls-key", key, *more
        assert main(["serve", *map(str, (files.model, *arguments))]) == 1
        return capsys.readouterr().err

    good, other = files.server, files.model / "1" / "saved_model.pb"
    assert "No such file or directory: 'none'" in refused("none", good.key)
    text = f"{good.certificate}, {files.client.key}: key values mismatch"
    assert text in refused(good.certificate, files.client.key)
    assert f"{good.certificate}, {other}: " in refused(good.certificate, other)
    text = refused(good.certificate, good.key, "--tls-client-ca", other)
    assert f"serve: {other}: " in text


@pytest.mark.parametrize(
    "text, error",
    [
        ("server_key: 'k'", "an SSLConfig requires server_key and server_cert"),
        (
            "server_key: 'k' server_cert: 'c' client_verify: true",
            "client_verify requires custom_ca",
        ),
        ("server_key: 'k' server_cert: 'c'", "certificate, "),
        ("key: 'k'", 'has no field named "key"'),
    ],
)
def test_invalid_ssl_configs(files, text, error, tmp_path, capsys):
    (tmp_path / "ssl.config").write_text(text)
    assert main(["serve", str(files.model), "--ssl-config", str(tmp_path / "ssl.config")]) == 1
    assert error in capsys.readouterr().err
