"""A step's rendezvous: delivery, withdrawal, and abort of waiting receivers."""

import numpy as np
import pytest

from tests.support.held_locks import waits_for
from tfmini._src.base.errors import CancelledError, InternalError
from tfmini._src.cluster.rendezvous import Future, Item, Rendezvous, Rendezvouses, TensorCollector
from tfmini._src.ops.pending_ops import DeadTensor
from tfmini.dtypes import float32


@pytest.fixture
def rendezvous():
    return Rendezvous()


@pytest.fixture
def receiver():
    """`receiver(name)` creates a receiver; received values are in `receiver.got`, in order."""
    got = []

    def make(name):
        def then(item, error):
            assert (item is None) != (error is None)
            got.append((name, error if item is None else item.value))

        return then

    make.got = got
    return make


def test_tensors_match_receivers_in_order(rendezvous, receiver):
    rendezvous.send("a", 1, float32)
    rendezvous.send("a", 2, float32)
    assert rendezvous.has_items()
    for name in ("first", "second", "third", "fourth"):
        rendezvous.receive("a", receiver(name))
    assert not rendezvous.has_items()
    rendezvous.receive("b", receiver("of another"))
    for value in (3, 4, 5):
        rendezvous.send("a", value, float32)
    assert receiver.got == [("first", 1), ("second", 2), ("third", 3), ("fourth", 4)]
    assert rendezvous.has_items()


def test_withdrawn_receiver_receives_nothing(rendezvous, receiver):
    first, second, third = (receiver(name) for name in ("first", "second", "third"))
    rendezvous.forget("a", first)  # no receiver
    for then in (first, second, third):
        rendezvous.receive("a", then)
    rendezvous.forget("a", second)
    rendezvous.forget("a", second)  # no longer waiting
    rendezvous.forget("b", first)  # not there either
    rendezvous.send("a", 1, float32)
    rendezvous.forget("a", first)  # it has received its tensor
    rendezvous.send("a", 2, float32)
    rendezvous.send("a", 3, float32)
    assert receiver.got == [("first", 1), ("third", 2)]
    rendezvous.receive("a", second)
    assert receiver.got[-1] == ("second", 3)


def test_abort_reaches_current_and_later_receivers(rendezvous, receiver):
    for key, name in (("a", "first"), ("a", "second"), ("b", "third"), ("c", "withdrawn")):
        rendezvous.receive(key, then := receiver(name))
    rendezvous.forget("c", then)
    rendezvous.send("d", 1, float32)
    error, later = CancelledError(None, None, "over"), CancelledError(None, None, "later")
    rendezvous.abort(error)
    rendezvous.abort(later)
    assert receiver.got == [("first", error), ("second", error), ("third", error)]
    assert not rendezvous.has_items()
    for key in ("a", "d", "new"):
        rendezvous.receive(key, receiver(key))
    assert receiver.got[3:] == [("a", error), ("d", error), ("new", error)]
    with pytest.raises(CancelledError) as caught:
        rendezvous.send("a", 1, float32)
    assert caught.value is error


def test_ended_step_fails_receivers(receiver):
    steps = Rendezvouses()
    first = steps.get_or_create(1, Rendezvous)
    assert steps.get_or_create(1, Rendezvous) is first
    first.receive("a", receiver("a"))
    steps.end(1)
    ((_, error),) = receiver.got
    assert isinstance(error, CancelledError) and error.message == "Step 1 was cancelled"
    with pytest.raises(CancelledError, match="Step 1 has ended"):
        steps.get_or_create(1, Rendezvous)
    second, third = steps.get_or_create(2, Rendezvous), steps.get_or_create(3, Rendezvous)
    for each in (second, third):
        each.receive("a", receiver("b"))
    steps.end_all()
    assert [error.message for _, error in receiver.got[1:]] == [
        "Step 2 was cancelled",
        "Step 3 was cancelled",
    ]


def test_gathering_completes_or_fails_once():
    results = []
    gathering = TensorCollector(3, lambda *result: results.append(result))
    receivers = [gathering.receiver(index) for index in range(3)]
    items = [Item(np.float32(index), float32) for index in range(3)]
    for index in (2, 0):
        receivers[index](items[index], None)
    assert not results
    receivers[1](items[1], None)
    assert results == [(items, None)]

    results.clear()
    failing = TensorCollector(2, lambda *result: results.append(result))
    error, late = InternalError(None, None, "bad"), InternalError(None, None, "late")
    for failure in (error, late):
        failing.receiver(0)(None, failure)
    failing.receiver(1)(items[1], None)
    assert results == [(None, error)]


def test_receive_many_of_present_and_future_tensors(rendezvous):
    got = []

    def then(items, error):
        got.append(error or [item.value for item in items])

    rendezvous.send("a", 1, float32)
    rendezvous.send("a", 2, float32)
    rendezvous.send("b", 3, float32)
    assert rendezvous.receive_many(["b", "a"], then) == []
    assert got == [[3, 1]]
    waiting = rendezvous.receive_many(["b", "a", "c"], then)
    rendezvous.send("c", 4, float32)
    rendezvous.send("b", 5, float32)
    assert got[1:] == [[5, 2, 4]] and not rendezvous.has_items()
    for each in waiting:
        rendezvous.forget(*each)
    for each in rendezvous.receive_many(["a", "b"], then):
        rendezvous.forget(*each)
    rendezvous.send("a", 6, float32)
    rendezvous.send("b", 7, float32)
    assert rendezvous.has_items() and len(got) == 2
    rendezvous.abort(error := CancelledError(None, None, "over"))
    rendezvous.receive_many(["a", "b"], then)
    assert got[2:] == [error]


