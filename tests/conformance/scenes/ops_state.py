"""Variables updated, scattered into and gathered from by raw ops: errors, resulting state, ties, integers, NaN."""

import numpy as np

# By kind of update: its variables, its scalars in order, and the position of the gradient.
_UPDATES = {
    "GradientDescent": ("var", "alpha delta"),
    "Momentum": ("var accum", "lr grad momentum"),
    "Adam": ("var m v", "beta1_power beta2_power lr beta1 beta2 epsilon grad"),
    "AdamWithAmsgrad": ("var m v vhat", "beta1_power beta2_power lr beta1 beta2 epsilon grad"),
    "AdaMax": ("var m v", "beta1_power lr beta1 beta2 epsilon grad"),
    "Adagrad": ("var accum", "lr grad"),
    "AdagradDA": (
        "var gradient_accumulator gradient_squared_accumulator",
        "grad lr l1 l2 global_step",
    ),
    "Adadelta": ("var accum accum_update", "lr rho epsilon grad"),
    "RMSProp": ("var ms mom", "lr rho momentum epsilon grad"),
    "CenteredRMSProp": ("var mg ms mom", "lr rho momentum epsilon grad"),
    "Ftrl": ("var accum linear", "grad lr l1 l2 lr_power"),
    "FtrlV2": ("var accum linear", "grad lr l1 l2 l2_shrinkage lr_power"),
    "ProximalGradientDescent": ("var", "alpha l1 l2 delta"),
    "ProximalAdagrad": ("var accum", "lr l1 l2 grad"),
    "AddSign": ("var m", "lr alpha sign_decay beta grad"),
    "PowerSign": ("var m", "lr logbase sign_decay beta grad"),
}
_ONLY_RESOURCES = {"AdamWithAmsgrad"}
_SPARSE = [
    "Momentum",
    "Adagrad",
    "AdagradDA",
    "Adadelta",
    "RMSProp",
    "CenteredRMSProp",
    "Ftrl",
    "FtrlV2",
    "ProximalGradientDescent",
    "ProximalAdagrad",
]
_NUMBERS = {
    "lr": 0.5,
    "alpha": 0.5,
    "beta1_power": 0.9,
    "beta2_power": 0.99,
    "beta1": 0.9,
    "beta2": 0.99,
    "epsilon": 0.125,
    "momentum": 0.75,
    "rho": 0.75,
    "l1": 0.125,
    "l2": 0.25,
    "l2_shrinkage": 0.125,
    "lr_power": -0.5,
    "sign_decay": 0.5,
    "beta": 0.75,
    "logbase": 0.5,
    "global_step": 2,
}


def _variables(tf, cells, shape, dtype, resource):
    made = []
    for number, name in enumerate(cells.split()):
        value = (np.arange(np.prod(shape)).reshape(shape) % 5 + 1 + number / 4).astype(dtype)
        made.append(tf.Variable(value, name=name, use_resource=resource))
    return made


class _Update:
    """A kind of update in a separate graph; `says` runs it with some inputs overridden."""

    def __init__(self, tf, stage, kind, sparse=False, resource=False, shape=(2, 3), dtype="f"):
        self.tf, self.stage, self.sparse = tf, stage, sparse
        self.graph = tf.Graph()
        cells, inputs = _UPDATES[kind]
        with self.graph.as_default():
            self.cells = _variables(tf, cells, shape, dtype, resource)
            ph, real = tf.placeholder_with_default, self.cells[0].dtype.base_dtype
            rows = (
                np.linspace(-1, 2, int(np.prod(shape))).reshape(shape).astype(real.as_numpy_dtype)
            )
            self.given = {}
            for name in inputs.split():
                value = rows if name in ("grad", "delta") else _NUMBERS[name]
                kept = "grad" if sparse and name == "delta" else name
                value = tf.constant(value, tf.int64 if name == "global_step" else real)
                self.given[kept] = ph(value, None)
            if sparse:
                self.given["indices"] = ph(tf.constant(np.arange(shape[0])), None)
            names = dict(
                zip(cells.split(), (v.handle if resource else v._ref() for v in self.cells))
            )
            op = getattr(tf.raw_ops, "Resource" * resource + "Sparse" * sparse + "Apply" + kind)
            self.op = op(**names, **self.given)
            self.init = tf.global_variables_initializer()

    def says(self, times=1, initialized=True, **inputs):
        feed = {self.given[name]: value for name, value in inputs.items()}
        with self.tf.Session(graph=self.graph) as session:
            if initialized:
                session.run(self.init)
            for _ in range(times):
                with self.stage.failing():
                    session.run(self.op, feed)
            if initialized:
                self.stage.say(*session.run(self.cells))


