"""Command-line tools: the output and files of TensorFlow's tools for the same inputs."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.programs.compat import tool_commands, tool_graphs
from tests.support import recorded
from tfmini._src.base import proto
from tfmini.compat.python.tools import (
    import_pb_to_tensorboard,
    optimize_for_inference,
    optimize_for_inference_lib,
    saved_model_cli,
    strip_unused,
    strip_unused_lib,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "tools"
ANSWERS = json.loads((GOLDEN / "saved_model_cli.json").read_text())
FLOAT = tf.float32.as_datatype_enum


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    tool_commands.save(tf, str(folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        found = tool_commands.answers(saved_model_cli.main)
    return found, np.load(folder / "results" / "y.npy")


@pytest.mark.parametrize(
    "number", range(len(ANSWERS)), ids=["-".join(c)[:60] for c in tool_commands.COMMANDS]
)
def test_saved_model_cli_output_matches_tensorflow(answers, number):
    printed, error = ANSWERS[number]
    found = answers[0][number]
    recorded.same(found[0], printed)
    message = error.split("\n")[0].replace("IOError", "OSError")
    recorded.same(found[1].split("\n")[0], message)


def test_saved_model_cli_writes_arrays(answers):
    w = np.array([[1, 2], [3, 4]], "f")
    np.testing.assert_allclose(answers[1], np.array([[1, 0.5], [0, 1]]) @ w @ w)


def test_saved_model_cli_refuses_unsupported_options(tmp_path):
    for option, text in (("--init_tpu", "no TPUs"), ("--tf_debug", "no debugger")):
        command = [*tool_commands.RUN, "texts", "--input_exprs", "k='a'", option]
        with pytest.raises(NotImplementedError, match=text):
            saved_model_cli.main(command)
    with pytest.raises(SystemExit, match="^2$"):
        saved_model_cli.main([])


def test_saved_model_cli_file_inputs(tmp_path):
    np.savez(tmp_path / "two.npz", a=[1], b=[2])
    np.savez(tmp_path / "one.npz", a=[1])
    np.save(tmp_path / "array.npy", [3])
    load = saved_model_cli.load_inputs_from_input_arg_string
    found = load(f"x={tmp_path}/two.npz[b];y={tmp_path}/one.npz;z={tmp_path}/array.npy", "", "")
    assert {key: value.tolist() for key, value in found.items()} == {"x": [2], "y": [1], "z": [3]}
    with pytest.warns(UserWarning, match='Name key "a" ignored'):
        assert load(f"x={tmp_path}/array.npy[a]", "", "")["x"] == [3]
    with pytest.warns(UserWarning, match="Value in --input_exprs will be used"):
        assert load(f"x={tmp_path}/array.npy", "x=5", "") == {"x": 5}
    with pytest.raises(RuntimeError, match="more than one ndarrays"):
        load(f"x={tmp_path}/two.npz", "", "")
    with pytest.raises(RuntimeError, match='variable with name "c"'):
        load(f"x={tmp_path}/two.npz[c]", "", "")


def graph_of(name):
    return proto.parse_text(tool_graphs.graph(**tool_graphs.GRAPHS[name]), proto.GraphDef())


@pytest.mark.parametrize("name", tool_graphs.GRAPHS)
def test_optimized_graphs_match_tensorflow(name):
    optimized = optimize_for_inference_lib.optimize_for_inference(
        graph_of(name), ["images"], ["out"], FLOAT
    )
    wanted = proto.GraphDef.FromString((GOLDEN / f"{name}.pb").read_bytes())
    recorded.same(str(optimized), str(wanted), equal=lambda *_: optimized == wanted)


def test_batch_norm_is_folded_into_weights():
    optimized = optimize_for_inference_lib.fold_batch_norms(graph_of("fused"))
    nodes = {node.name: node for node in optimized.node}
    given = tool_graphs.values()
    scale = given["gamma"] / np.sqrt(given["variance"] + tool_graphs.EPSILON)
    weights = tf.make_ndarray(nodes["weights"].attr["value"].tensor)
    np.testing.assert_allclose(weights, given["weights"] * scale, rtol=1e-6)
    offset = tf.make_ndarray(nodes["conv_bn_offset"].attr["value"].tensor)
    np.testing.assert_allclose(offset, given["beta"] - given["mean"] * scale, rtol=1e-5, atol=1e-6)


def test_unfoldable_batch_norms_are_kept(caplog, monkeypatch):
    monkeypatch.setattr(tf.get_logger(), "propagate", True)
    fold = optimize_for_inference_lib.fold_batch_norms
    for part, op, text in (
        ("conv", "Relu", "expected Conv2D or DepthwiseConv2dNative"),
        ("weights", "Placeholder", "expected conv Constant"),
        ("variance", "Placeholder", "expected var Constant"),
    ):
        graph = graph_of("fused")
        next(node for node in graph.node if node.name == part).op = op
        caplog.clear()
        assert fold(graph) == graph
        assert text in caplog.text


def test_invalid_graphs_are_refused():
    check = optimize_for_inference_lib.ensure_graph_is_valid
    with pytest.raises(ValueError, match="Duplicate node names"):
        check(proto.parse_text("node { name: 'a' } node { name: 'a' }", proto.GraphDef()))
    with pytest.raises(ValueError, match="not found"):
        check(proto.parse_text("node { name: 'a' input: '^b' }", proto.GraphDef()))
    check(proto.parse_text("node { name: 'a' } node { name: 'b' input: 'a:1' }", proto.GraphDef()))


def test_unused_nodes_are_stripped():
    strip = strip_unused_lib.strip_unused
    graph = graph_of("resized")
    stripped = strip(graph, ["conv"], ["out"], [tf.float64.as_datatype_enum])
    names = [node.name for node in stripped.node]
    assert names == ["gamma", "beta", "mean", "variance", "conv", "bn", "copy", "out"]
    placeholder = next(node for node in stripped.node if node.name == "conv")
    assert (placeholder.op, placeholder.attr["dtype"].type) == ("Placeholder", 2)
    with pytest.raises(ValueError, match="refer to a Tensor, not a Operation"):
        strip(graph, ["conv:0"], ["out"], FLOAT)
    with pytest.raises(KeyError, match="input nodes were not found: {'nothing'}"):
        strip(graph, ["nothing"], ["out"], FLOAT)


def test_command_line_tools_process_files(tmp_path, capsys):
    text, binary = tmp_path / "graph.pbtxt", tmp_path / "graph.pb"
    text.write_text(tool_graphs.graph())
    names = ["--input_node_names=images", "--output_node_names=out"]
    strip_unused.main([f"--input_graph={text}", f"--output_graph={binary}", *names])
    assert capsys.readouterr().out == "10 ops in the final graph.\n"
    assert len(proto.GraphDef.FromString(binary.read_bytes()).node) == 10
    names = ["--input_names=images", "--output_names=out"]
    optimized = tmp_path / "optimized.pb"
    assert optimize_for_inference.main([f"--input={binary}", f"--output={optimized}", *names]) == 0
    assert (
        optimized.read_bytes() and len(proto.GraphDef.FromString(optimized.read_bytes()).node) == 6
    )
    nothing = tmp_path / "nothing"
    assert optimize_for_inference.main([f"--input={nothing}"]) == -1
    strip_unused.main([f"--input_graph={nothing}"])
    strip_unused.main([f"--input_graph={text}"])
    assert capsys.readouterr().out == (
        f"Input graph file '{nothing}' does not exist!\n" * 2
        + "You need to supply the name of a node to --output_node_names.\n"
    )


def test_graph_is_imported_to_tensorboard(tmp_path, capsys):
    with tf.Graph().as_default() as graph:
        tf.constant(3, name="three")
    path = tmp_path / "graph.pb"
    path.write_bytes(graph.as_graph_def().SerializeToString())
    log = tmp_path / "log"
    import_pb_to_tensorboard.main([f"--model_dir={path}", f"--log_dir={log}"])
    assert capsys.readouterr().out == (
        f"Model Imported. Visualize by running: tensorboard --logdir={log}\n"
    )
    (file,) = log.iterdir()
    events = list(tf.train.summary_iterator(str(file)))
    graphs = [proto.GraphDef.FromString(e.graph_def) for e in events if e.HasField("graph_def")]
    assert [[node.name for node in found.node] for found in graphs] == [["import/three"]]


def test_tools_run_under_tensorflow_module_names(tmp_path):
    command = [
        sys.executable,
        "-m",
        "tfmini",
        "run",
        "-m",
        "tensorflow.python.tools.saved_model_cli",
    ]
    ran = subprocess.run(
        [*command, "show", "--dir", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert f"OSError: SavedModel file does not exist at: {tmp_path}" in ran.stderr