@pytest.mark.parametrize(
    "call",
    [
        lambda rendezvous, then: rendezvous.send("a", 1, float32),
        lambda rendezvous, then: rendezvous.receive("a", then),
        lambda rendezvous, then: rendezvous.forget("a", then),
        lambda rendezvous, then: rendezvous.abort(CancelledError(None, None, "over")),
    ],
)
def test_send_and_receive_hold_lock(rendezvous, receiver, call):
    assert waits_for(rendezvous._lock, lambda: call(rendezvous, receiver("one")))


def test_gathering_holds_lock():
    gathering = TensorCollector(2, lambda items, error: None)
    assert waits_for(gathering._lock, lambda: gathering.receiver(0)(None, None))


def test_unstarted_step_ends_with_last_request():
    all_steps = Rendezvouses()
    first = all_steps.get_or_create(1, Rendezvous, begins=False)
    assert all_steps.get_or_create(1, Rendezvous, begins=False) is first
    all_steps.leave(1, first)
    assert all_steps.get_or_create(1, Rendezvous, begins=False) is first
    all_steps.leave(1, first)
    all_steps.leave(1, first)
    second = all_steps.get_or_create(1, Rendezvous, begins=False)
    assert second is not first
    assert all_steps.get_or_create(1, Rendezvous) is second  # it starts
    all_steps.leave(1, second)
    assert all_steps.get_or_create(1, Rendezvous) is second


def of(index):
    return Item(np.float32(index), float32)


def outcomes():
    results = []
    return results, lambda *outcome: results.append(outcome)


def test_receive_many_of_present_tensors_is_immediate(rendezvous):
    for key in ("a", "b", "a"):
        rendezvous.send(key, key, float32)
    result, then = outcomes()
    assert rendezvous.receive_many(["b", "a"], then) == []
    assert [[item.value for item in items] for items, _ in result] == [["b", "a"]]
    waiting = rendezvous.receive_many(["a", "b"], then)
    assert [key for key, _ in waiting] == ["a", "b"] and len(result) == 1
    rendezvous.send("b", "late", float32)
    ((_, error), (items, none)) = result
    assert error is none is None and [item.value for item in items] == ["a", "late"]
    assert not rendezvous.has_items()


def test_withdrawn_receive_many(rendezvous):
    result, then = outcomes()
    for key, receiver in rendezvous.receive_many(["a", "b"], then):
        rendezvous.forget(key, receiver)
    rendezvous.send("a", 1, float32)
    rendezvous.send("b", 2, float32)
    assert result == [] and rendezvous.has_items()


def test_attempts_complete_with_tensor(rendezvous):
    early = rendezvous.begin_receive("a")
    rendezvous.send("a", 1, float32)
    rendezvous.send("b", 2, float32)
    assert ended(early) == (1, None) and ended(rendezvous.begin_receive("b")) == (2, None)
    rendezvous._deliver("c", Item(np.zeros(0), float32, is_dead=True))
    rendezvous._deliver("d", Item(np.zeros(0), float32, is_dead=True))
    rendezvous.send("e", np.True_, float32)
    value, error = ended(rendezvous.begin_receive("c"))
    assert value is None and isinstance(error, DeadTensor) and "c" in str(error)
    assert ended(rendezvous.begin_receive("d", says_dead=True)) == ((False, False), None)
    assert ended(rendezvous.begin_receive("e", says_dead=True)) == ((True, True), None)
    rendezvous.abort(over := CancelledError(None, None, "over"))
    assert ended(rendezvous.begin_receive("f")) == (None, over)


def ended(attempt):
    """(value, error) of a finished attempt."""
    return attempt.results, attempt.error


def test_steps_without_requests_are_forgotten():
    steps = Rendezvouses()
    first = steps.get_or_create(1, Rendezvous, begins=False)
    assert steps.get_or_create(1, Rendezvous, begins=False) is first and first.guests == 2
    steps.leave(1, first)
    assert steps.get_or_create(1, Rendezvous, begins=False) is first
    steps.leave(1, first)
    steps.leave(1, first)
    second = steps.get_or_create(1, Rendezvous, begins=False)
    assert second is not first
    assert steps.get_or_create(1, Rendezvous) is second and second.guests is None
    steps.leave(1, second)  # it has started
    assert steps.get_or_create(1, Rendezvous, begins=False) is second and second.guests is None


def test_ended_step_memory_is_bounded(monkeypatch):
    monkeypatch.setattr("tfmini._src.cluster.rendezvous._MAX_RECENT", 2)
    steps = Rendezvouses()
    for index in (1, 2, 1, 3):
        steps.end(index)
    assert steps.get_or_create(1, Rendezvous).guests is None  # the first that had ended
    for index in (2, 3):
        with pytest.raises(CancelledError, match=f"^Step {index} has ended$"):
            steps.get_or_create(index, Rendezvous)
    error = CancelledError(None, None, "mine")
    result, then = outcomes()
    steps.get_or_create(4, Rendezvous).receive("a", then)
    steps.end(4, error)
    assert result == [(None, error)]


def test_outcome_can_be_awaited():
    outcome = Future()
    assert not outcome.wait(0)
    outcome.put(7)
    assert outcome.wait(0) and outcome.get() == outcome.get() == 7
    outcome.put(None, KeyError("mine"))
    with pytest.raises(KeyError, match="mine"):
        outcome.get()
