"""Scheduling of calls: fair between kinds, in order within one."""

from tfmini._src.programs.serving.turns import CallKind, CallQueue

A, B, C = map(CallKind, "abc")
SHORT_A, SHORT_B = CallKind("a", True), CallKind("b", True)


def begun(turns):
    """All calls that may begin now."""
    calls = []
    while (call := turns.begin()) is not None:
        calls.append(call)
    return calls


def test_calls_of_one_kind_run_in_order():
    turns = CallQueue(2)
    for call in ("a1", "a2", "a3"):
        turns.put(A, call)
    assert begun(turns) == ["a1", "a2"] and turns.running == 2
    turns.end(A)
    assert begun(turns) == ["a3"] and turns.running == 2
    turns.end(A)
    turns.end(A)
    assert begun(turns) == [] and turns.running == 0


def test_idle_kind_starts_immediately():
    turns = CallQueue(2)
    for call in ("a1", "a2", "a3"):
        turns.put(A, call)
    assert begun(turns) == ["a1", "a2"]
    for call in ("b1", "b2"):
        turns.put(B, call)
    assert begun(turns) == ["b1"] and turns.running == 3
    turns.end(B)
    assert begun(turns) == ["b2"]
    turns.end(B)
    turns.end(A)
    turns.put(C, "c1")
    assert begun(turns) == ["c1"]  # none of its kind runs, one of the other does
    turns.end(C)
    assert begun(turns) == ["a3"]


def test_short_calls_run_sequentially_and_models_alternate():
    turns = CallQueue(3)
    for kind, call in ((SHORT_A, "s1"), (SHORT_A, "s2"), (SHORT_B, "t1"), (A, "a1")):
        turns.put(kind, call)
    assert begun(turns) == ["s1", "a1"]
    turns.end(SHORT_A)
    assert begun(turns) == ["t1"]
    turns.end(SHORT_B)
    assert begun(turns) == ["s2"]


def test_equally_busy_kinds_alternate():
    turns = CallQueue(4)
    for call in ("a1", "a2", "a3", "b1", "b2"):
        turns.put(CallKind(call[0]), call)
    assert begun(turns) == ["a1", "b1", "a2", "b2"]
    turns.end(B)
    turns.put(B, "b3")
    assert begun(turns) == ["b3"]
    turns.end(B)
    assert begun(turns) == ["a3"]
