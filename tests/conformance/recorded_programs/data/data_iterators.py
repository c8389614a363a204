"""tf.data: iterators of all kinds over experimental datasets, shared names, handles, values that may be absent."""

from tests.conformance.recorded_programs.data.data_basic import read_all, until_the_end


def build(tf):
    D, E = tf.data.Dataset, tf.data.experimental
    grouped = D.range(6).apply(E.group_by_window(lambda x: x % 2, lambda k, d: d.batch(2), 2))
    sampled = E.sample_from_datasets([D.range(3), D.range(10, 13)], seed=2)
    one = grouped.make_one_shot_iterator()
    two = sampled.make_initializable_iterator(shared_name="sampled")
    either = tf.data.Iterator.from_structure(tf.int64, [])
    starts = [
        either.make_initializer(dataset) for dataset in (sampled, D.range(2).apply(E.unique()))
    ]
    handle = tf.placeholder(tf.string, [], name="handle")
    fed = tf.data.Iterator.from_string_handle(handle, tf.int64, [])
    value, chosen = fed.get_next(), either.get_next()
    maybe = E.get_next_as_optional(either)
    found = tf.cond(maybe.has_value(), lambda: maybe.get_value(), lambda: tf.constant(-1, tf.int64))
    first = one.get_next()

    def by_handle(session):
        session.run([two.initializer, starts[1]])
        names = session.run([two.string_handle(), either.string_handle()])
        return [[int(session.run(value, {handle: name})) for _ in range(2)] for name in names]

    def optional(session):
        session.run(starts[1])
        return [int(session.run(found)) for _ in range(4)]

    def again(session):
        session.run(starts[0])
        return [int(session.run(chosen)) for _ in range(3)]

    inside = D.range(4).map(lambda x: (x, E.Optional.from_value({"x": x, "y": tf.as_string(x)})))
    empty = D.range(2).map(lambda x: E.Optional.none_from_structure(tf.TensorSpec([], tf.float32)))
    datasets = [
        inside.map(lambda x, o: o.get_value()),
        inside.filter(lambda x, o: o.has_value()).map(lambda x, o: x),
        empty.map(lambda o: o.has_value()),
    ]
    steps = [
        ("one shot", until_the_end(first)),
        ("by handle", by_handle),
        ("optional", optional),
        ("again", again),
        *read_all(tf, datasets),
    ]
    return {"steps": steps}
