"""Access to a server: shared token, TLS with generated certificates, and bound addresses."""

import shutil
import subprocess
import threading

import grpc
import pytest

import tfmini as tf
from tests.cluster.tasks import cluster_of
from tests.support import waiting
from tfmini._src.cluster import grpc_channel, security
from tfmini._src.cluster.addresses import bind_address
from tfmini._src.cluster.direct_sockets import OPEN_CONNECTION, TCP_TRANSPORT


@pytest.fixture
def secured():
    before = security._set
    yield security.secure
    security._set = before


def test_token_is_required(secured):
    with cluster_of({"ps": 1, "worker": 1}, variables={"TFMINI_TOKEN": "word"}) as tasks:
        target = tasks["worker", 0].target
        with tf.device("/job:ps/task:0"):
            one = tf.constant(1.0) + 1.0
        for token, text in (("", "requires a token"), ("other", "does not match the server's")):
            secured(token=token)
            with pytest.raises(tf.errors.UnauthenticatedError, match=text):
                tf.Session(target).run(one)
        secured(token="word")
        with tf.Session(target) as session:
            assert session.run(one) == 2.0


def test_unauthenticated_request_body_is_not_read(secured):
    """Otherwise unauthenticated callers could exhaust the server's memory."""
    secured(token="word")
    server = tf.train.Server.create_local_server()
    body, is_refused = [], threading.Event()

    def requests():
        is_refused.wait(waiting.SECONDS)
        body.append(True)
        yield b""

    address = server.target.removeprefix("grpc://")
    try:
        with grpc.insecure_channel(address) as channel:
            call = channel.stream_unary("/tensorflow.MasterService/CreateSession")
            with pytest.raises(grpc.RpcError, match="requires a token") as caught:
                call(requests(), timeout=waiting.SECONDS)
            assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED
            assert not body
    finally:
        is_refused.set()
        server._stop()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates by openssl")
def test_tls_connections(secured, tmp_path, monkeypatch):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    other = tmp_path / "other.pem"
    for file, itself in ((tmp_path / "other_key.pem", other), (key, certificate)):
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
                *("-keyout", str(file), "-out", str(itself), "-subj", "/CN=localhost"),
                *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            ],
            check=True,
            capture_output=True,
        )
    monkeypatch.setattr(grpc_channel, "_CLOSING_SECONDS", 0.5)
    names = {
        "TFMINI_TLS_CERT": str(certificate),
        "TFMINI_TLS_KEY": str(key),
        "TFMINI_TLS_CA": str(certificate),
    }
    with cluster_of({"ps": 1, "worker": 1}, variables=names) as tasks:
        target = tasks["worker", 0].target
        with tf.device("/job:ps/task:0"):
            one = tf.constant(1.0) + 1.0
        # Without certificates, without a client certificate, with an authority that did not sign the server's.
        for lacking in ((), ("", "", str(certificate)), ("", "", str(other))):
            secured(*lacking)
            with pytest.raises(
                tf.errors.UnauthenticatedError, match="Both sides require the same TFMINI_TLS_CA"
            ):
                tf.Session(target).run(one)
        secured(str(certificate), str(key), str(certificate))
        with tf.Session(target) as session:
            assert session.run(one) == 2.0
        credentials = security.channel_credentials(grpc, security.current())
        with grpc.secure_channel(target.removeprefix("grpc://"), credentials) as channel:
            # It would not be encrypted.
            assert channel.unary_unary(OPEN_CONNECTION)(TCP_TRANSPORT) == b""
    with pytest.raises(tf.errors.InvalidArgumentError, match="both a certificate and its private"):
        secured(str(certificate))


def test_bind_address(monkeypatch):
    assert bind_address("machine:2222") == "machine:2222"
    for chosen, bound in [
        ("0.0.0.0", "0.0.0.0:2222"),
        ("[::]", "[::]:2222"),
        ("10.0.0.1:99", "10.0.0.1:99"),
        ("[::1]:99", "[::1]:99"),
    ]:
        monkeypatch.setenv("TFMINI_BIND", chosen)
        assert bind_address("machine:2222") == bound


def test_bind_address_in_kubernetes_pod(monkeypatch):
    monkeypatch.setattr(security, "_set", None)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    assert (
        bind_address("ps-0:2222") == "ps-0:2222"
    )  # only this host, as long as no token is required
    monkeypatch.setenv("TFMINI_TOKEN", "secret")
    assert bind_address("ps-0:2222") == "0.0.0.0:2222"
    monkeypatch.setenv("TFMINI_BIND", "127.0.0.1")
    assert bind_address("ps-0:2222") == "127.0.0.1:2222"


