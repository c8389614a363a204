"""tfmini._src.graph.traversal: items reachable from other items."""

from tfmini._src.graph.traversal import reachable_from

EDGES = {"a": "bc", "b": "d", "c": "d", "d": "a", "e": "a"}


def test_each_item_once_in_depth_first_order():
    assert list(reachable_from("a", EDGES.__getitem__)) == ["a", "c", "d", "b"]
    assert list(reachable_from("", EDGES.__getitem__)) == []


def test_the_walk_stops_where_nothing_follows():
    assert set(reachable_from("e", lambda item: () if item == "a" else EDGES[item])) == {"e", "a"}
