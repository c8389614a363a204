"""Workloads from the recorded calls: public functions with arguments of TensorFlow's own tests, or these repeated along
their first axis.

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import functools
import random
import signal

import numpy as np

from ci.commands.benchmarks.workloads import Step, open_session
from tests.conformance import recorded_calls

CALLS_PER_FUNCTION = 2
FED = 8  # elements, from which a constant is fed: it would be folded otherwise
LIMIT = 20  # seconds, after which the process ends: a repeated argument may be a count


@functools.lru_cache(maxsize=1)
def calls():
    """{key: (function, record)}: of each function, the first calls that create different nodes."""
    found, seen = {}, {}
    for group in recorded_calls.read(recorded_calls.RECORD).values():
        for function, record, outcome in group:
            nodes = frozenset(outcome.get("nodes", "").split())
            others = seen.setdefault(function, [])
            is_new = nodes not in others and len(others) < CALLS_PER_FUNCTION
            if is_new and "values" in outcome:
                others.append(nodes)
                found[recorded_calls.key(record)] = function, record
    return found


def enlarged(record, elements):
    """A record whose arrays are repeated along their first axis until the largest has about this many elements."""
    largest = max(map(_size, _arrays(record)), default=0)
    return _repeated(record, max(elements // largest, 1)) if largest else record


def _arrays(value):
    if isinstance(value, list):
        return [array for each in value for array in _arrays(each)]
    if not isinstance(value, dict):
        return []
    return [value] if _is_array(value) else _arrays(list(value.values()))


def _is_array(value):
    shape = value.get("s")
    return bool(shape) and None not in shape and bool({"tensor", "array", "variable"} & set(value))


def _size(array):
    return int(np.prod(array["s"]))


def _repeated(value, times):
    if isinstance(value, list):
        return [_repeated(each, times) for each in value]
    if not isinstance(value, dict):
        return value
    if not _is_array(value):
        return {key: _repeated(each, times) for key, each in value.items()}
    first, *others = value["s"]
    result = dict(value, s=[first * times] + others)
    if "v" in value:
        result["v"] = value["v"] * times
    if "static" in value:
        result["static"] = [None] * len(value["s"])
    return result


def workload(tf, key, elements):
    """The step of a call; its probe is whether constants are fed, which may be refused."""
    signal.alarm(LIMIT)
    record = calls()[key][1]
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        np.random.seed(1)
        random.seed(1)
        call = recorded_calls.function_of(tf, enlarged(record, elements) if elements else record)
        function, arguments, named = call
        constants = [op.outputs[0] for op in graph.get_operations() if op.type == "Const"]
        result = function(*arguments, **named)
        fetched = []
        recorded_calls.describe(tf, result, fetched)
        session = open_session(tf)
        session.run(graph.get_collection(tf.GraphKeys.TABLE_INITIALIZERS))
        feeds = {
            tensor: value
            for tensor, value in zip(constants, session.run(constants))
            if np.size(value) > FED and tensor.dtype != tf.string
        }
        run = functools.partial(session.make_callable(fetched, list(feeds)), *feeds.values())
        try:
            run()
            is_fed = True
        except (ValueError, tf.errors.OpError):
            run, is_fed = session.make_callable(fetched), False
    signal.alarm(0)
    return Step(run, lambda: float(is_fed))