def optimizers_by_raw_ops(tf, stage):
    for kind in _UPDATES:
        for dtype in ("f", "d"):
            stage.say(kind, np.dtype(dtype).name)
            update = _Update(
                tf, stage, kind, resource=kind in _ONLY_RESOURCES or dtype == "d", dtype=dtype
            )
            update.says(2)
        gradient = "delta" if "delta" in update.given else "grad"
        update.says(2, **{gradient: [[np.nan, 1.0, np.nan], [0.5, np.nan, -2.0]]})
    for kind in _SPARSE:
        stage.say("sparse", kind)
        update = _Update(tf, stage, kind, True, True, (3, 2))
        update.says(2)
        update.says(grad=[[1.0, 2.0], [3.0, 4.0], [-5.0, 6.0]], indices=[1, 1, 1])
        update.says(grad=np.zeros([0, 2]), indices=[])
        update.says(grad=[[np.nan, 1.0], [2.0, np.nan], [0.5, -1.0]], indices=[1, 0, 1])


def refused_by_sparse_updates(tf, stage):
    for kind in _SPARSE:
        stage.say(kind)
        update = _Update(tf, stage, kind, sparse=True)
        cases = [
            {"indices": [0, 2]},
            {"indices": [0, -1]},
            {"indices": [0]},
            {"indices": [[0], [1]]},
            {"grad": np.zeros([2, 2])},
            {"grad": np.zeros([3, 3])},
        ]
        with tf.Session(graph=update.graph) as session:
            session.run(update.init)
            for case in cases:
                feed = {update.given[name]: value for name, value in case.items()}
                with stage.failing():
                    session.run(update.op, feed)
        for name in update.given:
            if name not in ("grad", "indices"):
                with tf.Session(graph=update.graph) as session, stage.failing():
                    session.run(update.init)
                    session.run(update.op, {update.given[name]: [1]})


def slots_of_other_shapes(tf, stage):
    raw = tf.raw_ops
    v = tf.Variable(np.zeros([2, 2], "f"), use_resource=True)
    with tf.variable_scope("", use_resource=True):
        slot = tf.Variable(np.zeros([2], "f"), validate_shape=False, use_resource=True)
    ref = tf.Variable(np.zeros([2, 2], "f"), use_resource=False)
    other = tf.Variable(
        tf.placeholder_with_default(np.zeros([3], "f"), None),
        False,
        validate_shape=False,
        use_resource=False,
    )
    scalar = tf.Variable(1.0, use_resource=False)
    lr, grad, at = tf.constant(0.5), np.ones([2, 2], "f"), [0, 1]
    made = [
        lambda: raw.ResourceApplyMomentum(
            var=v.handle, accum=slot.handle, lr=lr, grad=grad, momentum=lr
        ),
        lambda: raw.ApplyMomentum(
            var=ref._ref(), accum=other._ref(), lr=lr, grad=grad, momentum=lr
        ),
        lambda: raw.SparseApplyAdagrad(
            var=ref._ref(), accum=other._ref(), lr=lr, grad=grad, indices=at
        ),
        lambda: raw.SparseApplyAdagrad(
            var=scalar._ref(), accum=scalar._ref(), lr=lr, grad=[1.0, 1.0], indices=at
        ),
        lambda: raw.ApplyAdagrad(var=ref._ref(), accum=other._ref(), lr=lr, grad=grad),
        lambda: raw.ApplyGradientDescent(var=ref._ref(), alpha=[1.0], delta=grad),
        lambda: raw.ApplyGradientDescent(var=ref._ref(), alpha=1.0, delta=[1.0]),
        lambda: raw.ApplyGradientDescent(var=scalar._ref(), alpha=0.5, delta=3.0),
    ]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for make in made:
            stage.attempt(lambda make=make: session.run(make()))


