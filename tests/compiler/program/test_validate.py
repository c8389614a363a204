"""validate: detects violations of each program rule."""

import dataclasses

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import lowered
from tfmini import dtypes
from tfmini._src.compiler.program.program import (
    Constant,
    CopySource,
    InvalidProgramError,
    Node,
    Slot,
)
from tfmini._src.compiler.program.validate import Validator, validate

GPU = "/job:localhost/replica:0/task:0/device:GPU:0"


def broken(program):
    with pytest.raises(InvalidProgramError) as caught:
        validate(program)
    return str(caught.value)


def node_of(program, name):
    """The node of an op."""
    (result,) = [n for n in program.nodes if n.kind == "op" and n.opdef.name == name]
    return result


def set_dtype(program, slot, dtype):
    program.slots[slot] = Slot(dtype, program.slots[slot].dims)


@pytest.fixture
def chain():
    """Exp(Sqrt(x)), in slots 1 and 2 of a program."""
    x = tf.placeholder(tf.float32, [3], name="x")
    program = lowered(tf.exp(tf.sqrt(x), name="e"), feeds=[x])
    validate(program)
    return program


def test_operand_must_be_defined_before_use(chain):
    chain.nodes.reverse()
    assert broken(chain) == "t1 is used before it is defined, by t2 = Exp(t1)  # e"


def test_operand_must_be_defined_once(chain):
    chain.nodes.append(chain.nodes[-1])
    assert broken(chain) == "t2 is defined again by t2 = Exp(t1)  # e"


def test_feeds_must_not_be_redefined(chain):
    node_of(chain, "Exp").outputs = (0,)
    chain.fetches = (0,)
    assert broken(chain) == "t0 is defined again by t0 = Exp(t1)  # e"
    chain.feeds = (0, 0)
    assert broken(chain) == "a slot is fed twice"


def test_fetches_must_be_defined(chain):
    del chain.nodes[1]
    assert broken(chain) == "t2 is used before it is defined, by fetch 0"


def test_dtypes_must_match_signature(chain):
    set_dtype(chain, 1, dtypes.float64)
    assert broken(chain).startswith("t1 is float64, not float32: t1 = Sqrt(t0)")


def test_slot_count_must_match_arguments(chain):
    node_of(chain, "Exp").inputs = (1, 1)
    assert broken(chain).startswith("2 slots for 1 arguments: t2 = Exp(t1, t1)")


@pytest.mark.parametrize("value", [[1, 2, 3], [[1, 2]], 1])
def test_constant_shape_must_match_slot(value):
    program = lowered(tf.constant([1, 2]) + tf.placeholder(tf.int32, [2]))
    constant = next(n for n in program.nodes if n.kind == "const")
    constant.payload = Constant(np.array(value, np.int32))
    assert broken(program).startswith(
        f"a constant of shape {np.shape(value)} in a slot of shape (2,): "
    )


def test_constant_dtype_must_match_slot():
    program = lowered(tf.constant([1, 2]) + tf.placeholder(tf.int32, [2]))
    constant = next(n for n in program.nodes if n.kind == "const")
    constant.payload = Constant(np.array([1.0, 2.0]))
    assert broken(program).startswith("a float64 constant in a int32 slot: ")


def test_cells_must_be_references():
    v = tf.Variable(1.0, use_resource=False)
    program = lowered(tf.assign(v, 2.0))
    set_dtype(program, node_of(program, "VariableV2").outputs[0], dtypes.float32)
    assert "is not a reference: " in broken(program)


def test_read_must_preserve_dtype():
    v = tf.Variable(1.0, use_resource=False)
    program = lowered(v + 1.0)
    read = next(n for n in program.nodes if n.kind == "read")
    set_dtype(program, read.outputs[0], dtypes.float64)
    assert broken(program).startswith("the dtype changes in ")


@pytest.fixture
def branches():
    """tf.cond(p, exp(x), sqrt(x))."""
    p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [])
    program = lowered(tf.cond(p, lambda: tf.exp(x), lambda: tf.sqrt(x)), feeds=[p, x])
    validate(program)
    return program


def test_guarded_value_must_exist_at_use(branches):
    node_of(branches, "Merge").payload = dataclasses.replace(
        node_of(branches, "Merge").payload, guards=(((0, True),), ((0, True),))
    )
    assert "may have no value at its use, by " in broken(branches)


