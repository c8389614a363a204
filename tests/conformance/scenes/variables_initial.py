"""Initializers: nodes, numbers and configuration of each; partitioned variables; partitioners."""

import functools

import numpy as np


def _all_at_once(tf, stage, cases):
    """Records several cases in one graph, with values from one step."""
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        _given(tf, stage, cases)


def _given(tf, stage, cases):
    made = {}
    for name, function in cases.items():
        with stage.failing(), tf.name_scope(name.replace(" ", "_")):
            made[name] = function()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = session.run(made)
    for name, value in values.items():
        leaves = tf.nest.flatten(made[name])
        stage.say(name, [str(leaf.shape) for leaf in leaves], [leaf.dtype.name for leaf in leaves])
        stage.say(value)
    stage.brief_graph(names=False)


def _made(tf, kinds, shapes, **call):
    """Each initializer by name, with each shape."""
    return {
        f"{name} of {'x'.join(map(str, shape))}": lambda make=make, shape=shape: make()(
            shape, **call
        )
        for name, make in kinds.items()
        for shape in shapes
    }


def _random(tf):
    return {
        "uniform": lambda: tf.random_uniform_initializer(-2, 2, 3),
        "normal": lambda: tf.random_normal_initializer(1.0, 0.5, 3),
        "truncated": lambda: tf.truncated_normal_initializer(1.0, 0.5, 3),
        "unit": lambda: tf.uniform_unit_scaling_initializer(0.5, 3),
        "in": lambda: tf.variance_scaling_initializer(2.0, "fan_in", "uniform", 3),
        "out": lambda: tf.variance_scaling_initializer(2.0, "fan_out", "UNIFORM", 3),
        "average": lambda: tf.variance_scaling_initializer(2.0, "fan_avg", "normal", 3),
        "cut": lambda: tf.variance_scaling_initializer(
            0.5, distribution="truncated_normal", seed=3
        ),
        "whole": lambda: tf.variance_scaling_initializer(distribution="untruncated_normal", seed=3),
        "glorot": lambda: tf.glorot_uniform_initializer(3),
        "glorot normal": lambda: tf.glorot_normal_initializer(3),
        "he": lambda: tf.initializers.he_uniform(3),
        "he normal": lambda: tf.initializers.he_normal(3),
        "lecun": lambda: tf.initializers.lecun_uniform(3),
        "lecun normal": lambda: tf.initializers.lecun_normal(3),
    }


def _random_numbers(first, last):
    def scene(tf, stage):
        kinds = dict(list(_random(tf).items())[first:last])
        _all_at_once(tf, stage, _made(tf, kinds, ([], [2], [2, 3], [2, 1, 2, 1], [0, 2])))

    return scene


def _parts(first, last):
    """The values that initializers return for a variable's partitions."""

    def scene(tf, stage):
        kinds = dict(list(_random(tf).items())[first:last])
        kinds["identity"] = lambda: tf.initializers.identity(2.0)
        kinds["list"] = lambda: tf.constant_initializer([1, 2, 3])
        cases = {}
        for name, make in kinds.items():
            for axis, shape in ((0, [4, 3]), (1, [2, 6])):
                cases[f"{name} {axis}"] = functools.partial(_in_parts, tf, name, make, axis, shape)
        _all_at_once(tf, stage, cases)

    return scene


def _in_parts(tf, name, make, axis, shape):
    name = f"{name}_{axis}".replace(" ", "_")
    cut = tf.fixed_size_partitioner(2, axis)
    return list(tf.get_variable(name, shape, initializer=make(), partitioner=cut))


for _first in range(0, 15, 3):
    globals()[f"random_numbers_{_first}"] = _random_numbers(_first, _first + 3)
    globals()[f"parts_{_first}"] = _parts(_first, _first + 3)


def given_numbers(tf, stage):
    kinds = {
        "zeros": lambda: tf.zeros_initializer(),
    }
    cases = _made(tf, kinds, ([], [2], [2, 2], [2, 3], [0]))
    for dtype in (tf.int32, tf.bool, tf.string, tf.float64, tf.complex64):
        more = _made(tf, kinds, ([2],), dtype=dtype)
        cases.update({f"{name} {dtype.name}": function for name, function in more.items()})
    _all_at_once(tf, stage, cases)
    _all_at_once(
        tf,
        stage,
        {
            "now": lambda: tf.constant_initializer([1, 2])([2], verify_shape=True),
            "of a type": lambda: tf.constant_initializer(1, dtype=tf.int64)([2]),
            "ones of a type": lambda: tf.ones_initializer(dtype=tf.int64)([2]),
            "uniform of a type": lambda: tf.random_uniform_initializer(
                0, 9, seed=1, dtype=tf.int32
            )([4]),
            "identity of a type": lambda: tf.initializers.identity(dtype=tf.float64)([2, 2]),
            "identity of a shape": lambda: tf.initializers.identity()(tf.TensorShape([2, 3])),
        },
    )


