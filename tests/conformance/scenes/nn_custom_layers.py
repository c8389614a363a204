"""Custom layers: constructors, configs, weights, values, tracking."""

import functools

import numpy as np

from tests.conformance.scenes import eager_mode


def _class(base, name="Own", **members):
    return type(name, (base,), members)


def _told(stage, layer):
    stage.say(
        *(layer.name, layer.trainable, layer.dtype, layer.dynamic, layer.stateful, layer.built),
        *(layer.input_spec, layer.supports_masking, layer.activity_regularizer is None),
        *(layer.weights, layer.updates, layer.losses, layer.metrics),
    )
    stage.attempt(layer.get_config)


def options_of_the_base(tf, stage):
    cases = (
        {},
        {"name": "mine"},
        {"name": ""},
        {"trainable": False},
        {"dtype": "float64"},
        {"dtype": tf.int32},
        {"dtype": "none"},
        {"dynamic": True},
        {"input_shape": (3,)},
        {"input_shape": [3, None], "batch_size": 2},
        {"batch_input_shape": [2, 3]},
        {"batch_size": 4},
        {"input_shape": (3,), "batch_input_shape": (1, 2)},
        {"activity_regularizer": tf.keras.regularizers.l2(0.5)},
        {"weights": [np.ones(2)]},
        {"autocast": True},
        {"unknown": 1},
        {"input_dim": 3},
        {"sparse": True},
    )
    for base in (tf.keras.layers.Layer, tf.layers.Layer):
        for options in cases:
            with stage.failing():
                _told(stage, base(**options))
        for given in ((False, "b", "float16"), (True, 3)):
            with stage.failing():
                made = base(*given)
                stage.say(made.name, made.trainable, made.dtype, made.dynamic)
    for name in ("CamelCase", "HTTPServer", "_Hidden", "LSTMCell2D", "lower", "V2Net"):
        for base in (tf.keras.layers.Layer, tf.layers.Layer):
            one = _class(base, name)
            stage.say(one().name, one().name, one(name="given").name)
    stage.attempts(lambda: tf.layers.Layer().graph)


def _weights(tf, stage, base, more):
    layer = base(name="l")
    same = tf.VariableSynchronization
    sums = tf.VariableAggregation

    def add(*given, **options):
        def run():
            v = layer.add_weight(*given, **options)
            stage.say(v.name, str(v.shape), v.dtype.name, v.trainable, v.constraint, v.op.type)
            return v.synchronization, v.aggregation, len(layer.losses), layer.dtype

        return run

    stage.attempts(
        add("plain", [2]),
        add("scalar", ()),
        add("again", [2], "float64"),
        add("whole", [2], tf.int32),
        add("flag", [1], dtype="bool"),
        add("text", [1], dtype=tf.string),
        add("text_made", [1], tf.string, tf.constant_initializer("a")),
        add("named", [2], initializer="ones"),
        add("called", [2], initializer=lambda shape, dtype=None, **_: tf.ones(shape, dtype) * 3.0),
        add("wrong", [2], initializer="none"),
        add("number", [2], initializer=3),
        add("penalty", [2], initializer="ones", regularizer=tf.keras.regularizers.l1(0.5)),
        add("fixed", [2], trainable=False),
        add("bound", [2], constraint=tf.nn.relu),
        add("reference", [2], use_resource=False),
        add("resource", [2], use_resource=True),
        add("read", [2], synchronization=same.ON_READ),
        add("read_trained", [2], synchronization=same.ON_READ, trainable=True),
        add("written", [2], synchronization=same.ON_WRITE, aggregation=sums.MEAN),
        add("summed", [2], aggregation=sums.SUM),
        add("unknown", [2], unknown=1),
        add("shape", "a"),
        add("plain", [2]),
        *[add(name, [2], **options) for name, options in more.items()],
    )
    stage.attempt(lambda: layer.add_variable("old", [3]).name)
    stage.say([w.name for w in layer.trainable_weights])
    stage.say([w.name for w in layer.non_trainable_weights])
    layer.trainable = False
    stage.say([w.name for w in layer.non_trainable_variables], layer.trainable_variables)
    stage.attempts(add("late", [1]), add("late_trained", [1], trainable=True), layer.count_params)
    layer.built = True
    stage.attempts(layer.count_params, lambda: [x.name for x in layer.losses])
    stage.say([v.name for v in tf.trainable_variables()])


