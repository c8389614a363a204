"""Steps of several threads are recorded sequentially."""

import json
from types import SimpleNamespace

from tests.support.waiting import waits_for
from tfmini._src.programs.runner import profile as profile_module, trace_file as trace_module
from tfmini._src.programs.runner.profile import Profile
from tfmini._src.programs.runner.trace_file import TraceFile

STEP = SimpleNamespace(start_time=10, end_time=25, spans=[], fetches=[])


def test_concurrent_profile_steps_are_serialized():
    profile = Profile()
    assert waits_for(profile._lock, lambda: profile.add(STEP))
    profile.add(STEP)
    assert (profile.steps, profile._step_time) == (2, 30)


def test_concurrent_trace_steps_are_serialized(tmp_path, capsys):
    trace = TraceFile(str(tmp_path / "trace.json"), max_events=2)
    assert waits_for(trace._lock, lambda: trace.add(STEP))
    assert waits_for(trace._lock, trace.close)
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert "events of 1 steps" in capsys.readouterr().err
    trace.add(STEP)
    assert (trace.steps, trace.left_out) == (1, 1)


def test_step_after_close_is_dropped(tmp_path):
    trace = TraceFile(str(tmp_path / "trace.json"))
    trace.close()
    trace.add(STEP)
    assert (trace.steps, trace.left_out) == (0, 1)
    json.loads((tmp_path / "trace.json").read_text())


class Made(SimpleNamespace):
    """An object with some attributes, compared by identity."""

    __hash__ = object.__hash__


def node(name, start_time, end_time, kind="op", device="/device:CPU:0", waits=False, **more):
    """A node's execution record; its type is its name without the number."""
    op = Made(
        type=name.partition("_")[0].title(),
        _frames=more.pop("line", 7),
        opdef=SimpleNamespace(may_wait=waits),
    )
    fields = {"outputs": [], "launches": 0, "on_device": 0, "thread": 5, "node": name, **more}
    return Made(
        name=name,
        start_time=start_time,
        end_time=end_time,
        kind=kind,
        device=device,
        op=op,
        **fields,
    )


def result(*shape, size=0):
    return ("", 0, SimpleNamespace(shape=shape, bytes=size))


def step(*nodes, start_time=0, end_time=1000, fetches=()):
    return SimpleNamespace(
        start_time=start_time, end_time=end_time, spans=list(nodes), fetches=fetches
    )


class Clock:
    """A stopped clock, and numeric lines."""

    def __init__(self, monkeypatch, now):
        self.now = now
        for module in (profile_module, trace_module):
            monkeypatch.setattr(module, "clock", lambda: self.now)
            monkeypatch.setattr(module, "runs", lambda spans: spans)
            monkeypatch.setattr(module, "user_location", self.location)

    @staticmethod
    def location(frames):
        return frames and SimpleNamespace(filename="/train.py", lineno=frames)


def test_profile_report(monkeypatch):
    clock = Clock(monkeypatch, 0)
    profile = Profile()
    assert profile.report() == (
        "0 steps, 0 of them compiled (0 ns), took 0 ns of 0 ns; their nodes 0 ns; the rest is Python"
    )
    nodes = [
        node("matmul_1", 100, 3100, line=3),
        node("matmul_2", 3100, 3600, line=3),
        node("matmul_3", 3600, 3800, line=3),
        node("mul_1", 3800, 4000, kind="fused", line=4),
        node("add_1", 4000, 4100, kind="segment", line=None),
    ]
    profile.add(step(*nodes, start_time=50, end_time=4200))
    profile.add(step(*nodes[1:2], start_time=5000, end_time=9000))
    clock.now = 2_000_000
    lines = profile.report().splitlines()
    assert lines == [
        "2 steps, 1 of them compiled (50 ns), took 8.15 us of 2 ms; their nodes 4.5 us; the rest is Python",
        "",
        *(
            "  time   share  runs    a run  longest  type     line         nodes",
            "4.2 us  93.3 %     4  1.05 us     3 us  Matmul   /train.py:3  matmul_1, matmul_2, ...",
            "200 ns   4.4 %     1   200 ns   200 ns  Mul      /train.py:4  mul_1",
            "100 ns   2.2 %     1   100 ns   100 ns  segment  ?            add_1",
        ),
    ]
    assert profile.report(max_lines=1).splitlines()[-1] == "... and 2 more, which took 300 ns"


