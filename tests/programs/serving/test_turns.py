"""Turns of calls: fair between kinds, in order within one."""

from tfmini._src.programs.serving.turns import ONE_AT_A_TIME, Turns


def begun(turns):
    """All calls that may begin now."""
    calls = []
    while (call := turns.begin()) is not None:
        calls.append(call)
    return calls


def test_calls_of_one_kind_run_in_order():
    turns = Turns(2)
    for call in ("a1", "a2", "a3"):
        turns.put("a", call)
    assert begun(turns) == ["a1", "a2"] and turns.running == 2
    turns.end("a")
    assert begun(turns) == ["a3"] and turns.running == 2
    turns.end("a")
    turns.end("a")
    assert begun(turns) == [] and turns.running == 0


def test_a_kind_of_which_none_runs_need_not_wait():
    turns = Turns(2)
    for call in ("a1", "a2", "a3"):
        turns.put("a", call)
    assert begun(turns) == ["a1", "a2"]
    for call in ("b1", "b2"):
        turns.put("b", call)
    assert begun(turns) == ["b1"] and turns.running == 3
    turns.end("b")
    assert begun(turns) == ["b2"]
    turns.end("b")
    turns.end("a")
    turns.put("c", "c1")
    assert begun(turns) == ["c1"]  # none of its kind runs, one of the other does
    turns.end("c")
    assert begun(turns) == ["a3"]


def test_short_calls_run_one_at_a_time():
    turns = Turns(3)
    for call in ("s1", "s2"):
        turns.put(ONE_AT_A_TIME, call)
    turns.put("a", "a1")
    assert begun(turns) == ["s1", "a1"]
    turns.end(ONE_AT_A_TIME)
    assert begun(turns) == ["s2"]


def test_kinds_of_equally_many_take_turns():
    turns = Turns(4)
    for call in ("a1", "a2", "a3", "b1", "b2"):
        turns.put(call[0], call)
    assert begun(turns) == ["a1", "b1", "a2", "b2"]
    turns.end("b")
    turns.put("b", "b3")
    assert begun(turns) == ["b3"]
    turns.end("b")
    assert begun(turns) == ["a3"]
