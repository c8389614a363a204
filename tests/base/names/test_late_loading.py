"""A process that has loaded only the modules it names behaves like one that has loaded all."""

import errno
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from tfmini._src.base.errors import ResourceExhaustedError
from tfmini._src.base.names.load_module import load_module

ROOT = Path(__file__).parents[3]

SPARSE = """
x = tf.SparseTensor([[0, 1]], [3], [2, 2])
with tf.Session() as session:
    print(*(session.run(y).values.tolist() for y in (x * 2, x / 2, x.__div__(2))))
"""
META_GRAPH = """
graph = tf.Graph()
with graph.as_default():
    tf.Variable(1.0)
    tf.train.add_queue_runner(tf.train.QueueRunner(tf.FIFOQueue(1, tf.int32), [tf.no_op()]))
    tf.add_to_collection("savers", tf.train.Saver())
    tf.while_loop(lambda i: i < 3, lambda i: tf.cond(i > 1, lambda: i + 2, lambda: i + 1), [0])
    tf.train.export_meta_graph({path!r})
"""
IMPORTED = """
{import_graph}
graph = tf.get_default_graph()
keys = ("variables", "queue_runners", "savers", "while_context")
print(*(type(graph.get_collection(key)[0]).__name__ for key in keys))
"""


def printed(program):
    """The last output line of a program in a separate process."""
    command = [sys.executable, "-W", "ignore", "-c", "import tfmini as tf\n" + program]
    process = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


def test_tensor_array_in_function():
    program = "y = tf.function(lambda x: tf.map_fn(lambda e: 2 * e, x))(tf.constant([1, 2]))\n"
    assert printed(program + "print(tf.Session().run(y))") == "[2 4]"


def test_imported_function_call(tmp_path):
    path = str(tmp_path / "graph.pb")
    written = f"""
from tfmini.compat.python.framework.function import Defun
f = Defun(tf.float32, func_name="Twice")(lambda x: 2 * x)
y = f(tf.placeholder(tf.float32, [3], name="x"))
message = tf.get_default_graph().as_graph_def()
for node in message.node:
    node.attr.pop("_disable_call_shape_inference", None)
open({path!r}, "wb").write(message.SerializeToString())
"""
    printed(written)
    message = f"tf.GraphDef.FromString(open({path!r}, 'rb').read())"
    program = f"y, = tf.import_graph_def({message}, return_elements=['Twice:0'], name='')\n"
    assert printed(program + "print(tf.Session().run(y, {'x:0': [1, 2, 3]}))") == "[2. 4. 6.]"


def test_sparse_tensor_operators():
    assert printed(SPARSE) == "[6] [1.5] [1]"


@pytest.mark.parametrize(
    "import_graph",
    [
        "tf.train.import_meta_graph({path!r})",
        "from tfmini.compat.python.framework import meta_graph\n"
        "meta_graph.import_scoped_meta_graph({path!r})",
    ],
)
def test_meta_graph_collections(tmp_path, import_graph):
    """Objects, as in TensorFlow, not their serialized bytes."""
    path = str(tmp_path / "graph.meta")
    printed(META_GRAPH.format(path=path))
    kinds = printed(IMPORTED.format(import_graph=import_graph.format(path=path)))
    assert kinds == "RefVariable QueueRunner Saver WhileContext"


def test_constraint_names():
    actual = printed('print(type(tf.keras.constraints.get("radial_constraint")).__name__)')
    assert actual == "RadialConstraint"


def test_linear_operator_rules():
    actual = printed(
        "diagonal = tf.linalg.LinearOperatorDiag([2.0, 4.0])\n"
        "print(tf.Session().run(diagonal.inverse().adjoint().to_dense()).tolist())"
    )
    assert actual == "[[0.5, 0.0], [0.0, 0.25]]"


ALONE = {
    "tf.nn.swish(tf.constant([0.0]))": "[0.]",
    "tf.map_fn(lambda x: x + 1, tf.constant([1]))": "[2]",
    "tf.gradients(tf.scan(lambda a, x: a * x, c), c)[0]": "[2. 2.]",
    "tf.Variable(3.0).initialized_value()": "3.0",
    "tf.gradients(tf.function(lambda x: tf.cond(x[0] > 1, lambda: x * 2, lambda: x))(c), c)[0]": "[2. 2.]",
}


@pytest.mark.parametrize("expression", ALONE)
def test_single_expression_programs(expression):
    program = f"c = tf.constant([2.0, 1.0])\nprint(tf.Session().run({expression}))"
    assert printed(program) == ALONE[expression]


def test_operations_between_layers():
    layers = "x = tf.keras.Input((3,))\nprint(tf.keras.layers.Dense(2)(x * 2.0).shape)"
    assert printed(layers) == "(?, 2)"


@pytest.mark.parametrize("code", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
def test_module_load_out_of_resources(code, monkeypatch):
    def refuse(name):
        raise OSError(code, name)

    monkeypatch.setattr(importlib, "import_module", refuse)
    with pytest.raises(ResourceExhaustedError, match="^a_module cannot be loaded; "):
        load_module("a_module")
