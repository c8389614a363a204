"""Conditions, cases, merges, groups, contexts as messages: kinds of results, gradients, what is refused."""

import importlib

from tests.conformance.scenes import eager_mode

_OURS = {"with_dependencies": "no_op_groups", "switch": "switch_merge", "merge": "switch_merge"}


def _flow(tf, *names):
    """Functions that TensorFlow keeps to itself."""
    if tf.__name__ == "tensorflow":
        module = importlib.import_module("tensorflow.python.ops.control_flow_ops")
        return [getattr(module, name) for name in names]
    ours = "tfmini._src.ops.control_flow."
    modules = [_OURS.get(name, "enter_exit_next_iteration") for name in names]
    names = [name.strip("_").lower() if name[0] == "_" else name for name in names]
    names = ["next_iteration" if name == "nextiteration" else name for name in names]
    return [getattr(importlib.import_module(ours + m), n) for m, n in zip(modules, names)]


def _flat(tf, make):
    return lambda: tf.nest.flatten(make(), expand_composites=True)


def _each(tf, stage, cases, graph="sum"):
    stage.each({name: _flat(tf, make) for name, make in cases.items()}, graph=graph)


def conditions(tf, stage):
    ph = tf.placeholder_with_default
    yes, no = lambda: ph(True, []), lambda: ph(False, [])
    sparse = lambda v=1.0: tf.SparseTensor([[0]], [v], [2])  # noqa: E731
    slices = lambda v=1.0, k=tf.int32: tf.IndexedSlices(  # noqa: E731
        tf.constant([v]), tf.constant([0], k), tf.constant([2])
    )
    cond = tf.cond

    def slope(pred):
        x, z = tf.constant(3.0), tf.constant(2.0)
        y = cond(pred, lambda: x * x * z, lambda: cond(no(), lambda: x, lambda: x * 5.0))
        return tf.gradients(y, [x, z])

    def slope_of_variable(pred, resource):
        v = tf.Variable(3.0, use_resource=resource)
        return tf.gradients(cond(pred, lambda: v * v, lambda: tf.constant(1.0)), v)

    _each(
        tf,
        stage,
        {
            "slices": lambda: cond(no(), slices, lambda: slices(2.0)),
            "slices_of_types": lambda: cond(yes(), slices, lambda: slices(2.0, tf.int64)),
            "slices_or_sparse": lambda: cond(yes(), slices, sparse),
            "kinds": lambda: cond(yes(), lambda: [1, 2], lambda: (1, 2)),
            "nothing_in_it": lambda: cond(yes(), lambda: [], lambda: []),
            "no_function": lambda: cond(yes(), 1, lambda: 1),
            "no_else": lambda: cond(yes(), lambda: 1),
            "old_names": lambda: cond(yes(), fn1=lambda: 1, fn2=lambda: 2),
            "old_and_new": lambda: cond(yes(), lambda: 1, lambda: 2, fn1=lambda: 1),
            "no_bool": lambda: cond(ph(1, []), lambda: 1, lambda: 2),
            "python_bool": lambda: cond(True, lambda: 1, lambda: 2),
            "vector": lambda: cond(ph([True], [1]), lambda: 1, lambda: 2),
            "ranks": lambda: cond(yes(), lambda: tf.zeros([2]), lambda: tf.zeros([])),
            "slope_of_variables": lambda: [
                slope_of_variable(p, r) for p in (yes(), no()) for r in (True, False)
            ],
            "slope_in_branch": lambda: (
                lambda x: cond(yes(), lambda: tf.gradients(x * x, x)[0], lambda: x)
            )(tf.constant(3.0)),
        },
    )


