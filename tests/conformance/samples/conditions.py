"""Switch, Merge, NoOp and related ops."""

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

X = np.array([[1.0, -2.0, 3.0]], "f")


def switch(tf):
    false, true = raw.Switch(X, tf.constant(True))
    other, _ = raw.Switch(X, tf.constant(False))
    return [(true * 2.0, other + 1.0)]


def ref_switch(tf):
    variable = tf.Variable(X)
    _, true = raw.RefSwitch(variable._ref(), tf.constant(True))
    with tf.control_dependencies([raw.Assign(true, X * 5)]):
        value = variable.read_value()
    return [variable.initializer, value]


def ref_select(tf):
    variables = tf.Variable(X), tf.Variable(X + 1)
    index = tf.placeholder_with_default(1, [])
    chosen = raw.RefSelect(index, [variable._ref() for variable in variables])
    return [[variable.initializer for variable in variables], raw.Assign(chosen, -X)]


def merge(tf):
    false, true = raw.Switch(X, tf.placeholder_with_default(False, []))
    return [raw.Merge([true * 3.0, false * 4.0])]


def ref_merge(tf):
    variable = tf.Variable(X)
    false, true = raw.RefSwitch(variable._ref(), tf.placeholder_with_default(True, []))
    output, index = raw.RefMerge([false, true])
    return [variable.initializer, (raw.Assign(output, -X), index)]


def waiting(op):
    """A constant that depends on the op."""

    def build(tf):
        with tf.control_dependencies([getattr(raw, op)()]):
            return [tf.constant(3)]

    return build


def ref_frame(tf):
    """A variable whose reference passes through a loop: 2 ** 3 times its value."""
    variable = tf.Variable(X)
    start = raw.Enter(tf.constant(0), "frame")
    count, _ = raw.Merge([start, start])
    reference = raw.RefEnter(variable._ref(), "frame")
    merged, _ = raw.RefMerge([reference, reference])
    limit, one = (raw.Enter(tf.constant(n), "frame", is_constant=True) for n in (3, 1))
    more = raw.LoopCond(raw.Less(count, limit))
    left, inside = raw.RefSwitch(merged, more)
    _, number = raw.Switch(count, more)
    doubled = raw.Assign(inside, raw.Add(inside, inside))
    merged.op._update_input(1, raw.RefNextIteration(doubled))
    count.op._update_input(1, raw.NextIteration(raw.Add(number, one)))
    return [variable.initializer, raw.RefExit(left)]


def frame(tf):
    """X doubled three times."""
    factor = raw.Enter(tf.constant(2.0), "frame", is_constant=True)
    starts = [raw.Enter(value, "frame") for value in (tf.constant(0), tf.constant(X))]
    (count, _), (value, _) = (raw.Merge([start, start]) for start in starts)
    more = raw.LoopCond(raw.Less(count, raw.Enter(tf.constant(3), "frame", is_constant=True)))
    (_, number), (left, inside) = raw.Switch(count, more), raw.Switch(value, more)
    one = raw.Enter(tf.constant(1), "frame", is_constant=True)
    count.op._update_input(1, raw.NextIteration(raw.Add(number, one)))
    value.op._update_input(1, raw.NextIteration(inside * factor))
    return [raw.Exit(left)]


SAMPLES = [
    Sample("Enter", build=frame, expect=X * 8),
    Sample("Exit", build=frame, expect=X * 8),
    Sample("LoopCond", build=frame, expect=X * 8),
    Sample("NextIteration", build=frame, expect=X * 8),
    Sample("RefEnter", build=ref_frame, expect=X * 8),
    Sample("RefExit", build=ref_frame, expect=X * 8),
    Sample("RefNextIteration", build=ref_frame, expect=X * 8),
    Sample("Switch", build=switch, expect=(X * 2, X + 1)),
    Sample("RefSwitch", build=ref_switch, expect=X * 5),
    Sample("RefSelect", build=ref_select, expect=-X),
    Sample("Merge", build=merge, expect=(X * 4, 1)),
    Sample("RefMerge", build=ref_merge, expect=(-X, 1)),
    Sample("NoOp", build=waiting("NoOp"), expect=3),
    Sample("ControlTrigger", build=waiting("ControlTrigger"), expect=3),
]
