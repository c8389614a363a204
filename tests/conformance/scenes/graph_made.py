"""Constants from all kinds of values, conversions to tensors, rejected nodes."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import numpy as np


class _Mine:
    def __init__(self, value):
        self.value = value


class _Heir(_Mine):
    """A class whose base class is registered."""


def conversions(tf, stage):
    convert = tf.convert_to_tensor
    x = tf.constant([1.0, 2.0], name="x")
    i = tf.constant(3, name="i")
    v = tf.Variable(1.5, name="v")
    r = tf.get_variable("r", initializer=2.5, use_resource=True)
    cases = (
        *(
            (x, {}),
            (x, {"dtype": tf.float32}),
            (x, {"dtype": tf.float64}),
            (x, {"preferred_dtype": tf.int32}),
        ),
        *((x, {"dtype_hint": tf.int32}), (x, {"name": "n"}), (v, {}), (v, {"dtype": tf.float32})),
        *((v, {"dtype": tf.int32}), (r, {}), (r, {"dtype": tf.int32}), (1, {"dtype": tf.float32})),
        *((1, {"preferred_dtype": tf.float64}), (1.5, {"preferred_dtype": tf.int32}), ("a", {})),
        *(
            (1, {"dtype_hint": tf.int64}),
            ([1], {"dtype_hint": tf.string}),
            (None, {}),
            ([None], {}),
        ),
        *((1, {"dtype": tf.int64, "preferred_dtype": tf.float32}), (1.5, {"dtype": tf.int32})),
        *(
            ([i, i], {}),
            ([i, 4], {}),
            ([4, i], {}),
            ([[i, 1], [2, 3]], {}),
            ([i, 1.5], {}),
            ([i, x], {}),
        ),
        *(([1, 2], {"name": "list"}), ([i, 5], {"name": "packed"}), ([i, 5], {"dtype": tf.int64})),
        *(
            ([i, 5], {"dtype": tf.int32}),
            ((i,), {}),
            ([v, 1.0], {}),
            ([x, x], {"dtype": tf.float32}),
        ),
        *(
            ([r, r], {}),
            ([[x], [x]], {}),
            ([x, [1, 2]], {}),
            ([tf.sparse.eye(1)], {}),
            (np.int64(3), {}),
        ),
        *(
            (tf.TensorShape([2, 3]), {}),
            (tf.TensorShape([2, 3]), {"dtype": tf.int64}),
            ([i, None], {}),
        ),
        *((tf.TensorShape([2, 3]), {"dtype": tf.float32}), (tf.TensorShape([2**40]), {}), ({}, {})),
        *(
            (tf.TensorShape([2**40]), {"dtype": tf.int32}),
            (tf.TensorShape([]), {"name": "s"}),
            ([], {}),
        ),
        *((tf.Dimension(3), {}), (tf.Dimension(2**40), {}), (tf.Dimension(3), {"dtype": tf.int64})),
        *(
            (tf.Dimension(None), {}),
            (tf.Dimension(3), {"dtype": tf.float32}),
            (tf.no_op(), {}),
            (x.op, {}),
        ),
        *((tf.FIFOQueue(1, tf.int32), {}), (lambda: 1, {}), (tf.data.Dataset.range(1), {})),
        *(
            (x, {"dtype": "float32"}),
            (x, {"dtype": "nonsense"}),
            (x, {"preferred_dtype": "float64"}),
        ),
    )
    for value, options in cases:
        with stage.failing():
            made = convert(value, **options)
            stage.say(options, made.name, made.dtype.name, made.shape, made is value)
    stage.attempts(
        lambda: tf.add([1, 2], x),
        lambda: tf.add(1.0, i),
    )
    stage.nodes()


def conversions_of_ones_own(tf, stage):
    register = tf.register_tensor_conversion_function

    def by_name(value, dtype=None, name=None, as_ref=False):
        stage.say("asked", value.value, dtype, name, as_ref)
        return tf.constant(value.value, dtype or tf.int32, name=name or "made")

    def first(value, dtype=None, name=None, as_ref=False):
        stage.say("first", value.value)
        return NotImplemented

    def wrong(value, dtype=None, name=None, as_ref=False):
        return "a text"

    def other_dtype(value, dtype=None, name=None, as_ref=False):
        return tf.constant(1.0)

    for given in (
        *((3, by_name), (_Mine, 3), ("a", by_name), ((3,), by_name), ([_Mine], by_name)),
        *((_Mine, None), ((_Mine, 3), by_name)),
    ):
        stage.attempt(register, *given)
    stage.attempt(tf.convert_to_tensor, _Mine(1))
    kind, heir = type("Kind", (_Mine,), {}), type("Heir", (_Mine,), {})
    register(kind, by_name)
    register(kind, first, priority=50)
    register((heir,), wrong)
    late = type("Late", (_Mine,), {})
    register(late, other_dtype, priority=200)
    never = type("Never", (_Mine,), {})
    register(never, first, 10)
    grand = type("Grand", (kind,), {})
    for value in (kind(1), grand(2), heir(3), late(4), never(5)):
        stage.attempts(
            lambda: tf.convert_to_tensor(value).name,
            lambda: tf.convert_to_tensor(value, tf.int32, name="named").name,
            lambda: tf.identity(value).name,
            lambda: (tf.constant(1) + value).dtype,
            lambda: tf.stack([value, value]).name,
        )
    with tf.Session() as session:
        stage.attempt(session.run, tf.add(kind(1), grand(5)))


def refused_nodes(tf, stage):
    raw = tf.raw_ops
    x, i = tf.constant([1.0, 2.0], name="x"), tf.constant([1, 2], name="i")
    v = tf.Variable([1.0, 2.0], name="v")
    stage.attempts(
        lambda: raw.Add(x="a", y=1),
        lambda: raw.Add(x=True, y=True),
        lambda: raw.Add(x, x),
        lambda: raw.Add(x=x),
        lambda: raw.Add(x=x, y=x, z=1),
        lambda: raw.Add(x=x, y=x, name="a b"),
        lambda: raw.MatMul(a=[x], b=[x], transpose_a=1),
        lambda: raw.MatMul(a=[x], b=[x], transpose_a="a"),
        lambda: raw.MatMul(a=i, b="a"),
        lambda: raw.Cast(x=x, DstT="int8").dtype,
        lambda: raw.Cast(x=x, DstT="nonsense"),
        lambda: raw.Cast(x=x, DstT=None),
        lambda: raw.Cast(x=x, DstT=5.5),
        lambda: raw.Pack(values=[1, "a"]),
        lambda: raw.Pack(values=[]),
        lambda: raw.Pack(values=x),
        lambda: raw.Pack(values=[x], axis="a"),
        lambda: raw.AddN(inputs=["a"]),
        lambda: raw.ConcatV2(values=[x, x], axis=0.5),
        lambda: raw.Concat(concat_dim=x, values=[x, x]),
        lambda: raw.IdentityN(input=[x, i, "a"])[2].dtype,
        lambda: raw.IdentityN(input=[]),
        lambda: raw.IdentityN(input=x),
        lambda: raw.Placeholder(dtype=tf.float32, shape="a"),
        lambda: raw.Placeholder(dtype=tf.float32, shape=[-5]),
        lambda: raw.Placeholder(dtype=[tf.float32]),
        lambda: raw.Conv2D(input=[[[[1.0]]]], filter=[[[[1.0]]]], strides=(1, 1.5), padding="SAME"),
        lambda: raw.Conv2D(input=[[[[1.0]]]], filter=[[[[1.0]]]], strides=[1, 1, 1, 1], padding=1),
        lambda: raw.Assign(ref=x, value=x),
        lambda: raw.Assign(ref=v._variable, value=[3.0]),
        lambda: raw.Assign(ref=3, value=3),
        lambda: raw.ReadVariableOp(resource=x, dtype=tf.float32),
        lambda: raw.FIFOQueueV2(component_types=tf.float32),
        lambda: raw.FIFOQueueV2(component_types=[tf.int32], shapes=["a"]),
        lambda: raw.Bucketize(input=x, boundaries=["a"]),
        lambda: raw.TopKV2(input=x, k=-1),
        lambda: raw.Const(value=5, dtype=tf.int32),
        lambda: raw.Const(value=tf.make_tensor_proto(1), dtype=tf.int32).shape,
        lambda: raw.DecodeRaw(bytes="a", out_type=tf.string),
        lambda: raw.Sum(input=x, axis="a"),
        lambda: raw.Select(condition=x, x=x, y=x),
        lambda: raw.Nothing(x=1),
        lambda: raw.StringJoin(inputs=["a", 1]),
    )
    stage.nodes()
