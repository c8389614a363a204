"""Steps of several threads are noted one after the other."""

import json
from types import SimpleNamespace

from tests.waiting import waits_for
from tfmini._src.programs.runner.profile import Profile
from tfmini._src.programs.runner.trace_file import TraceFile

STEP = SimpleNamespace(began=10, ended=25, spans=[], fetches=[])


def test_a_profile():
    profile = Profile()
    assert waits_for(profile._lock, lambda: profile.add(STEP))
    profile.add(STEP)
    assert (profile.steps, profile._in_steps) == (2, 30)


def test_a_trace(tmp_path, capsys):
    trace = TraceFile(str(tmp_path / "trace.json"), most=2)
    assert waits_for(trace._lock, lambda: trace.add(STEP))
    assert waits_for(trace._lock, trace.close)
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert "events of 1 steps" in capsys.readouterr().err
    trace.add(STEP)
    assert (trace.steps, trace.left_out) == (1, 1)


def test_a_step_that_ends_after_the_file_is_left_out(tmp_path):
    trace = TraceFile(str(tmp_path / "trace.json"))
    trace.close()
    trace.add(STEP)
    assert (trace.steps, trace.left_out) == (0, 1)
    json.loads((tmp_path / "trace.json").read_text())
