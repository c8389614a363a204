"""Switch, Merge, NoOp and their kin."""

import numpy as np

from tests.samples import Sample
from tfmini.graph.opdef import raw

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


def merge(tf):
    false, true = raw.Switch(X, tf.placeholder_with_default(False, []))
    return [raw.Merge([true * 3.0, false * 4.0])]


def ref_merge(tf):
    variable = tf.Variable(X)
    false, true = raw.RefSwitch(variable._ref(), tf.placeholder_with_default(True, []))
    output, index = raw.RefMerge([false, true])
    return [variable.initializer, (raw.Assign(output, -X), index)]


def waiting(op):
    """A constant that waits for the op."""

    def build(tf):
        with tf.control_dependencies([getattr(raw, op)()]):
            return [tf.constant(3)]

    return build


SAMPLES = [
    Sample("Switch", build=switch, expect=(X * 2, X + 1)),
    Sample("RefSwitch", build=ref_switch, expect=X * 5),
    Sample("Merge", build=merge, expect=(X * 4, 1)),
    Sample("RefMerge", build=ref_merge, expect=(-X, 1)),
    Sample("NoOp", build=waiting("NoOp"), expect=3),
    Sample("ControlTrigger", build=waiting("ControlTrigger"), expect=3),
]
