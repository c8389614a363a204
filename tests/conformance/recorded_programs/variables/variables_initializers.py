"""Every initializer under a graph seed, unseeded and seeded, on matrices, vectors and kernels."""

TOLERANCE = 1e-5  # of the orthogonal ones: a QR decomposition adds in another order than Eigen's


def build(tf):
    plain = [
        tf.zeros_initializer(), tf.ones_initializer(), tf.constant_initializer(3),
        tf.random_normal_initializer(), tf.random_normal_initializer(1.0, 2.0, seed=5),
        tf.truncated_normal_initializer(stddev=0.1), tf.truncated_normal_initializer(seed=3),
        tf.random_uniform_initializer(), tf.random_uniform_initializer(-2.0, 2.0, seed=2),
        tf.uniform_unit_scaling_initializer(), tf.uniform_unit_scaling_initializer(1.43, seed=4),
        tf.variance_scaling_initializer(), tf.glorot_uniform_initializer(),
        tf.glorot_normal_initializer(seed=9), tf.initializers.he_normal(),
        tf.initializers.he_uniform(seed=1),
        tf.initializers.lecun_normal(), tf.initializers.lecun_uniform(),
        tf.contrib.layers.xavier_initializer(), tf.contrib.layers.xavier_initializer(False, seed=8),
        tf.contrib.layers.variance_scaling_initializer(),
        tf.contrib.layers.variance_scaling_initializer(1.0, "FAN_AVG", True),
    ]  # fmt: skip
    plain += [
        tf.variance_scaling_initializer(2.0, mode, distribution)
        for mode in ("fan_in", "fan_out", "fan_avg")
        for distribution in ("normal", "uniform", "untruncated_normal", "truncated_normal")
    ]
    shapes = [[4, 3], [5], [2, 2, 2, 3], []]
    made = [
        tf.get_variable(f"v{n}_{k}", shape, initializer=initializer)
        for n, initializer in enumerate(plain)
        for k, shape in enumerate(shapes)
    ]
    made += [
        tf.get_variable("orthogonal", [4, 4], initializer=tf.orthogonal_initializer(seed=1)),
        tf.get_variable("wide", [2, 5], initializer=tf.initializers.orthogonal(2.0, seed=2)),
        tf.get_variable("tall", [2, 3, 2], initializer=tf.orthogonal_initializer()),
        tf.get_variable("identity", [3, 4], initializer=tf.initializers.identity(2.0)),
        tf.get_variable("list", [2, 3], initializer=tf.constant_initializer([1, 2, 3, 4, 5, 6])),
        tf.get_variable("short", [5], initializer=tf.constant_initializer([1.0, 2.0])),
        tf.get_variable("ints", [3], tf.int32, tf.constant_initializer(2)),
        tf.get_variable("dice", [6], tf.int32, tf.random_uniform_initializer(0, 7, seed=1)),
        tf.get_variable("double", [3], tf.float64, tf.random_normal_initializer()),
        tf.get_variable("half", [3], tf.float16, tf.random_uniform_initializer()),
        tf.get_variable("default", [3, 3]),
        tf.get_variable("checked", [2], initializer=tf.constant_initializer([1, 2], "float32", 1)),
    ]  # fmt: skip
    called = tf.glorot_uniform_initializer()([2, 3])
    facts = {
        "configs": [
            str(sorted(i.get_config().items(), key=str)) for i in plain if hasattr(i, "get_config")
        ]
    }
    steps = [("init", tf.global_variables_initializer())]
    steps += [(v.name, v) for v in made] + [("called", called)]
    return {"facts": facts, "steps": steps}
