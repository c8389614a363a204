"""Plan steps with pending ops: a loop's tensors for other tasks have a separate rendezvous."""

from types import SimpleNamespace

from tfmini._src.ops.pending_ops import Step


def frame(path):
    return SimpleNamespace(path=path, iteration=0, in_frame=lambda name: frame(f"{path}/{name}"))


def test_a_loop_has_a_separate_rendezvous():
    step = Step(frame("step"))
    outer = step.in_frame("outer")
    outer.next_iteration()
    inner = outer.in_frame("inner")
    assert [each.rendezvous.path for each in (step, outer, inner)] == [
        "step",
        "step/outer",
        "step/outer/inner",
    ]
    assert [each.rendezvous.iteration for each in (step, outer, inner)] == [0, 1, 0]
    assert inner.outermost is outer.outermost is step


def test_a_loop_of_a_step_of_one_task_has_none():
    loop = Step().in_frame("loop")
    loop.next_iteration()
    assert loop.rendezvous is None
