"""tf.variable_scope and its getters."""

import threading

import tfmini as tf


def test_getter_without_constraint(graph):
    def old(
        getter,
        name,
        shape,
        dtype,
        initializer,
        regularizer,
        reuse,
        trainable,
        collections,
        caching_device,
        partitioner,
        validate_shape,
        use_resource,
        synchronization,
        aggregation,
    ):
        return getter(name, shape)  # fmt: skip

    assert tf.get_variable("v", [2], custom_getter=old).shape == [2]


def test_scopes_are_per_thread(graph):
    seen = []

    def other():
        with graph.as_default():
            seen.append(tf.get_variable_scope().name)

    with tf.variable_scope("s"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert seen == [""]


def test_variable_op_scope(graph):
    with tf.variable_op_scope([tf.constant(1.0)], "s", "default") as scope:
        assert scope.name == "s"
