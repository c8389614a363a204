"""`export --onnx` up to tf2onnx: names, shapes, values, comparison inputs and output."""

import argparse
import sys

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.programs.cli import onnx_export
from tfmini._src.saved_model.frozen_graph import from_graph_def


def arguments(source, **given):
    blank = {"inputs": None, "outputs": None, "signature": None, "opset": None}
    return argparse.Namespace(**{**blank, "source": str(source), "onnx": "model.onnx", **given})


def graph_of(shape, file=None):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, shape, name="x")
        tf.multiply(x, 2.0, name="y")
    if file is not None:
        file.write_bytes(graph.as_graph_def(add_shapes=True).SerializeToString())
    return graph


@pytest.mark.parametrize(
    "text, names",
    [
        (None, {}),
        ("x", {"x:0": (None, None)}),
        ("x:1, a/b[]", {"x:1": (None, None), "a/b:0": ([], None)}),
        ("x[?,2] , y[ 3 ]", {"x:0": ([-1, 2], None), "y:0": ([3], None)}),
        ("keep[]=0.5,t = TRUE,f=false", {"keep:0": ([], 0.5), "t:0": (None, 1), "f:0": (None, 0)}),
    ],
)
def test_tensor_specifications_are_parsed(text, names):
    assert onnx_export.parse_tensor_names(text) == names


def test_comparison_inputs():
    with tf.Graph().as_default() as graph:
        for name, dtype, shape in (
            ("floats", tf.float64, [None, 3]),
            ("whole", tf.int32, [2]),
            ("flags", tf.bool, [50]),
            ("text", tf.string, [None]),
            ("word", tf.string, []),
            ("keep", tf.float32, []),
            ("training", tf.bool, []),
            ("step", tf.int64, []),
            ("unknown", tf.float32, None),
            ("given", tf.float16, [2, 2]),
        ):
            tf.placeholder(dtype, shape, name=name)
    names = [op.name + ":0" for op in graph.get_operations()]
    feeds = onnx_export.random_feeds(
        graph, names, {"given:0": 0.25, "step:0": 7.0, "flags:0": None}
    )
    assert list(feeds) == names
    kinds = {name[:-2]: (value.dtype, value.shape) for name, value in feeds.items()}
    assert kinds == {
        "floats": (np.float64, (2, 3)),
        "whole": (np.int32, (2,)),
        "flags": (np.bool_, (50,)),
        "text": (np.dtype(object), (2,)),
        "word": (np.dtype(object), ()),
        "keep": (np.float32, ()),
        "training": (np.bool_, ()),
        "step": (np.int64, ()),
        "unknown": (np.float32, ()),
        "given": (np.float16, (2, 2)),
    }
    assert feeds["text:0"].tolist() == ["a", "a"] and feeds["word:0"].item() == "a"
    assert feeds["keep:0"] == 1 and not feeds["training:0"] and feeds["step:0"] == 7
    assert (feeds["given:0"] == 0.25).all()
    assert set(feeds["flags:0"].tolist()) == {True, False}
    assert set(feeds["whole:0"].tolist()) <= {0, 1}
    assert len(set(feeds["floats:0"].ravel().tolist())) == 6
    again = onnx_export.random_feeds(graph, names, {})
    assert (again["floats:0"] == feeds["floats:0"]).all()


@pytest.mark.parametrize(
    "got, want, gap",
    [
        ([1.0, 2.0], [1.0, 2.5], 0.2),
        ([0.0, 1e-30], [0.0, 0.0], 1.0),
        ([-8.0], [-4.0], 1.0),
        ([3], [2], 0.5),
        ([True], [False], 1e30),
        ([], [], 0.0),
        (np.array(["a", "b"], object), np.array(["a", "b"], object), 0.0),
        (np.array(["a", "b"], object), np.array(["a", "c"], object), 1.0),
    ],
)
def test_difference_is_relative_to_largest_value(got, want, gap):
    assert onnx_export._gap(got, want) == pytest.approx(gap)


def test_shape_mismatch_is_an_error():
    with pytest.raises(ValueError, match=r"returns shape \(1, 2\), but tfmini returns \(2,\)$"):
        onnx_export._gap([[1.0, 2.0]], [1.0, 2.0])
    assert np.isnan(onnx_export._gap([np.nan], [1.0]))


def test_given_shape_overrides_graph_shape(tmp_path):
    graph_of([None, 4], tmp_path / "g.pb")
    for inputs, sizes in ((None, [-1, 4]), ("x", [-1, 4]), ("x[?,4]", [-1, 4]), ("x[3,4]", [3, 4])):
        frozen = onnx_export._freeze(arguments(tmp_path / "g.pb", inputs=inputs, outputs="y"))
        (x,) = [node for node in frozen.graph_def.node if node.name == "x"]
        assert [dim.size for dim in x.attr["shape"].shape.dim] == sizes
        kept = ["_output_shapes" in node.attr for node in frozen.graph_def.node if node.name == "y"]
        assert frozen.inputs == ["x:0"] and frozen.outputs == ["y:0"]
        assert kept == [False] or inputs in (None, "x")


