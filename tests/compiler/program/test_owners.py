"""owners: validation names a pass that overwrites a live buffer or reorders writes."""

import dataclasses

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import lowered
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.compiler import pipeline
from tfmini._src.compiler.analysis.ownership import Ownership
from tfmini._src.compiler.passes import fuse_cpu as fusing, fuse_native
from tfmini._src.compiler.passes.fuse_optimizer_updates import fuse_optimizer_updates
from tfmini._src.compiler.pipeline import PASSES, Pass
from tfmini._src.compiler.program.program import Constant, InvalidProgramError
from tfmini._src.compiler.program.validate import validate
from tfmini._src.devices.cuda.capture import emit_segments

LARGE = 1 << 17


@pytest.fixture
def with_defect(monkeypatch):
    """Adds a pass after a named one, for all programs of the test."""

    def plant(defect, after="simplify"):
        number = [each.name for each in PASSES].index(after) + 1
        passes = (*PASSES[:number], Pass(defect), *PASSES[number:])
        monkeypatch.setattr(pipeline, "PASSES", passes)

    return plant


def swapped(first, second):
    """A pass that swaps the nodes of two op types."""

    def swaps(program):
        names = [n.kind if n.kind != "op" else n.opdef.name for n in program.nodes]
        a, b = names.index(first), names.index(second)
        nodes = program.nodes
        nodes[a], nodes[b] = nodes[b], nodes[a]
        return program

    return swaps


@pytest.mark.parametrize("after", ["simplify", "fuse_optimizer_updates"])
def test_read_must_precede_later_update(with_defect, after):
    v, two = tf.Variable(1.0, use_resource=True), tf.constant(2.0)
    before = v.read_value()
    with tf.control_dependencies([before]):
        update = v.assign_add(two, read_value=False)
    with_defect(swapped("ReadVariableOp", "AssignAddVariableOp"), after)
    with pytest.raises(InvalidProgramError, match="^after swaps: .*ReadVariableOp.*: the variable"):
        lowered(before, targets=[update])


def test_reference_read_must_precede_later_update(with_defect):
    v = tf.Variable(1.0, use_resource=False)
    before = tf.identity(v)
    with tf.control_dependencies([before]):
        update = v.assign_add(2.0)
    with_defect(swapped("read", "AssignAdd"))
    with pytest.raises(
        InvalidProgramError, match="^after swaps: .* has overtaken .*: the variable"
    ):
        lowered(before, targets=[update.op])


def test_variable_writes_must_keep_order(with_defect):
    v, two = tf.Variable(1.0, use_resource=True), tf.constant(2.0)
    first, second = v.assign_add(two, read_value=False), v.assign(two, read_value=False)
    with_defect(swapped("AssignAddVariableOp", "AssignVariableOp"))
    with pytest.raises(
        InvalidProgramError, match="^after swaps: .* has overtaken .*: the variable"
    ):
        lowered(targets=[first, second])


def test_writes_of_different_variables_may_swap(with_defect):
    (v, w), two = (tf.Variable(1.0, use_resource=True) for _ in range(2)), tf.constant(2.0)
    first, second = v.assign_add(two, read_value=False), w.assign(two, read_value=False)
    kinds = ["AssignAddVariableOp", "AssignVariableOp"]
    with_defect(swapped(*kinds))
    nodes = lowered(targets=[first, second]).nodes
    assert [n.opdef.name for n in nodes if n.kind == "op" and n.opdef.name in kinds] == kinds[::-1]


def test_control_dependent_writes_must_keep_order(with_defect):
    (v, w), two = (tf.Variable(1.0, use_resource=True) for _ in range(2)), tf.constant(2.0)
    first = v.assign_add(two, read_value=False)
    with tf.control_dependencies([first]):
        second = w.assign(two, read_value=False)
    with_defect(swapped("AssignAddVariableOp", "AssignVariableOp"))
    with pytest.raises(InvalidProgramError, match="^after swaps: .* does not wait for .*"):
        lowered(targets=[second])


def test_other_effects_must_keep_order(with_defect):
    x = tf.placeholder(tf.float32, [])
    is_there = tf.greater(x, 0.0)
    shown = tf.Print(x, [x])
    checked = tf.raw_ops.Assert(condition=is_there, data=[x])
    with_defect(swapped("Print", "Assert"))
    with pytest.raises(InvalidProgramError, match="^after swaps: .* has overtaken .*: effects"):
        lowered(shown, feeds=[x], targets=[checked])


def test_loop_effects_must_keep_order(with_defect):
    v, one = tf.Variable(0.0, use_resource=True), tf.constant(1.0)

    def body(i):
        value = v.read_value()
        with tf.control_dependencies([value]):
            update = v.assign_add(one, read_value=False)
        with tf.control_dependencies([update]):
            return i + 1

    result = tf.while_loop(lambda i: i < 3, body, [0])

    def swaps(program):
        for node in program.nodes:
            if node.kind == "while":
                swapped("ReadVariableOp", "AssignAddVariableOp")(node.loop.program)
        return program

    with_defect(swaps, "lower_bodies")
    with pytest.raises(InvalidProgramError, match="^after swaps: "):
        lowered(result)


def test_constants_must_not_be_writable(with_defect):
    def thaws(program):
        node = next(n for n in program.nodes if n.kind == "const" and np.ndim(n.constant))
        node.payload = Constant(np.array(node.constant))
        return program

    with_defect(thaws)
    with pytest.raises(InvalidProgramError, match="^after thaws: constant may be overwritten: "):
        lowered(tf.placeholder(tf.float32, [2]) + tf.constant([1.0, 2.0]))


