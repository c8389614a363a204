"""Models converted to ONNX compute the same in ONNX Runtime as in tfmini."""

import argparse
import os
import re
import subprocess
import sys

import pytest

import tfmini as tf
from tests.conformance.second_release import serving
from tests.support import goldens
from tfmini._src.programs.cli import main
from tfmini._src.programs.cli.onnx_export import _freeze, parse_tensor_names
from tfmini._src.saved_model.frozen_graph import from_saved_model


@pytest.mark.reference
@pytest.mark.timeout(900)
def test_converted_models_match(tmp_path, onnx_python):
    command = [onnx_python, "-W", "ignore", "-m", "tests.programs.onnx.models", str(tmp_path)]
    process = subprocess.run(
        command,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    rows = {
        row.split(" | ")[0].strip("| "): row
        for row in process.stdout.splitlines()
        if row.startswith("| ")
    }
    assert len(rows) == 13
    refused = rows.pop("beam_search")
    assert "cannot convert the loop decoder/while, GatherTree (decoder/GatherTree)" in refused
    for name, row in rows.items():
        result = re.search(r"maximum difference from tfmini on random inputs is (\S+)", row)
        assert result and float(result[1]) < 2e-6, (name, row)


@pytest.mark.reference
def test_tf2onnx_converts_frozen_graph(tmp_path, onnx_python):
    program = (
        "import tensorflow as tf; x = tf.placeholder(tf.float32, [None, 3], name='x');"
        "tf.nn.softmax(tf.matmul(x, tf.constant([[1., 2.], [3., 4.], [5., 6.]]) * 2), name='y');"
        f"tf.train.write_graph(tf.get_default_graph(), {str(tmp_path)!r}, 'frozen.pb', as_text=False)"
    )
    run = [onnx_python, "-W", "ignore", "-m", "tfmini", "run"]
    subprocess.run([*run, "-c", program], check=True)
    files = ["--graphdef", str(tmp_path / "frozen.pb"), "--output", str(tmp_path / "made.onnx")]
    names = ["--inputs", "x:0", "--outputs", "y:0"]
    subprocess.run([*run, "-m", "tf2onnx.convert", *files, *names], check=True, capture_output=True)
    assert (tmp_path / "made.onnx").stat().st_size > 100


def test_missing_tf2onnx_names_the_extra(tmp_path):
    program = (
        "import tfmini as tf; tf.identity(tf.placeholder(tf.float32, [2], name='x'), name='y');"
    )
    program += "tf.train.write_graph(tf.get_default_graph(), '.', 'g.pb', as_text=False)"
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path, env=environment)
    hide = "import sys; sys.modules['tf2onnx'] = sys.modules['onnx'] = None; from tfmini._src.programs.cli import main;"
    command = [
        sys.executable,
        "-c",
        hide + "sys.exit(main(['export', '--onnx', 'm.onnx', 'g.pb']))",
    ]
    process = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    assert process.returncode == 1
    assert process.stdout == "inputs: x:0\noutputs: y:0\n"
    assert "pip install 'tfmini-runtime[onnx]'" in process.stderr


def test_unknown_input_shape_is_given(tmp_path, capsys):
    x = tf.placeholder(tf.float32, name="x")
    tf.matmul(x, tf.constant([[1.0], [2.0]]), name="y")
    tf.train.write_graph(tf.get_default_graph(), str(tmp_path), "g.pb", as_text=False)
    command = ["export", "--onnx", str(tmp_path / "g.onnx"), str(tmp_path / "g.pb")]
    assert main(command) == 1
    assert (
        "unknown shape of x:0: pass --inputs 'x[...]' with sizes such as [?,10], or [] for a scalar"
        in capsys.readouterr().err
    )
    frozen = _freeze(argparse.Namespace(source=command[3], inputs="x:0[?,2]", outputs=None))
    (shape,) = [n.attr["shape"].shape for n in frozen.graph_def.node if n.name == "x"]
    assert [dim.size for dim in shape.dim] == [-1, 2]
    assert (frozen.inputs, frozen.outputs) == (["x:0"], ["y:0"])


def test_input_specifications():
    text = "x[?, 28,1], keep_prob[] = 0.5,training[]=True,a/b:1,c=2"
    assert parse_tensor_names(text) == {
        "x:0": ([-1, 28, 1], None),
        "keep_prob:0": ([], 0.5),
        "training:0": ([], 1.0),
        "a/b:1": (None, None),
        "c:0": (None, 2.0),
    }


def test_unknown_input_is_refused(tmp_path, capsys):
    tf.identity(tf.placeholder(tf.float32, [2], name="x"), name="y")
    tf.train.write_graph(tf.get_default_graph(), str(tmp_path), "g.pb", as_text=False)
    assert main(["export", "--onnx", "g.onnx", "--inputs", "z", str(tmp_path / "g.pb")]) == 1
    assert "export: The name 'z:0' refers to a Tensor" in capsys.readouterr().err


