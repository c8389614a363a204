"""Warm-up requests: a version is ready after answering them, and fails to load otherwise."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import tfmini as tf
from tests.programs.serving import served
from tests.programs.serving.test_grpc_services import asked, x
from tests.programs.serving.test_multi_inference import CLASSIFY, REGRESS, asked_of_several
from tests.support import waiting
from tfmini._src.programs.serving.messages import MESSAGES
from tfmini._src.programs.serving.served_model import ServedModel
from tfmini._src.programs.serving.warm_up import warm_up


def counting(directory):
    """A model whose outputs count the steps that computed them; `x` must be positive."""
    with tf.Graph().as_default(), tf.Session() as session:
        value = tf.placeholder(tf.float32, [None], name="x")
        with tf.control_dependencies([tf.assert_positive(value)]):
            steps = tf.assign_add(tf.Variable(0, name="steps"), 1)
        signature = served.SIGNATURES.predict_signature_def({"x": value}, {"steps": steps})
        served._save(session, str(directory), {"serving_default": signature})


def prediction(value, **more):
    request = asked("PredictRequest", "any", **more)
    request.inputs["x"].CopyFrom(tf.make_tensor_proto([float(value)]))
    return MESSAGES["PredictionLog"](predict_log=MESSAGES["PredictLog"](request=request))


def log(kind, request):
    log_message = MESSAGES["PredictionLog"]()
    getattr(log_message, kind).request.CopyFrom(request)
    return log_message


def record(directory, *logs):
    path = directory / "assets.extra" / "tf_serving_warmup_requests"
    path.parent.mkdir(exist_ok=True)
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for each in logs:
            writer.write(each if isinstance(each, bytes) else each.SerializeToString())
    return path


def test_version_serves_after_warm_up(tmp_path):
    directory = tmp_path / "counting"
    counting(directory / "1")
    record(directory / "1", prediction(1), prediction(2))
    counting(directory / "2.part")
    record(directory / "2.part", prediction(3), prediction(-1))
    with served.serving(directory, "--watch", 0.1) as server:
        body = {"inputs": [5.0]}
        assert server.post("counting:predict", body) == (200, {"outputs": 3})
        (directory / "2.part").rename(directory / "2")
        waiting.until(lambda: server.states("counting").get(2) == "END")
        _, answer = server.get("counting/versions/2")
        (version,) = answer["model_version_status"]
        assert version["status"]["error_code"] == "INVALID_ARGUMENT"
        assert "assertion failed" in version["status"]["error_message"]
        assert server.post("counting:predict", body) == (200, {"outputs": 4})
        record(directory / "2", prediction(3))  # other files: tried again
        waiting.until(lambda: server.states("counting").get(2) == "AVAILABLE")
        assert server.post("counting:predict", body) == (200, {"outputs": 2})


def test_every_request_type_warms_up(tmp_path):
    served.flowers(str(tmp_path / "1"))
    model = ServedModel(str(tmp_path / "1"))
    warm_up(model, str(tmp_path / "1"))  # there are none
    rows = [x(0.5, 1.0)]
    predict = asked("PredictRequest", "", signature="value")
    data = asked("RegressionRequest", examples=rows).input.example_list.examples[0]
    predict.inputs["inputs"].CopyFrom(tf.make_tensor_proto([data.SerializeToString()]))
    node = model.signature("value").message.outputs["outputs"].name.split(":")[0]
    run = MESSAGES["SessionRunRequest"](fetch=["examples:0"], target=[node])
    run.feed.add(name="examples:0", tensor=predict.inputs["inputs"])
    multiple = asked_of_several(("m", "value", REGRESS), ("m", "", CLASSIFY), examples=rows)
    record(
        tmp_path / "1",
        log("classify_log", asked("ClassificationRequest", "", examples=rows)),
        log("regress_log", asked("RegressionRequest", "", signature="value", examples=rows)),
        log("multi_inference_log", multiple),
        log("session_run_log", run),
        log("predict_log", predict),
        b"",  # without a type: ignored
    )
    ran = []
    run_step = model._loaded.session._make_callable_from_options
    model._loaded.session._make_callable_from_options = lambda o: ran.append(o.fetch) or run_step(o)
    warm_up(model, str(tmp_path / "1"))
    assert [len(each) for each in ran] == [
        2,
        1,
        3,
    ]  # those with Examples; a predicted value is regressed already


@pytest.mark.parametrize(
    "logs, error, text",
    [
        (
            [b"\xff"],
            "InvalidArgument",
            r"^Failed to parse warmup record: b'\\xff' from .*requests$",
        ),
        ([prediction(1, signature="none")], "InvalidArgument", 'name: "none" not found'),
        ([log("predict_log", asked("PredictRequest"))], "InvalidArgument", "required: {x}"),
        (
            [log("classify_log", asked("ClassificationRequest", examples=[x(1.0)]))],
            "InvalidArgument",
            "^Expected classification signature method_name",
        ),
        ([log("multi_inference_log", asked_of_several())], "InvalidArgument", "requires a task$"),
        (
            [log("session_run_log", MESSAGES["SessionRunRequest"](fetch=["none:0"]))],
            "InvalidArgument",
            "none:0",
        ),
        ([prediction(1)] * 1001, "InvalidArgument", r"records exceeeds the maximum \(1000\) at "),
    ],
)
def test_failing_warm_up_requests(tmp_path, logs, error, text):
    counting(tmp_path / "1")
    record(tmp_path / "1", *logs)
    with pytest.raises(getattr(tf.errors, f"{error}Error"), match=text):
        warm_up(ServedModel(str(tmp_path / "1")), str(tmp_path / "1"))


@pytest.mark.parametrize(
    "damage, text",
    [
        (lambda data: data[:-1], "(?s)truncated record at 0.*"),
        (lambda data: data[:20] + b"?" + data[21:], "(?s)corrupted record at 12.*"),
        (lambda data: data + data[:5], "^truncated record after 1 records of .*requests"),
    ],
)
def test_damaged_warm_up_file(tmp_path, damage, text):
    counting(tmp_path / "1")
    path = record(tmp_path / "1", prediction(1))
    path.write_bytes(damage(path.read_bytes()))
    advice = r"\. Please verify your warmup data is in TFRecord format\.$"
    with pytest.raises(tf.errors.DataLossError, match=text + advice):
        warm_up(ServedModel(str(tmp_path / "1")), str(tmp_path / "1"))


WRITER = """
import sys
import tensorflow as tf
from tensorflow_serving.apis import predict_pb2, prediction_log_pb2