def test_fetch_must_exist(branches):
    branches.fetches = node_of(branches, "Exp").outputs
    assert broken(branches).endswith("may have no value at its use, by fetch 0")
    branches.fetch_guards = {0: ((0, True),)}
    validate(branches)


def test_predicates_must_be_defined_booleans(branches):
    exp = node_of(branches, "Exp")
    exp.guard = ((1, True),)
    assert broken(branches).startswith("predicate t1 of ")
    exp.guard = ((exp.outputs[0], True),)
    assert "is used before it is defined, by " in broken(branches)


def test_group_must_match_its_node():
    x, y = (tf.placeholder(tf.float32, [1 << 17]) for _ in range(2))
    program = lowered(tf.exp(x + y), feeds=[x, y])
    (fused,) = program.nodes
    first = fused.members[0]
    first.guard = ((0, True),)
    assert "is in a group of a different kind: " in broken(program)
    first.guard, first.device = (), "elsewhere"
    assert "is in a group of a different kind: " in broken(program)
    first.device = fused.device
    fused.inputs = fused.inputs[:1]
    assert broken(program).startswith("t1 is not a group input: ")
    fused.inputs = (0, 1)
    fused.outputs = (program.new_slot(dtypes.float32, None),)
    program.fetches = fused.outputs
    assert broken(program).startswith("no member produces an output of ")


def test_values_must_reside_where_read(chain):
    chain.devices = {GPU: None}
    validate(chain)
    chain.memory = {1: GPU}
    validate(chain)  # a part of a program, before copies are inserted
    chain.copies_inserted = True
    assert broken(chain).startswith(f"t1 must not be in {GPU}: t1 = Sqrt(t0)")
    for node in chain.nodes:
        node.device = GPU
    validate(chain)
    copy = Node("copy", chain.nodes[0].origin, (1,), (chain.new_slot(dtypes.float32, None),))
    copy.device = GPU
    chain.nodes.append(copy)
    assert broken(chain).startswith(f"t1 must not be in {GPU}: ")
    copy.payload = CopySource(GPU)
    assert broken(chain).startswith(f"t{copy.outputs[0]} must not be in host memory: ")


def test_predicates_must_reside_on_host(branches):
    branches.devices = {GPU: None}
    validate(branches)
    branches.memory, branches.copies_inserted = {0: GPU}, True
    assert broken(branches).startswith(f"predicate t0 must be in host memory but is in {GPU}: ")


@pytest.fixture
def loop():
    """A program with a loop over an integer and a float."""
    result = tf.while_loop(
        lambda i, x: i < 5, lambda i, x: (i + 1, x * 2.0), [tf.constant(1), tf.constant(1.0)]
    )
    program = lowered(*result)
    validate(program)
    return program, next(n for n in program.nodes if n.kind == "while")


def test_loop_variables_must_keep_dtype(loop):
    program, node = loop
    first, second = node.inputs
    node.inputs = (second, first)
    assert " are float32 and int32: " in broken(program)


def test_loop_inputs_must_match_body(loop):
    program, node = loop
    node.inputs = node.inputs[:1]
    assert broken(program).startswith("inputs or outputs do not match the iteration: ")


def test_loop_predicate_must_be_boolean(loop):
    program, node = loop
    inner = node.loop.program
    inner.fetches = (inner.feeds[0], *inner.fetches[1:])
    assert broken(program).startswith("the predicate is not a boolean: ")


def test_loop_bodies_are_validated(loop):
    program, node = loop
    node.loop.program.nodes.reverse()
    assert "is used before it is defined, by " in broken(program)


def test_validation_sees_later_modifications(chain):
    validator = Validator()
    validator.check(chain)
    chain.nodes.reverse()
    with pytest.raises(
        InvalidProgramError, match=r"t1 is used before it is defined, by t2 = Exp\(t1\)"
    ):
        validator.check(chain)
    chain.nodes.reverse()
    validator.check(chain)
    node_of(chain, "Exp").inputs = (0, 0)
    with pytest.raises(InvalidProgramError, match=r"2 slots for 1 arguments: t2 = Exp\(t0, t0\)"):
        validator.check(chain)
