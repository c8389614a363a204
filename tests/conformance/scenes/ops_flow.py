"""Conditions, cases, merges, groups, context protos: result structures, gradients, errors."""

import importlib

from tests.conformance.scenes import eager_mode

_OURS = {"with_dependencies": "no_op_groups", "switch": "switch_merge", "merge": "switch_merge"}


def _flow(tf, *names):
    """TensorFlow's private control flow functions."""
    if tf.__name__ == "tensorflow":
        module = importlib.import_module("tensorflow.python.ops.control_flow_ops")
        return [getattr(module, name) for name in names]
    ours = "tfmini._src.ops.control_flow."
    modules = [_OURS.get(name, "loop_frames") for name in names]
    names = [name.strip("_").lower() if name[0] == "_" else name for name in names]
    names = ["next_iteration" if name == "nextiteration" else name for name in names]
    return [getattr(importlib.import_module(ours + m), n) for m, n in zip(modules, names)]


def _flat(tf, make):
    return lambda: tf.nest.flatten(make(), expand_composites=True)


def _each(tf, stage, cases, graph="sum"):
    stage.each({name: _flat(tf, make) for name, make in cases.items()}, graph=graph)


def conditions(tf, stage):
    ph = tf.placeholder_with_default
    yes = lambda: ph(True, [])  # noqa: E731
    sparse = lambda v=1.0: tf.SparseTensor([[0]], [v], [2])  # noqa: E731
    slices = lambda v=1.0, k=tf.int32: tf.IndexedSlices(  # noqa: E731
        tf.constant([v]), tf.constant([0], k), tf.constant([2])
    )
    cond = tf.cond

    _each(
        tf,
        stage,
        {
            "slices_of_types": lambda: cond(yes(), slices, lambda: slices(2.0, tf.int64)),
            "slices_or_sparse": lambda: cond(yes(), slices, sparse),
            "slope_in_branch": lambda: (
                lambda x: cond(yes(), lambda: tf.gradients(x * x, x)[0], lambda: x)
            )(tf.constant(3.0)),
        },
    )


def cases_tried(tf, stage):
    ph, case = tf.placeholder_with_default, tf.case
    smart_case, smart_cond = tf.contrib.framework.smart_case, tf.contrib.framework.smart_cond
    yes = lambda n=None: ph(True, [], n)  # noqa: E731
    one, two, three = lambda: 1, lambda: 2, lambda: 3

    _each(
        tf,
        stage,
        {
            "exclusive": lambda: case([(yes("a"), one), (yes("b"), two)], three, exclusive=True),
            "dict_in_no_order": lambda: case({yes("b"): one, yes("a"): two}, three),
            "triple": lambda: case([(yes(), one, two)], three),
            "no_bool": lambda: case([(ph(1, [], "p"), one)], three),
            "no_function": lambda: case([(yes("p"), 1)], three),
            "smart": lambda: [
                smart_case([(True, one), (yes(), two)], three, name="own"),
                smart_case([(False, one), (tf.constant(True), two)], three),
                smart_case([(False, one), (yes(), two)], three),
                smart_case([(False, one)], three),
            ],
            "smart_other": lambda: smart_case([(1, one)], three),
            "smart_exclusive": lambda: smart_case([(yes(), one), (yes(), two)], three, True),
            "smart_cond_true": lambda: smart_cond(True, 1, two),
            "smart_cond_false": lambda: smart_cond(True, one, None),
        },
    )
    with tf.Graph().as_default(), eager_mode(tf):
        stage.attempts(
            lambda: case({tf.constant(True): one}, three),
            lambda: case([(tf.constant(True), one), (tf.constant(True), two)], three, True),
            lambda: case([(tf.constant(False), one)]),
            lambda: tf.cond(True, one, two, strict=True),
        )


def merged_and_grouped(tf, stage):
    ph = tf.placeholder_with_default
    switch, merge, with_dependencies = _flow(tf, "switch", "merge", "with_dependencies")
    (exit, enter, next_iteration) = _flow(tf, "exit", "_Enter", "_NextIteration")
    sparse = lambda: tf.SparseTensor([[0]], [1.0], [2])  # noqa: E731

    def slices(k=tf.int32):
        return tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 1], k), tf.constant([2]))

    one = lambda: tf.constant(1.0, name="one")  # noqa: E731
    yes = lambda: ph(True, [])  # noqa: E731
    raw = tf.raw_ops

    def chosen(index):
        cells = [tf.Variable([v], use_resource=False) for v in (1.0, 2.0)]
        return raw.RefSelect(index=ph(index, None), inputs=[c._ref() for c in cells])

    _each(
        tf,
        stage,
        {
            "switched": lambda: switch(one(), yes(), name="own")[1],
            "switched_slices_dtype": lambda: switch(slices(), yes(), dtype=tf.float64),
            "switched_vector": lambda: switch(one(), ph([True], [1])),
            "merged_kinds_long": lambda: merge(
                [switch(slices(tf.int64), yes())[1], switch([5.0], yes())[0]]
            ),
            "merged_tensor": lambda: merge([sparse(), one()]),
            "merged_none": lambda: merge([one(), None]),
            "merged_types": lambda: merge([one(), tf.constant(1)]),
            "merged_shapes": lambda: merge(
                [switch(x, yes())[i] for i, x in enumerate(([1.0], [[1.0]]))]
            ),
            "chosen_far": lambda: chosen(2),
            "chosen_before": lambda: chosen(-1),
            "chosen_vector": lambda: chosen([0]),
            "after_slices": lambda: with_dependencies([tf.no_op()], slices()),
            "entered": lambda: [
                (t.name, str(t.shape))
                for t in (
                    enter(one(), "f"),
                    enter(one(), "f", is_constant=True, name="own"),
                    enter(one(), "f", use_input_shape=False),
                    exit(enter(one(), "f"), name="out"),
                    next_iteration(one(), name="next"),
                )
            ],
        },
    )

    stage.attempts(
        lambda: tf.group(one(), None),
        lambda: tf.group(one(), other=5),
        lambda: tf.group(one(), other=5, name="n", more=1),
        lambda: tf.tuple([one()], control_inputs=5),
        lambda: tf.tuple([one()], control_inputs=[5]),
    )
    stage.nodes()