request = predict_pb2.PredictRequest()
request.model_spec.name = "counting"
request.inputs["x"].CopyFrom(tf.make_tensor_proto([1.0]))
log = prediction_log_pb2.PredictLog(request=request)
with tf.io.TFRecordWriter(sys.argv[1]) as writer:
    for _ in range(7):
        writer.write(prediction_log_pb2.PredictionLog(predict_log=log).SerializeToString())
"""


@pytest.mark.reference
def test_warm_up_file_of_tensorflow_serving_client(tmp_path, serving_client):
    counting(tmp_path / "1")
    path = record(tmp_path / "1")
    subprocess.run([serving_client, "-W", "ignore", "-c", WRITER, str(path)], check=True)
    model = ServedModel(str(tmp_path / "1"))
    warm_up(model, str(tmp_path / "1"))
    signature = model.signature("")
    result = signature.run({"x": tf.make_ndarray(tf.make_tensor_proto([1.0]))}, ("steps",))
    assert result["steps"] == 8


def processor_seconds(process):
    times = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


@pytest.mark.full
def test_signal_ends_server_during_endless_warm_up(tmp_path):
    directory = tmp_path / "counter"
    directory.mkdir()
    served.counter(str(directory / "1"))
    request = asked("PredictRequest", "counter")
    request.inputs["number"].CopyFrom(tf.make_tensor_proto(1 << 60, tf.int64))
    record(directory / "1", log("predict_log", request))
    options = ("--rest-port", "0", "--timeout", "1", "--drain", "1000")
    command = [sys.executable, "-m", "tfmini", "serve", str(directory), *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        waiting.until(lambda: processor_seconds(process) > 3.0)  # it loops
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
