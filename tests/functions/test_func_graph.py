"""Captures of function bodies."""

import tfmini as tf
from tfmini.compat.python.framework import function

Defun, F = function.Defun, tf.float32


def test_no_captures_outside_body():
    assert function.get_extra_vars() == function.get_extra_inputs() == []
    assert function.get_extra_args() == []


def test_captures_inside_body():
    outside = tf.constant(2.0)
    seen = {}

    @Defun(F)
    def body(x):
        v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        y = x * outside + v
        seen["vars"] = list(function.get_extra_vars())
        seen["inputs"] = [t.name for t in function.get_extra_inputs()]
        seen["args"] = [t.name for t in function.get_extra_args()]
        return y

    body(1.0)
    assert seen == {
        "vars": tf.global_variables(),
        "inputs": ["Const:0", "v/read:0"],
        "args": ["mul/Placeholder:0", "add/Placeholder:0"],
    }


def test_guaranteed_constant():
    fixed = tf.guarantee_const(tf.constant(2.0))

    @Defun(F)
    def body(x):
        return x * fixed

    assert [node.op for node in body.definition.node_def] == ["GuaranteeConst", "Mul"]


def test_read_after_assignment(session):
    total = tf.get_variable("total", [], initializer=tf.zeros_initializer(), use_resource=True)

    @Defun(F, capture_resource_var_by_value=False)
    def added(x):
        with tf.variable_scope("", reuse=True):
            handle = tf.get_variable("total", [], use_resource=True)
        return handle.assign_add(x).read_value() * 1.0

    session.run(total.initializer)
    assert session.run(added(1.5)) == 1.5
    assert session.run(added(added(1.0))) == 1.5 + 1.0 + 2.5


def test_captures_in_branches(session):
    x = tf.constant(1)

    @Defun(tf.bool)
    def choose(pred):
        return tf.cond(pred, lambda: x, lambda: x + 1)

    assert session.run([choose(True), choose(False)]) == [1, 2]
