"""`freeze_graph` with every input format: the frozen graph computes the same as the session."""

import subprocess
import sys

import pytest

import tfmini as tf
from tfmini.compat.python.tools import freeze_graph, inspect_checkpoint


@pytest.fixture
def files(tmp_path):
    """A model in every format: graph.pb, graph.pbtxt, saver.pb, model.*, served/."""
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None], name="x")
    with tf.device("/cpu:0"):
        gradient = tf.Variable([2.0], name="slope")
    offset = tf.get_variable("offset", initializer=1.0, use_resource=True)
    y = tf.add(x * gradient, offset, name="y")
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saver.save(session, str(tmp_path / "model"))
        tf.train.write_graph(session.graph, str(tmp_path), "graph.pbtxt")
        tf.train.write_graph(session.graph, str(tmp_path), "graph.pb", as_text=False)
        (tmp_path / "saver.pb").write_bytes(saver.as_saver_def().SerializeToString())
        tf.saved_model.simple_save(session, str(tmp_path / "served"), {"x": x}, {"y": y})
    tf.reset_default_graph()
    return tmp_path


def arguments(files, **changed):
    options = {
        "input_graph": "",
        "input_saver": "",
        "input_binary": False,
        "input_checkpoint": str(files / "model"),
        "output_node_names": "y",
        "restore_op_name": None,
        "filename_tensor_name": None,
        "output_graph": str(files / "frozen.pb"),
        "clear_devices": True,
        "initializer_nodes": "",
    }
    return {
        **options,
        **{n: str(files / v) if n.startswith("input") else v for n, v in changed.items()},
    }


def computed(graph_def):
    with tf.Graph().as_default(), tf.Session() as session:
        (y,) = tf.import_graph_def(graph_def, return_elements=["y:0"])
        return session.run(y, {"import/x:0": [1.0, 2.0]}).tolist()


FORMS = {
    "meta": {"input_meta_graph": "model.meta"},
    "text": {"input_graph": "graph.pbtxt"},
    "binary": {"input_graph": "graph.pb"},
    "saver": {"input_graph": "graph.pb", "input_saver": "saver.pb"},
    "served": {"input_saved_model_dir": "served"},
}


@pytest.mark.parametrize("form", FORMS)
def test_freeze_from_every_input(files, form):
    frozen = freeze_graph.freeze_graph(**arguments(files, **FORMS[form]))
    assert (files / "frozen.pb").read_bytes() == frozen.SerializeToString()
    assert not any(node.device for node in frozen.node)
    assert {node.op for node in frozen.node if node.name in ("slope", "offset")} == {"Const"}
    assert computed(frozen) == [3.0, 5.0]


def test_blacklisted_variables_are_not_frozen(files):
    changed = {"variable_names_blacklist": "slope", "output_graph": "", "clear_devices": False}
    frozen = freeze_graph.freeze_graph(**arguments(files, input_graph="graph.pb", **changed))
    nodes = {node.name: node for node in frozen.node}
    assert nodes["slope"].op == "VariableV2" and nodes["slope"].device == "/device:CPU:0"
    assert not (files / "frozen.pb").exists()


@pytest.mark.parametrize(
    ("changed", "kind", "said"),
    [
        ({"input_checkpoint": "none"}, ValueError, "Input checkpoint '.*none' doesn't exist!"),
        ({"output_node_names": ""}, ValueError, "You need to supply the name of a node to"),
        ({"input_graph": "none.pb"}, OSError, "Input graph file '.*' does not exist!"),
        ({"input_meta_graph": "none"}, OSError, "Input meta graph file '.*' does not exist!"),
        ({"input_saver": "none"}, OSError, "Input saver file '.*' does not exist!"),
        (
            {"input_saved_model_dir": "served", "saved_model_tags": "train"},
            RuntimeError,
            "MetaGraphDef associated with tag-set train could not be found in SavedModel",
        ),
        (
            {"input_graph": "graph.pb", "output_node_names": "z"},
            AssertionError,
            "z is not in graph",
        ),
    ],
)
def test_invalid_arguments(files, changed, kind, said):
    with pytest.raises(kind, match=said):
        freeze_graph.freeze_graph(**arguments(files, **changed))


def test_refreezing_is_refused(files):
    freeze_graph.freeze_graph(**arguments(files, input_graph="graph.pb"))
    tf.reset_default_graph()
    with pytest.raises(ValueError, match="You cannot freeze a graph twice"):
        freeze_graph.freeze_graph(**arguments(files, input_graph="frozen.pb"))


def test_command_line_tools(files):
    module = "tfmini.compat.python.tools."
    options = [
        f"--input_meta_graph={files / 'model.meta'}",
        f"--input_checkpoint={files / 'model'}",
        f"--output_graph={files / 'frozen.pb'}",
    ]
    command = [sys.executable, "-m", module + "freeze_graph", "--output_node_names=y", *options]
    subprocess.run(command, check=True, capture_output=True)
    graph_def = tf.GraphDef.FromString((files / "frozen.pb").read_bytes())
    assert computed(graph_def) == [3.0, 5.0]
    options = [
        f"--file_name={files / 'model'}",
        "--tensor_name=slope",
        "--printoptions",
        "precision=3",
    ]
    command = [sys.executable, "-m", module + "inspect_checkpoint", *options]
    process = subprocess.run(command, check=True, capture_output=True, text=True)
    assert process.stdout == "tensor_name:  slope\n[2.]\n# Total number of params: 2\n"


def test_inspect_checkpoint_usage(capsys):
    assert inspect_checkpoint.main([]) == 1
    assert "Usage: inspect_checkpoint --file_name=" in capsys.readouterr().out
    for invalid in ("precision", "none=1", "formatter=1"):
        with pytest.raises(SystemExit, match="^2$"):
            inspect_checkpoint.main(["--file_name=f", "--printoptions", invalid])
