"""tfmini._src.graph.traversal: items reachable from other items."""

from tfmini._src.graph.traversal import reachable_from

EDGES = {"a": "bc", "b": "d", "c": "d", "d": "a", "e": "a"}


def test_items_are_visited_once_depth_first():
    assert list(reachable_from("a", EDGES.__getitem__)) == ["a", "c", "d", "b"]
    assert list(reachable_from("", EDGES.__getitem__)) == []


def test_walk_stops_at_leaves():
    assert set(reachable_from("e", lambda item: () if item == "a" else EDGES[item])) == {"e", "a"}
