"""Graph collections: modified and read under the graph's lock."""

import pytest

import tfmini as tf
from tests.support.held_locks import waits_for


@pytest.mark.parametrize(
    "call",
    [
        lambda graph: graph.add_to_collection("numbers", 1),
        lambda graph: graph.get_collection_ref("numbers"),
        lambda graph: graph.get_collection("numbers"),
        lambda graph: graph.clear_collection("numbers"),
    ],
)
def test_collections_are_locked(call):
    graph = tf.Graph()
    assert waits_for(graph._lock, lambda: call(graph))