@pytest.fixture
def no_library(monkeypatch):
    monkeypatch.setattr(fuse_native, "operations", dict)


@pytest.fixture
def group(no_library):
    """exp(x) * sqrt(y) + sin(x) as a program of one group, evaluated in blocks."""
    x, y = (tf.placeholder(tf.float32, [LARGE]) for _ in range(2))
    program = lowered(tf.exp(x) * tf.sqrt(y) + tf.sin(x), feeds=[x, y])
    validate(program)
    (node,) = program.nodes
    assert len(node.fused.steps) == len(node.members) == 5
    return program, node


def with_step(node, index, **changes):
    steps = list(node.fused.steps)
    steps[index] = dataclasses.replace(steps[index], **changes)
    node.payload = dataclasses.replace(node.fused, steps=tuple(steps))


def broken(program):
    with pytest.raises(InvalidProgramError) as caught:
        validate(program)
    return str(caught.value)


def test_live_buffer_must_not_be_overwritten(group):
    program, node = group
    first = node.fused.steps[0].target
    with_step(node, 1, target=first)  # two nodes own the same buffer
    assert broken(program).startswith(f"buffer {first[1]} of the group holds t")


def test_group_must_not_write_inputs(group):
    program, node = group
    with_step(node, 0, target=("input", 0))
    assert broken(program).startswith("a group input is written: ")


def test_group_must_write_result(group):
    program, node = group
    with_step(node, 4, target=("buffer", 7))
    assert broken(program).startswith("the group's result is not written: ")


def test_group_steps_must_read_node_operands(group):
    program, node = group
    with_step(node, 0, operands=(("input", 1),))
    assert "input 1 of the group holds t1 instead of t0, read by " in broken(program)


def test_pass_that_shares_buffers_is_named(monkeypatch, no_library):
    """`fuse_cpu` with a defect: all steps write to one buffer."""
    fused_node = fusing.fused_node

    def shares(group, inputs, outputs, blocks, steps):
        one = [
            step if step.target[0] == "result" else dataclasses.replace(step, target=("buffer", 0))
            for step in steps
        ]
        return fused_node(group, inputs, outputs, blocks, one)

    monkeypatch.setattr(fusing, "fused_node", shares)
    x, y = (tf.placeholder(tf.float32, [LARGE]) for _ in range(2))
    with pytest.raises(InvalidProgramError, match="^after fuse_cpu: buffer 0 of the group holds t"):
        lowered(tf.exp(x) * tf.sqrt(y), feeds=[x, y])


def test_group_must_not_return_input_view(group):
    program, node = group
    last = node.members[-1]
    last.opdef = tf.identity(tf.constant(1.0)).op.opdef
    last.inputs = last.inputs[:1]
    step = node.fused.steps[4]
    with_step(node, 4, operands=step.operands[:1], reads=step.reads[:1])
    assert broken(program).startswith("group output is a group input: ")


def one_owner_for_two(program):
    """A pass: the second update of a group writes the variable of the first."""
    for node in program.nodes:
        if node.kind == "updates":
            first, second = node.members[:2]
            second.inputs = (first.inputs[0], *second.inputs[1:])
    return program


def test_fused_updates_must_own_distinct_variables(with_defect):
    with_defect(one_owner_for_two, fuse_optimizer_updates.__name__)
    with fake_gpus(devices=1), tf.device("/gpu:0"), tf.Session() as session:
        weights = [tf.Variable(tf.ones([4]), name=name) for name in "vw"]
        loss = tf.add_n([tf.reduce_sum(w * w) for w in weights])
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(tf.global_variables_initializer())
        with pytest.raises(
            InvalidProgramError,
            match="^after one_owner_for_two: .* writes a variable that .* also writes",
        ):
            session.run(step)


def test_segments_must_keep_order(monkeypatch):
    part = emit_segments.partition

    def partition(program, *arguments):
        layout = part(program, *arguments)
        return dataclasses.replace(
            layout, program=dataclasses.replace(program, nodes=layout.program.nodes[::-1])
        )

    monkeypatch.setattr(emit_segments, "partition", partition)
    x = tf.placeholder(tf.float32, [4])
    with fake_gpus(devices=1), tf.Session() as session:
        with pytest.raises(InvalidProgramError, match="^after partition: t"):
            session.run(tf.exp(tf.sqrt(x)), {x: np.ones(4)})


def test_generated_code_must_not_overwrite_live_values(monkeypatch):
    x = tf.placeholder(tf.float32, [4000])
    y = tf.exp(x, name="y")
    session = tf.Session()
    feed = {x: np.zeros(4000)}
    assert session.run(tf.sin(y) + y, feed)[0] == np.sin(np.float32(1)) + 1
    monkeypatch.setattr(Ownership, "dies_at", lambda self, slot, step: slot in self.whole)
    with pytest.raises(InvalidProgramError, match="^after emit: .*Sin.* writes t1, still used by "):
        session.run(tf.sin(y) * y, feed)
    with pytest.raises(InvalidProgramError, match="^after emit: .* still used by a fetch$"):
        session.run([tf.cos(y), y], feed)
    monkeypatch.setattr(Ownership, "dies_at", lambda self, slot, step: True)
    with pytest.raises(
        InvalidProgramError, match="^after emit: .* writes t0, which the plan does not own"
    ):
        session.run(tf.ceil(x), feed)
