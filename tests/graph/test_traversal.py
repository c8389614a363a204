"""tfmini._src.graph.traversal: items reachable from other items."""

from tfmini._src.graph.traversal import reached

EDGES = {"a": "bc", "b": "d", "c": "d", "d": "a", "e": "a"}


def test_each_item_once_in_depth_first_order():
    assert list(reached("a", EDGES.__getitem__)) == ["a", "c", "d", "b"]
    assert list(reached("", EDGES.__getitem__)) == []


def test_the_walk_stops_where_nothing_follows():
    assert set(reached("e", lambda item: () if item == "a" else EDGES[item])) == {"e", "a"}
