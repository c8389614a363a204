"""Partial runs across tasks: timed out, in a call, idle."""

from math import inf
from threading import Event
from types import SimpleNamespace

import pytest

from tfmini._src.base.errors import CancelledError, DeadlineExceededError
from tfmini._src.cluster.cluster_step import TIMED_OUT, RunningStep
from tfmini._src.cluster.partial_runs import PartialRun
from tfmini._src.cluster.worker_partial_run import PartialSteps


def test_deadline_is_reported_before_parts_are_cancelled():
    """The deadline is reported as the cause, even before all parts have been cancelled."""
    told = Event()

    class Other:
        def run(self, handle, graph, step_id, feeds, keys, timed, then, is_last):
            def cancel():
                then(None, None, CancelledError(None, None, "Cancelled"))
                told.wait(60)

            return cancel

    part = SimpleNamespace(task="/job:worker/task:0", feeds={}, fetches={})
    step = SimpleNamespace(parts=[(part, Other(), "graph")], handle="", dtypes={})
    step.clean_up = lambda *unused, **options: None
    try:
        with pytest.raises(DeadlineExceededError, match=TIMED_OUT):
            PartialRun(step, [], [], RunningStep(1)).go_on({}, [], 0.05)
    finally:
        told.set()


def test_part_is_idle_only_between_calls():
    given_up, part = [], SimpleNamespace(calls=0, idle_since=-inf)
    steps = PartialSteps(given_up.append)
    with steps.get_or_start(("graph", 7), lambda: part):
        steps._abort_idle()
        assert not given_up
    part.idle_since = -inf
    steps._abort_idle()
    assert given_up == [7]
    steps.forget(("graph", 7))