def cases_tried(tf, stage):
    ph, case = tf.placeholder_with_default, tf.case
    smart_case, smart_cond = tf.contrib.framework.smart_case, tf.contrib.framework.smart_cond
    yes, no = lambda n=None: ph(True, [], n), lambda n=None: ph(False, [], n)
    one, two, three = lambda: 1, lambda: 2, lambda: 3

    _each(
        tf,
        stage,
        {
            "first": lambda: case([(yes(), one), (yes(), two)], default=three, name="own"),
            "exclusive": lambda: case([(yes("a"), one), (yes("b"), two)], three, exclusive=True),
            "no_default": lambda: case([(no(), one), (yes(), two)]),
            "no_default_one": lambda: case([(yes(), one)]),
            "strict": lambda: case([(yes(), lambda: [1])], lambda: [2], strict=True),
            "structures": lambda: case([(yes(), lambda: [1])], lambda: [2, 3]),
            "dict": lambda: case({yes("b"): one, no("a"): two}, three, exclusive=True),
            "dict_in_no_order": lambda: case({yes("b"): one, yes("a"): two}, three),
            "no_pairs": lambda: case(5, three),
            "no_pair": lambda: case([yes()], three),
            "triple": lambda: case([(yes(), one, two)], three),
            "empty": lambda: case([], three),
            "no_tensor": lambda: case([(True, one)], three),
            "no_bool": lambda: case([(ph(1, [], "p"), one)], three),
            "no_function": lambda: case([(yes("p"), 1)], three),
            "no_function_default": lambda: case([(yes("p"), one)], 1),
            "smart": lambda: [
                smart_case([(True, one), (yes(), two)], three, name="own"),
                smart_case([(False, one), (tf.constant(True), two)], three),
                smart_case([(False, one), (yes(), two)], three),
                smart_case([(False, one)], three),
            ],
            "smart_other": lambda: smart_case([(1, one)], three),
            "smart_exclusive": lambda: smart_case([(yes(), one), (yes(), two)], three, True),
            "smart_cond": lambda: [
                smart_cond(p, one, two, name="own")
                for p in (True, 0, 1, tf.constant(False), tf.equal(1, 1), yes())
            ],
            "smart_cond_two": lambda: smart_cond(2, one, two),
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

    def both(make, pred=None):
        false, true = switch(make(), yes() if pred is None else pred)
        return merge([false, true])

    def slope(of, pred):
        x = tf.constant([2.0, 3.0])
        false, true = switch(x, pred)
        made = merge([false * 3.0, true * true])[0]
        return tf.gradients(made, x)

    def chosen(index):
        cells = [tf.Variable([v], use_resource=False) for v in (1.0, 2.0)]
        return raw.RefSelect(index=ph(index, None), inputs=[c._ref() for c in cells])

    def referred(pred):
        v = tf.Variable(1.0, use_resource=False)
        false, true = raw.RefSwitch(data=v._ref(), pred=pred)
        merged = raw.RefMerge(inputs=[false, true])
        return [t.dtype.name for t in (false, true, *merged)], tf.identity(merged[0])

    _each(
        tf,
        stage,
        {
            "switched": lambda: switch(one(), yes(), name="own")[1],
            "switched_dtype": lambda: switch(1, yes(), dtype=tf.float64)[1],
            "switched_other": lambda: switch(one(), yes(), dtype=tf.float64),
            "switched_slices_dtype": lambda: switch(slices(), yes(), dtype=tf.float64),
            "switched_pred": lambda: switch(one(), 1),
            "switched_vector": lambda: switch(one(), ph([True], [1])),
            "merged": lambda: both(one),
            "merged_sparse": lambda: both(sparse),
            "merged_slices": lambda: both(slices, ph(False, [])),
            "merged_kinds": lambda: merge([switch(slices(), yes())[0], switch([5.0], yes())[1]]),
            "merged_kinds_long": lambda: merge(
                [switch(slices(tf.int64), yes())[1], switch([5.0], yes())[0]]
            ),
            "merged_others": lambda: merge([sparse(), slices()]),
            "merged_tensor": lambda: merge([sparse(), one()]),
            "merged_none": lambda: merge([one(), None]),
            "merged_types": lambda: merge([one(), tf.constant(1)]),
            "merged_shapes": lambda: merge(
                [switch(x, yes())[i] for i, x in enumerate(([1.0], [[1.0]]))]
            ),
            "slope": lambda: [slope(None, ph(p, [])) for p in (True, False)],
            "chosen": lambda: [chosen(0), chosen(1)],
            "chosen_far": lambda: chosen(2),
            "chosen_before": lambda: chosen(-1),
            "chosen_vector": lambda: chosen([0]),
            "referred": lambda: [referred(yes())[1], referred(ph(False, []))[1]],
            "after": lambda: with_dependencies([tf.no_op()], one(), name="own"),
            "after_slices": lambda: with_dependencies([tf.no_op()], slices()),
            "after_number": lambda: with_dependencies([], 5),
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
            "entered_slices": lambda: [
                t.name for t in tf.nest.flatten(exit(enter(slices(), "f")), expand_composites=True)
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


def contexts_written(tf, stage):
    """Contexts of nested conditions and loops, as messages and taken in again elsewhere."""
    x = tf.constant(2.0, name="x")
    p = tf.placeholder_with_default(True, [], name="p")
    with tf.name_scope("scope"):
        y = tf.cond(
            p,
            lambda: tf.while_loop(
                lambda i, a: i < 2,
                lambda i, a: (i + 1, tf.cond(p, lambda: a * x, lambda: a)),
                [0, x],
                parallel_iterations=3,
            )[1],
            lambda: x,
        )
        z = tf.while_loop(
            lambda i, a: i < 2,
            lambda i, a: (i + 1, tf.cond(p, lambda: a * x, lambda: a)),
            (0, x),
            maximum_iterations=7,
            swap_memory=True,
        )[1]
    for key in ("cond_context", "while_context"):
        for context in tf.get_collection(key):
            message = context.to_proto()
            stage.say(key, context.name, len(str(message)), *str(message).split("\n"))
            stage.say(context.to_proto("scope") is None, context.to_proto("elsewhere") is None)
            stage.say(str(context.to_proto("scope")).replace("\n", " ")[:300])
    meta = tf.train.export_meta_graph()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(meta, import_scope="again")
        found = [session.graph.get_tensor_by_name(f"again/{t.name}") for t in (y, z)]
        stage.attempt(session.run, found)
        stage.attempt(session.run, found, {"again/p:0": False})
        slope = tf.gradients(found[1], session.graph.get_tensor_by_name("again/x:0"))
        stage.attempt(session.run, slope)
        for key in ("cond_context", "while_context"):
            stage.say(key, *[c.name for c in tf.get_collection(key)])
        inner = session.graph.get_operation_by_name(z.op.name.replace("scope", "again/scope"))
        stage.say(inner._get_control_flow_context() is None)
