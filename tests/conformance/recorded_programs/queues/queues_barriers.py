"""Barriers: keys whose components come one by one, sizes, what leaves and when, closing."""

from tests.support.programs.internals import internal


def build(tf):
    data_flow_ops = internal(tf, "python.ops.data_flow_ops")
    barrier = data_flow_ops.Barrier((tf.float32, tf.string), shapes=((2,), ()), name="pairs")
    alone = data_flow_ops.Barrier(tf.int32, shared_name="alone")
    keys = tf.placeholder(tf.string, [None], name="keys")
    numbers = tf.placeholder(tf.float32, [None, 2], name="numbers")
    words = tf.placeholder(tf.string, [None], name="words")
    put = barrier.insert_many(0, keys, numbers)
    complete = barrier.insert_many(1, keys, words, name="complete")
    sizes = [barrier.ready_size(), barrier.incomplete_size()]
    two = barrier.take_many(2)
    rest = barrier.take_many(tf.constant(5), allow_small_batch=True, name="rest")
    put_alone = alone.insert_many(0, ["k", "l"], [3, 4])
    take_alone = alone.take_many(2)
    three = [[float(n), float(n) / 2] for n in range(3)]

    steps = [
        ("put", put, {keys: [b"a", b"b", b"c"], numbers: three}),
        ("sizes", sizes, None),
        ("complete c", complete, {keys: [b"c"], words: [b"third"]}),
        ("later", put, {keys: [b"d"], numbers: [[9.0, 8.0]]}),
        ("complete", complete, {keys: [b"d", b"a"], words: [b"fourth", b"first"]}),
        ("sizes then", sizes, None),
        ("two", [*two[:2], *two.values], None),
        ("close", barrier.close(), None),
        ("complete b", complete, {keys: [b"b"], words: [b"second"]}),
        ("rest", [*rest[:2], *rest.values], None),
        ("sizes at last", sizes, None),
        ("alone", put_alone, None),
        ("took", [take_alone.keys, *take_alone.values], None),
        ("forgotten", alone.close(cancel_pending_enqueues=True), None),
    ]
    other = data_flow_ops.Barrier((tf.float32, tf.string), shapes=((2,), ()))
    facts = {
        "names": [barrier.name, alone.name, other.name],
        "fields": list(two._fields),
        "shapes": [str(t.shape) for t in (two.indices, two.keys, *two.values, *rest.values)],
    }
    return {"steps": steps, "facts": facts}