def weights_of_keras(tf, stage):
    _weights(
        tf,
        stage,
        tf.keras.layers.Layer,
        {
            "collected": {"collections": ["mine"]},
            "parted": {"partitioner": tf.fixed_size_partitioner(2)},
        },
    )
    layer = tf.keras.layers.Layer()
    stage.attempts(lambda: layer.add_weight().name)


def weights_of_scopes(tf, stage):
    _weights(
        tf,
        stage,
        tf.layers.Layer,
        {"collected": {"collections": ["mine"]}, "cast": {"experimental_autocast": False}},
    )
    with tf.variable_scope("outer", initializer=tf.ones_initializer(), use_resource=True):
        layer = tf.layers.Layer()
        v = layer.add_weight("v", [2])
        stage.say(v.name, v.op.type, layer.scope_name)
    layer = tf.layers.Layer(name="cut")
    parts = layer.add_weight(
        "p", [4], partitioner=tf.fixed_size_partitioner(2), regularizer=tf.nn.l2_loss
    )
    stage.say([p.name for p in parts], [x.name for x in layer.losses], len(layer.weights))
    stage.say([x.name for x in tf.get_collection("regularization_losses")])


def what_is_tracked(tf, stage):
    base, k = tf.keras.layers.Layer, tf.keras.layers

    def told(layer):
        stage.say([w.name for w in layer.trainable_weights])
        stage.say([w.name for w in layer.non_trainable_weights], len(layer.losses))

    layer = base()
    layer.one = tf.Variable(1.0, name="one")
    layer.fixed = tf.Variable(2.0, name="fixed", trainable=False)
    layer.same = layer.one
    layer.rows = [tf.Variable(3.0, name="row"), {"deep": tf.Variable(4.0, name="deep")}]
    layer.pair = (tf.Variable(5.0, name="pair"), 3)
    layer.dense = k.Dense(1, kernel_regularizer="l2", name="d")
    layer.several = [k.Dense(1, name="e"), [k.Dense(1, name="f")]]
    layer.by_name = {"b": k.Dense(1, name="h"), "a": k.Dense(1, name="g"), "n": 3}
    for part in (layer.dense, *layer.several[:1], layer.several[1][0], layer.by_name["a"]):
        part.build((None, 1))
    told(layer)
    layer.rows.append(tf.Variable(6.0, name="late"))
    layer.several.append(k.BatchNormalization(name="n"))
    layer.several[-1].build((None, 1))
    layer.by_name["c"] = k.Dense(1, name="i")
    layer.by_name["c"].build((None, 1))
    told(layer)
    layer.one = None
    told(layer)
    del layer.same
    del layer.dense
    told(layer)
    layer.fixed = tf.Variable(7.0, name="instead")
    layer.several = []
    told(layer)
    layer.trainable = False
    told(layer)
    stage.say(layer.rows[0].trainable, layer.by_name["a"].trainable)
    layer.by_name["a"].trainable = True
    told(layer)
    layer.trainable = True
    stage.say(len(layer.weights), len(layer.variables), len(layer.trainable_variables))
    for name in ("weights", "losses", "updates", "metrics", "input", "dtype", "name", "dynamic"):
        with stage.failing():
            setattr(layer, name, 3)
    stage.attempts(lambda: setattr(layer, "input_spec", 3))
    module = base()
    module.inner = tf.Module()
    module.inner.v = tf.Variable(1.0, name="of_module")
    told(module)
    stage.say([m.name for m in module.submodules], [v.name for v in module.variables])


