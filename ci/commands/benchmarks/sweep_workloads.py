"""The workloads of the sweep: its cases at each size, some with gradients, and whole networks.

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import functools

import numpy as np

from ci.commands.benchmarks import sweep_layer_cases, sweep_more_cases, sweep_op_cases
from ci.commands.benchmarks.record_files import RECORDS
from ci.commands.benchmarks.sweep_cases import CASES, random
from ci.commands.benchmarks.workloads import STEADY, Step, open_session

# Workloads of `ci/bench` reused as cases, and cases without comparable results: random, computed by another library, or
# subject to a race in TensorFlow, whose CropAndResizeGradImage threads add to the same elements and may lose a sum.
NETWORKS = (
    "chain_100", "softmax", "mlp", "embedding", "word_vectors", "lenet", "conv_layers", "static_lstm",
    "while_scalars", "map_rows", "ctc_step", "chain_of_tags", "queue_records", "data_records", "record_read",
)  # fmt: skip
UNCHECKED = (
    *("random", "truncated_normal", "multinomial", "dropout"),
    *("data: shuffle", "decode_jpeg", "crop_and_resize"),
)
# Modules that add to CASES when they are imported.
MORE = sweep_op_cases, sweep_layer_cases, sweep_more_cases


def _variable(tf, value):
    """A variable for a shape or drawn values; anything else unchanged."""
    if isinstance(value, functools.partial):
        return tf.Variable(value())
    if isinstance(value, tuple):
        return tf.Variable(random().rand(*value).astype(np.float32))
    return value


def of_case(name, size, graded):
    """The workload of a case, which fetches nothing."""
    function, *inputs, _ = CASES[name]

    def workload(tf):
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            variables = [_variable(tf, value) for value in inputs[size]]
            with tf.variable_scope("case", initializer=tf.constant_initializer(0.01)):
                result = function(tf, *variables)
            results = [result]
            if graded:
                floats = [v for v in tf.trainable_variables() if v.dtype.base_dtype == tf.float32]
                weights = tf.Variable(tf.constant(0.5, shape=result.shape))
                gradients = tf.gradients(result, floats, weights)
                results += [getattr(g, "values", g) for g in gradients if g is not None]
            session = open_session(tf)
            session.run(tf.tables_initializer())
            run = session.make_callable([r.op for r in results])
        return Step(
            run, lambda: 0.0 if name.startswith(UNCHECKED) else magnitude_sum(session.run(results))
        )

    return workload


def magnitude_sum(values):
    """The sum of magnitudes, which do not cancel, on which both sides must agree."""
    parts = [np.asarray(v).ravel()[:1000] for v in values]
    return sum(len(p) if p.dtype == object else abs(p.astype(np.float64)).sum() for p in parts)


def in_own_graph(name):
    def build(tf):
        with tf.Graph().as_default():
            return {**STEADY, **RECORDS}[name](tf)

    return build


SWEEP = {name: in_own_graph(name) for name in NETWORKS}
for name, (_, _, _, differentiable) in CASES.items():
    for graded in (False, True)[: 1 + differentiable]:
        for number, size in enumerate(("small", "large")):
            SWEEP[name + ", " + size + ", gradients" * graded] = of_case(name, number, graded)
