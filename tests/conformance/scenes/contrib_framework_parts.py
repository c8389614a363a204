"""tf.contrib.framework: placeholders, sums, zero initializers, fused parts, specs; errors."""

import copy

import numpy as np


def found_and_summed(tf, stage):
    of = tf.contrib.framework
    graph, other = tf.Graph(), tf.Graph()
    with graph.as_default(), tf.Session() as session:
        a = tf.placeholder(tf.float32, [2], name="a")
        with tf.name_scope("deep"):
            b = tf.placeholder_with_default([1.0], [1], name="b")
            c = tf.placeholder(tf.int32, name="c")
            stage.say(of.get_name_scope())
        d = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="d")
        stage.attempts(
            lambda: of.get_placeholders(graph),
            lambda: of.get_placeholders(3),
            lambda: of.get_graph_from_inputs([a], other),
            lambda: of.reduce_sum_n([]),
            lambda: of.reduce_sum_n([c, d]),
        )
        made = [of.reduce_sum_n([d]), of.reduce_sum_n([d, b]), of.reduce_sum_n([d, d, b], "own")]
        stage.say(made, session.run(made))
        stage.brief_graph()
        with other.as_default():
            e = tf.constant(1.0)
        stage.attempt(of.get_graph_from_inputs, [a, e])


def zeros_first(tf, stage):
    of = tf.contrib.framework
    for resource in (False, True):
        for kind in (np.float32, np.float64, np.int32, np.int64):
            with tf.Graph().as_default(), tf.Session() as session, stage.failing():
                stage.say(resource, kind.__name__)
                v = tf.get_variable("v", initializer=kind([3, 4]), use_resource=resource)
                made = of.zero_initializer(v)
                again = of.zero_initializer(v, use_locking=False, name="again")
                stage.say(made.name, made.dtype, made.shape, again.name)
                session.run(made)
                stage.say(session.run(v))
                stage.attempt(lambda: session.run([again, v])[1])  # noqa: B023
                stage.graph()
    stage.attempt(of.zero_initializer, tf.constant([1.0]))
    stage.attempt(of.zero_initializer, 3)


def fused(tf, stage):
    of = tf.contrib.framework
    graph = tf.Graph()
    with graph.as_default():
        a = tf.placeholder(tf.float32, [2], name="a")
        b = tf.placeholder(tf.float32, [2], name="b")
        c = tf.add(a, b, name="c")
        d = tf.multiply(c, tf.constant(2.0, name="two"), name="d")
        e = tf.identity(d, name="e")
        f = tf.negative(d, name="f")
        tf.add(e, f, name="g")
        tf.identity(a, name="h")
    definition = graph.as_graph_def()
    kinds = [tf.float32.as_datatype_enum] * 2
    for given in (
        (["a", "b"], ["e", "f"], kinds, True, "made", "Made"),
        (["c"], ["e"], kinds[:1], False, "made", "Made"),
        (["a"], ["e", "f"], kinds, False, "made", "Made"),
        (["none"], ["e"], kinds[:1], False, "made", "Made"),
        ("a", ["e"], kinds[:1], False, "made", "Made"),
        (["a", "b"], "e", kinds[:1], False, "made", "Made"),
    ):
        with stage.failing():
            found = of.fuse_op(definition, *given)
            for node in found.node:
                stage.say(node.name, node.op, *node.input, sorted(node.attr))
            node = next(n for n in found.node if n.name == "made")
            stage.say(list(node.attr["_output_types"].list.type), node.attr["_output_quantized"].b)
    stage.attempt(of.fuse_op, graph, ["a"], ["e"], kinds[:1], False, "made", "Made")
    stage.say(len(definition.node), [n.name for n in definition.node if "made" in n.name])


def specs(tf, stage):
    of = tf.contrib.framework
    make = of.BoundedTensorSpec
    spec = make([2, None], tf.int32, [[1], [2]], 9, "s")
    stage.attempts(
        lambda: copy.deepcopy(spec) == spec, lambda: make.from_spec(of.TensorSpec([2], tf.string))
    )
