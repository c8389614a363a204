"""Who may talk to a server: a shared token, TLS with certificates made here, and what is bound."""

import shutil
import subprocess
import threading

import grpc
import pytest

import tfmini as tf
from tests import waiting
from tests.cluster.tasks import cluster_of
from tfmini._src.cluster import grpc_channel, security
from tfmini._src.cluster.addresses import bind_address


@pytest.fixture
def secured():
    before = security._set
    yield security.secure
    security._set = before


def test_a_token(secured):
    with cluster_of({"ps": 1, "worker": 1}, variables={"TFMINI_TOKEN": "word"}) as tasks:
        target = tasks["worker", 0].target
        with tf.device("/job:ps/task:0"):
            one = tf.constant(1.0) + 1.0
        for token, text in (("", "asks for a token"), ("other", "not that of this server")):
            secured(token=token)
            with pytest.raises(tf.errors.UnauthenticatedError, match=text):
                tf.Session(target).run(one)
        secured(token="word")
        with tf.Session(target) as session:
            assert session.run(one) == 2.0


def test_nothing_is_read_of_a_call_without_the_token(secured):
    """Else who has none could fill the server's memory."""
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
            with pytest.raises(grpc.RpcError, match="asks for a token") as caught:
                call(requests(), timeout=waiting.SECONDS)
            assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED
            assert not body
    finally:
        is_refused.set()
        server._stop()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates by openssl")
def test_tls(secured, tmp_path, monkeypatch):
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
        # Without certificates, without one of its own, with an authority that does not vouch for the server's.
        for lacking in ((), ("", "", str(certificate)), ("", "", str(other))):
            secured(*lacking)
            with pytest.raises(
                tf.errors.UnauthenticatedError, match="Have both sides the same TFMINI_TLS_CA"
            ):
                tf.Session(target).run(one)
        secured(str(certificate), str(key), str(certificate))
        with tf.Session(target) as session:
            assert session.run(one) == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="both a certificate and its private"):
        secured(str(certificate))


def test_what_is_bound(monkeypatch):
    assert bind_address("machine:2222") == "machine:2222"
    for chosen, bound in [
        ("0.0.0.0", "0.0.0.0:2222"),
        ("[::]", "[::]:2222"),
        ("10.0.0.1:99", "10.0.0.1:99"),
        ("[::1]:99", "[::1]:99"),
    ]:
        monkeypatch.setenv("TFMINI_BIND", chosen)
        assert bind_address("machine:2222") == bound


def test_ops_that_a_server_forbids(tmp_path, monkeypatch):
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
