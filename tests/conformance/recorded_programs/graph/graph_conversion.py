"""convert_to_tensor of everything, automatic packing, conversion functions, SparseTensor parts."""

import numpy as np


class Own:
    """A type of the program's own with a registered conversion."""

    def __init__(self, value):
        self.value = value


def build(tf):
    def convert(value, dtype=None, name=None, as_ref=False):
        return tf.constant(value.value, dtype=dtype, name=name or "own")

    tf.register_tensor_conversion_function(Own, convert)
    x = tf.constant([1.0, 2.0], name="x")
    v = tf.Variable(3.0, name="v")
    p = tf.placeholder(tf.int32, [], name="p")
    made = [
        tf.convert_to_tensor(1), tf.convert_to_tensor([1.0, 2]), tf.convert_to_tensor(np.arange(3)),
        tf.convert_to_tensor(True), tf.convert_to_tensor("s"), tf.convert_to_tensor(["a", b"b"]),
        tf.convert_to_tensor([[1, 2], [3, 4]], tf.float32, name="named"), tf.convert_to_tensor(x),
        tf.convert_to_tensor(v), tf.convert_to_tensor([v, v]), tf.convert_to_tensor([1.0, v]),
        tf.convert_to_tensor([p, 2]), tf.convert_to_tensor([[p, 1], [2, p]]),
        tf.stack([x, [3.0, 4.0]]), tf.convert_to_tensor(np.float64(2.5)),
        tf.convert_to_tensor(np.float32(2.5)), tf.convert_to_tensor(1, preferred_dtype=tf.float32),
        tf.convert_to_tensor((1, 2, 3)), tf.convert_to_tensor(tf.TensorShape([2, 3])),
        tf.convert_to_tensor(tf.Dimension(4)), tf.convert_to_tensor(2 ** 40),
        tf.convert_to_tensor(1.5, tf.float64), tf.convert_to_tensor([]),
        tf.convert_to_tensor(Own([1, 2])), x + Own([3.0, 4.0]), tf.convert_to_tensor(1j),
        tf.convert_to_tensor(np.array(["x", "yz"])), tf.convert_to_tensor(np.ones([2, 0])),
        tf.convert_to_tensor_or_indexed_slices(x), tf.convert_to_tensor(np.array([True, False])),
        tf.add([1, 2], 3), tf.multiply(2.0, 3.5), tf.reshape([1, 2, 3, 4], (2, 2)),
        tf.add(x, np.ones(2)), tf.concat([x, [5.0]], 0), tf.maximum(p, 3),
        tf.constant(np.float64(1)) + 2, [1.0, 2.0] * x,
    ]  # fmt: skip
    sparse = tf.SparseTensor(indices=[[0, 0], [1, 2]], values=[1.0, 2.0], dense_shape=[3, 4])
    facts = {
        "dtypes": [str(t.dtype) for t in made],
        "sparse": [str(sparse.shape), str(sparse.dtype), sparse.values.name, sparse.op.name],
        "tensor": [x.op.name, x.value_index, x.device, len(x.consumers()), x.graph is v.graph],
        "is tensor": [tf.contrib.framework.is_tensor(t) for t in (x, v, sparse, 5)],
        "numpy": [t.dtype.as_numpy_dtype.__name__ for t in made[:4]],
    }
    steps = [("init", v.initializer)]
    steps += [(f"{n} {t.name}", t, {p: 7}) for n, t in enumerate(made)]
    return {"facts": facts, "steps": steps + [("sparse", sparse)]}