def test_profile_reports_gpus_and_waits(monkeypatch):
    Clock(monkeypatch, 0)
    profile = Profile()
    profile.add(
        step(
            node("matmul_1", 0, 10, device="/device:GPU:0", launches=3, on_device=2_000),
            node("mul_1", 10, 30, device="/device:GPU:1", launches=1, on_device=500),
            node("x_1", 30, 40, kind="copy", outputs=[result(2, size=800), result(size=4)]),
            node("x_1", 40, 50, kind="copy", outputs=[result(2, size=800)]),
            node("y_1", 50, 60, kind="send"),
            node("z_1", 60, 160, kind="receive", device="/device:GPU:0"),
            node("dequeue_1", 160, 1160, waits=True),
        )
    )
    lines = profile.report().splitlines()
    assert lines[1:3] == [
        "2 nodes ran on GPUs, 2.5 us by CUDA events, with 4 launches in addition to CuPy's; "
        "2 times copied to GPUs, 1,604 bytes; 1 times copied from GPUs",
        "2 waits took 1.1 us",
    ]


def test_time_units():
    assert [
        profile_module.seconds(n) for n in (0, 999, 1000, 1234, 999_499, 10**6, 12_345_678)
    ] == [*("0 ns", "999 ns", "1 us", "1.23 us", "999 us", "1 ms", "12.3 ms")]
    assert [profile_module.seconds(n) for n in (10**9, 61 * 10**9, 12_345 * 10**9)] == [
        *("1 s", "61 s", "12,345 s")
    ]


def events_of(trace):
    trace.close()
    with open(trace.path, encoding="utf-8") as file:
        actual = json.load(file)
    assert actual["displayTimeUnit"] == "ms"
    return actual["traceEvents"]


def test_trace_events(monkeypatch, tmp_path, capsys):
    Clock(monkeypatch, 1000)
    trace = TraceFile(str(tmp_path / "trace.json"))
    fetches = {"a": SimpleNamespace(name="loss:0"), "b": [SimpleNamespace(name="train"), "x"]}
    trace.add(
        step(
            node("matmul_1", 3000, 4500, outputs=[result(2, 3), result()]),
            node("x_1", 4500, 5000, kind="copy", device="/job:a/device:GPU:0", line=None),
            node("mul_1", 5000, 6000, kind="updates", thread=6),
            start_time=2000,
            end_time=8000,
            fetches=fetches,
        )
    )
    trace.add(step(start_time=9000, end_time=9500, fetches=["a", "b", ("c", "d"), "e"]))
    named = {"ph": "M", "name": "process_name"}
    cpu, gpu = 2, 3
    assert events_of(trace) == [
        {**named, "pid": 1, "args": {"name": "steps"}},
        *(
            {"ph": "X", "cat": "Op", "name": "run 1: loss:0, train, x", "pid": 1, "tid": 1}
            | {"ts": 1.0, "dur": 6.0, "args": {}},
            {**named, "pid": cpu, "args": {"name": "device:CPU:0"}},
            {"ph": "X", "cat": "Op", "name": "Matmul", "pid": cpu, "tid": 2, "ts": 2.0, "dur": 1.5}
            | {
                "args": {
                    "name": "matmul_1",
                    "op": "Matmul",
                    "line": "/train.py:7",
                    "shapes": "[[2, 3], []]",
                }
            },
            {**named, "pid": gpu, "args": {"name": "device:GPU:0"}},
            {"ph": "X", "cat": "Op", "name": "copy", "pid": gpu, "tid": 3, "ts": 3.5, "dur": 0.5}
            | {"args": {"name": "x_1", "op": "X", "line": ""}},
            {"ph": "X", "cat": "Op", "name": "Mul", "pid": cpu, "tid": 4, "ts": 4.0, "dur": 1.0}
            | {"args": {"name": "mul_1", "op": "Mul", "line": "/train.py:7"}},
        ),
        {"ph": "X", "cat": "Op", "name": "run 2: a, b, c, d, ...", "pid": 1, "tid": 5}
        | {"ts": 8.0, "dur": 0.5, "args": {}},
    ]
    assert capsys.readouterr().err == f"tfmini: {trace.path} has 8 events of 2 steps\n"


def test_trace_reports_dropped_events(monkeypatch, tmp_path, capsys):
    Clock(monkeypatch, 0)
    trace = TraceFile(str(tmp_path / "trace.json"), max_events=3)
    for _ in range(1500):
        trace.add(step())
    assert len(events_of(trace)) == 3
    assert capsys.readouterr().err.endswith(
        "has 3 events of 2 steps; 1,498 steps more are not in it\n"
    )
