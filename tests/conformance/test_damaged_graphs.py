"""Damaged graphs: mutated files raise an error of a known class, or none."""

import collections
import random
import re

import pytest
from google.protobuf.message import DecodeError

import tfmini as tf
from tests.conformance.samples.functions import library
from tests.formats.damage import COUNT
from tests.support.models.function_graphs import Func, add_node
from tfmini._src.base import proto
from tfmini._src.executor.inline.inline import InlinedGraph
from tfmini._src.saved_model.loader import find_meta_graph
from tfmini._src.saved_model.saved_model_files import read_saved_model
from tfmini._src.train.meta_graph.import_scoped_meta_graph import (
    import_scoped_meta_graph_with_return_elements,
)

pytestmark = [
    pytest.mark.damage,
    # protobuf's text parser, for octal escapes that are not bytes
    pytest.mark.filterwarnings("ignore:.*invalid .*escape:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*invalid .*escape:SyntaxWarning"),
]

# TensorFlow's errors for invalid graphs, and errors that some parts raise where elsewhere they would be defects.
KNOWN = {
    DecodeError: "",
    ValueError: "",
    tf.errors.OpError: "",  # also for unknown ops
    KeyError: "The name .* refers to",  # for names in collections
    RuntimeError: "MetaGraphDef associated with tags",
    OSError: "Cannot parse file",
    TypeError: "Cannot convert value .* to a TensorFlow DType|Expected binary or unicode string",
}


@pytest.fixture(autouse=True)
def _quiet(monkeypatch):
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.FATAL)
    yield
    tf.logging.set_verbosity(level)


def small_graph():
    """A variable, a branch, constants of several dtypes."""
    v = tf.Variable([0.5, 2.0], name="v")
    x = tf.placeholder(tf.float32, [None], name="x")
    halves = tf.constant([1.5, 2.5], tf.float16)
    texts = tf.constant(["a", "b"])
    y = tf.cond(tf.reduce_sum(x) > 1.0, lambda: v * 2.0, lambda: v - tf.cast(halves, tf.float32))
    tf.add_to_collection("y", y)
    tf.add_to_collection("texts", texts)


def damaged(data, chance):
    """The bytes with one or a few changed, removed or inserted; sometimes truncated."""
    mutated = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 3])):
        place = chance.randrange(len(mutated))
        how = chance.randrange(6)
        if how < 3:
            mutated[place] ^= 1 << chance.randrange(8)
        elif how < 5:
            mutated[place] = chance.randrange(256)
        else:
            mutated[place : place + chance.randrange(4)] = chance.randbytes(chance.randrange(4))
    if chance.random() < 0.02:
        del mutated[chance.randrange(len(mutated)) :]
    return bytes(mutated)


def outcomes(data, use):
    """Counts of accepted files among COUNT damaged ones, and of each error class."""
    chance = random.Random(7)
    counts = collections.Counter()
    for _ in range(COUNT):
        try:
            with tf.Graph().as_default():
                use(damaged(data, chance))
            counts["used"] += 1
        except tuple(KNOWN) as error:
            (text,) = {text for kind, text in KNOWN.items() if isinstance(error, kind)}
            if not re.search(text, str(error), re.DOTALL):
                raise
            counts[type(error).__name__] += 1
    return counts


def imported(data):
    tf.import_graph_def(tf.GraphDef.FromString(data), name="")


def test_damaged_graphs():
    small_graph()
    data = tf.get_default_graph().as_graph_def().SerializeToString(deterministic=True)
    counts = outcomes(data, imported)
    assert counts["used"] > COUNT // 50 and counts["ValueError"] > COUNT // 20, counts


def with_functions():
    """Calls, a cond, a loop and a gradient, with functions that call each other."""
    message = library(tf)
    float32 = tf.float32
    add_node(tf, message.node, "x", "Placeholder", dtype=float32, shape=tf.TensorShape([1, 3]))
    add_node(tf, message.node, "p", "Placeholder", dtype=tf.bool, shape=tf.TensorShape([]))
    types = {"Tin": [float32], "Tout": [float32]}
    add_node(tf, message.node, "a", "double", ["x"])
    add_node(tf, message.node, "b", "PartitionedCall", ["a"], f=Func("negate"), **types)
    branches = {"then_branch": Func("double"), "else_branch": Func("negate"), "Tcond": tf.bool}
    add_node(tf, message.node, "c", "If", ["p", "b"], **branches, **types)
    loop = {"cond": Func("small"), "body": Func("double"), "T": [float32]}
    add_node(tf, message.node, "d", "While", ["c"], **loop)
    settings = {"Tin": [float32, float32], "Tout": [float32], "f": Func("double")}
    add_node(tf, message.node, "e", "SymbolicGradient", ["x", "d"], **settings)
    message.library.gradient.add(function_name="negate", gradient_func="double")
    return message


def test_damaged_functions():
    def use(data):
        imported(data)
        InlinedGraph(tf.get_default_graph(), None, {}).update()

    counts = outcomes(with_functions().SerializeToString(deterministic=True), use)
    assert counts["used"] > COUNT // 50 and counts["ValueError"] > COUNT // 20, counts
    assert counts["InvalidArgumentError"] > COUNT // 100, counts


def test_damaged_meta_graphs():
    small_graph()
    message = tf.train.export_meta_graph()
    message.meta_info_def.ClearField("stripped_op_list")
    data = message.SerializeToString(deterministic=True)

    def use(made):
        import_scoped_meta_graph_with_return_elements(proto.MetaGraphDef.FromString(made))

    counts = outcomes(data, use)
    assert counts["used"] > COUNT // 50 and counts["KeyError"] > COUNT // 200, counts


def test_damaged_saved_models(tmp_path):
    message = proto.SavedModel(saved_model_schema_version=1)
    meta_graph = message.meta_graphs.add()
    meta_graph.meta_info_def.tags.append("serve")
    x = tf.placeholder(tf.float32, name="x")
    signature = tf.saved_model.predict_signature_def({"x": x}, {"y": x + 1.0})
    meta_graph.signature_def["serving_default"].CopyFrom(signature)
    path = tmp_path / "saved_model.pb"

    def use(data):
        path.write_bytes(data)
        result = find_meta_graph(read_saved_model(str(tmp_path)), ["serve"])
        assert result.signature_def is not None

    counts = outcomes(message.SerializeToString(deterministic=True), use)
    assert counts["used"] > COUNT // 50 and counts["OSError"] > COUNT // 20, counts
