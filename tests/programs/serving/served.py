"""Models to serve, and their servers in separate processes."""

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.parse

import tfmini as tf
from tests.support import waiting

SIGNATURES = tf.saved_model.signature_def_utils


def line(folder, slope):
    """y = slope * x[0] + x[1], and twice that."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        y = tf.matmul(x, tf.Variable([[float(slope)], [1.0]]))
        session.run(tf.global_variables_initializer())
        part = f"{folder}.part"
        tf.saved_model.simple_save(session, part, {"x": x}, {"y": y, "twice": 2 * y})
    os.rename(part, folder)


def kinds(folder):
    """Inputs and outputs of several dtypes; one output fails for negative numbers, one has no rows."""
    with tf.Graph().as_default(), tf.Session() as session:
        text = tf.placeholder(tf.string, [None], name="text")
        number = tf.placeholder(tf.int64, [None], name="number")
        with tf.control_dependencies([tf.assert_non_negative(number)]):
            positive = tf.identity(number)
        outputs = {
            "upper": tf.strings.upper(text),
            "raw_bytes": tf.identity(text),
            "next": positive + 1,
            "is_even": tf.equal(number % 2, 0),
            "third": tf.cast(number, tf.float64) / 3,
        }
        inputs = {"text": text, "number": number}
        signatures = {
            "serving_default": SIGNATURES.predict_signature_def(inputs, outputs),
            "total": SIGNATURES.predict_signature_def(
                {"number": number}, {"total": tf.reduce_sum(number)}
            ),
        }
        _save(session, folder, signatures)


def counter(folder):
    """Counts in a loop, for hours if the number is large."""
    with tf.Graph().as_default(), tf.Session() as session:
        number = tf.placeholder(tf.int64, [], name="number")
        count = tf.while_loop(lambda i: i < number, lambda i: i + 1, [tf.constant(0, tf.int64)])
        signature = SIGNATURES.predict_signature_def({"number": number}, {"count": count})
        _save(session, folder, {"serving_default": signature})


def flowers(folder):
    """Classes and a regression value of tf.train.Examples with the features x (two floats) and shift (an integer)."""
    with tf.Graph().as_default(), tf.Session() as session:
        examples = tf.placeholder(tf.string, [None], name="examples")
        features = {
            "x": tf.FixedLenFeature([2], tf.float32),
            "shift": tf.FixedLenFeature([], tf.int64, 0),
        }
        parsed = tf.parse_example(examples, features)
        scores = parsed["x"] + tf.cast(parsed["shift"], tf.float32)[:, None]
        classes = tf.tile(tf.constant([["iris", "rose"]]), [tf.shape(scores)[0], 1])
        signatures = {
            "serving_default": SIGNATURES.classification_signature_def(examples, classes, scores),
            "scores": SIGNATURES.classification_signature_def(examples, None, scores),
            "numbers": SIGNATURES.classification_signature_def(examples, None, scores),
            "latin": SIGNATURES.classification_signature_def(
                examples, tf.fill(tf.shape(scores), b"\xe9"), scores
            ),
            "text": SIGNATURES.regression_signature_def(examples, tf.reduce_sum(scores, 1)),
            "value": SIGNATURES.regression_signature_def(examples, tf.reduce_sum(scores, 1)),
        }
        numbers = tf.saved_model.utils.build_tensor_info(tf.cast(scores, tf.int32))
        signatures["numbers"].outputs["classes"].CopyFrom(numbers)
        text = tf.saved_model.utils.build_tensor_info(tf.identity(examples))
        signatures["text"].outputs["outputs"].CopyFrom(text)
        _save(session, folder, signatures)


def _save(session, folder, signatures):
    builder = tf.saved_model.builder.SavedModelBuilder(folder)
    session.run(tf.global_variables_initializer())
    builder.add_meta_graph_and_variables(session, ["serve"], signatures)
    builder.save()


def remove(folder):
    """Removes a version atomically."""
    os.rename(folder, f"{folder}.gone")
    shutil.rmtree(f"{folder}.gone")


class Server:
    """A running `tfmini serve`: `post` and `get` return status and JSON, `rest` and `grpc` are addresses.

    `lines` is its output so far, `context` an ssl.SSLContext for its clients.
    """

    def __init__(self, process, first, context=None):
        result = re.match(r"REST at https?://(\S+?)(?:, gRPC at (\S+))?$", first)
        self.process, self.lines, self.context = process, [first], context
        self.rest, self.grpc = result.groups()

    def ask(self, method, path, body=None, headers=None):
        host, port = self.rest.rsplit(":", 1)
        if self.context is None:
            connection = http.client.HTTPConnection(host, int(port), timeout=60)
        else:
            connection = http.client.HTTPSConnection(
                host, int(port), timeout=60, context=self.context
            )
        with contextlib.closing(connection):
            data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            connection.request(method, urllib.parse.quote(path), data, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def post(self, path, body):
        status, text = self.ask("POST", f"/v1/models/{path}", body)
        return status, json.loads(text)

    def get(self, path):
        status, text = self.ask("GET", f"/v1/models/{path}")
        return status, json.loads(text)

    def states(self, model):
        """The state of each version, by number."""
        _, answer = self.get(model)
        return {
            int(each["version"]): each["state"] for each in answer.get("model_version_status", [])
        }

    def is_ready(self):
        try:
            return self.ask("GET", "/healthz")[0] == 200
        except OSError:
            return False

    def end(self):
        """Stops it with SIGTERM; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


@contextlib.contextmanager
def serving(*arguments, context=None):
    """A ready server with these arguments; `context` is an ssl.SSLContext for its clients."""
    command = [
        sys.executable,
        "-m",
        "tfmini",
        "serve",
        "--rest-port",
        "0",
        "--grpc-port",
        "0",
        *map(str, arguments),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    server = None
    try:
        server = Server(process, process.stdout.readline().rstrip(), context)
        waiting.until(server.is_ready)
        yield server
    finally:
        if process.poll() is None:
            server.end() if server else process.kill()
        process.stdout.close()


def assert_matches(pattern, text):
    assert re.match(pattern, text), text