def scattered_into(tf, stage):
    shape = (4, 2)

    def variable(resource, dtype, of=shape):
        value = (np.arange(np.prod(of)).reshape(of) + 1).astype(dtype)
        return tf.Variable(value, use_resource=resource)

    forms = ["update", "add", "sub", "mul", "div", "min", "max"]
    for resource in (False, True):
        for dtype in ("f", "i", "l", "d"):
            with tf.Graph().as_default(), tf.Session() as session:
                for form in forms:
                    v = variable(resource, dtype)
                    session.run(v.initializer)
                    at = tf.placeholder(tf.int32, None)
                    rows = tf.placeholder(v.dtype.base_dtype, None)
                    step = getattr(tf, "scatter_" + form)(v, at, rows, name="own")
                    stage.say(resource, form, np.dtype(dtype).name)
                    pairs = [
                        ([1, 3, 1], [[2, 3], [4, 5], [-6, 7]]),
                        ([[0], [2]], [[[2, 3]], [[4, 5]]]),
                        (2, [3, 4]),
                        ([], np.zeros([0, 2])),
                        ([0, 2], 3),
                        ([4], [[1, 1]]),
                        ([[-1]], [[[1, 1]]]),
                    ]
                    for indices, values in pairs if dtype in ("f", "i") else pairs[:2]:
                        stage.attempt(session.run, step, {at: indices, rows: values})


def many_times_at_a_place(tf, stage):
    """One row with many updates, among others with one each."""
    at = np.array([5] * 40 + [1, 2] + [3] * 30 + [0])
    for width in (1, 3, 700):
        values = (np.arange(len(at) * width).reshape(-1, width) % 7 - 3) / 4.0
        for form in ("add", "sub", "mul", "min", "max", "div", "update"):
            for dtype in ("f", "d"):
                v = tf.Variable(np.ones([6, width], dtype), use_resource=True)
                rows = np.where(values == 0, 1, values) if form in ("mul", "div") else values
                rows = np.sign(rows) if form in ("mul", "div") else rows
                step = getattr(tf, "scatter_" + form)(v, at, rows.astype(dtype))
                with tf.Session() as session:
                    session.run(v.initializer)
                    session.run(step)
                    found = session.run(v)
                    stage.say(form, found[:, 0], found[:, -1], found.sum())


def points_scattered(tf, stage):
    for resource in (False, True):
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.Variable(np.arange(12.0).reshape(3, 2, 2).astype("f"), use_resource=resource)
            at, rows = tf.placeholder(tf.int64, None), tf.placeholder(tf.float32, None)
            session.run(v.initializer)
            for form in ("update", "add", "sub"):
                step = getattr(tf, "scatter_nd_" + form)(v, at, rows)
                pairs = [
                    ([[0], [2]], np.ones([2, 2, 2])),
                    ([[0, 1], [2, 0], [0, 1]], [[1, 2], [3, 4], [5, 6]]),
                    ([[1, 1, 1]], [9]),
                    ([[[0, 0, 0]], [[2, 1, 1]]], [[7], [8]]),
                    ([[3]], np.ones([1, 2, 2])),
                    ([[0, -1]], [[1, 2]]),
                    ([[0, 0, 0, 0]], [1]),
                    ([[0]], [1]),
                    (np.zeros([0, 1]), np.zeros([0, 2, 2])),
                ]
                for indices, values in pairs:
                    stage.attempt(session.run, step, {at: indices, rows: values})
    v = tf.Variable(np.zeros([2, 3], "f"), use_resource=True)
    stage.attempts(
        lambda: tf.scatter_nd_add(v, [[0]], [[1.0, 2.0]]),
        lambda: tf.scatter_add(v, [0, 1], [[1.0, 2.0]]),
    )


