"""Activations, initializers, constraints and regularizers by names and configs; phases, uids, functions."""

import numpy as np

from tests.conformance.scenes import eager_mode, in_own_graph

_X = np.array([[-2.0, -0.5, 0.0], [0.25, 1.0, 8.0]], np.float32)


def _found(stage, module, names, use):
    """Says what each name stands for, made again from its config, and its values."""
    for name in names:
        with stage.failing():
            made = module.get(name)
            config = module.serialize(made)
            stage.say(name, getattr(made, "__name__", type(made).__name__), config)
            again = module.deserialize(config)
            stage.say(module.serialize(again), use(made))


def activations(tf, stage):
    of = tf.keras.activations
    names = (
        *("elu", "exponential", "hard_sigmoid", "linear", "relu", "selu", "sigmoid", "softmax"),
        *("softplus", "softsign", "tanh", None, "none", "Relu", 3),
        *(tf.nn.relu, tf.nn.softmax, tf.compat.v2.nn.softmax, abs),
        *({"class_name": "relu"}, {"class_name": "relu", "config": {}}),
    )
    with tf.Session() as session:
        _found(stage, of, names, lambda f: session.run(f(tf.constant(_X))))
        x = tf.constant(_X)
        for case in (
            lambda: of.relu(x, 0.5),
            lambda: of.relu(x, max_value=6),
            lambda: of.relu(x, max_value=1.0),
            lambda: of.relu(x, 0.5, 2.0),
            lambda: of.relu(x, threshold=0.5),
            lambda: of.relu(x, 0.5, 2.0, 0.75),
            lambda: of.relu(x, 0.5, 6.0, 0.75),
            lambda: of.relu(tf.cast(x, tf.float64), 0.1, 2.0),
            lambda: of.elu(x, 0.5),
            lambda: of.elu(x, 1),
            lambda: of.softmax(x, 0),
            lambda: of.softmax(x[0]),
            lambda: of.softmax(tf.constant(_X[None]), axis=1),
            lambda: of.softmax(tf.constant(_X[None])),
            lambda: of.hard_sigmoid(tf.cast(x, tf.float64)),
            lambda: of.exponential(x),
            lambda: of.linear(3),
            lambda: of.deserialize("relu", {"relu": abs}) is abs,
            lambda: of.deserialize("mine", {"mine": abs}) is abs,
            lambda: of.deserialize("mine"),
            lambda: of.serialize(3),
        ):
            with stage.failing():
                made = case()
                stage.say(
                    getattr(made, "op", made) if made is True else getattr(made, "name", made)
                )
                if isinstance(made, tf.Tensor):
                    stage.say(session.run(made))
    with tf.keras.utils.CustomObjectScope({"mine": tf.nn.relu6, "relu": tf.nn.tanh}):
        stage.attempts(lambda: of.get("mine").__name__)
        layer = tf.keras.layers.Dense(1, activation="mine")
        stage.say(layer.get_config()["activation"])
    stage.attempts(lambda: tf.keras.layers.Activation("mine"))


