"""TensorArrays and stacks by raw ops: ordered writes, reads, gradients, closing; matrix solvers."""

import numpy as np

from tests.conformance.scenes import unknown


def _array(tf, size=3, **given):
    given = {"dtype": tf.float32, "clear_after_read": False, **given}
    return tf.raw_ops.TensorArrayV3(size=np.int32(size), **given)


class _Steps:
    """Consecutive operations on one array, chained by flows."""

    def __init__(self, tf, array):
        self.raw, self.tf = tf.raw_ops, tf
        self.handle, self.flow = array

    def _next(self, flow):
        self.flow = flow
        return self

    def write(self, index, value):
        raw = self.raw
        return self._next(
            raw.TensorArrayWriteV3(
                handle=self.handle, index=np.int32(index), value=value, flow_in=self.flow
            )
        )

    def scatter(self, indices, value):
        raw, at = self.raw, np.array(indices, "i")
        return self._next(
            raw.TensorArrayScatterV3(handle=self.handle, indices=at, value=value, flow_in=self.flow)
        )

    def split(self, value, lengths):
        raw, sizes = self.raw, np.array(lengths, "i8")
        return self._next(
            raw.TensorArraySplitV3(
                handle=self.handle, value=value, lengths=sizes, flow_in=self.flow
            )
        )

    def read(self, index, dtype=None):
        dtype = dtype or self.tf.float32
        return self.raw.TensorArrayReadV3(
            handle=self.handle, index=np.int32(index), flow_in=self.flow, dtype=dtype
        )

    def gather(self, indices, dtype=None, **given):
        dtype, at = dtype or self.tf.float32, np.array(indices, "i")
        return self.raw.TensorArrayGatherV3(
            handle=self.handle, indices=at, flow_in=self.flow, dtype=dtype, **given
        )

    def concat(self, dtype=None, **given):
        dtype = dtype or self.tf.float32
        return tuple(
            self.raw.TensorArrayConcatV3(
                handle=self.handle, flow_in=self.flow, dtype=dtype, **given
            )
        )

    def size(self):
        return self.raw.TensorArraySizeV3(handle=self.handle, flow_in=self.flow)

    def gradient(self, source="g", shape=None):
        given = {"handle": self.handle, "flow_in": self.flow, "source": source}
        if shape is not None:
            given["shape_to_prepend"] = np.array(shape, "i")
            return _Steps(self.tf, self.raw.TensorArrayGradWithShape(**given))
        return _Steps(self.tf, self.raw.TensorArrayGradV3(**given))


def _each(tf, stage, cases):
    for name, function in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say(name)
            with stage.failing():
                made = function()
                stage.say([str(t.shape) for t in tf.nest.flatten(made)], session.run(made))


def arrays(tf, stage):
    table = np.float32([[1, 2], [3, 4], [5, 6]])
    of = lambda *a, **k: _Steps(tf, _array(tf, *a, **k))  # noqa: E731
    full = lambda **k: of(**k).scatter([0, 1, 2], table)  # noqa: E731
    _each(
        tf,
        stage,
        {
            "write_far": lambda: of().write(3, [1.0]).flow,
            "write_other_shape": lambda: (
                of(identical_element_shapes=True).write(0, [1.0]).write(1, [1.0, 2.0]).flow
            ),
            "write_shape": lambda: of(element_shape=[2]).write(0, [1.0]).flow,
            "read_unwritten_word": lambda: of(dtype=tf.string, element_shape=[2]).read(
                0, tf.string
            ),
            "gather_none": lambda: full().gather([]),
            "gather_of_other_shape": lambda: full().gather([0], element_shape=[3]),
            "concat_other_shape": lambda: full().concat(element_shape_except0=[2]),
            "split_grown": lambda: of(1, dynamic_size=True).split(table, [1, 1, 1]).concat(),
            "cleared": lambda: full(clear_after_read=True).gather([1, 1]),
            "gradient_other_shape": lambda: full().gradient().write(1, [1.0]).flow,
            "gradient_apart": lambda: (
                lambda a: [a.gradient("x").write(0, [1.0, 1.0]).read(0), a.gradient("y").read(0)]
            )(full()),
            "gradient_words": lambda: (
                of(1, dtype=tf.string).write(0, "a").gradient().write(0, "b").write(0, "c").flow
            ),
        },
    )


def stacks(tf, stage):
    raw, fed = tf.raw_ops, unknown(tf)

    def make(size=2):
        return raw.StackV2(max_size=fed(np.array(size, "i")), elem_type=tf.float32)

    push = lambda s, x: raw.StackPushV2(handle=s, elem=x)  # noqa: E731
    pop = lambda s, k=tf.float32: raw.StackPopV2(handle=s, elem_type=k)  # noqa: E731

    def in_turn(handle, *ops):
        before = []
        for op in ops:
            with tf.control_dependencies(before):
                made = op(handle)
                before = [made.op if hasattr(made, "op") else made]
        return made

    on = lambda x: lambda s: push(s, x)  # noqa: E731
    close = lambda s: raw.StackCloseV2(handle=s)  # noqa: E731
    with tf.Session() as session:
        for name, ops in {
            "one": (on(1.0), pop),
            "last_first": (on(1.0), on([2.0]), pop),
            "second": (on(1.0), on([2.0]), pop, pop),
            "empty": (pop,),
            "emptied": (on(1.0), pop, pop),
            "full": (on(1.0), on(2.0), on(3.0), pop),
            "dtype": (on(1), pop),
            "closed": (on(1.0), close, pop),
            "closed_push": (close, on(1.0), pop),
        }.items():
            stage.say(name)
            stage.attempt(session.run, in_turn(make(), *ops))
        stage.attempt(session.run, in_turn(make(-1), *[on(1.0)] * 4, pop))
        stage.attempt(session.run, in_turn(make([2]), on(1.0)))
        stage.say(make().shape, pop(make()).shape, push(make(), [1.0]).shape)
