"""Rare forms of feeds and fetches, fed values returned unchanged; partial runs; options."""

import collections

import numpy as np


def arrays_in_rare_forms(tf, stage):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    n = tf.placeholder(tf.int64, [2, 3], name="n")
    s = tf.placeholder(tf.string, None, name="s")
    d = tf.placeholder(tf.float64, [], name="d")
    base = np.arange(12, dtype=np.float32).reshape(4, 3)
    bytes_ = np.zeros(25, np.uint8)
    odd = bytes_[1:].view(np.float32).reshape(2, 3)
    odd[:] = 4.0
    frozen = np.ones([2, 3], np.float32)
    frozen.flags.writeable = False
    given = {
        "strided": base[::2],
        "transposed": np.arange(6, dtype=np.float32).reshape(3, 2).T,
        "reversed": base[1::-1, ::-1],
        "fortran": np.asfortranarray(base[:2]),
        "not aligned": odd,
        "read only": frozen,
        "other bytes": base[:2].astype(">f4"),
        "masked": np.ma.masked_array(base[:2], base[:2] > 1),
        "matrix": np.matrix(base[:2]),
        "broadcast": np.broadcast_to(np.float32([1, 2, 3]), (2, 3)),
        "objects": np.array([[1, 2.5, 3], [4, 5, 6]], object),
        "booleans": base[:2] > 2,
        "complex": np.complex64([[1, 2, 3], [4, 5, 6]]),
        "rows": [base[0], base[1]],
        "tuples": ((1, 2, 3), (4, 5, np.float64(6.5))),
        "range": [range(3), range(3)],
        "scalars": [[np.float16(1.5)] * 3, [np.int8(2)] * 3],
        "nan": [[np.nan, np.inf, -np.inf], [0.0, -0.0, 1e-40]],
        "large": [[1e39, 3.4e38, 16777217], [1, 2, 3]],
        "texts": [["1", "2", "3"], ["4", "5", "x"]],
        "string": "text",
        "bytes": b"text",
        "longer": [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]],
        "scalar": 1.0,
        "zero": np.float32(1.0),
        "one more": base[None, :2],
    }
    with tf.Session() as session:
        for name, value in given.items():
            for holder in (x, n):
                if holder is n and name in ("nan", "large", "masked"):
                    continue  # they are not integers
                stage.say(name, holder.name)
                with stage.failing():
                    found = session.run(holder * 2, {holder: value})
                    stage.say(found, found.flags.c_contiguous, found.flags.writeable)
        for value in (
            *("a", b"\xff\0", "ü", ["a", "bc"], [["a"], [b"b"]], [], np.array([], "U1")),
            *(np.array(["x\0", "y"]), np.array([b"x\0", b"y"]), np.array(b"z"), np.str_("w")),
            *(1, 1.5, None, True, [1], ["a", 1], ["a", None], np.array([1, 2]), object),
            *((), ("a",), [("a", "b"), ("c", "d")], np.array([["a", b"b"]], object)),
        ):
            with stage.failing():
                found = session.run(tf.identity(s), {s: value})
                stage.say(type(found).__name__, found, session.run(tf.shape(s), {s: value}))
        for value in (
            1,
            True,
            2**53 + 1,
            10**400,
            "1.5",
            "x",
            np.float32(0.1),
            np.array(0.1),
            [1.0],
        ):
            with stage.failing():
                stage.say(session.run(d * 1.0, {d: value}), session.run(d, {d: value}) is value)
        kinds = (tf.int8, tf.uint8, tf.int32, tf.uint32, tf.int64, tf.uint64, tf.float16, tf.bool)
        for kind in kinds:
            holder = tf.placeholder(kind, [], name=kind.name)
            for value in (
                1,
                -1,
                127,
                128,
                255,
                256,
                2**31,
                2**32,
                2**63,
                2**64,
                -(2**63) - 1,
                10**9,
            ):
                with stage.failing():
                    stage.say(kind.name, value, session.run(tf.identity(holder), {holder: value}))


def structures_in_rare_forms(tf, stage):
    x = tf.placeholder_with_default(1.0, [], name="x")
    y = tf.placeholder_with_default([2, 3], [2], name="y")
    Pair = collections.namedtuple("Pair", ["a", "b"])

    class Named(Pair):
        __slots__ = ()

    class Rows(list):
        pass

    class Table(dict):
        pass

    class Own(collections.abc.Mapping):
        def __getitem__(self, key):
            return {"k": x, "l": y}[key]

        def __iter__(self):
            return iter("kl")

        def __len__(self):
            return 2

    slices = tf.IndexedSlices(y, tf.constant([0, 1]))
    whole = tf.IndexedSlices(tf.to_float(y), tf.constant([0, 1]), tf.constant([4]))
    sparse = tf.SparseTensor([[0, 1]], [x], [2, 3])
    ragged = tf.RaggedTensor.from_row_splits(y, [0, 1, 2])
    session = tf.Session()
    for fetches in (
        *(Pair(x, y), Named(x, [y]), Rows([x, y]), Table(a=x), Own()),
        *(collections.defaultdict(list, a=x), collections.Counter(), {1: x, "a": {2: y}}),
        *([(), [], {}], ((x,), [y, (x, {"z": y})]), [[[x]]], {"o": x.op, "p": [y.op]}),
        *(slices, [whole, sparse], {"r": ragged}, (sparse, sparse), "x", ["x:0", "y"]),
        *([b"x:0", "x:0", x], tf.TensorShape([1]), [1], "x:1", "x:a", "", ":0", [None], 1.5, {x}),
        *(tf.float32, np.float32(1.0), np.array(["x:0"]), [x, "z:0"], tf.Session, range(2)),
    ):
        with stage.failing():
            found = session.run(fetches)
            stage.say(type(found).__name__, found)
    for feeds in (
        {(x, y): (5.0, [6, 7])},
        {(x, (y,)): (5.0, ([6, 7],))},
        {Pair(x, y): Pair(5.0, [6, 7])},
        {(x, y): [5.0, [6, 7]]},
        {(x, y): (5.0,)},
        {(x, x): (5.0, 6.0)},
        {x: 5.0, (y,): ([6, 7],)},
        {slices: ([6, 7], [1, 0])},
        {slices: (np.array([8, 9]), np.array([0, 1]), None)},
        {whole: ([8.0, 9.0], [0, 1], [4])},
        {sparse: tf.SparseTensorValue([[1, 2]], [9.0], [2, 3])},
        {sparse: ([[1, 2]], [9.0], [2, 3])},
        {ragged: tf.ragged.constant_value([[8], [9]])},
        {ragged: tf.ragged.constant_value([[8, 9], []], dtype=np.int32)},
        {"x": 5.0, x: 6.0},
        {b"x:0": 5.0},
        {"": 5.0},
        {x.op: 5.0},
        {1.5: 5.0},
    ):
        with stage.failing():
            stage.say(session.run([x, y, sparse.values, slices.indices, ragged], feeds))
    stage.attempt(lambda: session.run(fetches=y, feed_dict={y: [4, 5]}, options=tf.RunOptions()))
    stage.attempt(lambda: session.run(x, {x: 1.0, "none:0": 2.0}))


