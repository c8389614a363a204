"""Nested structures: flattened, packed, mapped, compared, cut off; of each class of branches, and of wrong ones."""

import array
import collections

import numpy as np

Pair = collections.namedtuple("Pair", "left right")
Other = collections.namedtuple("Other", "left right")
Same = collections.namedtuple("Pair", "left right")


class Longer(Pair):
    """A named tuple's heir."""


class Row(list):
    """A list's heir."""


def _trees():
    """Trees by their names."""
    view = collections.OrderedDict([("b", 1), ("a", 2)])
    return {
        "leaf": 5,
        "none": None,
        "text": "ab",
        "empty": [],
        "empty_tuple": (),
        "empty_dict": {},
        "list": [1, 2],
        "tuple": (1, 2),
        "nested": [1, (2, [3, {"b": 4, "a": 5}])],
        "deep": [[[1]]],
        "dict": {"b": 1, "a": (2, 3)},
        "ordered": collections.OrderedDict([("b", 1), ("a", [2, 3])]),
        "default": collections.defaultdict(list, {"z": 1, "y": 2}),
        "numbers": {2: "two", 1: "one"},
        "mixed": {1: 1, "a": 2},
        "pair": Pair(1, (2, 3)),
        "longer": Longer(1, 2),
        "same": Same(1, (2, 3)),
        "other": Other(1, (2, 3)),
        "row": Row([1, 2]),
        "range": range(3),
        "keys": view.keys(),
        "values": view.values(),
        "array": array.array("i", [1, 2]),
        "set": {1},
        "bytes": [b"a", "b"],
        "of_none": [None, (None,)],
    }


def _whole(error):
    return f"{type(error).__name__} {error}".replace("\n", "|")


def _all(stage, name, function, *arguments, **options):
    """Says what a function gives, or all of an error's text."""
    try:
        found = function(*arguments, **options)
        stage.say(name, type(found).__name__, found)
    except Exception as error:
        stage.say(name, _whole(error))


def _same_again(nest, tree):
    return nest.pack_sequence_as(tree, list(range(10, 10 + len(nest.flatten(tree)))))


def each_class(tf, stage):
    nest = tf.contrib.framework.nest
    for name, tree in _trees().items():
        stage.say(name)
        for function in (tf.nest.is_nested, nest.is_sequence, tf.nest.flatten):
            _all(stage, "", function, tree)
        _all(stage, "packed", _same_again, nest, tree)
        _all(stage, "mapped", tf.nest.map_structure, lambda x: [x], tree)
        _all(stage, "paths", lambda: list(nest.yield_flat_paths(tree)))  # noqa: B023  called here
        _all(stage, "joined", nest.flatten_with_joined_string_paths, tree)
        _all(stage, "joined", nest.flatten_with_joined_string_paths, tree, separator=".")
        if name != "mixed":
            _all(stage, "tuples", nest.flatten_with_tuple_paths, tree)
    made = tf.nest.map_structure(lambda x: x, _trees()["default"])
    stage.say(made.default_factory is list, made["new"])
    made = tf.nest.map_structure(lambda x: x, _trees()["ordered"])
    stage.say(list(made), type(_same_again(tf.nest, _trees()["longer"])).__name__)


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


def cut_off(tf, stage):
    nest = tf.contrib.framework.nest
    pairs = [
        *(([0, 0], [1, (2, 3)]), ([0, 0], (1, 2)), ((0, 0), [1, 2]), ([0], [1, 2]), ([0, 0], [1])),
        *((0, [1, 2]), ([0], 5), ([[0]], [1]), ([0, [0]], [1, [2, 3]]), ({"a": 0}, {"a": [1]})),
        *(({"a": 0}, {"a": 1, "b": 2}), ({"a": 0, "b": 0}, {"a": 1}), ({"a": 0}, {"b": 1})),
        *((Pair(0, 0), Same(1, [2])), (Pair(0, 0), Other(1, 2)), (Pair(0, 0), (1, 2)), ([], [])),
        *(((0, 0), Pair(1, 2)), ([], [1]), ({"a": [0]}, {"a": [1]}), ([0, 0], Row([1, 2]))),
        *((collections.OrderedDict([("b", 0), ("a", [0])]), {"a": [(1, 2)], "b": 3}), ("a", [1])),
        *((Row([0]), [1]), ({}, {"a": 1}), ([0, [0, 0]], [[1], [2]]), ([None], [[1, 2]])),
    ]
    for shallow, deep in pairs:
        stage.say(shallow, deep)
        for options in ({}, {"check_types": False}, {"check_subtrees_length": False}):
            stage.say(options)
            _all(stage, "", nest.assert_shallow_structure, shallow, deep, **options)
            _all(stage, "", nest.flatten_up_to, shallow, deep, **options)
            _all(stage, "", nest.flatten_with_tuple_paths_up_to, shallow, deep, **options)
            _all(stage, "", nest.map_structure_up_to, shallow, lambda x: [x], deep, **options)
    up_to, with_paths = nest.map_structure_up_to, nest.map_structure_with_tuple_paths_up_to
    _all(stage, "", up_to, [0, 0], lambda a, b: (a, b), [1, [2]], [3, (4,)])
    _all(stage, "", up_to, [0, 0], lambda a: a)
    _all(stage, "", with_paths, [0, {"k": 0}], lambda p, a: (p, a), [1, {"k": (2, 3)}])
    _all(stage, "", with_paths, [0], lambda p, a: (p, a))
    _all(stage, "", with_paths, 0, lambda p, a, b: (p, a, b), [1], 2)


def walked_into(tf, stage):
    nest = tf.contrib.framework.nest
    into = nest.get_traverse_shallow_structure
    tree = [1, (2, [3, {"b": 4, "a": (5,)}]), Pair(6, [7])]
    for choose in (
        lambda t: True,
        lambda t: False,
        lambda t: isinstance(t, list),
        lambda t: not isinstance(t, dict),
        lambda t: [True, False, True] if t is tree else True,
        lambda t: (True, False, True) if t is tree else True,
        lambda t: [True, True] if t is tree else True,
        lambda t: [True, 1, True] if t is tree else True,
        lambda t: 1,
        lambda t: [True] if t == 1 else True,
        lambda t: None if isinstance(t, tuple) else True,
    ):
        _all(stage, "", into, choose, tree)
    _all(stage, "", into, lambda t: True, 5)
    _all(stage, "", into, lambda t: True, {})


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
