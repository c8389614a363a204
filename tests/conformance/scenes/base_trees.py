"""Nested structures flattened, packed, mapped, compared and truncated, for each branch class, valid or not."""

import collections

import numpy as np

Pair = collections.namedtuple("Pair", "left right")
Other = collections.namedtuple("Other", "left right")
Same = collections.namedtuple("Pair", "left right")


class Longer(Pair):
    """A subclass of a named tuple."""


class Row(list):
    """A subclass of list."""


def _whole(error):
    return f"{type(error).__name__} {error}".replace("\n", "|")


def _all(stage, name, function, *arguments, **options):
    """Records what a function returns, or the full text of its error."""
    try:
        found = function(*arguments, **options)
        stage.say(name, type(found).__name__, found)
    except Exception as error:
        stage.say(name, _whole(error))


def packed(tf, stage):
    pack = tf.nest.pack_sequence_as
    for structure, flat in (
        *((5, [1]), (5, [1, 2]), (5, []), (5, 1), ([], []), ([], [1]), ([1], []), ([1, 2], [1])),
        *(([1, 2], (3, 4)), ([1, [2]], [[3], 4]), ("ab", [1]), ([1], "a")),
        *((Pair(1, 2), [3, 4]), (Pair(1, [2]), [3, 4, 5]), ({"b": 1, "a": 2}, [3, 4])),
        *(((1, 2), range(2)), ([1, 2], np.array([3, 4])), ([1, 2], Pair(3, 4)), (None, [None])),
        *(((1,), None),),
    ):
        _all(stage, "", pack, structure, flat)


def mapped(tf, stage):
    nest, many = tf.nest.map_structure, tf.contrib.framework.nest
    add = lambda *x: sum(x)  # noqa: E731
    for given in (
        *((add, [1, 2], [3, 4]), (add, [1, (2,)], [3, (4,)], [5, (6,)]), (add, 1, 2), (add,)),
        *((add, [1], (2,)), (add, [1, 2], [3]), (add, [1], [[2]]), (3, [1]), (add, [], [])),
        *((add, {"a": 1, "b": 2}, {"b": 3, "a": 4}), (add, {"a": 1}, {"b": 1}), (None, [1])),
        *((add, Pair(1, 2), Same(3, 4)), (add, Pair(1, 2), Other(3, 4)), (add, Row([1]), [2])),
        *((add, Pair(1, 2), (3, 4)), (add, Pair(1, 2), Longer(3, 4)), (add, [1], Row([2]))),
        (add, collections.OrderedDict([("b", 1), ("a", 2)]), {"a": 10, "b": 20}),
    ):
        _all(stage, "", nest, *given)
        _all(stage, "unchecked", nest, *given, check_types=False)
    _all(stage, "", nest, add, [1], wrong=1)
    _all(stage, "", nest, add, [1], check_types=True, expand_composites=False)
    with_path = lambda path, *x: (path, x)  # noqa: E731
    for name in ("map_structure_with_paths", "map_structure_with_tuple_paths"):
        function = getattr(many, name)
        _all(stage, name, function, with_path, {"b": [1, 2], "a": Pair(3, 4)})
        _all(stage, name, function, with_path, [1, (2,)], [3, (4,)])
        _all(stage, name, function, with_path, [1], (3,))
        _all(stage, name, function, with_path, [1], (3,), check_types=False)
        _all(stage, name, function, with_path, 7, 8)
        _all(stage, name, function, lambda path, x, more: (path, x, more), [1], more=3)
        _all(stage, name, function, with_path, [1, 2], [3])
        _all(stage, name, function, with_path, [1, 2], [3], check_types=False)


def of_several_tensors(tf, stage):
    nest = tf.nest
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    slices = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2]))
    bare = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]))
    ragged = tf.ragged.constant([[1], [2, 3]])
    spec = tf.SparseTensorSpec([2, 3], tf.float32)
    for value in (sparse, slices, bare, ragged, spec, [sparse, 1], {"a": ragged, "b": spec}):
        stage.say([nest.is_nested(value), len(nest.flatten(value))])
        flat = nest.flatten(value, expand_composites=True)
        stage.say([getattr(leaf, "name", leaf) for leaf in flat])
        with stage.failing():
            again = nest.pack_sequence_as(value, flat, expand_composites=True)
            stage.say(type(again).__name__, len(nest.flatten(again, expand_composites=True)))
        if nest.is_nested(value):
            with stage.failing():
                nest.pack_sequence_as(value, flat[:1], expand_composites=True)
    doubled = nest.map_structure(lambda x: x * 2, [sparse], expand_composites=True)
    stage.say(type(doubled[0]).__name__, doubled[0].values.op.type)
    others = (
        *(tf.SparseTensor([[0, 1]], [1.0], [2, 4]), tf.SparseTensor([[0, 1]], [1], [2, 3])),
        *(slices, ragged, spec, tf.SparseTensorSpec([3, 3], tf.float32), 5, [1, 2, 3]),
        *(tf.SparseTensorSpec([None, 3], tf.float32), tf.SparseTensorSpec(None, tf.int32)),
    )
    many = tf.contrib.framework.nest
    for other in others:
        for first, second in ((sparse, other), (other, sparse), (spec, other)):
            for options in ({}, {"expand_composites": True}):
                with stage.failing():
                    nest.assert_same_structure(first, second, **options)
                    stage.say("same")
                with stage.failing():
                    many.assert_shallow_structure(first, second, **options)
                    stage.say("shallow")
