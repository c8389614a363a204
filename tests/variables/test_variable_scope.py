"""tf.variable_scope and its getters."""

import threading

import tfmini as tf


def get(name, shape=(), **options):
    return tf.get_variable(name, shape, initializer=tf.zeros_initializer(), **options)


def test_nested_scope_of_the_same_name(graph):
    with tf.variable_scope("scope") as scope:
        with tf.variable_scope("scope"):
            assert get("w").name == "scope/scope/w:0"
            with tf.variable_scope(scope):
                assert get("w").name == "scope/w:0"


def test_reentered_scope(graph):
    block = tf.variable_scope("block")
    for number in range(2):
        with block as scope:
            assert scope.name == "block"
            assert tf.constant(1.0).op.name == ("block/Const", "block_1/Const")[number]
    with tf.variable_scope(scope, auxiliary_name_scope=False):
        assert tf.constant(1.0).op.name == "Const"
        with tf.variable_scope("inner", auxiliary_name_scope=False):
            assert get("w").name == "block/inner/w:0"


def test_custom_getters(graph):
    calls = []

    def renaming(getter, name, *args, **kwargs):
        calls.append(name)
        return getter(name + "_got", *args, **kwargs)

    def doubling(getter, name, *args, **kwargs):
        return getter(name, *args, **kwargs) * 2.0

    with tf.variable_scope("s", custom_getter=renaming):
        assert get("v").name == "s/v_got:0"
        with tf.variable_scope("t", custom_getter=doubling):
            assert get("w").name == "mul:0"
    assert calls == ["s/v", "s/t/w"]
    plain = tf.get_variable("p", [], custom_getter=lambda getter, name, **_: getter(name, [3]))
    assert plain.shape == [3]


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