def steps_in_parts(tf, stage):
    a = tf.placeholder(tf.float32, [], name="a")
    b = tf.placeholder(tf.float32, [2], name="b")
    v = tf.Variable(1.0, name="v")
    first, second = tf.add(a, 1.0, name="first"), tf.multiply(b, a, name="second")
    wrote = v.assign_add(a, name="wrote")
    sparse = tf.sparse_placeholder(tf.float32, [2], name="sparse")
    total = tf.reduce_sum(sparse.values, name="total")
    with tf.Graph().as_default():
        foreign = tf.constant(1.0, name="foreign")
    session = tf.Session()
    session.run(v.initializer)
    set_up, step = session.partial_run_setup, session.partial_run
    for fetches, feeds in (
        ([first], None),
        ([first], a),
        ([first], "a:0"),
        ([first, second], [a, "b:0"]),
        ({"x": first}, (a,)),
        ([first], [a, b, a]),
        (["z:0"], [a]),
        ([foreign], [a]),
        ([], [a]),
        (None, [a]),
        ([sparse.values], [sparse]),
        (wrote.op, [a]),
    ):
        stage.attempt(lambda f=fetches, g=feeds: type(set_up(f, g)).__name__)
    handle = set_up([first, second, wrote.op, v], [a, b])
    stage.attempts(
        lambda: step(handle, first, {a: 2.0}),
        lambda: step(handle, first),
        lambda: step(handle, second, {a: 3.0}),
        lambda: step(handle, second, {b: [1.0]}),
        lambda: step(handle, wrote.op),
        lambda: step(handle, []),
        lambda: step(handle, sparse.values),
        lambda: step("other", first, {a: 1.0}),
    )
    handle = set_up([total, first], [sparse, a])
    with tf.Graph().as_default(), tf.Session() as empty:
        stage.attempts(
            lambda: empty.partial_run_setup([], []),
            lambda: callable(empty.make_callable([])),
            lambda: empty.partial_run("h", []),
        )
    session.close()
    stage.attempts(
        lambda: callable(session.make_callable(first)),
        lambda: session.graph_def.node[0].name,
        lambda: session.sess_str,
    )


def tensors_that_stay(tf, stage):
    x = tf.placeholder(tf.float32, None, name="x")
    n = tf.placeholder(tf.int32, None, name="n")
    kept = tf.get_session_handle(x * 2.0, name="kept")
    stage.say(kept.name, kept.dtype, kept.shape, kept.op.device)
    stage.attempts(
        lambda: tf.get_session_handle(3.0),
        lambda: tf.get_session_handle("x:0"),
        lambda: tf.get_session_tensor(3, tf.float32),
        lambda: tf.get_session_tensor("a;1;/job:localhost/device:CPU:0", "wrong"),
    )
    session = tf.Session()
    one, two = session.run(kept, {x: [1.0, 2.0]}), session.run([kept], {x: 3.0})[0]
    stage.say(type(one).__name__, str(one) == one.handle, one.handle.split(";")[0::2])
    stage.say(one.eval(), two.eval(), one.eval().dtype)
    stage.attempts(
        lambda: session.run(x + 1.0, {x: one}),
        lambda: session.run([x, x + 1.0], {x: two}),
        lambda: session.run(n + 1, {n: one}),
        lambda: session.run({"a": x}, {"x:0": one}),
        lambda: session.make_callable(x * 1.0, [x])(two),
    )
    holder, found = tf.get_session_tensor(one.handle, tf.float32, name="found")
    stage.say(holder.name, holder.dtype, found.name, found.dtype, found.shape, found.device)
    stage.attempts(lambda: session.run(found, {holder: one.handle}))
    raw = two.get_raw_handle()
    stage.attempts(two.eval, two.delete, lambda: two.get_raw_handle() == raw)
    stage.attempt(lambda: session.run(found, {holder: raw}))
    gone, delete = tf.delete_session_tensor(raw, name="gone")
    stage.say(gone.op.type, delete.name, delete.type, delete.device)
    stage.attempts(
        lambda: session.run(delete, {gone: raw}),
        lambda: session.run(delete, {gone: raw}),
        lambda: session.run(found, {holder: raw}),
        one.delete,
        one.delete,
        one.eval,
    )
