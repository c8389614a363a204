"""Plan steps with pending ops: a loop's tensors for other tasks have a separate rendezvous."""

from types import SimpleNamespace

from tfmini._src.ops.pending_ops import Step


def frame(path):
    return SimpleNamespace(
        path=path, iteration=0, frame_rendezvous=lambda name: frame(f"{path}/{name}")
    )


def test_loop_has_its_own_rendezvous():
    step = Step(frame("step"))
    outer = step.step_in_frame("outer")
    outer.next_iteration()
    inner = outer.step_in_frame("inner")
    assert [each.rendezvous.path for each in (step, outer, inner)] == [
        "step",
        "step/outer",
        "step/outer/inner",
    ]
    assert [each.rendezvous.iteration for each in (step, outer, inner)] == [0, 1, 0]
    assert inner.outermost is outer.outermost is step


def test_single_task_loop_has_no_rendezvous():
    loop = Step().step_in_frame("loop")
    loop.next_iteration()
    assert loop.rendezvous is None
