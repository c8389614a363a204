"""TensorArrays and stacks by raw ops, in an order: writes, reads, gradients, closed ones; matrices solved."""

import numpy as np

from tests.conformance.scenes import unknown, with_gradients


def _array(tf, size=3, **given):
    given = {"dtype": tf.float32, "clear_after_read": False, **given}
    return tf.raw_ops.TensorArrayV3(size=np.int32(size), **given)


class _Steps:
    """Runs of one array one after the other: each has the flow of the one before."""

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
    c, fed = tf.constant, unknown(tf)
    table = np.float32([[1, 2], [3, 4], [5, 6]])
    of = lambda *a, **k: _Steps(tf, _array(tf, *a, **k))  # noqa: E731
    full = lambda **k: of(**k).scatter([0, 1, 2], table)  # noqa: E731
    _each(
        tf,
        stage,
        {
            "size": lambda: [of().size(), of(0).size()],
            "size_negative": lambda: of(-1).size(),
            "size_vector": lambda: tf.raw_ops.TensorArrayV3(
                size=fed(np.int32([3])), dtype=tf.float32
            )[1],
            "write_read": lambda: of().write(1, [1.0]).read(1),
            "write_twice": lambda: of().write(1, [1.0]).write(1, [2.0]).read(1),
            "write_far": lambda: of().write(3, [1.0]).flow,
            "write_negative": lambda: of().write(-1, [1.0]).flow,
            "write_grown": lambda: of(1, dynamic_size=True).write(4, [1.0]).size(),
            "write_dtype": lambda: of().write(0, [1]).flow,
            "write_other_shape": lambda: (
                of(identical_element_shapes=True).write(0, [1.0]).write(1, [1.0, 2.0]).flow
            ),
            "write_any_shape": lambda: of().write(0, [1.0]).write(1, [1.0, 2.0]).read(1),
            "write_shape": lambda: of(element_shape=[2]).write(0, [1.0]).flow,
            "write_shape_partly": lambda: (
                of(element_shape=[None, 2]).write(0, [[1.0, 2.0]]).read(0)
            ),
            "read_unwritten": lambda: of().read(0),
            "read_unwritten_shape": lambda: of(element_shape=[2]).read(0),
            "read_unwritten_word": lambda: of(dtype=tf.string, element_shape=[2]).read(
                0, tf.string
            ),
            "read_far": lambda: of(element_shape=[2]).read(3),
            "read_dtype": lambda: full().read(0, tf.int32),
            "gather": lambda: full().gather([2, 0]),
            "gather_none": lambda: full().gather([]),
            "gather_none_shape": lambda: of(element_shape=[2]).gather([]),
            "gather_of_shape": lambda: full().gather([0], element_shape=[2]),
            "gather_of_other_shape": lambda: full().gather([0], element_shape=[3]),
            "gather_far": lambda: full().gather([0, 3]),
            "gather_uneven": lambda: of().write(0, [1.0]).write(1, [1.0, 2.0]).gather([0, 1]),
            "gather_unwritten": lambda: (
                of(element_shape=[2]).write(0, [1.0, 2.0]).gather([0, 1, 2])
            ),
            "gather_empty": lambda: of(2).scatter([0, 1], np.zeros([2, 0], "f")).gather([0, 1]),
            "gather_words": lambda: (
                of(2, dtype=tf.string).scatter([1, 0], c(["a", "b"])).gather([0, 1], tf.string)
            ),
            "scatter_far": lambda: of().scatter([0, 3], table[:2]).flow,
            "scatter_few": lambda: of().scatter([0], table).flow,
            "scatter_grown": lambda: of(1, dynamic_size=True).scatter([0, 3], table[:2]).size(),
            "scatter_scalar": lambda: of().scatter([0], fed(np.float32(1))).flow,
            "concat": lambda: full().concat(),
            "concat_scalars": lambda: of(2).scatter([0, 1], c([1.0, 2.0])).concat(),
            "concat_uneven": lambda: of(2).write(0, [[1.0]]).write(1, [[1.0, 2.0]]).concat(),
            "concat_lengths": lambda: of(2).write(0, [1.0]).write(1, [1.0, 2.0]).concat(),
            "concat_none": lambda: of(0).concat(),
            "concat_none_shape": lambda: of(0).concat(element_shape_except0=[2]),
            "concat_other_shape": lambda: full().concat(element_shape_except0=[2]),
            "split": lambda: of(2).split(table, [1, 2]).read(1),
            "split_sum": lambda: of(2).split(table, [1, 1]).flow,
            "split_count": lambda: of(3).split(table, [1, 2]).flow,
            "split_grown": lambda: of(1, dynamic_size=True).split(table, [1, 1, 1]).concat(),
            "split_scalar": lambda: of(1).split(fed(np.float32(1)), [1]).flow,
            "cleared": lambda: full(clear_after_read=True).gather([1, 1]),
            "gradient_zeros": lambda: full().gradient().read(1),
            "gradient_sums": lambda: (
                full().gradient().write(1, [1.0, 2.0]).write(1, [3.0, 4.0]).read(1)
            ),
            "gradient_sums_scalars": lambda: (
                of(1).write(0, 1.0).gradient().write(0, 2.0).write(0, 3.0).read(0)
            ),
            "gradient_other_shape": lambda: full().gradient().write(1, [1.0]).flow,
            "gradient_of_gradient": lambda: full().gradient().gradient().flow,
            "gradient_apart": lambda: (
                lambda a: [a.gradient("x").write(0, [1.0, 1.0]).read(0), a.gradient("y").read(0)]
            )(full()),
            "gradient_shape": lambda: full().gradient(shape=[2]).read(0),
            "gradient_words": lambda: (
                of(1, dtype=tf.string).write(0, "a").gradient().write(0, "b").write(0, "c").flow
            ),
            "gradient_size": lambda: full().gradient().size(),
            "gradient_gather": lambda: (
                full()
                .gradient()
                .scatter([0, 1, 2], table)
                .scatter([0, 1, 2], table)
                .gather([0, 1, 2])
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


def solved_by_least_squares(tf, stage):
    slopes = with_gradients(tf)
    c = tf.constant
    tall, wide = np.float32([[2, 1], [1, 3], [0, 1]]), np.float32([[2, 1, 0], [1, 3, 1]])
    solve = tf.matrix_solve_ls
    cases = {
        "tall": lambda: slopes(solve, c(tall), c(tall[:, :1])),
        "wide": lambda: slopes(solve, c(wide), c(wide[:, :1])),
        "tall_regular": lambda: slopes(lambda a, b: solve(a, b, 0.5), c(tall), c(tall[:, 1:])),
        "wide_regular": lambda: slopes(lambda a, b: solve(a, b, 0.5, name="own"), c(wide), c(wide)),
        "by_op": lambda: [
            slopes(
                lambda a, b, l2=l2: tf.raw_ops.MatrixSolveLs(
                    matrix=a, rhs=b, l2_regularizer=np.float64(l2)
                ),
                c(x),
                c(x[:, :1]),
            )
            for x in (tall, wide)
            for l2 in (0.0, 0.25)
        ],
        "slow": lambda: solve(tall, tall[:, :1], fast=False),
        "slow_slope": lambda: slopes(lambda a, b: solve(a, b, fast=False), c(tall), c(tall[:, :1])),
        "fed": lambda: solve(unknown(tf)(tall), unknown(tf)(tall[:, :1]), 0.25),
        "double": lambda: solve(tall.astype("d"), tall.astype("d"), 0.1),
        "inverse": lambda: slopes(tf.matrix_inverse, c(tall[:2])),
        "inverse_adjoint": lambda: slopes(lambda x: tf.matrix_inverse(x, True, "own"), c(tall[:2])),
        "solve_adjoint": lambda: slopes(
            lambda a, b: tf.matrix_solve(a, b, True), c(tall[:2]), c(tall[:2, :1])
        ),
        "cholesky_grad": lambda: tf.raw_ops.CholeskyGrad(
            l=[[2.0, 0.0], [1.0, 2.0]], grad=[[1.0, 9.0], [0.5, 2.0]]
        ),
        "triangular": lambda: [
            slopes(
                lambda a, b, lo=lo, ad=ad: tf.matrix_triangular_solve(a, b, lo, ad),
                c(tall[:2]),
                c(tall[:2, :1]),
            )
            for lo in (True, False)
            for ad in (True, False)
        ],
        "rank_fed": lambda: tf.linalg.matrix_rank(unknown(tf)(tall), validate_args=True),
        "rank_tolerance": lambda: tf.linalg.matrix_rank(tall, 3.0),
        "pinv": lambda: [
            tf.linalg.pinv(tall),
            tf.linalg.pinv(unknown(tf)(wide)),
            tf.linalg.pinv(tall, 0.9, True, "own"),
        ],
        "pinv_ints": lambda: tf.linalg.pinv([[1]]),
        "eigenvalues": lambda: slopes(tf.self_adjoint_eigvals, c([[2.0, 9.0], [1.0, 3.0]])),
        "logdet": lambda: slopes(tf.linalg.logdet, c([[4.0, 2.0], [2.0, 3.0]])),
    }
    stage.each(cases, graph="sum")
