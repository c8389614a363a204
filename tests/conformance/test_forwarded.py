"""Ops that give the memory of an input as their result do so in the same rows as TensorFlow's."""

import json

import pytest

import tfmini as tf
from tests.conformance.forwarded_rows import GOLDEN, build, rows, shown
from tests.support.oracles.sample_values import packed
from tfmini._src.graph.opdef import registry

SAID = json.loads(GOLDEN.read_text())
ROWS = {text: (sample, number) for text, sample, number in rows()}


def test_whatever_is_forwarded_is_declared():
    sharing = {ROWS[text][0].op for text in SAID}
    assert {name for name in sharing if registry[name].forwarding is None} == set()


@pytest.mark.parametrize(
    "text", [t for t, (sample, _) in ROWS.items() if registry[sample.op].forwarding is not None]
)
def test_what_is_assigned_later_shows_where_memory_is_shared(text):
    graph, (starts, fetches) = build(*ROWS[text])
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(tf.GraphDef.FromString(graph), name="")
        session.run(starts)
        values = [packed(value) for value in session.run(fetches) if value is not None]
    assert shown(values) == SAID.get(text, [])
