"""Values, operators, shapes and devices; Python loops and conditionals; ragged and sparse values, strings."""

import numpy as np


def values_and_operators(tf):
    x = tf.constant([[1, 2], [3, 4]])
    y = tf.add(x, 1)
    return {
        "text": [str(x), repr(y), f"{y[0, 1]}", format(tf.constant(2.5), ".2f")],
        "sums": [x + y, x * y, x // 2, x % 2, -x, x**2, x @ y],
        "truth": [bool(tf.constant(1)), int(x[1, 1]), float(tf.constant(0.5)), len(x)],
        "rows": [row.numpy() for row in x],
        "numpy": [np.add(x, 1), np.multiply(np.ones((2, 2)), x), np.array(x).dtype.name],
        "compared": [x > 2, tf.equal(x, y), x == x],
    }


def sequences_have_the_dtype_of_their_first_element(tf):
    firsts = [True, 1, 2**40, 1.5, 1j, "a", np.bool_(True), np.uint8(1), np.int64(5)]
    firsts += [
        np.float16(1),
        np.float32(2),
        np.float64(3),
        np.complex64(1),
        np.array(1),
        np.array(1.5),
    ]
    firsts += [np.array([1.5]), np.array([1]), [1], (), tf.Dimension(2)]
    then = [False, 7, 2**63, 2.5, 1e39, 2j, b"\xff", np.float64(4), np.array([4.5]), [2], None]

    def made(value):
        try:
            tensor = tf.constant(value)
        except ValueError as error:
            return str(error)
        return [tensor.dtype.name, tensor.shape.as_list(), str(tensor.numpy().tolist())]

    return {
        "alone": [made([first]) for first in firsts],
        "pairs": [[made([first, second]) for second in then] for first in firsts],
        "arrays": made([np.array([[1.0], [2.0]]), [[3], [4.0]]]),
        "given": tf.constant([np.array([1, 2]), [3, 4.0]], tf.float32),
        "shape": [tf.constant(tf.TensorShape([2, 3])), tf.constant(tf.Dimension(4))],
        "bytes": [made(bytearray(b"ab")), made(range(3)), made([b"\xff", "\u00e9"])],
        "scalars": [made(3.4e38), made(3.5e38), made(2**63), made(float("inf"))],
    }


def slices_and_masks(tf):
    x = tf.reshape(tf.range(24.0), [2, 3, 4])
    return {
        "slices": [x[0], x[..., 1], x[:, ::-1, 1:3], x[1, tf.newaxis, -1], x[:, 1, None, ::2]],
        "masked": tf.boolean_mask(x, x[:, :, 0] > 5),
        "where": tf.where(x[0] > 4),
        "gathered": tf.gather_nd(x, [[0, 1], [1, 2]]),
        "scattered": tf.scatter_nd([[1], [3]], [9, 10], [5]),
        "chosen": x[int(tf.argmax([1, 0]))],
    }


def python_control_flow(tf):
    counter, results = tf.constant(0), []
    for number in range(1, tf.convert_to_tensor(15).numpy() + 1):
        number = tf.constant(number)
        if int(number % 3) == 0 and int(number % 5) == 0:
            results.append("FizzBuzz")
        elif int(number % 3) == 0:
            results.append("Fizz")
        elif int(number % 5) == 0:
            results.append("Buzz")
        else:
            results.append(str(number.numpy()))
        counter += 1
    return {"found": results, "counter": counter, "logistic": [float(v) for v in _logistic(tf)]}


def _logistic(tf):
    value = tf.constant(0.25)
    for _ in range(5):
        value = 3.5 * value * (1 - value)
        yield value


def loops_and_conditions_of_tensors(tf):
    trace = []

    def body(i, total):
        trace.append(int(i))
        return i + 1, total + i

    i, total = tf.while_loop(lambda i, total: i < 5, body, [tf.constant(0), tf.constant(0)])
    with tf.GradientTape() as tape:
        x = tf.constant(3.0)
        tape.watch(x)
        y = tf.cond(x > 2.0, lambda: x * x, lambda: x)
    return {
        "trace": trace,
        "loop": [i, total],
        "gradient": tape.gradient(y, x),
        "case": tf.case([(tf.constant(False), lambda: 1), (tf.constant(True), lambda: 2)]),
        "mapped": tf.map_fn(lambda v: v * 2, tf.range(3)),
        "scanned": tf.scan(lambda a, v: a + v, tf.range(1, 5)),
        "folded": tf.foldr(lambda a, v: a - v, tf.range(1, 5)),
    }


def ragged_and_sparse_values(tf):
    ragged = tf.ragged.constant([[3, 1, 4], [], [5, 9]])
    sparse = tf.SparseTensor([[0, 1], [2, 0]], [7.0, 8.0], [3, 2])
    return {
        "text": str(ragged),
        "list": ragged.to_list(),
        "rows": [row.numpy() for row in ragged],
        "ops": [tf.reduce_sum(ragged, axis=1), (ragged + 1).to_list(), ragged[2, 1]],
        "concat": tf.concat([ragged, [[0], [1], [2]]], axis=1).to_list(),
        "mapped": tf.ragged.map_flat_values(tf.square, ragged).to_list(),
        "dense": [tf.sparse.to_dense(sparse), ragged.to_tensor(-1)],
        "matmul": tf.sparse.sparse_dense_matmul(sparse, [[1.0], [2.0]]),
        "sums": tf.sparse.reduce_sum(sparse, axis=0),
        "add": tf.sparse.add(sparse, sparse).values,
        "lengths": tf.strings.split(["a b c", "d"], result_type="RaggedTensor").to_list(),
    }


def words_and_bytes(tf):
    words = tf.constant(["to", "be", "or"])
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(["to", "be"], tf.constant([1, 2], tf.int64)), -1
    )
    return {
        "text": str(words),
        "joined": tf.strings.join([words, "!"]),
        "reduced": tf.strings.reduce_join(words, separator=" "),
        "looked": table.lookup(words),
        "length": tf.strings.length(words),
        "number": tf.strings.to_number(["1.5", "2"]),
        "string": tf.as_string([1.25, 2.0], precision=1),
        "bytes": tf.strings.substr(words, 0, 1).numpy().tolist(),
    }


