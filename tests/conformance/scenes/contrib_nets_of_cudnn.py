"""tf.contrib.cudnn_rnn: graphs of layers, functions, models and converters, which run only on GPUs; errors; cells."""

import importlib
import os
import types

import numpy as np

_KINDS = ("CudnnLSTM", "CudnnGRU", "CudnnRNNTanh", "CudnnRNNRelu")


def _facts(layer):
    return [
        getattr(layer, name)
        for name in (
            *("num_layers", "num_units", "input_mode", "input_size", "rnn_mode", "direction"),
            *("num_dirs", "canonical_weight_shapes", "canonical_bias_shapes", "built", "name"),
        )
    ]


def _layers(kind):
    """A scene: attributes, nodes and checkpoints of layers of a kind."""

    def scene(tf, stage):
        of = tf.contrib.cudnn_rnn
        for options in (
            {"num_layers": 1, "num_units": 2},
            {
                "num_layers": 2,
                "num_units": 3,
                "input_mode": "skip_input",
                "direction": "bidirectional",
                "dropout": 0.25,
                "seed": 5,
                "dtype": tf.float64,
                "kernel_initializer": tf.ones_initializer(),
                "bias_initializer": tf.constant_initializer(0.5),
                "name": "own",
            },
        ):
            with tf.Graph().as_default():
                layer = getattr(of, kind)(**options)
                stage.say(kind, layer.saveable, layer.built, layer.dtype)
                stage.attempts(
                    lambda: layer.input_size,  # noqa: B023
                    lambda: layer.canonical_weight_shapes,  # noqa: B023
                    lambda: layer.canonical_bias_shapes,  # noqa: B023
                    lambda: layer.state_shape(4),  # noqa: B023
                    lambda: layer.get_config(),  # noqa: B023
                    lambda: layer.get_initial_state(),  # noqa: B023
                )
                dtype = options.get("dtype", tf.float32)
                x = tf.placeholder(dtype, [4, None, 3])
                outputs, states = layer(x)
                again, _ = layer(x, initial_state=states, training=False)
                third, last = layer(
                    tf.placeholder(dtype, [None, 4, 3]),
                    None,
                    tf.placeholder(tf.int32, [None]),
                    time_major=False,
                    training=True,
                )
                stage.say(outputs.shape, [s.shape for s in states], again.shape, third.shape)
                stage.say(len(last), _facts(layer))
                stage.say(
                    [(v.name, str(v.shape)) for v in layer.variables], layer.trainable_weights
                )
                stage.say(layer.saveable.name, [spec.name for spec in layer.saveable.specs])
                stage.say([spec.slice_spec for spec in layer.saveable.specs])
                stage.say([item.name for item in tf.get_collection("saveable_objects")])
                stage.say(len(tf.gradients(outputs, [x, layer.kernel])))
                stage.attempt(layer.build, [4, 2, 7])
                stage.brief_graph(names=False)

    return scene


for _kind in _KINDS:
    _made = _layers(_kind)
    _made.__module__ = __name__
    globals()["layers_" + _kind.lower()] = _made


def layers_refused(tf, stage):
    of = tf.contrib.cudnn_rnn
    with tf.Graph().as_default():
        stage.attempts(
            lambda: of.CudnnGRU(1, 2, direction="both"),
            lambda: of.CudnnGRU(1, 2, "other"),
            lambda: of.CudnnLSTM(1, 2, dtype=tf.int32),
            lambda: of.CudnnLSTM(1, 2).build([2, 3, None]),
            lambda: of.CudnnLSTM(1, 2)(tf.ones([2, 3])),
            lambda: of.CudnnLSTM(1, 2)(tf.ones([2, 3, 4]), tf.ones([1, 3, 2])),
            lambda: of.CudnnLSTM(1, 2)(tf.ones([2, 3, 4]), [tf.ones([1, 3, 2])] * 2),
            lambda: of.CudnnLSTM(1, 2)(tf.ones([2, 3, 4]), (tf.ones([1, 3, 2]),)),
            lambda: of.CudnnGRU(1, 2)(tf.ones([2, 3, 4], tf.float64)),
        )
        layer = of.CudnnGRU(1, 2)
        layer(tf.ones([2, 3, 4]))
        stage.attempt(layer, tf.ones([2, 3, 5]))


def shared_layers(tf, stage):
    with tf.Graph().as_default():
        _share(tf, stage, tf.contrib.cudnn_rnn)
        stage.brief_graph(names=False)