@in_own_graph
def initializers(tf, stage):
    tf.set_random_seed(3)
    of = tf.keras.initializers
    names = (
        *("Constant", "GlorotNormal", "GlorotUniform", "Identity", "Ones", "Orthogonal"),
        *(
            "RandomNormal",
            "RandomUniform",
            "TruncatedNormal",
            "VarianceScaling",
            "Zeros",
            "constant",
        ),
        *("glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "identity", "lecun_normal"),
        *(
            "lecun_uniform",
            "normal",
            "one",
            "ones",
            "orthogonal",
            "random_normal",
            "random_uniform",
        ),
        *("truncated_normal", "uniform", "zero", "zeros", "none", 3, None),
        *({"class_name": "Ones", "config": {}}, {"class_name": "Ones"}),
        {"class_name": "RandomNormal", "config": {"mean": 3.0, "stddev": 0.0, "seed": 1}},
        {"class_name": "Nothing", "config": {}},
    )
    with tf.Session() as session:
        _found(stage, of, names, lambda f: session.run(f((2, 2))) if f else None)
        for make in (
            lambda: of.RandomNormal(1.0, 2.0, 3, tf.float64),
            lambda: of.RandomUniform(1.0, 2.0, seed=3),
            lambda: of.RandomUniform(1, 5, dtype=tf.int32, seed=3),
            lambda: of.TruncatedNormal(stddev=0.5, seed=3),
            lambda: of.VarianceScaling(2.0, "fan_out", "uniform", seed=3),
            lambda: of.VarianceScaling(mode="fan_avg", distribution="untruncated_normal", seed=3),
            lambda: of.VarianceScaling(scale=0.0),
            lambda: of.VarianceScaling(mode="fan"),
            lambda: of.VarianceScaling(distribution="even"),
            lambda: of.Orthogonal(2.0, seed=3),
            lambda: of.Identity(2.0),
            lambda: of.Constant([1.0, 2.0, 3.0, 4.0]),
            lambda: of.Constant(7, dtype=tf.int32),
            lambda: of.Constant([1.0, 2.0]),
            lambda: of.he_normal(3),
            lambda: of.he_uniform(seed=3),
            lambda: of.lecun_normal(3),
            lambda: of.lecun_uniform(3),
            lambda: of.glorot_normal(3),
            lambda: of.glorot_uniform(seed=3),
            lambda: of.zeros(dtype=tf.int32),
        ):
            with stage.failing():
                made = make()
                stage.say(type(made).__name__, made.get_config())
                again = type(made).from_config(made.get_config())
                for shape, dtype in (
                    ((2, 2), None),
                    ((2, 2), tf.float64),
                    ((2,), None),
                    ((), None),
                ):
                    with stage.failing():
                        stage.say(session.run(again(shape, dtype=dtype)))


@in_own_graph
def constraints(tf, stage):
    of = tf.keras.constraints
    w = np.array([[3.0, -0.1], [4.0, 0.0], [-1.0, 0.2]], np.float32)
    names = (
        *("MaxNorm", "MinMaxNorm", "NonNeg", "RadialConstraint", "UnitNorm", "max_norm", "maxnorm"),
        *("min_max_norm", "non_neg", "nonneg", "radial_constraint", "unit_norm", "unitnorm"),
        *("none", None, 3, abs, {"class_name": "MaxNorm", "config": {"max_value": 1.0, "axis": 1}}),
        of.NonNeg(),
    )

    with tf.Session() as session:

        def use(f):
            value = np.arange(9, dtype=np.float32).reshape(3, 3, 1, 1) if "Radial" in str(f) else w
            return session.run(f(tf.constant(value))) if f else None

        _found(stage, of, names, use)
        for make in (
            lambda: of.MaxNorm(1.0, 1),
            lambda: of.MaxNorm(axis=[0, 1]),
            lambda: of.MinMaxNorm(0.5, 1.5, 0.5, 1),
            lambda: of.MinMaxNorm(2.0, 1.0),
            lambda: of.UnitNorm(1),
            lambda: of.NonNeg(),
            lambda: of.RadialConstraint(),
            lambda: of.Constraint(),
        ):
            with stage.failing():
                made = make()
                stage.say(type(made).__name__, made.get_config())
                for value in (w, np.zeros([2, 2], np.float32), w.astype(np.float64)):
                    with stage.failing():
                        stage.say(session.run(made(tf.constant(value))))
        for size in (1, 5):
            kernel = np.arange(size * size * 2, dtype=np.float32).reshape(size, size, 1, 2)
            stage.attempt(lambda: session.run(of.RadialConstraint()(tf.constant(kernel))))  # noqa: B023


@in_own_graph
def regularizers(tf, stage):
    of = tf.keras.regularizers
    x = tf.constant(_X)
    names = (
        *("L1L2", "l1", "l2", "l1_l2", "none", None, 3, abs),
        *({"class_name": "L1L2", "config": {"l1": 0.5, "l2": 0.25}}, {"class_name": "l1"}),
        of.l1_l2(0.5, 0.25),
    )
    with tf.Session() as session:
        _found(stage, of, names, lambda f: session.run(tf.convert_to_tensor(f(x))) if f else None)
        for make in (
            lambda: of.l1(0.5),
            lambda: of.l2(l=0.5),
            lambda: of.l1_l2(l1=0.5),
            lambda: of.l1_l2(),
            lambda: of.L1L2(),
            lambda: of.L1L2(l2=0.25),
            lambda: of.L1L2(0.5, 0.25),
            lambda: of.L1L2(0, 0),
            lambda: of.Regularizer(),
        ):
            with stage.failing():
                made = make()
                value = made(x)
                stage.say(type(made).__name__, getattr(value, "name", value))
                stage.say(session.run(tf.convert_to_tensor(value)))
                stage.say(made.get_config(), type(made).from_config(made.get_config()).get_config())
        stage.attempts(
            lambda: of.deserialize("mine", {"mine": of.L1L2}),
            lambda: of.serialize(3),
            lambda: session.run(of.l2(0.5)(tf.cast(x, tf.float64))),
        )


@in_own_graph
def phases_and_uids(tf, stage):
    k = tf.keras.backend
    phase = k.learning_phase()
    stage.say(
        phase.name, phase.op.type, phase.dtype.name, str(phase.shape), k.learning_phase() is phase
    )
    one, two = tf.constant(1.0), tf.constant(2.0)
    made = k.in_train_phase(one, two)
    with tf.Session() as session:
        stage.say(session.run(made), session.run(made, {phase: True}))
        for training in (0, 1, True, None, tf.constant(True), tf.constant(0)):
            with stage.failing():
                stage.say(session.run(k.in_train_phase(one, two, training)))
                stage.say(session.run(k.in_test_phase(lambda: one, lambda: two, training)))
    for value in (1, 0, True, 2, None, "a"):
        with stage.failing():
            k.set_learning_phase(value)
            stage.say(k.learning_phase())
            stage.say(k.in_train_phase(one, two).name)
    with tf.Graph().as_default():
        stage.attempt(lambda: k.learning_phase().name)
    stage.say(k.learning_phase(), tf.keras.layers.Dense(1).name)
    stage.say(k.get_uid("dense"), k.get_uid("dense"), k.get_uid("other"), k.get_uid())
    stage.say(tf.keras.layers.Dense(1).name, tf.layers.Dense(1).name, tf.layers.Dense(1).name)
    k.reset_uids()
    stage.say(k.get_uid("dense"), tf.keras.layers.Dense(1).name)
    before = k.floatx(), k.epsilon(), k.image_data_format()
    try:
        for name in ("float16", "float64", "float32", "int32", None):
            with stage.failing():
                k.set_floatx(name)
                stage.say(k.floatx(), k.cast_to_floatx([1, 2]).dtype.name, k.zeros((2,)).dtype.name)
                stage.say(tf.keras.Input((1,)).dtype.name, k.placeholder((1,)).dtype.name)
                stage.say(k.constant([1, 2]).dtype.name, k.eye(2).dtype.name)
                stage.say(k.random_uniform((1,)).dtype.name, k.variable(1).dtype.name)
        k.set_floatx(before[0])
        for value in (0.5, 1, "a"):
            with stage.failing():
                k.set_epsilon(value)
                stage.say(k.epsilon())
        k.set_epsilon(0.25)
        with tf.Session() as session:
            stage.say(session.run(k.binary_crossentropy(tf.constant([0.0]), tf.constant([0.1]))))
        k.set_epsilon(before[1])
        for value in ("channels_first", "channels_last", "NHWC", None):
            with stage.failing():
                k.set_image_data_format(value)
                stage.say(k.image_data_format(), tf.keras.layers.Conv2D(1, 1).data_format)
                stage.say(tf.layers.Conv2D(1, 1).data_format, tf.layers.Flatten().data_format)
                stage.say(tf.keras.layers.GlobalAveragePooling2D().data_format)
    finally:
        k.set_floatx(before[0])
        k.set_epsilon(before[1])
        k.set_image_data_format(before[2])


@in_own_graph
def functions_of_the_backend(tf, stage):
    k = tf.keras.backend
    x, z = k.placeholder((None, 2), name="x"), k.placeholder(shape=(), name="z")
    v = k.variable([1.0, 2.0], name="v")
    y = x * v + z
    updating = k.function(
        [x], [v], updates=[(v, v + tf.reduce_sum(x, 0)), k.update_add(v, [1.0, 1.0])]
    )
    single = k.function([x], x * 2.0)
    more = k.function([z], [z + 1.0], fetches=[z * 3.0], feed_dict={x: [[1.0, 1.0]]})
    seen = []
    more.fetch_callbacks[more.fetches[0]] = seen.append
    stage.attempts(
        lambda: single(["a"]),
        lambda: k.function([x], [y], updates=3),
        lambda: k.eval(tf.SparseTensor([[0]], [1.0], [2])),
        lambda: k.backend(),
    )
    before = k.get_value(v)
    updating([np.array([[1.0, 2.0]])])
    stage.say(np.any(k.get_value(v) != before))
    session = k.get_session()
    stage.say(session.graph is tf.get_default_graph(), k.get_session() is session)
    other = tf.Session()
    k.set_session(other)
    stage.say(k.get_session() is other)
    w = k.variable([3.0])
    k.manual_variable_initialization(True)
    try:
        stage.attempt(lambda: k.get_value(w))
    finally:
        k.manual_variable_initialization(False)
    stage.attempt(lambda: k.get_value(w))
    with tf.Graph().as_default(), eager_mode(tf):
        stage.attempts(lambda: k.get_value(k.variable([1.0])))