def random_numbers(tf):
    tf.set_random_seed(11)
    return {
        "uniform": tf.random.uniform([3]),
        "normal": tf.random.normal([2], seed=1),
        "truncated": tf.truncated_normal([3]),
        "whole": tf.random.uniform([4], maxval=10, dtype=tf.int32, seed=5),
        "shuffled": tf.random.shuffle(tf.range(6), seed=2),
        "drawn": tf.random.categorical([[0.1, 2.0, 1.0]], 5),
        "stateless": tf.random.stateless_uniform([2], seed=[1, 2]),
        "dropped": tf.nn.dropout(tf.ones([6]), rate=0.5, seed=3),
        "gamma": tf.random.gamma([2], 1.5),
    }


def distributions(tf):
    tf.set_random_seed(13)
    normal = tf.distributions.Normal([0.0, 1.0], 2.0)
    with tf.GradientTape() as tape:
        scale = tf.Variable(2.0)
        value = tf.reduce_sum(tf.distributions.Normal(0.0, scale).log_prob([1.0, 3.0]))
    return {
        "sample": normal.sample(2),
        "log_prob": normal.log_prob(0.5),
        "slope": tape.gradient(value, scale),
        "kl": tf.distributions.kl_divergence(normal, tf.distributions.Normal(0.0, 1.0)),
        "drawn": tf.distributions.Categorical(logits=[0.1, 2.0]).sample(5, seed=1),
    }


def devices_and_copies(tf):
    with tf.device("cpu:0"):
        x = tf.random_uniform([2, 2], seed=1) * 0.0 + 3.0
    return {
        "device": [x.device, x.cpu().device],
        "number": tf.contrib.eager.num_gpus(),
        "listed": tf.contrib.eager.list_devices()[0],
        "x": x,
    }


def shapes_and_types(tf):
    x = tf.zeros([2, 3])
    return {
        "shape": [
            str(x.shape),
            x.shape.as_list(),
            x.get_shape().ndims,
            tf.shape(x),
            tf.rank(x),
            tf.size(x),
        ],
        "dtype": [x.dtype.name, tf.cast(x, tf.int8).dtype.name, tf.constant(1).dtype.name],
        "converted": [tf.convert_to_tensor([1, 2.5]), tf.convert_to_tensor(np.arange(3))],
        "is": [
            tf.is_tensor(x),
            tf.contrib.framework.is_tensor(np.ones(2)),
            tf.contrib.eager.in_eager_mode(),
        ],
        "static": [tf.contrib.util.constant_value(x), tf.get_static_value(tf.constant([5]))],
    }