def _share(tf, stage, of):
    with tf.variable_scope("net") as scope:
        first = of.CudnnLSTM(1, 2)
        first(tf.ones([2, 3, 4]))
    with tf.variable_scope("other", reuse=tf.AUTO_REUSE):
        second = of.CudnnLSTM(1, 2, name="same")
        second(tf.ones([2, 3, 4]))
        third = of.CudnnLSTM(1, 2, name="same")
        third(tf.ones([2, 3, 4]))
    with tf.variable_scope(scope, reuse=True):
        fourth = of.CudnnLSTM(1, 2, name="cudnn_lstm")
        stage.attempt(lambda: fourth(tf.ones([2, 3, 4])) is None)
    for layer in (first, second, third, fourth):
        stage.say(layer.name, layer.scope_name, [v.name for v in layer.variables], layer.saveable)
    stage.say([v.name for v in tf.trainable_variables()])
    stage.say([item.name for item in tf.get_collection("saveable_objects")])
    with tf.variable_scope("frozen", custom_getter=lambda get, *a, **k: get(*a, **k)):
        frozen = of.CudnnGRU(1, 2)
        frozen.trainable = False
        stage.attempt(lambda: frozen(tf.ones([2, 3, 4])) is None)
        stage.say(frozen.trainable_weights, [v.name for v in frozen.non_trainable_weights])
    saver = tf.train.Saver()
    stage.say(len(saver._var_list), sorted(type(v).__name__ for v in saver._var_list))
    for layer in (
        of.CudnnLSTM(2, 2, name="objects"),
        of.CudnnGRU(1, 2, name="no_objects"),
        of.CudnnLSTM(1, 2, direction="bidirectional", name="both_ways"),
    ):
        layer(tf.ones([2, 3, 4]))
        if layer.name == "objects":
            stage.say([d.name for d in layer._checkpoint_dependencies])
        stage.attempt(lambda: layer._gather_saveables_for_checkpoint())  # noqa: B023


def _ops(tf):
    """Functions and models outside public namespaces."""
    if tf.__name__ == "tensorflow":
        return importlib.import_module("tensorflow.contrib.cudnn_rnn.python.ops.cudnn_rnn_ops")
    modules = [
        importlib.import_module("tfmini._src.contrib.cudnn_rnn." + name)
        for name in ("cudnn_rnn_ops", "models")
    ]
    return types.SimpleNamespace(**{k: v for module in modules for k, v in vars(module).items()})


def functions_of_nets(tf, stage):
    of = _ops(tf)
    plain = {"input_mode": "skip_input", "direction": "bidirectional", "dropout": 0.5, "seed": 9}

    def run(*makes):
        for make in makes:
            with tf.Graph().as_default():
                before = [tf.ones([4, 2, 3]), tf.zeros([1, 2, 3]), tf.ones([99])]
                with stage.failing():
                    made = make(*before)
                    made = tf.nest.flatten(made)
                    stage.say(len(made), made[0].name, [t.shape for t in made[:3]])
                stage.brief_graph(names=False)

    run(
        lambda x, h, p: of.cudnn_lstm(x, h, h, p, True),
        lambda x, h, p: of.cudnn_lstm(x, h, h, p, False, **plain, num_proj=2),
        lambda x, h, p: of.cudnn_lstm(
            x, h, h, p, is_training=False, sequence_lengths=[4, 1], time_major=False, name="own"
        ),
        lambda x, h, p: of.cudnn_gru(x, h, p, True),
        lambda x, h, p: of.cudnn_gru(x, h, p, False, [4, 2], False, "auto_select", name="own"),
        lambda x, h, p: of.cudnn_rnn_relu(x, h, p, True, **plain),
        lambda x, h, p: of.cudnn_rnn_relu(x, h, p, True, time_major=False, name="own"),
        lambda x, h, p: of.cudnn_rnn_tanh(x, h, p, False, **plain),
        lambda x, h, p: of.cudnn_lstm(x, h, h, p, True, direction="none"),
        lambda x, h, p: of.cudnn_lstm(x, h, h, p, True, input_mode="none"),
        lambda x, h, p: of.cudnn_gru(x, h, p, True, direction="none"),
    )
    size, split, joined = (
        of.cudnn_rnn_opaque_params_size,
        of.cudnn_rnn_opaque_params_to_canonical,
        of.cudnn_rnn_canonical_to_opaque_params,
    )
    for mode in ("lstm", "gru", "rnn_tanh", "rnn_relu"):
        run(
            lambda x, h, p: size(mode, 2, 3, 4),  # noqa: B023
            lambda x, h, p: size(mode, 1, 3, 4, dtype=tf.float64, name="own", **plain),  # noqa: B023
            lambda x, h, p: split(mode, 2, 3, 4, p),  # noqa: B023
            lambda x, h, p: split(mode, 1, 3, 4, p, name="own", **plain),  # noqa: B023
        )
    run(
        lambda x, h, p: size("lstm", 1, 3, 4, num_proj=2),
        lambda x, h, p: split("lstm", 2, 3, 4, p, num_proj=2, direction="bidirectional"),
        lambda x, h, p: joined("rnn_relu", 1, 3, 4, [x, x], [h, h]),
        lambda x, h, p: joined("rnn_relu", 1, 3, 4, [x, x], [h, h], name="own", **plain),
        lambda x, h, p: joined("lstm", 1, 3, 4, [x] * 9, [h] * 8, num_proj=2),
        lambda x, h, p: size("none", 1, 3, 4),
        lambda x, h, p: size("lstm", 1, 3, 4, direction="none"),
        lambda x, h, p: split("gru", 1, 3, 4, p, input_mode="none"),
        lambda x, h, p: split("none", 1, 3, 4, p),
        lambda x, h, p: joined("none", 1, 3, 4, [x], [h]),
        lambda x, h, p: joined("gru", 1, 3, 4, [x], [h], direction="none"),
    )


