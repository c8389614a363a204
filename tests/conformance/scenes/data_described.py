"""Dataset descriptions: element structures, individual options, graphs of readers with options."""

import collections

import numpy as np

Point = collections.namedtuple("Point", ["x", "y"])


def structures(tf, stage):
    D, e = tf.data.Dataset, tf.data.experimental
    point = lambda: D.from_tensors(  # noqa: E731
        Point(np.int32(1), {"a": np.zeros([2, 3], np.float32)})
    )
    sparse = lambda: D.from_tensors(  # noqa: E731
        (tf.SparseTensor([[0, 1]], [1], [2, 3]), "b")
    )
    ragged = lambda: D.from_tensors(  # noqa: E731
        {"r": tf.ragged.constant([[1.0], []]), "d": np.int64(3)}
    )
    nested = lambda: D.range(4).window(2)  # noqa: E731
    cases = {
        "point": point,
        "point_unbatched": lambda: point().batch(2).unbatch(),
        "point_batched_whole": lambda: point().batch(2, drop_remainder=True),
        "point_mapped": lambda: point().map(lambda p: Point(p.y["a"], p.x)),
        "point_zipped": lambda: D.zip(Point(point(), D.range(3))),
        "point_repeated": lambda: point().repeat().take(3).skip(1).cache().prefetch(2),
        "sparse": sparse,
        "sparse_batched": lambda: sparse().batch(2),
        "sparse_unbatched": lambda: sparse().map(lambda s, b: s).apply(e.unbatch()),
        "ragged": ragged,
        "ragged_batched": lambda: ragged().batch(3, drop_remainder=True),
        "ragged_row": lambda: ragged().map(lambda x: x["r"]).apply(e.unbatch()),
        "nested": nested,
        "nested_batched": lambda: nested().batch(2),
        "padded": lambda: (
            D.range(3).map(lambda x: (x, tf.fill([x], 1))).padded_batch(2, ([], [None]))
        ),
        "padded_known": lambda: D.from_tensors([1, 2]).padded_batch(2, [4], drop_remainder=True),
        "interleaved": lambda: D.range(3).interleave(lambda x: D.from_tensors(Point(x, "a")), 2),
        "scanned": lambda: D.range(3).apply(e.scan(0.5, lambda s, x: (s, Point(x, s)))),
        "generated": lambda: D.from_generator(
            lambda: iter([Point(1, 2)]), Point(tf.int32, tf.int64), Point(tf.TensorShape([]), [])
        ),
        "optional": lambda: D.from_tensors(e.Optional.from_value(tf.constant([1, 2]))),
        "chosen": lambda: e.choose_from_datasets(
            [D.from_tensors([1]), D.from_tensors([1, 2])], D.range(2)
        ),
        "shapes_unknown": lambda: D.from_tensors(tf.placeholder_with_default([1], None)).batch(2),
        "slices_unknown": lambda: D.from_tensor_slices(
            tf.placeholder_with_default([[1]], [None, 1])
        ),
    }
    for name, make in cases.items():
        with tf.Graph().as_default(), stage.failing():
            stage.say(name)
            data = make()
            stage.say(e.get_structure(data))
            of = tf.data
            stage.say(
                of.get_output_types(data), of.get_output_shapes(data), of.get_output_classes(data)
            )
            iterator = of.make_initializable_iterator(data)
            stage.say(iterator.get_next() is None, e.get_structure(iterator))
            stage.say(str(data)[:150])


def options_one_by_one(tf, stage):
    make = tf.data.Options
    plain = make()
    groups = {
        "": plain,
        "experimental_optimization": plain.experimental_optimization,
        "experimental_threading": plain.experimental_threading,
        "experimental_stats": plain.experimental_stats,
        "experimental_distribute": plain.experimental_distribute,
        "map_vectorization": plain.experimental_optimization.map_vectorization,
    }

    def group(options, name):
        if name == "map_vectorization":
            return options.experimental_optimization.map_vectorization
        return getattr(options, name) if name else options

    for name, of in groups.items():
        for option in sorted(x for x in dir(of) if x[0] != "_" and x != "merge"):
            default = getattr(of, option)
            stage.say(
                name, option, type(default).__name__ if hasattr(default, "_options") else default
            )
            for value in (True, False, 3, "p", [1]):
                options, other = make(), make()
                try:
                    setattr(group(options, name), option, value)
                except TypeError:
                    stage.say("no", type(value).__name__)
                    continue
                stage.say(
                    sorted(options._static_optimizations()), options._static_optimization_configs()
                )
                merged = other.merge(options)
                stage.say(getattr(group(merged, name), option), options == merged, other == options)
                data = tf.data.Dataset.range(2).with_options(options).map(lambda x: x)
                stage.say(getattr(group(data.options(), name), option))
    both = make()
    both.experimental_slack = True
    both.experimental_distribute.num_devices = 3
    both.experimental_optimization.apply_default_optimizations = False
    both.experimental_optimization.map_vectorization.enabled = True
    stage.say(sorted(both._static_optimizations()), both._static_optimization_configs())
    stage.attempt(lambda: make().merge(plain.experimental_stats))