@pytest.mark.reference
def test_mismatched_dropout_model_is_not_written(tmp_path, onnx_python):
    x = tf.placeholder(tf.float32, [None, 20], name="x")
    keep = tf.placeholder(tf.float32, name="keep_prob")
    tf.matmul(tf.nn.dropout(x, keep), tf.reshape(tf.range(40.0), [20, 2]), name="y")
    tf.train.write_graph(tf.get_default_graph(), str(tmp_path), "g.pb", as_text=False)

    def export(inputs):
        return subprocess.run(
            [onnx_python, "-W", "ignore", "-m", "tfmini", "export", "--onnx", "g.onnx"]
            + ["--inputs", inputs, "g.pb"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.getcwd()},
        )

    failed = export("keep_prob[]=0.5")  # dropout is random
    assert failed.returncode == 1 and not (tmp_path / "g.onnx").exists()
    assert "keep_prob:0=0.5 is" in failed.stderr and "g.onnx is not written" in failed.stderr
    done = export("keep_prob[]")
    assert done.returncode == 0 and (tmp_path / "g.onnx").exists(), done.stderr
    shown = r"g\.onnx: maximum difference from tfmini on random inputs and keep_prob:0=1.0 is (\S+)"
    assert float(re.search(shown, done.stdout)[1]) < 2e-6


SECOND = goldens.golden_path("second_release", "models.tar.xz")


@pytest.mark.parametrize("name, signature", [("signatures", "shift"), ("lstm", "serving_default")])
def test_second_version_graph_has_no_function_calls(tmp_path, name, signature):
    goldens.extract(SECOND, tmp_path, f"{name}/")
    frozen = from_saved_model(str(tmp_path / name / "model"), signature, [], [])
    assert not frozen.graph_def.library.function
    assert {"PartitionedCall", "StatefulPartitionedCall", "While", "VarHandleOp"}.isdisjoint(
        node.op for node in frozen.graph_def.node
    )
    recorded = serving.values(tmp_path / name)[signature]
    fed = dict(zip(frozen.inputs, (recorded["feeds"][key] for key in sorted(recorded["feeds"]))))
    expected = [recorded["values"][key] for key in sorted(recorded["values"])]
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(frozen.graph_def, name="")
        actual = session.run(frozen.outputs, fed)
    assert max(map(serving.difference, actual, expected)) < 2e-6


@pytest.mark.reference
@pytest.mark.parametrize("name", ["convolutions", "perceptron", "transformer", "batches"])
def test_second_version_model(tmp_path, onnx_python, name):
    goldens.extract(SECOND, tmp_path, f"{name}/")
    process = subprocess.run(
        [
            onnx_python,
            "-W",
            "ignore",
            "-m",
            "tfmini",
            "export",
            "--onnx",
            "m.onnx",
            f"{name}/model",
        ],
        **{"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": os.getcwd()}},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    result = re.search(r"maximum difference from tfmini on random inputs is (\S+)", process.stdout)
    assert float(result[1]) < 2e-6


CANNED = """
import numpy as np
import tfmini as tf
columns = [tf.feature_column.numeric_column("size", 3), tf.feature_column.numeric_column("weight")]
model = tf.estimator.DNNClassifier([4], columns, n_classes=3)
features = {"size": np.ones([4, 3], "f"), "weight": np.ones(4, "f")}
model.train(tf.estimator.inputs.numpy_input_fn(features, np.zeros(4, "i"), shuffle=False), steps=1)
receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(
    tf.feature_column.make_parse_example_spec(columns)
)
print(model.export_saved_model("served", receiver).decode())
"""
KERAS = """
import tfmini as tf
layers = tf.keras.layers
model = tf.keras.Sequential([
    layers.Conv2D(2, 3, input_shape=(6, 6, 1)), layers.BatchNormalization(), layers.Dropout(0.5),
    layers.Flatten(), layers.Dense(3, activation="softmax"),
])
model.save("model.h5")
print("model.h5")
"""


@pytest.mark.reference
@pytest.mark.parametrize(
    "program, inputs",
    [(CANNED, {"size:0", "weight:0"}), (KERAS, {"conv2d_input:0"})],
    ids=["canned", "keras"],
)
def test_canned_estimator_and_keras_file(tmp_path, onnx_python, program, inputs):
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    options = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True}
    process = subprocess.run([sys.executable, "-c", program], check=True, **options)
    export = [onnx_python, "-W", "ignore", "-m", "tfmini", "export", "--onnx", "model.onnx"]
    completed = subprocess.run([*export, process.stdout.split()[-1]], **options)
    assert completed.returncode == 0, completed.stderr
    lines = completed.stdout.splitlines()
    assert set(lines[0].removeprefix("inputs: ").split(", ")) == inputs
    result = re.search(r"maximum difference from tfmini on random inputs is (\S+)", lines[-1])
    assert float(result[1]) < 2e-6