def models(tf, stage):
    of = _ops(tf)
    plain = {"input_mode": "skip_input", "direction": "bidirectional", "dropout": 0.5, "seed": 9}
    for kind in _KINDS:
        for options in ({}, {**plain, "dtype": tf.float64}):
            with tf.Graph().as_default():
                model = getattr(of, kind)(2, 3, 4, **options)
                stage.say(
                    *(model.rnn_mode, model.num_layers, model.num_units, model.input_size),
                    *(model.input_mode, model.direction, model.num_proj),
                )
                given = [tf.ones([4, 2, 4]), *[tf.zeros([2, 2, 3])] * (1 + ("LSTM" in kind))]
                made = [
                    model.params_size(),
                    model.params_to_canonical(tf.ones([9])),
                    model.canonical_to_params([tf.ones([3])], [tf.ones([1])]),
                    model(*given, tf.ones([9])),
                    model(*given, tf.ones([9]), [1, 2], time_major=False, is_training=False),
                ]
                stage.say([t.name for t in tf.nest.flatten(made)][-5:])
                stage.brief_graph(names=False)
    stage.attempts(lambda: of.CudnnGRU(1, 2, 3, direction="none"))


def the_second_version(tf, stage):
    of = _ops(tf)
    before = os.environ.get("TF_CUDNN_RNN_USE_V2")
    try:
        for value in ("1", "0"):
            os.environ["TF_CUDNN_RNN_USE_V2"] = value
            made = of.cudnn_rnn_tanh(tf.ones([4, 2, 3]), tf.zeros([1, 2, 3]), tf.ones([9]), True)
            stage.say(made)
            stage.say(made[0].op.type)
    finally:
        os.environ.pop("TF_CUDNN_RNN_USE_V2")
        if before is not None:
            os.environ["TF_CUDNN_RNN_USE_V2"] = before


def saveables(tf, stage):
    _saveables(tf, stage, ("LSTM", "RNNTanh"))


def _saveables(tf, stage, kinds):
    of = tf.contrib.cudnn_rnn
    for kind in kinds:
        for options in (
            {},
            {"scope": "in/here", "name": "own", "direction": "bidirectional"},
            {"scope": tf.get_variable_scope(), "input_mode": "auto_select"},
        ):
            with tf.Graph().as_default(), tf.variable_scope("around"), stage.failing():
                if not isinstance(options.get("scope", ""), str):
                    options["scope"] = tf.get_variable_scope()
                buffer = tf.get_variable("buffer", [500])
                made = getattr(of, f"Cudnn{kind}Saveable")(buffer, 2, 3, 4, **options)
                stage.say(made.name, made.op, [s.name for s in made.specs])
                stage.say(type(made.format_converter).__name__)
                stage.say([s.dtype for s in made.specs][:1], made.device, made.specs[0].tensor)
                tensors = [
                    tf.ones(t.shape) for t in (s.tensor for s in made.specs) if t.shape.ndims
                ]
                if len(tensors) == len(made.specs):
                    stage.say(made.restore(tensors, None))
                stage.brief_graph(names=False)


def cells(tf, stage):
    of = tf.contrib.cudnn_rnn
    x = np.float32([[1.0, -0.5], [0.3, 2.0]])

    def gru(x=x, kind=np.float32, **options):
        with tf.variable_scope("net", initializer=tf.constant_initializer(0.3, kind)):
            cell = of.CudnnCompatibleGRUCell(3, **options)
            made = cell(tf.constant(x, kind), tf.fill([2, 3], kind(0.5)))
            names = [(v.name, str(v.shape), v.dtype.name) for v in cell.variables]
            return made, names, cell.state_size, cell.output_size, cell.name

    with tf.Graph().as_default():
        fed = tf.placeholder(tf.float32, [2, None])
        stage.attempt(of.CudnnCompatibleGRUCell(3), fed, tf.ones([2, 3]))
        stage.attempt(of.CudnnCompatibleGRUCell(3), tf.ones([2, 4]), tf.ones([2, 2]))
    stage.each({"gru": gru}, graph="sum")
