"""Gradients of loops with changing or unknown shapes, shape queries, and composite variables."""


def build(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    u = tf.placeholder(tf.float32, None, name="u")
    fetches = []

    def growing(i, a):
        return i + 1, tf.concat([a, a[:1] * x[:1]], 0)

    shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
    grown = tf.while_loop(lambda i, a: i < 3, growing, [0, x], shapes, name="growing")[1]
    fetches.append(tf.gradients(grown, [x]))

    def measuring(i, a):
        scale = tf.cast(tf.size(a) + tf.rank(a) + tf.shape(a)[0], tf.float32)
        flat = tf.reshape(a, [-1])
        return i + 1, tf.reshape(flat * scale, tf.shape(a)) + tf.reduce_mean(a, 0, keepdims=True)

    measured = tf.while_loop(lambda i, a: i < 3, measuring, [0, x], name="measuring")[1]
    fetches.append(tf.gradients(measured, [x]))
    anything = tf.while_loop(
        lambda i, a: i < 3, lambda i, a: (i + 1, a * u + tf.reduce_sum(a)), [0, u], name="anything"
    )[1]
    fetches.append(tf.gradients(anything, [u]))

    def slicing(i, a, total):
        row = tf.strided_slice(a, [i], [i + 1]) * 2.0
        padded = tf.pad(row, [[i, 1], [0, 0]])
        return (i + 1, a, total + tf.reduce_sum(padded * padded[:, ::-1]) + tf.reduce_max(a[0]))

    sliced = tf.while_loop(lambda i, *_: i < 2, slicing, [0, x, 0.0], name="slicing")[2]
    fetches.append(tf.gradients(sliced, [x]))
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))

    def composite(i, s, a):
        return i + 1, tf.IndexedSlices(s.values * a, s.indices, s.dense_shape), a * 2.0

    parts = tf.while_loop(
        lambda i, *_: i < 2, composite, [0, slices, tf.ones([1, 2]) * x[0]], name="composite"
    )[1]
    fetches.append(tf.gradients(parts.values, [x]))
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2])

    def products(i, s, a):
        dense = tf.sparse.sparse_dense_matmul(s, a)
        return i + 1, tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape), dense + a

    product = tf.while_loop(lambda i, *_: i < 2, products, [0, sparse, x], name="products")[2]
    fetches.append(tf.gradients(product, [x]))

    def split(i, a, b):
        left, right = tf.split(a, 2, 1)
        top = tf.nn.top_k(b, 1).values
        return i + 1, tf.concat([right, left * top], 1), tf.einsum("ij,ij->ij", a, b)

    pieces = tf.while_loop(lambda i, *_: i < 2, split, [0, x, x], name="split")[1:]
    fetches.append(tf.gradients(pieces, [x]))
    feed = {x: [[1.0, 2.0], [0.5, -1.0]], u: [[0.5], [1.5]]}
    return {"steps": [(str(i), fetch, feed) for i, fetch in enumerate(fetches)]}
