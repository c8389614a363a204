"""Feeds and fetches: structures, names, dtypes, shapes, errors; session contexts, graphs and options."""

import numpy as np


def fed(tf, stage):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    n = tf.placeholder(tf.int32, [], name="n")
    b = tf.placeholder(tf.bool, [], name="b")
    s = tf.placeholder(tf.string, [None], name="s")
    c = tf.placeholder(tf.complex64, [], name="c")
    u = tf.placeholder(tf.uint8, [2], name="u")
    h = tf.placeholder(tf.float16, [], name="h")
    free = tf.placeholder(tf.float32, name="free")
    sparse = tf.sparse_placeholder(tf.float32, [2, 2], name="sparse")
    default = tf.placeholder_with_default([1.0, 2.0], [2], name="default")
    constant = tf.constant([1.0, 2.0], name="constant")
    doubled = x * 2.0
    dense = tf.sparse.to_dense(sparse)
    known = tf.placeholder(tf.int32, [2], name="known")
    tf.contrib.util.constant_value(constant)
    other = tf.Graph()
    with other.as_default():
        foreign = tf.placeholder(tf.float32, name="x")
    rows = [[1.0, 2.0]]
    value = tf.SparseTensorValue([[0, 1]], [5.0], [2, 2])
    cases = {
        "list": (doubled, {x: rows}),
        "array": (doubled, {x: np.ones([1, 2])}),
        "integers": (doubled, {x: np.ones([1, 2], np.int64)}),
        "empty": (doubled, {x: np.zeros([0, 2])}),
        "rank": (doubled, {x: [1.0, 2.0]}),
        "size": (doubled, {x: [[1.0]]}),
        "text": (doubled, {x: [["a", "b"]]}),
        "number_texts": (doubled, {x: [["1", "2"]]}),
        "none": (doubled, {x: None}),
        "tensor": (doubled, {x: tf.ones([1, 2])}),
        "missing": (doubled, {}),
        "no_dict": (doubled, None),
        "by_name": (doubled, {"x:0": rows}),
        "by_operation_name": (doubled, {"x": rows}),
        "by_operation": (doubled, {x.op: rows}),
        "unknown_name": (doubled, {"w:0": rows}),
        "number_key": (doubled, {3: rows}),
        "none_key": (doubled, {None: rows}),
        "foreign": (doubled, {foreign: rows}),
        "result": (doubled, {doubled: [[7.0, 7.0]]}),
        "default": (default, {}),
        "default_fed": (default, {default: [3.0, 4.0]}),
        "constant_fed": (constant * 2.0, {constant: [3.0, 4.0]}),
        "twice": (x, {x: rows, "x:0": [[3.0, 4.0]]}),
        "int": (n, {n: 3}),
        "int_of_float": (n, {n: 3.7}),
        "int_of_whole_float": (n, {n: np.float32(3.0)}),
        "int_too_big": (n, {n: 2**31}),
        "int_too_big_array": (n, {n: np.int64(2**31)}),
        "int_of_bool": (n, {n: True}),
        "bool_of_int": (b, {b: 2}),
        "bool_of_text": (b, {b: "False"}),
        "texts": (s, {s: ["a", b"b"]}),
        "text_of_numbers": (tf.identity(s), {s: [1, 2]}),
        "text_array": (s, {s: np.array(["ab", "c"])}),
        "complex": (c, {c: 1 + 2j}),
        "complex_of_float": (c, {c: 2.0}),
        "uint8": (u, {u: [1, 255]}),
        "uint8_negative": (u, {u: np.array([-1, 256])}),
        "half": (h, {h: 70000.0}),
        "free": (free, {free: [[[1.0]]]}),
        "known": (known, {known: (1, 2)}),
        "known_size": (known, {known: (1, 2, 3)}),
        "sparse": (dense, {sparse: value}),
        "sparse_tuple": (dense, {sparse: ([[0, 0]], [1.0], [2, 2])}),
        "sparse_short": (dense, {sparse: ([[0, 0]], [1.0])}),
        "sparse_dense": (dense, {sparse: np.eye(2)}),
        "tuple_key": ([n, u], {(n, u): (3, [1, 2])}),
        "tuple_key_short": ([n, u], {(n, u): (3,)}),
        "dict_not": (doubled, [(x, rows)]),
    }
    with tf.Session() as session:
        for name, (fetch, feed) in cases.items():
            with stage.failing():
                stage.say(name, session.run(fetch, feed))
        stage.attempt(doubled.eval, {x: rows})
        stage.attempt(tf.no_op().run, {3: 4})
    stage.attempt(doubled.eval, {x: rows})
    stage.attempt(tf.no_op(name="alone").run)


def options(tf, stage):
    x = tf.constant(2.0) * 3.0

    def made(*args, **kwargs):
        with tf.Session(*args, **kwargs) as session:
            return session.run(x)

    def traced(options):
        metadata = tf.RunMetadata()
        with tf.Session() as session:
            found = session.run(x, options=options, run_metadata=metadata)
        return found, len(metadata.step_stats.dev_stats) > 0, len(metadata.partition_graphs)

    def in_second_pool(number):
        config = tf.ConfigProto()
        config.session_inter_op_thread_pool.add(num_threads=1)
        config.session_inter_op_thread_pool.add(num_threads=2)
        with tf.Session(config=config) as session:
            return session.run(x, options=tf.RunOptions(inter_op_thread_pool=number))

    cases = {
        "plain": made,
        "graph": lambda: made(graph=tf.Graph()),
        "config": lambda: made(config=tf.ConfigProto(inter_op_parallelism_threads=1)),
        "threads_third": lambda: in_second_pool(2),
        "threads_most_negative": lambda: traced(tf.RunOptions(inter_op_thread_pool=-2)),
        "reset": lambda: tf.Session.reset("grpc://nowhere", containers=3),
    }
    for name, case in cases.items():
        if name not in ("target", "reset"):
            stage.say(name)
            stage.attempt(case)
    session = tf.Session()
    stage.say(
        session.graph is tf.get_default_graph(), len(session.graph_def.node), session.sess_str
    )
    with session.as_default() as inside:
        stage.say(inside is session, tf.get_default_session() is session, x.eval())
    stage.say(tf.get_default_session(), session.run(x))
    with session:
        with tf.Session() as inner:
            stage.say(tf.get_default_session() is inner)
        stage.say(tf.get_default_session() is session)
    stage.attempt(session.run, x)
    stage.attempt(session.__enter__)
    stage.attempt(session.close)
    stage.attempt(session.list_devices)
    interactive = tf.InteractiveSession()
    stage.say(x.eval(), tf.get_default_session() is interactive)
    interactive.close()
    stage.say(tf.get_default_session())
    stage.attempt(interactive.run, x)
    session.__exit__(None, None, None)
