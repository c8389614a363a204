"""`export --safetensors`, `--npz`, `--checkpoint`: names, dtypes, values and layouts, as read by other libraries."""

import json
import os
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import tfmini as tf
from tfmini._src.programs.cli import main
from tfmini._src.programs.cli.model_arrays import METADATA

GOLDEN = Path(__file__).parents[2] / "golden" / "checkpoints"

KERNEL = np.arange(24, dtype="f").reshape(2, 2, 3, 2)
VALUES = {
    "conv/kernel": KERNEL,
    "conv/bias": np.array([1.5, -2.0], "f"),
    "step": np.array(7, np.int64),
    "half": np.array([[0.5, 3.0]], ml_dtypes.bfloat16),
    "flags": np.array([True, False]),
    "signal": np.array([1 + 2j], "c8"),
    "empty": np.zeros([0, 3], np.uint8),
}
SIZE = sum(value.nbytes for value in VALUES.values())


def load_safetensors(path):
    library = pytest.importorskip("safetensors", reason="no safetensors here")
    with library.safe_open(path, framework="np") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, file.metadata()


def load_npz(path):
    with np.load(path) as file:
        values = dict(file)
    metadata = json.loads(str(values.pop(METADATA)))
    for name in json.loads(metadata.pop("bfloat16", "[]")):
        assert values[name].dtype == np.uint16
        values[name] = values[name].view(ml_dtypes.bfloat16)
    return values, metadata


LOADERS = {"safetensors": load_safetensors, "npz": load_npz}


@pytest.fixture
def checkpoint(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        for name, value in VALUES.items():
            tf.get_variable(name, initializer=tf.constant(value))
        tf.get_variable("words", initializer=tf.constant(["a", "b"]))
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, str(tmp_path / "model"), write_meta_graph=False)


def exported(kind, source, directory, *options):
    if kind == "safetensors":
        pytest.importorskip("safetensors", reason="no safetensors here")
    path = str(directory / f"arrays.{kind}")
    assert main(["export", f"--{kind}", path, *options, source]) == 0
    return path


def same(actual, expected):
    assert sorted(actual) == sorted(expected)
    for name, value in expected.items():
        assert (actual[name].dtype, actual[name].shape) == (value.dtype, value.shape), name
        np.testing.assert_array_equal(actual[name], value)


@pytest.mark.parametrize("kind", LOADERS)
def test_checkpoint_round_trip(kind, checkpoint, tmp_path, capsys):
    path = exported(kind, checkpoint, tmp_path)
    assert capsys.readouterr().out.splitlines() == [
        f"{path}: 7 arrays, {SIZE} bytes",
        "omitted, because the file can only contain numbers: words",
    ]
    values, metadata = LOADERS[kind](path)
    same(values, VALUES)
    assert metadata == {"format": "tf", "layout": "tf"}
    assert sorted(os.listdir(tmp_path)) == sorted(
        ["checkpoint", "model.data-00000-of-00001", "model.index", os.path.basename(path)]
    )
    assert main(["export", "--checkpoint", str(tmp_path / "back"), path]) == 0
    reader = tf.train.NewCheckpointReader(str(tmp_path / "back"))
    same({name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}, VALUES)


@pytest.mark.parametrize("kind", LOADERS)
def test_pytorch_layout_round_trip(kind, checkpoint, tmp_path, capsys):
    path = exported(kind, checkpoint, tmp_path, "--layout", "torch")
    assert "transposed for PyTorch: conv/kernel\n" in capsys.readouterr().out
    values, metadata = LOADERS[kind](path)
    same(values, {**VALUES, "conv/kernel": KERNEL.transpose(3, 2, 0, 1)})
    ways = {"conv/kernel": [[3, 2, 0, 1], [2, 2, 3, 2]]}
    assert metadata["format"] == "pt" and json.loads(metadata["transposed"]) == ways
    assert main(["export", "--checkpoint", str(tmp_path / "back"), path]) == 0
    np.testing.assert_array_equal(
        tf.train.load_variable(str(tmp_path / "back"), "conv/kernel"), KERNEL
    )


