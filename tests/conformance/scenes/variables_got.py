"""`tf.get_variable` in graphs: reuse, scopes' defaults, initializers, parts, getters, regularizers, collections."""


def got(tf, stage):
    ones = tf.ones_initializer()

    def get(name="v", shape=(2,), **options):
        options.setdefault("initializer", ones)
        return tf.get_variable(name, shape, **options)

    def again(first, second, **options):
        found = get(**first)
        with tf.variable_scope(tf.get_variable_scope(), **options):
            return found, get(**second)

    def reuse(**second):
        return again({}, second, reuse=True)

    def parts(*shape, **options):
        options.setdefault("partitioner", tf.fixed_size_partitioner(2))
        v = tf.get_variable("p", shape, initializer=ones, **options)
        info = [str(part._get_save_slice_info().spec) for part in v]
        stage.say(v.name, str(v.get_shape()), [part.name for part in v], info)
        return v.as_tensor()

    cases = {
        "reused_unknown": lambda: reuse(name="w"),
        "reused_dtype": lambda: reuse(dtype=tf.int32),
        "default_complex": lambda: tf.get_variable("d", [2], tf.complex64),
        "parts_text": lambda: parts(4, partitioner=lambda shape, dtype: ["a"]),
    }
    stage.each(cases)


def partitioned_again(tf, stage):
    two, three = tf.fixed_size_partitioner(2), tf.fixed_size_partitioner(3)

    def after(first, second, reuse):
        with tf.variable_scope("s"):
            tf.get_variable("v", [6], **first)
        with tf.variable_scope("s", reuse=reuse):
            return tf.get_variable("v", **second).name

    cases = {
        "other": lambda: after({"partitioner": two}, {"shape": [6], "partitioner": three}, True),
        "auto_no_partitioner": lambda: after({"partitioner": two}, {"shape": [6]}, tf.AUTO_REUSE),
        "shape": lambda: after({"partitioner": two}, {"shape": [7], "partitioner": two}, True),
        "dtype": lambda: after(
            {"partitioner": two}, {"shape": [6], "dtype": tf.int32, "partitioner": two}, True
        ),
        "not_reused": lambda: after({"partitioner": two}, {"shape": [6], "partitioner": two}, None),
        "whole": lambda: after({}, {"shape": [6], "partitioner": two}, True),
    }
    stage.each(cases)


def values(tf, stage):
    """Initializers by class: options, dtypes, seeds, configs, refusals."""
    kinds = {
        "zeros": (tf.zeros_initializer, {}),
        "ones": (tf.ones_initializer, {}),
        "constant": (tf.constant_initializer, {"value": [1, 2, 3]}),
        "uniform": (tf.random_uniform_initializer, {"minval": -1, "maxval": 3, "seed": 2}),
        "normal": (tf.random_normal_initializer, {"mean": 1.0, "stddev": 2.0, "seed": 2}),
        "truncated": (tf.truncated_normal_initializer, {"stddev": 2.0, "seed": 2}),
        "unit": (tf.uniform_unit_scaling_initializer, {"factor": 2.0, "seed": 2}),
        "variance": (tf.variance_scaling_initializer, {"scale": 2.0, "mode": "fan_avg", "seed": 2}),
        "variance_uniform": (
            tf.variance_scaling_initializer,
            {"distribution": "uniform", "mode": "fan_out", "seed": 2},
        ),
        "untruncated": (
            tf.variance_scaling_initializer,
            {"distribution": "untruncated_normal", "seed": 2},
        ),
        "orthogonal": (tf.orthogonal_initializer, {"gain": 2.0, "seed": 2}),
        "identity": (tf.initializers.identity, {"gain": 2.0}),
        "glorot": (tf.glorot_uniform_initializer, {"seed": 2}),
        "glorot_normal": (tf.glorot_normal_initializer, {"seed": 2}),
        "he": (tf.initializers.he_normal, {"seed": 2}),
        "lecun": (tf.initializers.lecun_uniform, {"seed": 2}),
    }
    with tf.Session() as session:
        for name, (kind, options) in kinds.items():
            with stage.failing():
                made = kind(**options)
                config = made.get_config()
                stage.say(name, {key: config[key] for key in sorted(config)})
                shape = [3] if name == "constant" else [2, 3]
                if name != "orthogonal":  # whose signs are the library's
                    stage.say(session.run(made(shape)))
                    stage.say(session.run(kind.from_config(config)(shape, dtype=tf.float64)))
            for bad in ({"shape": [3], "dtype": tf.int32}, {"shape": [], "dtype": tf.float32}):
                with stage.failing():
                    stage.say(session.run(tf.shape(kind(**options)(**bad))))
    wrong = [
        lambda: tf.variance_scaling_initializer(scale=0.0),
        lambda: tf.variance_scaling_initializer(mode="fan"),
        lambda: tf.variance_scaling_initializer(distribution="other"),
        lambda: tf.constant_initializer(object()),
        lambda: tf.constant_initializer([1, 2, 3], verify_shape=True)([2, 2]),
        lambda: tf.constant_initializer([1, 2, 3])([2, 2]),
        lambda: tf.constant_initializer([1, 2, 3])([2]),
        lambda: tf.truncated_normal_initializer(dtype=tf.int32),
        lambda: tf.random_normal_initializer(dtype=tf.string),
        lambda: tf.orthogonal_initializer()([3]),
        lambda: tf.initializers.identity()([1, 2, 3]),
        lambda: tf.glorot_uniform_initializer()([2, 3], partition_info=None),
    ]
    for case in wrong:
        with stage.failing():
            stage.say(str(getattr(case(), "shape", "-")))
