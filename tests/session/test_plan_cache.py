"""A step is compiled once, regardless of the structure of its fetches."""

import threading
import weakref
from collections.abc import MutableMapping

import attr
import pytest

import tfmini as tf
from tfmini._src.session import base_session, compile_step
from tfmini._src.session.plan_cache import Plans


@attr.s
class Pair:
    a = attr.ib()
    b = attr.ib()


class Table(MutableMapping):
    def __init__(self, *items):
        self.held = dict(*items)

    def __getitem__(self, key):
        return self.held[key]

    def __setitem__(self, key, value):
        self.held[key] = value

    def __delitem__(self, key):
        del self.held[key]

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)


@pytest.fixture
def compiled(monkeypatch):
    """Weak references to the compiled plans."""
    plans = []

    def compile_plan(*args):
        plan = original(*args)
        plans.append(weakref.ref(plan))
        return plan

    original = compile_step.compile_plan
    monkeypatch.setattr(compile_step, "compile_plan", compile_plan)
    return plans


@pytest.fixture
def eight(monkeypatch):
    """Sessions that cache eight plans."""
    monkeypatch.setattr(base_session, "Plans", lambda: Plans(8))


@pytest.mark.parametrize("structure", [Pair, lambda a, b: Table({"a": a, "b": [b]})])
def test_structure_is_compiled_once(structure, compiled):
    x = tf.constant(1.0)
    with tf.Session() as session:
        fetches = structure(x, x + 1)
        results = [session.run(fetches) for _ in range(3)]
    assert len(compiled) == 1
    assert results == [structure(1.0, 2.0)] * 3


def test_cache_is_bounded(compiled, eight):
    x = tf.placeholder(tf.float32, [])
    fetches = [x + float(i) for i in range(50)]
    with tf.Session() as session:
        assert [session.run(f, {x: 1.0}) for f in fetches] == [1.0 + i for i in range(50)]
        assert sum(plan() is not None for plan in compiled) <= 8
        assert [session.run(f, {x: 2.0}) for f in fetches] == [2.0 + i for i in range(50)]
        assert sum(plan() is not None for plan in compiled) <= 8
    assert not any(plan() is not None for plan in compiled)


def test_recently_used_plans_are_retained(compiled, eight):
    x = tf.placeholder(tf.float32, [])
    often = x * 2.0
    fetches = [x + float(i) for i in range(50)]
    with tf.Session() as session:
        for i, fetch in enumerate(fetches):
            assert session.run(often, {x: 3.0}) == 6.0
            assert session.run(fetch, {x: 3.0}) == 3.0 + i
    assert len(compiled) == 51


def test_state_outlives_plans(eight):
    tf.set_random_seed(3)
    number = tf.random_uniform([2])
    variable = tf.get_variable("v", [], initializer=tf.zeros_initializer())
    more = tf.assign_add(variable, 1.0)
    others = [tf.constant(float(i)) for i in range(12)]
    seen = []
    for between in ([], others):
        with tf.Session() as session:
            session.run(variable.initializer)
            drawn = []
            for _ in range(4):
                drawn.append((*session.run(number), session.run(more)))
                for other in between:
                    session.run(other)
            seen.append(drawn)
    assert seen[0] == seen[1]
    assert len(set(seen[0])) == 4


def test_threads_evict_concurrently(eight):
    x = tf.placeholder(tf.float32, [])
    fetches = [x + float(i) for i in range(20)]
    wrong = []
    with tf.Session() as session:

        def work(start):
            for i in range(200):
                number = (start + i) % 20
                if session.run(fetches[number], {x: float(start)}) != start + number:
                    wrong.append((start, number))

        threads = [threading.Thread(target=work, args=(5 * n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def test_fetch_structure_is_part_of_cache_key():
    a, b = tf.constant(1), tf.constant(2)
    lists, dicts = (
        ([a, b], (a, b), [(a,), b], [[a], b]),
        ({"x": (a, b)}, {"y": (a, b)}, {"x": [a, b]}),
    )
    with tf.Session() as session:
        for fetches in (*lists, *dicts):
            result = session.run(fetches)
            assert repr(result) == repr(tf.nest.map_structure(session.run, fetches))