def what_models_track(tf, stage):
    k = tf.keras.layers
    variable = functools.partial(tf.Variable, use_resource=True)

    def told():
        stage.say([w.name for w in model.weights], len(model.layers))
        stage.say([w.name for w in model.trainable_weights])
        stage.say([w.name for w in model.non_trainable_weights])

    model = _class(tf.keras.Model)()
    model.one = variable(1.0, name="one")
    model.rows = [variable(3.0, name="row"), {"deep": variable(4.0, name="deep")}]
    model.pair = (variable(5.0, name="pair"), variable(2.0, name="fixed", trainable=False))
    model.dense = k.Dense(1, name="d")
    model.several = [model.dense, [k.BatchNormalization(name="n")], model.rows[0]]
    model.by_name = {"b": variable(6.0, name="own"), "a": k.Dense(1, name="g")}
    for layer in model.layers:
        layer.build((None, 1))
    told()
    weights = [w for w in model.trainable_weights if w.shape.ndims == 0]
    loss = tf.add_n([tf.identity(w) for w in dict.fromkeys(weights)])
    updates = tf.keras.optimizers.SGD(0.25).get_updates(loss, weights)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(updates)
        stage.say([v.name for v in weights], session.run(weights))
    model.rows = [variable(7.0, name="instead")]
    model.trainable = False
    told()


def input_specs(tf, stage):
    spec = tf.keras.layers.InputSpec
    cases = (
        {},
        {"dtype": tf.float32},
        {"dtype": "int64", "shape": (None, 3)},
        {"shape": (2, 3), "ndim": 5},
        {"ndim": 2},
        {"max_ndim": 3},
        {"min_ndim": 3},
        {"ndim": 2, "axes": {1: 3}},
        {"ndim": 2, "axes": {-1: 3}},
        {"axes": {"1": 3}},
        {"axes": {"a": 3}},
        {"axes": [1]},
        {"ndim": 2, "axes": {2: 3}},
        {"max_ndim": 2, "axes": {1: None, 0: 4}},
        {"max_ndim": 1, "axes": {1: 3}},
        {"ndim": 0, "axes": {}},
        {"min_ndim": 2, "axes": {-1: tf.Dimension(3)}},
    )
    tensors = (
        tf.ones([2, 3]),
        tf.ones([3]),
        tf.ones([2, 3, 4]),
        tf.ones([2, 3], tf.int64),
        tf.placeholder(tf.float32, [None, None]),
        tf.placeholder(tf.float32),
        tf.constant(1.0),
        np.ones([2, 3]),
    )
    for options in cases:
        with stage.failing():
            made = spec(**options)
            stage.say(repr(made), made.get_config(), repr(spec.from_config(made.get_config())))
            layer = tf.keras.layers.Layer(name="l")
            layer.input_spec = made
            stage.attempts(*[lambda x=x: layer(x).name for x in tensors])  # noqa: B023
    layer = tf.keras.layers.Layer(name="two")
    layer.input_spec = [spec(ndim=2), None]
    stage.attempts(lambda: layer(tensors[0]), lambda: layer([tensors[1], tensors[0]]))


def shapes_and_signatures(tf, stage):
    base, spec = tf.keras.layers.Layer, tf.TensorSpec

    class Halving(base):
        def compute_output_shape(self, shape):
            return tf.TensorShape([shape[0], shape[1] // 2])

    shaped = Halving(dtype="float64")
    stage.attempts(
        lambda: shaped.compute_output_signature(spec([2, 4], tf.float32)),
        lambda: Halving().compute_output_signature(spec([2, 4], tf.int32)),
        lambda: Halving().compute_output_signature(tf.constant([[1.0, 2.0]])),
        lambda: base().compute_output_signature(spec([2], tf.float32)),
    )
    with eager_mode(tf):
        stage.attempts(
            lambda: base().compute_output_shape([(2, 3), (None, 1)]),
            lambda: base().compute_output_shape([2, 3]),
            lambda: base(dynamic=True).compute_output_shape((2, 3)),
            lambda: _class(base, call=lambda self, x, training=None: [x, x[0]])(
                dtype="int32"
            ).compute_output_shape(tf.TensorShape([None, 2])),
            lambda: _class(base, call=lambda self, x, y: x)().compute_output_shape((2,)),
        )
    lazy = Halving(dynamic=True, name="lazy")
    y = lazy(tf.ones([2, 4]))
    stage.say(y.op.type, str(y.shape), y.dtype.name, lazy.get_config())
