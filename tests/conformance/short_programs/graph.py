"""Graphs: scopes, devices, loops, gradients, and what is refused."""

import contextlib


def programs(tf):
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    def facts(*tensors):
        return [[t.name, t.device, [g.decode() for g in t.op.colocation_groups()]] for t in tensors]

    def colocated(ignore):
        with tf.device("/gpu:1"):
            first = tf.constant(1.0, name="first")
            other = tf.constant(1.0, name="other")
        with tf.device("/cpu:3"), tf.colocate_with(first):
            with tf.colocate_with(other, ignore_existing=ignore):
                second = tf.constant(2.0, name="second")
            with tf.device("/cpu:5"):
                third = tf.constant(2.0, name="third")
            with tf.colocate_with(None, ignore_existing=True):
                fourth = tf.constant(2.0, name="fourth")
        return facts(first, second, third, fourth, tf.constant(3.0, name="fifth"))

    def named():
        with tf.name_scope("a"), tf.name_scope("b", "default"):
            one = tf.constant(1)
        with tf.name_scope("a"), tf.name_scope(None, "c"):
            two = tf.constant(1)
        with tf.name_scope("a/"), tf.name_scope(None):
            three = tf.constant(1, name="x")
        with tf.name_scope("a/b/"):
            four = tf.constant(1, name="x")
        return [t.name for t in (one, two, three, four, tf.constant(1, name="a"))]

    def controlled(clear):
        one, two = tf.no_op("one"), tf.no_op("two")
        with tf.control_dependencies([one]):
            with tf.control_dependencies(None if clear else [two, one]):
                inner = tf.no_op("inner")
        return sorted(op.name for op in inner.control_inputs)

    def placed(*scopes):
        with contextlib.ExitStack() as stack:
            for scope in scopes:
                stack.enter_context(tf.device(scope))
            return tf.constant(1.0).device

    def loop(body, cond=lambda i: i < 3, start=0, **options):
        return tf.while_loop(cond, body, start if isinstance(start, list) else [start], **options)

    add("scopes", lambda: colocated(False), lambda: colocated(True), named)
    add("controls", lambda: controlled(True), lambda: controlled(False))
    add(
        "devices",
        lambda: placed("/job:a", "/task:1", "/gpu:2"),
        lambda: placed("/job:a/gpu:1", "/cpu:0"),
        lambda: placed("/job:a", None),
        lambda: placed("/job:a", None, "/task:3"),
        lambda: placed(lambda op: "/task:2", "/job:b"),
        lambda: placed("/job:b", lambda op: "/job:c/task:2"),
        lambda: placed(lambda op: None if op.type == "Const" else "/gpu:0", "/job:d"),
        lambda: placed("nothing"),
        lambda: placed("/job:a:b"),
        lambda: placed("/cpu:x"),
        lambda: placed("/replica:0/replica:1"),
        lambda: placed(3),
        lambda: tf.DeviceSpec.from_string("/job:a/task:2/gpu:*").to_string(),
        lambda: tf.DeviceSpec("a", 1, 2, "GPU", 3).to_string(),
        lambda: (
            tf.DeviceSpec(job="a").make_merged_spec(tf.DeviceSpec(task=2)).to_string()
            if hasattr(tf.DeviceSpec, "make_merged_spec")
            else ""
        ),
    )
    add(
        "refused",
        lambda: tf.Graph().get_tensor_by_name("x:0"),
        lambda: tf.Graph().get_tensor_by_name("x"),
        lambda: tf.Graph().get_operation_by_name("x"),
        lambda: tf.Graph().as_graph_element(3),
        lambda: tf.get_default_graph().as_graph_element(tf.Graph()),
        lambda: tf.constant([1, 2], shape=[3, 3], verify_shape=True),
        lambda: tf.constant([1, 2], shape=[1]),
        lambda: tf.constant([[1], [2, 3]]),
        lambda: tf.constant(1.5, tf.int32),
        lambda: tf.constant("a", tf.int32),
        lambda: tf.constant(2**31),
        lambda: tf.constant(None),
        lambda: tf.convert_to_tensor(tf.constant(1), tf.float32),
        lambda: tf.placeholder(tf.float32, [2]) + tf.constant([1, 2]),
        lambda: tf.ones([2]) + tf.ones([3]),
        lambda: bool(tf.constant(True)),
        lambda: list(tf.constant([1])),
        lambda: len(tf.constant([1])),
        lambda: tf.name_scope("a b").__enter__(),
        lambda: tf.constant(1, name="a b"),
        lambda: tf.control_dependencies([3]).__enter__(),
        lambda: tf.colocate_with(None).__enter__(),
        lambda: tf.import_graph_def(3),
        lambda: tf.import_graph_def(tf.GraphDef(), {"a": 1}),
        lambda: tf.import_graph_def(tf.GraphDef(), {"a": tf.constant(1)}, name=""),
        lambda: tf.import_graph_def(tf.GraphDef(), return_elements=["a"]),
        lambda: tf.import_graph_def(tf.GraphDef(), return_elements=["a:0"]),
        lambda: tf.import_graph_def(tf.GraphDef(), return_elements=[3]),
        lambda: tf.TensorShape([2]).merge_with([3]),
        lambda: tf.TensorShape([2]).with_rank(3),
        lambda: tf.TensorShape([2]).with_rank_at_least(2),
        lambda: tf.TensorShape([2, 3]).with_rank_at_most(1),
        lambda: tf.TensorShape(None).as_list(),
        lambda: tf.TensorShape([None]).assert_is_fully_defined(),
        lambda: tf.TensorShape([2]).assert_is_compatible_with([3]),
        lambda: tf.TensorShape([2]).assert_same_rank([3, 4]),
        lambda: tf.TensorShape([-1]),
        lambda: tf.TensorShape(["a"]),
        lambda: tf.Dimension(3).merge_with(4),
        lambda: tf.Dimension(3) + "a",
        lambda: tf.as_dtype("none"),
        lambda: tf.as_dtype(tf.Graph),
        lambda: tf.Graph().finalize() or tf.Graph().version,
        lambda: (
            tf.get_static_value(tf.range(1, 9, 3)[1:] * 2) if hasattr(tf, "get_static_value") else 0
        ),
    )
    add(
        "loops",
        lambda: loop(lambda i: i + 1),
        lambda: loop(
            lambda i, x: (i + 1, x * 2.0), lambda i, x: i < 3, [0, 1.0], maximum_iterations=2
        ),
        lambda: loop(lambda i: i + 1, maximum_iterations=-1),
        lambda: loop(lambda i: i + 1, return_same_structure=True),
        lambda: loop(lambda i: i + 1, parallel_iterations=1, back_prop=False, swap_memory=True),
        lambda: loop(lambda i: i + 1, parallel_iterations=0),
        lambda: loop(lambda i: tf.cast(i, tf.float32)),
        lambda: loop(lambda i: [i, i]),
        lambda: loop(lambda i: i + 1, lambda i: i),
        lambda: loop(lambda i: i + 1, lambda i: [i < 3, i < 3]),
        lambda: loop(lambda i: tf.concat([i, i], 0), lambda i: tf.size(i) < 9, tf.constant([1])),
        lambda: loop(
            lambda i: tf.concat([i, i], 0),
            lambda i: tf.size(i) < 9,
            tf.constant([1]),
            shape_invariants=[tf.TensorShape([None])],
        ),
        lambda: loop(lambda i: i, shape_invariants=[tf.TensorShape([3])]),
        lambda: loop(3),
        lambda: tf.while_loop(3, lambda i: i, [0]),
        lambda: tf.while_loop(lambda: True, lambda: None, []),
        lambda: tf.cond(True, lambda: 1, lambda: 2),
        lambda: tf.cond(tf.constant(False), lambda: {"a": 1}, lambda: {"a": 2}),
        lambda: tf.cond(tf.constant(False), lambda: 1, lambda: 2.0),
        lambda: tf.cond(tf.constant(False), lambda: [1], lambda: (1,)),
        lambda: tf.cond(tf.constant(False), lambda: [1, 2], lambda: [1]),
        lambda: tf.cond(tf.constant(False), lambda: None, lambda: 1),
        lambda: tf.cond(tf.constant(False), 1, lambda: 1),
        lambda: tf.cond(tf.constant(False), lambda: [1], lambda: [2], strict=True),
        lambda: tf.cond(tf.constant(False), lambda: [1], lambda: [2]),
        lambda: tf.cond(tf.constant([True, False]), lambda: 1, lambda: 2),
        lambda: tf.case(
            [(tf.constant(True), lambda: 1), (tf.constant(True), lambda: 2)], exclusive=True
        ),
        lambda: tf.case([(tf.constant(False), lambda: 1)], lambda: 3),
        lambda: tf.case([(tf.constant(False), lambda: 1), (tf.constant(False), lambda: 2)]),
        lambda: tf.case(
            {tf.constant(True): lambda: 1, tf.constant(False): lambda: 2}, lambda: 3, True
        ),
        lambda: tf.case([3]),
        lambda: tf.case([(True, 3)]),
        lambda: tf.switch_case(tf.constant(1), [lambda: 1, lambda: 2]),
        lambda: tf.switch_case(tf.constant(7), {0: lambda: 1, 1: lambda: 2}, lambda: 3),
        lambda: tf.switch_case(tf.constant(7), {0: lambda: 1, 2: lambda: 2}),
        lambda: tf.map_fn(lambda x: x * 2, [1, 2], dtype=tf.int32, parallel_iterations=1),
        lambda: tf.map_fn(
            lambda x: (x, x * 2.0), tf.constant([1.0, 2.0]), (tf.float32, tf.float32)
        ),
        lambda: tf.map_fn(lambda x: (x, x), tf.constant([1.0])),
        lambda: tf.map_fn(3, tf.constant([1.0])),
        lambda: tf.map_fn(lambda x: x, tf.constant(1.0)),
        lambda: tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3]), 10, reverse=True),
        lambda: tf.scan(lambda a, x: a * x, tf.constant([1, 2, 3])),
        lambda: tf.foldl(lambda a, x: a - x, tf.constant([1, 2, 3]), 10),
        lambda: tf.foldr(lambda a, x: a - x, tf.constant([1, 2, 3])),
        lambda: tf.foldr(3, tf.constant([1])),
        lambda: tf.Assert(False, ["a", tf.constant([1, 2, 3])], summarize=2),
        lambda: tf.group(tf.no_op(), 3),
        lambda: tf.tuple([tf.constant(1), None], control_inputs=[tf.no_op()]),
        lambda: tf.tuple([None]),
        lambda: tf.gradients(tf.constant(1.0), tf.constant(1.0)),
        lambda: tf.gradients(tf.constant(1.0), tf.constant(1.0), unconnected_gradients="zero"),
        lambda: tf.gradients(tf.constant(1.0), tf.constant(1.0), unconnected_gradients="some"),
        lambda: tf.gradients(tf.constant("a"), tf.constant(1.0)),
        lambda: tf.gradients([tf.constant(1.0)], [tf.constant(1.0)], [1.0, 2.0]),
        lambda: (lambda x: tf.gradients([x * x, x * 3], x, [2.0, None]))(tf.constant(3.0)),
        lambda: (lambda x: tf.gradients(tf.stop_gradient(x) * x, x))(tf.constant(3.0)),
        lambda: (lambda x: (lambda y: tf.gradients(y * x, x, stop_gradients=[y]))(x * x))(
            tf.constant(3.0)
        ),
        lambda: (lambda x: tf.hessians(x**3, x))(tf.constant(3.0)),
        lambda: (
            lambda x: tf.gradients(
                x**3 + x**2, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE
            )
        )(tf.constant(3.0)),
        lambda: tf.gradients(tf.constant(1.0), tf.constant(1.0), aggregation_method=9),
    )
    return found
