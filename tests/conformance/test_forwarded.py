"""Ops that return an input's memory do so in the same rows as TensorFlow's."""

import functools
import json

import tfmini as tf
from tests.conformance.forwarded_rows import GOLDEN, build, rows, shown
from tests.support import cases, recorded
from tests.support.oracles.sample_values import pack
from tfmini._src.graph.opdef import registry

SAID = json.loads(GOLDEN.read_text())


@functools.cache
def all_rows():
    return {text: (text, sample, number) for text, sample, number in rows()}


def forwarding():
    """The rows of ops that declare forwarded memory."""
    return {
        text: row for text, row in all_rows().items() if registry[row[1].op].forwarding is not None
    }


def test_forwarding_ops_are_declared():
    sharing = {all_rows()[text][1].op for text in SAID}
    assert {name for name in sharing if registry[name].forwarding is None} == set()


@cases.parametrize([cases.Group("rows", forwarding)])
def test_later_assignments_reveal_shared_memory(group, check_each):
    check_each(group, check)


def check(row):
    text, sample, number = row
    graph, (starts, fetches) = build(sample, number)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(tf.GraphDef.FromString(graph), name="")
        session.run(starts)
        values = [pack(value) for value in session.run(fetches) if value is not None]
    recorded.same(shown(values), SAID.get(text, []), "results that show the assignment")
