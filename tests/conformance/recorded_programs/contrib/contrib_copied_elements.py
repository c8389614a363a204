"""Nodes and variables copied from another graph, with and without a scope; Monte Carlo expectations."""

import numpy as np


def build(tf):
    copy_graph = tf.contrib.copy_graph
    source = tf.Graph()
    with source.as_default():
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
        still = tf.Variable(2.0, trainable=False, name="still", collections=["mine"])
        with tf.control_dependencies([tf.no_op(name="before")]):
            y = tf.tanh(tf.matmul(x, w) * still, name="y")
        parts = tf.split(y, 2, axis=1, name="parts")
        tf.add_to_collection("results", parts[1])
    target = tf.get_default_graph()
    copies = [copy_graph.copy_variable_to_graph(each, target, "twin") for each in (w, still)]
    with tf.device("/cpu:0"):
        part = copy_graph.copy_op_to_graph(parts[1], target, copies, "twin")
    plain = [copy_graph.copy_variable_to_graph(w, target)]
    product = copy_graph.copy_op_to_graph(y.op.inputs[0].op.inputs[0], target, plain)
    same = copy_graph.copy_op_to_graph(y, target, copies, "twin")
    fed = copy_graph.get_copied_op(x, target, "twin")
    errors = []
    for call in (
        lambda: copy_graph.copy_variable_to_graph(part, target),
        lambda: copy_graph.get_copied_op(y, target, "nowhere"),
    ):
        try:
            call()
        except (KeyError, TypeError) as error:
            errors.append((type(error).__name__, str(error)))

    monte_carlo = tf.contrib.bayesflow.monte_carlo
    loc = tf.placeholder_with_default([0.5, 1.0], [2], name="loc")
    p, q = tf.distributions.Normal(loc, 1.0), tf.distributions.Normal([0.0, 0.0], 2.0)
    draws = p.sample(50, seed=1)
    estimates = [
        monte_carlo.expectation(tf.square, draws),
        monte_carlo.expectation(tf.square, draws, p.log_prob, use_reparametrization=False,
                                keep_dims=True),
        monte_carlo.expectation_importance_sampler(tf.sin, p.log_prob, q, n=60, seed=2),
        monte_carlo.expectation_importance_sampler_logspace(
            lambda z: -tf.abs(z), p.log_prob, q, z=np.array([[0.1], [1.0], [-0.7]], np.float32)),
    ]  # fmt: skip
    slopes = [tf.gradients(each, loc)[0] for each in estimates]
    return {
        "facts": {
            "errors": errors,
            "names": [part.name, product.name, same.name, fed.name],
            "collections": sorted(map(str, target.get_all_collection_keys())),
            "trainable": [each.name for each in tf.trainable_variables()],
        },
        "steps": [
            ("initialize", tf.variables_initializer(copies + plain)),
            ("copied", [part, same], {fed: [[1.0, 0.5], [-0.1, 0.2]]}),
            ("estimates", estimates),
            ("slopes", slopes),
        ],
    }