def gathered_from_resources(tf, stage):
    v = tf.Variable(np.arange(12.0).reshape(2, 3, 2).astype("f"), use_resource=True)
    scalar = tf.Variable(1.0, use_resource=True)
    never = tf.Variable([1.0], use_resource=True)
    at = tf.placeholder(tf.int32, None)
    raw = tf.raw_ops
    gather = lambda **k: raw.ResourceGather(indices=at, dtype=tf.float32, **k)  # noqa: E731
    nd = lambda h: raw.ResourceGatherNd(resource=h, indices=at, dtype=tf.float32)  # noqa: E731
    plain, batched = gather(resource=v.handle), gather(resource=v.handle, batch_dims=1)
    points, none = nd(v.handle), gather(resource=never.handle)
    with tf.Session() as session:
        session.run([v.initializer, scalar.initializer])
        for given in (1, [1, 0], [[1], [1]], [], [2], [0, -1]):
            stage.attempt(session.run, plain, {at: given})
        for given in ([[0], [2]], [[2, 2], [1, 0]]):
            stage.attempt(session.run, batched, {at: given})
        for given in ([[1]], [[1, 2]], [[0, 0, 1]], [[2]], [[0, -1]], [[0, 0, 0, 0]], [1], 0):
            stage.attempt(session.run, points, {at: given})
        stage.attempt(session.run, points, {at: np.zeros([2, 0])})
        stage.attempt(session.run, none, {at: [0]})
        stage.attempt(session.run, nd(never.handle), {at: [[0]]})
        stage.attempt(lambda: session.run(gather(resource=scalar.handle), {at: [0]}))
        slices = tf.gradients(tf.reduce_sum(tf.gather(v, [[1], [1]]) ** 2), v)[0]
        stage.attempt(session.run, slices)
        slope = tf.gradients(tf.gather_nd(v, [[1, 2], [0, 1]]) * 3.0, v)[0]
        stage.attempt(session.run, slope)
        slices = tf.gradients(tf.gather_nd(v, [[1], [1]]) * 3.0, v)[0]
        stage.attempt(session.run, slices)
    stage.attempts(
        lambda: raw.ResourceGatherNd(resource=v.handle, indices=[[0] * 4], dtype=tf.float32),
        lambda: raw.ResourceGatherNd(resource=v.handle, indices=0, dtype=tf.float32),
        lambda: plain.shape,
    )
    with tf.Session() as session:
        destroy = [
            raw.DestroyResourceOp(resource=v.handle, ignore_lookup_error=i) for i in (False, True)
        ]
        stage.attempt(session.run, destroy[0])
        session.run([v.initializer, scalar.initializer])
        stage.attempt(session.run, destroy[0])
        stage.attempt(session.run, v)
        stage.attempt(session.run, destroy[0])
        stage.attempt(session.run, destroy[1])
        stage.attempt(session.run, scalar)
        stage.attempt(session.run, tf.is_variable_initialized(v))


def _counted(tf, stage, resource):
    with tf.Graph().as_default(), tf.Session() as session:
        n = tf.Variable(0, use_resource=resource, name="n")
        x = tf.Variable([1.0, 2.0], use_resource=resource, name="x")
        up = n.count_up_to(2)
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            stage.attempt(session.run, up)
        stage.attempt(session.run, n)
        stage.attempts(
            lambda: tf.count_up_to(x, 5),
            lambda: session.run(tf.assign_sub(x, [1.0, 2.0], name="own")),
            lambda: tf.assign_add(x, "a"),
        )
        stage.nodes()


def counted_and_assigned(tf, stage):
    for resource in (False, True):
        _counted(tf, stage, resource)