@pytest.mark.parametrize("kind", LOADERS)
def test_inspect_lists_exported_arrays(kind, checkpoint, tmp_path, capsys):
    path = exported(kind, checkpoint, tmp_path, "--layout", "torch")
    capsys.readouterr()
    assert main(["inspect", "--json", path]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["kind"] == kind and result["bytes"] == SIZE
    assert result["metadata"]["layout"] == "torch"
    items = {item["name"]: (item["dtype"], item["shape"]) for item in result["items"]}
    assert items["conv/kernel"] == ("float32", [2, 3, 2, 2]) and items["half"] == (
        "bfloat16",
        [1, 2],
    )


def test_saved_model_variables_are_exported(tmp_path):
    x = tf.placeholder(tf.float32, [None, 3])
    weights = tf.get_variable("weights", initializer=tf.constant(np.eye(3, 2, dtype="f")))
    with tf.Session() as session:
        session.run(weights.initializer)
        directory = str(tmp_path / "model")
        tf.saved_model.simple_save(session, directory, {"x": x}, {"y": tf.matmul(x, weights)})
    values, _ = load_npz(exported("npz", directory, tmp_path, "--layout", "torch"))
    same(values, {"weights": np.eye(2, 3, dtype="f")})


def test_keras_weights(tmp_path):
    dense = tf.keras.layers.Dense
    model = tf.keras.Sequential([dense(2, input_shape=(3,), name="first"), dense(1, name="last")])
    model.compile("sgd", "mse")
    kernel, bias = model.layers[0].get_weights()
    for save, name in ((model.save, "model.h5"), (model.save_weights, "weights.h5")):
        save(str(tmp_path / name))
        values, _ = load_npz(exported("npz", str(tmp_path / name), tmp_path, "--layout", "torch"))
        assert {n for n in values if not n.startswith("optimizer")} == {
            *("first/kernel", "first/bias", "last/kernel", "last/bias")
        }
        np.testing.assert_array_equal(values["first/kernel"], kernel.T)
        np.testing.assert_array_equal(values["first/bias"], bias)


def test_duplicate_keras_weight_names(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "w.h5", "w") as file:
        file.attrs["layer_names"] = [b"a", b"b"]
        for layer in "ab":
            file[f"{layer}/w:0"] = [float(ord(layer))]
            file[layer].attrs["weight_names"] = [b"w:0"]
    values, _ = load_npz(exported("npz", str(tmp_path / "w.h5"), tmp_path))
    same(values, {"a/w": np.array([97.0]), "b/w": np.array([98.0])})


def test_object_checkpoint_uses_variable_names(tmp_path):
    """Of TensorFlow 1.15.5: arrays are named after the variables, not the objects' paths."""
    source = str(GOLDEN / "objects")
    values, _ = load_npz(exported("npz", source, tmp_path))
    reader = tf.train.NewCheckpointReader(source)
    keys = [key for key in reader.get_variable_to_shape_map() if key.endswith("VARIABLE_VALUE")]
    assert keys and not [name for name in values if "ATTRIBUTES" in name]
    stored = sorted(reader.get_tensor(key).tobytes() for key in keys)
    assert sorted(value.tobytes() for value in values.values()) == stored


@pytest.mark.parametrize(
    "name, data, text",
    [
        ("a.npz", b"PK\x03\x04 cut", "is not a checkpoint, graph"),
        ("graph.pbtxt", b'node { name: "a" op: "NoOp" }', "pass the checkpoint"),
    ],
)
def test_files_without_arrays_are_refused(tmp_path, capsys, name, data, text):
    (tmp_path / name).write_bytes(data)
    assert main(["export", "--npz", str(tmp_path / "out.npz"), str(tmp_path / name)]) == 1
    assert text in capsys.readouterr().err
    assert os.listdir(tmp_path) == [name]


def test_invalid_metadata_is_data_loss(tmp_path, capsys):
    metadata = json.dumps({"transposed": json.dumps({"a": [[1, 0], [5, 5]]})})
    np.savez(tmp_path / "a.npz", a=np.zeros([2, 3]), **{METADATA: np.array(metadata)})
    assert main(["export", "--checkpoint", str(tmp_path / "out"), str(tmp_path / "a.npz")]) == 1
    assert "a.npz: damaged metadata: ValueError" in capsys.readouterr().err


def test_truncated_safetensors_is_data_loss(tmp_path, checkpoint, capsys):
    path = exported("safetensors", checkpoint, tmp_path)
    data = Path(path).read_bytes()
    Path(path).write_bytes(data[:-1])
    assert main(["export", "--checkpoint", str(tmp_path / "out"), path]) == 1
    assert "arrays.safetensors: " in capsys.readouterr().err


def test_missing_package_error_names_extra(tmp_path, checkpoint, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    assert main(["export", "--safetensors", str(tmp_path / "a"), checkpoint]) == 1
    assert "pip install 'tfmini-runtime[safetensors]'" in capsys.readouterr().err
