"""tf.data sources, repeat, take, batch; both kinds of iterators; element structures."""

import collections

import numpy as np

Pair = collections.namedtuple("Pair", ["left", "right"])


def read_all(tf, datasets):
    """Steps that read each dataset to its end."""
    steps = []
    for number, dataset in enumerate(datasets):
        iterator = tf.data.make_initializable_iterator(dataset)
        following = iterator.get_next()
        steps.append((f"start {number}", lambda s, i=iterator: s.run(i.initializer)))
        steps.append((f"read {number}", until_the_end(following)))
    return steps


def until_the_end(fetches, most=30):
    """Runs fetches until the end of the data, recognized by its message."""

    def run(session):
        import importlib  # noqa: PLC0415

        errors = importlib.import_module(type(session).__module__.split(".")[0]).errors
        values = []
        try:
            for _ in range(most):
                values.append(session.run(fetches))
        except errors.OutOfRangeError as error:
            values.append(error.message.split("\n")[0])
        return values

    return run


def elements(tf):
    D = tf.data.Dataset
    rows = np.arange(12.0, dtype=np.float32).reshape(6, 2)
    words = tf.constant(["a", "bc", "d", "ef", "g", "h"], name="words")
    return [
        D.from_tensors((rows, {"b": 1, "a": [2, 3]})),
        D.from_tensor_slices({"x": rows, "y": words}).batch(4),
        D.from_tensor_slices(Pair(words, tf.range(6))).skip(1).take(2).repeat(2),
        D.range(2, 20, 5).concatenate(D.range(2)).shard(2, 1),
        D.zip((D.range(3), {"z": D.range(5).repeat().batch(2)})),
        D.range(10).batch(4, drop_remainder=True),
        D.range(4).enumerate(7).batch(3),
        D.from_sparse_tensor_slices(tf.SparseTensor([[0, 0], [0, 1], [2, 1]], [1, 2, 3], [3, 2])),
        D.from_tensor_slices(tf.SparseTensor([[0, 0], [2, 1]], [1, 2], [3, 2])).batch(2),
        D.range(3).prefetch(2).repeat(2).prefetch(1),
        D.range(3).take(-1).skip(-1),
    ]


def build(tf):
    steps, facts = [], {}
    for number, dataset in enumerate(elements(tf)):
        facts[str(number)] = [repr(dataset), repr(dataset.element_spec)]
        if number % 2:
            following = dataset.make_one_shot_iterator().get_next()
        else:
            iterator = dataset.make_initializable_iterator()
            following = iterator.get_next()
            steps.append((f"start {number}", lambda s, i=iterator: s.run(i.initializer)))
        steps.append((f"read {number}", until_the_end(following)))
    either = tf.data.Iterator.from_structure(tf.int64, [], shared_name="either")
    first = either.make_initializer(tf.data.Dataset.range(3))
    second = either.make_initializer(tf.data.Dataset.range(5, 7), name="second")
    following = either.get_next(name="following")
    name = tf.placeholder(tf.string, [], name="name")
    chosen = tf.data.Iterator.from_string_handle(name, tf.int64, [])
    value = chosen.get_next()
    other = tf.data.Dataset.range(30, 40).make_one_shot_iterator()

    def by_handle(session):
        session.run(first)
        handles = session.run([either.string_handle(), other.string_handle("own")])
        return [session.run(value, {name: handles[n]}) for n in (0, 1, 1, 0, 1)]

    steps += [
        ("first", first, None),
        ("from first", following, None),
        ("second", second, None),
        ("from second", until_the_end(following)),
        ("by handle", by_handle),
    ]
    return {"steps": steps, "facts": facts}