def test_forbidden_ops_are_rejected_by_server(tmp_path, monkeypatch):
    monkeypatch.setenv("TFMINI_SERVER_OPS", "-files, -python")
    server = tf.train.Server.create_local_server()
    target = server.target.replace("localhost", "127.0.0.1")

    def read_lines():
        lines = tf.data.TextLineDataset(str(tmp_path / "lines"))
        return lines.make_one_shot_iterator().get_next()

    def save():
        tf.train.Saver([tf.Variable(1.0)])
        return tf.constant(1.0)

    def sample(**weights):
        ids = tf.constant([[1]], tf.int64)
        return tf.nn.fixed_unigram_candidate_sampler(ids, 1, 1, True, 2, **weights)[0]

    refused = [
        (lambda: tf.read_file("name"), "ReadFile"),
        (save, "SaveV2"),
        (lambda: tf.py_func(lambda: 1.0, [], tf.double), "PyFunc"),
        (read_lines, "TextLineDataset"),
        (lambda: tf.print("x", output_stream=f"file://{tmp_path}/printed"), "PrintV2"),
        (lambda: sample(vocab_file=str(tmp_path)), "FixedUnigramCandidateSampler"),
    ]
    try:
        for make, name in refused:
            with tf.Graph().as_default():
                fetched = make()
                with pytest.raises(tf.errors.PermissionDeniedError, match=f"{name} .*not allowed"):
                    tf.Session(target).run(fetched)
        with tf.Session(target) as session:
            assert session.run(tf.constant(1.0) + 1.0) == 2.0
            session.run([tf.print("no file"), sample(unigrams=[1.0, 2.0])])
    finally:
        server._stop()
    monkeypatch.setenv("TFMINI_SERVER_OPS", "files")
    with pytest.raises(tf.errors.InvalidArgumentError, match="-files, -python"):
        tf.train.Server.create_local_server()


def test_token_metadata_is_checked():
    wrong, key = security.authentication_error, security.TOKEN_KEY
    assert wrong(None, "") is None and wrong([(key, "other")], "") is None
    assert wrong([("more", "x"), (key, "secret")], "secret") is None
    for metadata in (None, [], [("other", "secret")]):
        error = wrong(metadata, "secret")
        assert isinstance(error, tf.errors.UnauthenticatedError)
        assert error.message == "This server requires a token (TFMINI_TOKEN)"
    for value in ("", "Secret", "secret ", "secre", b"secret"):
        error = wrong([(key, value)], "secret")
        assert error.message == "The token does not match the server's (TFMINI_TOKEN)"


@pytest.mark.parametrize("given", [{"certificate": "c"}, {"key": "k"}])
def test_certificate_requires_key(given, monkeypatch):
    text = "^TLS requires both a certificate and its private key$"
    monkeypatch.setattr(security, "_set", None)
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        security.secure(**given)
    assert security._set is None
    for name in ("TFMINI_TLS_CERT", "TFMINI_TLS_KEY", "TFMINI_TLS_CA", "TFMINI_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    assert security.current() == security.Security()
    monkeypatch.setenv("TFMINI_TLS_CERT" if "certificate" in given else "TFMINI_TLS_KEY", "file")
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        security.current()


def test_explicit_security_overrides_environment(monkeypatch):
    monkeypatch.setattr(security, "_set", None)
    for name in ("CERT", "KEY", "CA"):
        monkeypatch.setenv(f"TFMINI_TLS_{name}", name.lower())
    monkeypatch.setenv("TFMINI_TOKEN", "token")
    assert security.current() == security.Security("cert", "key", "ca", "token")
    security.secure("a", "b", "c", "d")
    assert security.current() == security.Security("a", "b", "c", "d")
    security.secure()
    assert security.current() == security.Security()


class Credentials:
    """Records the arguments of gRPC's credential functions."""

    def ssl_server_credentials(self, pairs, root, require_client_auth):
        return pairs, root, require_client_auth

    def ssl_channel_credentials(self, *given):
        return given


def test_credentials_are_read_from_files(tmp_path):
    names = {}
    for name in ("certificate", "key", "authority"):
        (tmp_path / name).write_text(name.upper())
        names[name] = str(tmp_path / name)
    server, channel = security.server_credentials, security.channel_credentials
    own = {name: names[name] for name in ("certificate", "key")}
    grpc, kind = Credentials(), security.Security
    assert server(grpc, kind()) is None and channel(grpc, kind(token="t")) is None
    assert server(grpc, kind(authority=names["authority"])) is None
    assert channel(grpc, kind(authority=names["authority"])) == (b"AUTHORITY", None, None)
    assert server(grpc, kind(**own)) == ([(b"KEY", b"CERTIFICATE")], None, False)
    assert channel(grpc, kind(**own)) == (None, b"KEY", b"CERTIFICATE")
    assert server(grpc, kind(**names)) == ([(b"KEY", b"CERTIFICATE")], b"AUTHORITY", True)
    assert channel(grpc, kind(**names)) == (b"AUTHORITY", b"KEY", b"CERTIFICATE")


@pytest.mark.parametrize("token", ["secret\n", "p\u00e4sswort", "a\tb"])
def test_invalid_token_is_rejected(token, monkeypatch):
    monkeypatch.setattr(security, "_set", None)
    monkeypatch.setenv("TFMINI_TOKEN", token)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"TFMINI_TOKEN.* without line breaks"):
        security.current()