def orthogonal_kernels(tf, stage):
    """Signs depend on the library: only nodes, shapes and orthogonality are recorded."""
    framework = tf.contrib.framework
    kinds = {
        "orthogonal": lambda: tf.orthogonal_initializer(2.0, 3),
        "delta": lambda: framework.convolutional_delta_orthogonal(2.0, 3),
        "one": lambda: framework.convolutional_orthogonal_1d(2.0, 3),
        "two": lambda: framework.convolutional_orthogonal_2d(2.0, 3),
        "three": lambda: framework.convolutional_orthogonal_3d(2.0, 3),
    }
    shapes = ([2], [2, 3], [3, 2], [3, 1, 2], [2, 3, 2, 2], [2, 2, 2, 2], [2, 2, 1, 1])
    shapes += ([2, 2, 2, 1, 1], [1, 1, 1, 1, 1, 1], [1, 1, 2, 2])
    for name, make in kinds.items():
        config = make().get_config()
        stage.say(name, sorted(config.items()), type(make()).from_config(config).gain)
        for shape in shapes:
            for dtype in (None,) if shape[0] == 3 else (tf.float64,):
                with tf.Graph().as_default(), tf.Session() as session, stage.failing():
                    tf.set_random_seed(1)
                    kernel = make()(shape, dtype)
                    stage.say(shape, kernel.dtype, kernel.shape)
                    nodes = tf.get_default_graph().get_operations()
                    stage.say(
                        len(nodes),
                        [op.get_attr("seed2") for op in nodes if "seed2" in op.node_def.attr],
                    )
                    value = session.run(kernel).reshape(-1, shape[-1])
                    gram = value.T @ value if value.shape[0] >= shape[-1] else value @ value.T
                    stage.say(np.trace(gram), np.abs(gram - np.diag(np.diag(gram))).max() < 1e-4)


def configurations(tf, stage):
    framework = tf.contrib.framework
    kinds = [
        (tf.zeros_initializer, {"dtype": tf.int32}),
        (tf.ones_initializer, {"dtype": "float64"}),
        (tf.constant_initializer, {"value": [1, 2], "dtype": tf.int64, "verify_shape": True}),
        (tf.random_uniform_initializer, {"minval": 1, "maxval": 2, "seed": 3, "dtype": tf.int32}),
        (tf.random_normal_initializer, {"mean": 1, "stddev": 2, "seed": 3, "dtype": tf.float64}),
        (tf.truncated_normal_initializer, {"mean": 1, "stddev": 2, "seed": 3, "dtype": tf.float16}),
        (tf.uniform_unit_scaling_initializer, {"factor": 2.0, "seed": 3, "dtype": tf.float64}),
        (
            tf.variance_scaling_initializer,
            {"scale": 3, "mode": "fan_out", "distribution": "normal", "seed": 1, "dtype": tf.half},
        ),
        (tf.orthogonal_initializer, {"gain": 2.0, "seed": 3, "dtype": tf.float64}),
        (tf.initializers.identity, {"gain": 2.0, "dtype": tf.float64}),
        (tf.glorot_uniform_initializer, {"seed": 3, "dtype": tf.float64}),
        (tf.glorot_normal_initializer, {"seed": 3, "dtype": tf.float64}),
        (tf.initializers.he_uniform, {"seed": 3}),
        (tf.initializers.lecun_normal, {"seed": 3}),
        (framework.convolutional_delta_orthogonal, {"gain": 2.0, "seed": 3, "dtype": tf.float64}),
        (framework.convolutional_orthogonal_2d, {"gain": 2.0, "seed": 3, "dtype": tf.float64}),
    ]
    for kind, options in kinds:
        made = kind(**options)
        config = made.get_config()
        stage.say(type(made).__name__, sorted(config.items()))
        again = type(made).from_config(config)
        stage.say(sorted(again.get_config().items()) == sorted(config.items()))
        stage.say(sorted((k, v) for k, v in vars(again).items() if not k.startswith("__")))
        stage.attempt(lambda: sorted(kind().get_config().items()))  # noqa: B023  called here
        stage.attempt(kind, dtype=tf.string)
        stage.attempt(kind, dtype="none")


def partitioners(tf, stage):
    shapes = [tf.TensorShape(s) for s in ([], [1], [7], [100, 3], [3, 100])]
    kinds = {
        "fixed": tf.fixed_size_partitioner(3),
        "fixed across": tf.fixed_size_partitioner(3, axis=1),
        "fixed backwards": tf.fixed_size_partitioner(3, axis=-1),
        "bytes": tf.variable_axis_size_partitioner(64),
        "bytes across": tf.variable_axis_size_partitioner(64, axis=1),
        "bytes of strings": tf.variable_axis_size_partitioner(64, 0, 32),
        "bytes, some": tf.variable_axis_size_partitioner(8, max_shards=4),
        "one byte": tf.variable_axis_size_partitioner(1),
        "least": tf.min_max_variable_partitioner(),
        "least of few": tf.min_max_variable_partitioner(5, min_slice_size=64),
        "least across": tf.min_max_variable_partitioner(5, 1, 64),
        "least of strings": tf.min_max_variable_partitioner(50, 0, 64, 32),
    }
    for name, partitioner in kinds.items():
        found = []
        for shape in shapes:
            for dtype in (tf.float64, tf.string):
                try:
                    found.append(partitioner(shape=shape, dtype=dtype))
                except Exception as error:
                    found.append(f"{type(error).__name__} {error}")
        stage.say(name, found)
    stage.attempts(lambda: tf.variable_axis_size_partitioner(1, max_shards=-1))
    for slicing in ([2, 1], [1, 3], [1, 1], [2, 2], [2], [0, 1], [7, 1]):
        with stage.failing():
            made = tf.create_partitioned_variables([6, 3], slicing, tf.ones_initializer())
            stage.say(slicing, [(v.op.name, v.shape) for v in made])
    with tf.variable_scope("again"):
        made = tf.create_partitioned_variables(
            [4],
            [2],
            lambda shape, dtype, partition_info: tf.zeros(shape, dtype),
            tf.int32,
            trainable=False,
            collections=["mine"],
            name="named",
        )
        stage.say([(v.op.name, v.dtype) for v in made], len(tf.get_collection("mine")))
        stage.say(len(tf.trainable_variables()))
    with tf.variable_scope("again", reuse=True):
        stage.attempt(
            lambda: [
                v.op.name
                for v in tf.create_partitioned_variables(
                    [4], [2], tf.zeros_initializer(), tf.int32, name="named", reuse=True
                )
            ]
        )
