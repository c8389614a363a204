"""while_loop over nested structures, SparseTensors and IndexedSlices; shapes that change."""

import collections

Pair = collections.namedtuple("Pair", "j, k")


def build(tf):
    pairs = tf.while_loop(
        lambda i, p: i < 4,
        lambda i, p: (i + 1, Pair(p.j + p.k, p.j - p.k)),
        (tf.constant(0), Pair(tf.constant(1), tf.constant(2))),
    )
    named = tf.while_loop(
        lambda d: d["b"] < 5.0,
        lambda d: [{"a": d["a"] + 1, "b": d["b"] * 2.0}],
        [{"b": tf.constant(1.0), "a": tf.constant(0)}],
    )
    same = tf.while_loop(
        lambda i, rest: i < 2,
        lambda i, rest: [i + 1, [rest[0] * 2.0, (rest[1][0] + 1,)]],
        [tf.constant(0), [tf.constant(1.5), (tf.constant(3),)]],
        return_same_structure=True,
        name="lists",
    )
    limited = tf.while_loop(
        lambda i, p: True,
        lambda i, p: (i + 1, Pair(p.k, p.j)),
        (tf.constant(0), Pair(tf.constant(1), tf.constant(2))),
        maximum_iterations=3,
        name="limited",
    )
    grows = tf.while_loop(
        lambda i, m: i < 3,
        lambda i, m: [i + 1, tf.concat([m, m], axis=0)],
        [tf.constant(0), tf.ones([2, 2])],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])],
        name="grows",
    )
    unknown = tf.while_loop(
        lambda m: tf.size(m) < 20,
        lambda m: tf.concat([m, m], axis=0),
        [tf.ones([2])],
        shape_invariants=[tf.TensorShape(None)],
        name="unknown",
    )
    sparse = tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 3])
    scaled = tf.while_loop(
        lambda i, s: i < 3,
        lambda i, s: (i + 1, tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape)),
        (0, sparse),
        name="scaled",
    )
    wider = tf.while_loop(
        lambda i, s: i < 2,
        lambda i, s: (i + 1, tf.sparse_concat(0, [s, s])),
        (0, sparse),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([2])),
        name="wider",
    )
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([4, 2]))
    moved = tf.while_loop(
        lambda i, s: i < 2,
        lambda i, s: (i + 1, tf.IndexedSlices(s.values + 1.0, s.indices + 1, s.dense_shape)),
        (0, slices),
        name="moved",
    )
    facts = {
        "shapes": [str(t.shape) for t in (grows[1], unknown, scaled[1], wider[1], moved[1].values)],
        "types": [type(t).__name__ for t in (pairs, pairs[1], named, same, limited)],
    }
    fetches = [pairs, named, same, limited, grows, unknown, scaled, wider, moved]
    return {"facts": facts, "steps": [("all", fetches)]}
