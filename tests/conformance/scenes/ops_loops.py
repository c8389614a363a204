"""Loops: loop variables, shape invariants, limits, nesting, gradients, eager mode, errors."""

from tests.conformance.scenes.ops_flow import _each


def loops(tf, stage):
    ph, loop = tf.placeholder_with_default, tf.while_loop
    less = lambda n=3: lambda i, *_: i < n  # noqa: E731
    shape = tf.TensorShape
    sparse = lambda: tf.SparseTensor([[0]], [1.0], [2])  # noqa: E731

    def grown(invariants, start=(1.0,)):
        return loop(
            less(),
            lambda i, v: (i + 1, tf.concat([v, v], 0)),
            [0, tf.constant(list(start))],
            shape_invariants=invariants,
        )

    def sparse_loop(invariant, value=None):
        value = sparse() if value is None else value
        return loop(
            less(), lambda i, v: (i + 1, v), [0, value], shape_invariants=[shape([]), invariant]
        )

    def slope_of_slices():
        table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        end = loop(
            less(), lambda i, a: (i + 1, a + tf.gather(table, [i % 2])), [0, tf.zeros([1, 2])]
        )
        return tf.gradients(end[1], table)

    def nested():
        def body(i, total):
            inner = loop(
                lambda j, _: j < i,
                lambda j, t: (
                    j + 1,
                    loop(lambda k, _: k < 2, lambda k, u: (k + 1, u * 2 + i), [0, t])[1],
                ),
                [0, total],
            )
            return i + 1, inner[1]

        return loop(less(), body, [0, 1])

    def in_a_branch(pred):
        w = tf.constant(2.0)
        many = lambda: loop(less(), lambda i, a: (i + 1, a * w), [0, w])[1]  # noqa: E731
        y = tf.cond(pred, many, lambda: w)
        return y, tf.gradients(y, w)

    def branches_inside():
        w = tf.constant(2.0)
        body = lambda i, a: (i + 1, tf.cond(tf.equal(i, 1), lambda: a * w, lambda: a + w))  # noqa: E731
        y = loop(less(), body, [0, w])[1]
        return y, tf.gradients(y, w)

    _each(
        tf,
        stage,
        {
            "grown_spec_dtype": lambda: grown([shape([]), tf.TensorSpec([None], tf.int32)]),
            "grown_spec_kind": lambda: grown([shape([]), tf.SparseTensorSpec([None])]),
            "grown_rank": lambda: grown([shape([]), shape([None, None])]),
            "sparse_spec": lambda: sparse_loop(tf.SparseTensorSpec([2])),
            "sparse_spec_other": lambda: sparse_loop(tf.SparseTensorSpec([2], tf.int32)),
            "ragged_shape": lambda: sparse_loop(
                shape([None, None]), tf.ragged.constant([[1.0], [2.0, 3.0]])
            ),
            "slope_of_slices": slope_of_slices,
            "nested": nested,
            "in_a_branch": lambda: [in_a_branch(ph(True, [])), in_a_branch(ph(False, []))],
            "branches_inside": branches_inside,
        },
    )


def loops_of_parts(tf, stage):
    """Loops over composite variables, with rare options."""
    less = lambda i, *_: i < 3  # noqa: E731
    shape = tf.TensorShape

    def slices():
        return tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]), tf.constant([2]))

    kinds = {
        "sparse": lambda: tf.SparseTensor([[0]], [1.0], [2]),
        "slices": slices,
        "array": lambda: tf.TensorArray(tf.float32, 1).write(0, 1.0),
    }
    options = {
        "few": {"parallel_iterations": 3},
        "swapped": {"swap_memory": True, "parallel_iterations": 1, "back_prop": False},
        "limited": {"maximum_iterations": 2, "parallel_iterations": 4, "name": "own"},
    }

    def run(make, given):
        end = tf.while_loop(less, lambda i, v: (i + 1, v), [0, make()], **given)
        attrs = []
        for op in tf.get_default_graph().get_operations():
            if "Enter" in op.type:
                keys = ("parallel_iterations", "is_constant", "frame_name")
                attrs.append((op.name, op.type, *[op.get_attr(key) for key in keys]))
                attrs[-1] += (str(op.outputs[0].shape),)
        stage.say(*attrs)
        return end

    cases = {
        f"{kind}_{name}": lambda make=make, given=given: run(make, given)
        for kind, make in kinds.items()
        for name, given in options.items()
        if name == "few" or kind in ("sparse", "slices")
    }

    def outside(make, read):
        given = make()
        return run(lambda: tf.zeros([2]), {"parallel_iterations": 7}) and tf.while_loop(
            less, lambda i, v: (i + 1, v + read(given)), [0, tf.zeros([2])], parallel_iterations=5
        )

    cases["sparse_outside"] = lambda: outside(kinds["sparse"], tf.sparse.to_dense)
    cases["slices_outside"] = lambda: outside(slices, tf.convert_to_tensor)

    def slope(steps, read, start=(1.0, 2.0, 3.0), **given):
        """The gradient of some rows of a loop's result, as slices."""
        x = tf.constant(start)
        end = tf.while_loop(lambda i, v: i < steps, lambda i, v: (i + 1, v * x), [0, x], **given)
        found = tf.gradients(read(end[1]), x)
        stage.say(
            *[
                (op.name, op.type, op.get_attr("parallel_iterations"), op.get_attr("is_constant"))
                + (op.get_attr("frame_name"), str(op.outputs[0].shape))
                for op in tf.get_default_graph().get_operations()
                if "Enter" in op.type
            ]
        )
        return found

    rows = [[1.0, 2.0], [3.0, 4.0]]
    cases["rows"] = lambda: slope(2, lambda y: tf.gather(y, [0, 2]), parallel_iterations=3)
    cases["rows_twice"] = lambda: slope(
        2, lambda y: tf.gather(y, [0, 0]) + tf.gather(y, [1, 2]), parallel_iterations=4, name="own"
    )
    cases["rows_of_rows"] = lambda: slope(1, lambda y: tf.gather(y, [1]), rows, swap_memory=True)
    cases["rows_of_none"] = lambda: slope(0, lambda y: tf.gather(y, [1]), rows)
    cases["rows_limited"] = lambda: slope(
        9, lambda y: tf.gather(y, [1]), rows, maximum_iterations=2, parallel_iterations=1
    )
    cases["all_of_it"] = lambda: slope(2, lambda y: y * 3.0, parallel_iterations=6)
    cases["sparse_any"] = lambda: run(
        kinds["sparse"], {"shape_invariants": [shape([]), shape([None])], "parallel_iterations": 2}
    )
    cases["slices_any"] = lambda: run(
        slices, {"shape_invariants": [shape([]), shape([None])], "parallel_iterations": 2}
    )
    stage.each(cases, graph="sum")
