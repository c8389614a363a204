import numpy as np

import tfmini as tf

tf.set_random_seed(1)
value = [0, 1, 2, 3, 4, 5, 6, 7]
init_orthogonal = tf.orthogonal_initializer(gain=1.0, seed=3, dtype=tf.float32)
made = [
    ("constant", [8], tf.constant_initializer(value)),
    ("scalar", [8], tf.constant_initializer(3.5)),
    ("array", [2, 4], tf.constant_initializer(np.arange(8))),
    ("zeros", [8], tf.zeros_initializer()),
    ("ones", [8], tf.ones_initializer),
    ("normal", [10], tf.random_normal_initializer(mean=0.0, stddev=1.0, seed=None)),
    ("truncated", [10], tf.truncated_normal_initializer(mean=0.0, stddev=1.0, seed=None)),
    ("uniform", [10], tf.random_uniform_initializer(minval=0, maxval=10, seed=None)),
    ("seeded", [10], tf.random_uniform_initializer(minval=0, maxval=10, seed=8)),
    ("unit", [10], tf.uniform_unit_scaling_initializer(factor=1.0, seed=None)),
    ("scaled", [10], tf.variance_scaling_initializer(1.0, "fan_in", "normal", seed=None)),
    ("flat", [10], tf.variance_scaling_initializer(1.0, "fan_out", "uniform", seed=None)),
    ("average", [3, 4], tf.variance_scaling_initializer(1.0, "fan_avg", "uniform", seed=2)),
    ("glorot_u", [10], tf.glorot_uniform_initializer()),
    ("glorot_n", [10], tf.glorot_normal_initializer()),
    ("orthogonal", [4, 4], init_orthogonal),
]
with tf.Session() as sess:
    for name, shape, initializer in made:
        x = tf.get_variable(name, shape=shape, initializer=initializer)
        x.initializer.run()
        if name == "orthogonal":
            print(np.round(np.abs(x.eval() @ x.eval().T), 5))
        else:
            print(x.eval())
for arguments in [(-1.0,), (1.0, "fan"), (1.0, "fan_in", "other")]:
    try:
        tf.variance_scaling_initializer(*arguments)
    except ValueError as error:
        print(error)
try:
    tf.get_variable("few", [3], initializer=tf.constant_initializer([1, 2], verify_shape=True))
except TypeError as error:
    print(error)