def test_unknown_shapes_are_requested(tmp_path, capsys):
    graph_of(None, tmp_path / "g.pb")
    given = arguments(tmp_path / "g.pb", outputs="y:0")
    assert onnx_export.run(given) == 1
    assert "unknown shape of x:0: pass --inputs 'x[...]'" in capsys.readouterr().err
    scalar = onnx_export._freeze(arguments(tmp_path / "g.pb", inputs="x[]", outputs="y"))
    (x,) = [node for node in scalar.graph_def.node if node.name == "x"]
    assert not x.attr["shape"].shape.unknown_rank and not x.attr["shape"].shape.dim


def test_conversion_errors_suggest_remedies(tmp_path, capsys):
    pytest.importorskip("h5py")
    (tmp_path / "model.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    assert onnx_export.run(arguments(tmp_path / "model.h5")) == 1
    said = capsys.readouterr().err
    assert "nable to" in said and "open file" in said


def test_invalid_model_file_is_named(tmp_path, capsys):
    (tmp_path / "events").write_bytes(b"")
    (tmp_path / "text.txt").write_text("text")
    assert onnx_export.run(arguments(tmp_path / "text.txt")) == 1
    assert "text.txt" in capsys.readouterr().err
    graph_of([2], tmp_path / "g.pb")
    assert onnx_export.run(arguments(tmp_path / "g.pb", inputs="none[2]", outputs="y")) == 1
    assert "none" in capsys.readouterr().err


class Converted:
    """Fake tf2onnx and ONNX Runtime, with a given difference."""

    def __init__(self, monkeypatch, gap, **feeds):
        monkeypatch.setattr(onnx_export, "install", lambda strict: None)
        monkeypatch.setattr(onnx_export, "convert", self.convert)
        monkeypatch.setattr(onnx_export, "difference", self.difference)
        self.gap, self.feeds, self.opset, self.values = gap, feeds, [], None

    def convert(self, frozen, opset):
        self.opset.append(opset)
        return b"a model"

    def difference(self, frozen, model, values):
        self.values = values
        return self.gap, {name: np.asarray(value) for name, value in self.feeds.items()}


def test_matching_results_write_model(tmp_path, monkeypatch, capsys):
    graph_of([2], tmp_path / "g.pb")
    to = str(tmp_path / "out.onnx")
    given = arguments(tmp_path / "g.pb", outputs="y", inputs="x=0.5", onnx=to, opset=11)
    found = Converted(monkeypatch, 1e-3, x=[1.0, 2.0])
    assert onnx_export.run(given) == 0
    assert (tmp_path / "out.onnx").read_bytes() == b"a model"
    assert found.opset == [11] and found.values == {"x:0": 0.5}
    assert capsys.readouterr().out.splitlines() == [
        "inputs: x:0",
        "outputs: y:0",
        f"{to}: maximum difference from tfmini on random inputs is 1.0e-03",
    ]


@pytest.mark.parametrize("gap, shown", [(1.1e-3, "1.1e-03"), (np.nan, "nan"), (np.inf, "inf")])
def test_mismatched_results_write_no_model(tmp_path, monkeypatch, capsys, gap, shown):
    graph_of([2], tmp_path / "g.pb")
    to = str(tmp_path / "out.onnx")
    Converted(monkeypatch, gap, x=[1.0, 2.0], keep=0.5)
    assert onnx_export.run(arguments(tmp_path / "g.pb", outputs="y", onnx=to)) == 1
    assert not (tmp_path / "out.onnx").exists()
    text = f"random inputs and keep=0.5 is {shown}, more than float32 rounding explains; {to} is not written"
    assert text in capsys.readouterr().err


def test_conversion_failures_are_reported(tmp_path, monkeypatch, capsys):
    graph_of([2], tmp_path / "g.pb")
    given = arguments(tmp_path / "g.pb", outputs="y", onnx=str(tmp_path / "out.onnx"))
    for error, text in (
        (ImportError("No module named 'x': pip install it"), "No module named 'x': pip install it"),
        (ValueError("tf2onnx cannot convert A, B"), "cannot convert A, B"),
        (KeyError("The name 'q:0' is unknown"), "The name 'q:0' is unknown"),
        (tf.errors.NotFoundError(None, None, "only this"), "only this"),
    ):
        found = Converted(monkeypatch, 0.0)

        def fails(frozen, opset, error=error):
            raise error

        monkeypatch.setattr(onnx_export, "convert", fails)
        assert onnx_export.run(given) == 1 and found.values is None
        assert capsys.readouterr().err.rstrip().endswith(text)
    assert not (tmp_path / "out.onnx").exists()


def test_missing_extra_is_named(monkeypatch):
    with tf.Graph().as_default() as graph:
        tf.placeholder(tf.float32, [2], name="x")
    frozen = from_graph_def(graph.as_graph_def(), ["x:0"], ["x:0"])
    for name in ("onnx", "tf2onnx", "onnxruntime"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"onnx.*: pip install 'tfmini-runtime\[onnx\]'$"):
        onnx_export.convert(frozen, None)
    with pytest.raises(ImportError, match=r"onnxruntime.*: pip install 'tfmini-runtime\[onnx\]'$"):
        onnx_export.difference(frozen, b"", {})
