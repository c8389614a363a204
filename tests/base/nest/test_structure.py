"""tf.nest, compared with TensorFlow 1.15.5's recorded results."""

import array
import collections
import gc
import weakref

import attr
import numpy as np
import pytest

from tfmini import nest
from tfmini._src.base.nest import containers, shallow

Pair = collections.namedtuple("Pair", "x y")
SamePair = collections.namedtuple("Pair", "x y")
Other = collections.namedtuple("Other", "x y")
Ordered = collections.OrderedDict


class Child(Pair):
    """A subclass of a named tuple."""


class MyList(list):
    """A subclass of list."""


class MyMapping(collections.abc.Mapping):
    """A mapping that is not a dict."""

    def __init__(self, items):
        self.items_ = dict(items)

    def __getitem__(self, key):
        return self.items_[key]

    def __iter__(self):
        return iter(self.items_)

    def __len__(self):
        return len(self.items_)

    def __repr__(self):
        return f"MyMapping({self.items_})"


@attr.s
class Point:
    """An `attrs` class, its fields not in alphabetical order."""

    b = attr.ib()
    a = attr.ib()


class Spec:
    """The type specification of `Composite`."""

    value_type = property(lambda self: Composite)
    _component_specs = ("spec 1", "spec 2")

    def __init__(self, kind):
        self.kind = kind

    def __str__(self):
        return f"Spec({self.kind})"

    def _from_components(self, components):
        return Composite(*components)

    def most_specific_compatible_type(self, other):
        if self.kind != other.kind:
            raise ValueError("they differ")
        return self


class Composite:
    """The part of a SparseTensor's interface that nest needs."""

    def __init__(self, *parts, kind="a"):
        self.parts = parts
        self.kind = kind

    def __str__(self):
        return f"Composite({self.kind})"

    @property
    def _type_spec(self):
        return Spec(self.kind)

    def _to_components(self):
        return self.parts


@pytest.mark.parametrize(
    "value, expected",
    [
        ([], True),
        ((), True),
        ({}, True),
        ("a", False),
        (b"a", False),
        (bytearray(b"a"), True),
        (range(3), True),
        (memoryview(b"a"), True),
        (array.array("i", [1]), False),
        (collections.deque([1]), True),
        ({1}, False),
        (np.ones(2), False),
        ({"a": 1}.keys(), True),
        ({"a": 1}.values(), True),
        (collections.UserList([1]), True),
        (collections.UserDict({"a": 1}), True),
        (MyMapping({"a": 1}), True),
        (None, False),
        (1, False),
        (Point(1, 2), True),
        (Point, False),
        (Pair(1, 2), True),
        (Pair, False),
        (slice(1), False),
        (Composite(1, 2), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_is_nested(value, expected):
    assert nest.is_nested(value) is expected
    assert containers.is_sequence(value) is expected
    assert containers.is_sequence_or_composite(value) is (expected or isinstance(value, Composite))


TREES = [
    ([1, (2, 3), {"b": 4, "a": [5]}], [1, 2, 3, 5, 4]),
    (Ordered([("b", 1), ("a", 2)]), [2, 1]),
    (collections.defaultdict(list, {"z": 1, "y": [2]}), [2, 1]),
    (Pair(1, [2, 3]), [1, 2, 3]),
    (Child(1, 2), [1, 2]),
    (Point([1], 2), [1, 2]),
    (MyList([1, 2]), [1, 2]),
    (MyMapping({"b": 1, "a": 2}), [2, 1]),
    (5, [5]),
    ("abc", ["abc"]),
    ([], []),
    ([[], []], []),
    ({"a": {}, "b": [()]}, []),
]


@pytest.mark.parametrize("tree, flat", TREES, ids=lambda value: repr(value)[:30])
def test_flatten_and_pack(tree, flat):
    assert nest.flatten(tree) == flat
    packed = nest.pack_sequence_as(tree, list(range(len(flat))))
    assert nest.flatten(packed) == list(range(len(flat)))
    assert type(packed) is (type(tree) if nest.is_nested(tree) else int)
    repeated = nest.pack_sequence_as(tree, flat)
    assert repr(repeated) == repr(tree)
    doubled = nest.map_structure(lambda leaf: leaf * 2, tree)
    assert nest.flatten(doubled) == [leaf * 2 for leaf in flat]


def test_views_and_ranges_become_lists():
    assert nest.map_structure(lambda x: x * 2, {"a": 1}.values()) == [2]
    assert nest.map_structure(lambda x: x * 2, range(3)) == [0, 2, 4]


def test_defaultdict_keeps_factory_and_order():
    tree = collections.defaultdict(list, {"z": 1, "y": 2})
    packed = nest.pack_sequence_as(tree, [8, 9])
    assert (list(packed.items()), packed.default_factory) == ([("z", 9), ("y", 8)], list)


@pytest.mark.parametrize(
    "structure, flat, text",
    [
        ([1], 3, "TypeError: flat_sequence must be a sequence"),
        (5, [1, 2], "ValueError: Structure is a scalar but len(flat_sequence) == 2 > 1"),
        (5, [], "ValueError: Structure is a scalar but len(flat_sequence) == 0 > 1"),
        (
            *([1, (2,)], [7]),
            "ValueError: Could not pack sequence. Structure had 2 elements, but flat_sequence had "
            "1 elements.  Structure: [1, (2,)], flat_sequence: [7].",
        ),
        (
            *([1], [7, 8]),
            "ValueError: Could not pack sequence. Structure had 1 elements, but flat_sequence had "
            "2 elements.  Structure: [1], flat_sequence: [7, 8].",
        ),
    ],
)
def test_pack_refuses(structure, flat, text):
    with pytest.raises((TypeError, ValueError)) as caught:
        nest.pack_sequence_as(structure, flat)
    assert f"{caught.type.__name__}: {caught.value}" == text


def test_unsortable_keys():
    tree = {1: 2, "a": 3}
    with pytest.raises(TypeError) as caught:
        nest.flatten(tree)
    assert str(caught.value) == "'<' not supported between instances of 'str' and 'int'"
    with pytest.raises(TypeError) as caught:
        list(shallow.yield_flat_paths(tree))
    assert str(caught.value) == "nest only supports dicts with sortable keys."


SAME = [
    ([1, 2], [3, 4]),
    ({"b": 1, "a": 2}, Ordered([("b", 1), ("a", 2)])),
    (Pair(1, 2), SamePair(3, 4)),
    (MyList([1]), [1]),
    (MyMapping({"a": 1}), {"a": 1}),
    (Point(1, 2), Point(3, 4)),
    ("ab", "cd"),
    (np.ones(2), np.ones(3)),
    ({1: 2}.values(), {2: 3}.values()),
    (Composite(1), 5),
]


@pytest.mark.parametrize("first, second", SAME, ids=str)
def test_same_structure(first, second):
    nest.assert_same_structure(first, second)
    nest.assert_same_structure(first, second, check_types=False)


COUNT = (
    "The two structures don't have the same number of elements. "
    "First structure: type=list str={}. Second structure: type=list str={}"
)
TYPES = (
    "The two namedtuples don't have the same sequence type. First structure type={0} str={1} has "
    "type {0}, while second structure type={2} str={3} has type {2}"
)
KEYS = (
    "The two dictionaries don't have the same set of keys. First structure has keys "
    "type=list str={}, while second structure has keys type=list str={}"
)
DEPTH = 'Substructure "type=list str={}" is a sequence, while substructure "type={} str={}" is not'


@pytest.mark.parametrize(
    "first, second, error, dots, reason",
    [
        ([1], [1, 2], ValueError, ("[.]", "[., .]"), COUNT.format("[1]", "[1, 2]")),
        ([1, 2], [1], ValueError, ("[., .]", "[.]"), COUNT.format("[1, 2]", "[1]")),
        (
            *({"a": [1, 2]}, {"a": [1]}, ValueError, ("{'a': [., .]}", "{'a': [.]}")),
            COUNT.format("[1, 2]", "[1]"),
        ),
        ([1, [2]], [1, 2], ValueError, ("[., [.]]", "[., .]"), DEPTH.format("[2]", "int", "2")),
        ("ab", ["c"], ValueError, (".", "[.]"), DEPTH.format("['c']", "str", "ab")),
        (
            *([1, 2], (1, 2), TypeError, ("[., .]", "(., .)")),
            TYPES.format("list", "[1, 2]", "tuple", "(1, 2)"),
        ),
        (
            *(Pair(1, 2), Other(1, 2), TypeError, ("Pair(x=., y=.)", "Other(x=., y=.)")),
            TYPES.format("Pair", "Pair(x=1, y=2)", "Other", "Other(x=1, y=2)"),
        ),
        (
            *((1, 2), Pair(1, 2), TypeError, ("(., .)", "Pair(x=., y=.)")),
            TYPES.format("tuple", "(1, 2)", "Pair", "Pair(x=1, y=2)"),
        ),
        (
            *({"a": 1}, {"b": 1}, ValueError, ("{'a': .}", "{'b': .}")),
            KEYS.format("['a']", "['b']"),
        ),
        (
            *({"a": 1}, MyMapping({"b": 1, "a": 2}), ValueError),
            *(("{'a': .}", "MyMapping({'b': ., 'a': .})"), KEYS.format("['a']", "['b', 'a']")),
        ),
        (
            *(range(2), [0, 1], TypeError, ("[., .]", "[., .]")),
            TYPES.format("range", "range(0, 2)", "list", "[0, 1]"),
        ),
    ],
    ids=repr,
)
def test_different_structure(first, second, error, dots, reason):
    with pytest.raises(error) as caught:
        nest.assert_same_structure(first, second)
    assert str(caught.value) == (
        "The two structures don't have the same nested structure.\n\n"
        f"First structure: type={type(first).__name__} str={first}\n\n"
        f"Second structure: type={type(second).__name__} str={second}\n\n"
        f"More specifically: {reason}\n"
        f"Entire first structure:\n{dots[0]}\nEntire second structure:\n{dots[1]}"
    )


def test_type_check_is_optional():
    nest.assert_same_structure([1, 2], (1, 2), check_types=False)
    nest.assert_same_structure({"a": 1}, {"b": 1}, check_types=False)
    assert nest.map_structure(max, [1], (2,), check_types=False) == [2]
    with pytest.raises(ValueError, match="the same number of elements"):
        nest.assert_same_structure({"a": 1}, {"a": 1, "b": 2}, check_types=False)


def test_map_structure_over_multiple_structures():
    assert nest.map_structure(max, [1, (5,)], [2, (4,)]) == [2, (5,)]
    assert nest.map_structure(max, 1, 2) == 2
    with pytest.raises(TypeError, match="the same sequence type"):
        nest.map_structure(max, [1], (2,))


@pytest.mark.parametrize(
    "args, kwargs, text",
    [
        ((1, [1]), {}, "TypeError: func must be callable, got: 1"),
        ((len,), {}, "ValueError: Must provide at least one structure"),
        (
            *((len, [1]), {"foo": 1, "bar": 2}),
            "ValueError: Only valid keyword arguments are `check_types` and `expand_composites`, "
            "not: `foo`, `bar`",
        ),
    ],
)
def test_map_structure_refuses(args, kwargs, text):
    with pytest.raises((TypeError, ValueError)) as caught:
        nest.map_structure(*args, **kwargs)
    assert f"{caught.type.__name__}: {caught.value}" == text


def test_composites_are_leaves_unless_expanded():
    composite = Composite(1, 2)
    assert nest.flatten([composite, 3]) == [composite, 3]
    assert nest.flatten([composite, 3], expand_composites=True) == [1, 2, 3]
    assert nest.flatten([Spec("a")], expand_composites=True) == ["spec 1", "spec 2"]
    packed = nest.pack_sequence_as([composite, 0], [7, 8, 9], expand_composites=True)
    assert (packed[0].parts, packed[1]) == ((7, 8), 9)
    packed = nest.pack_sequence_as([Spec("a")], [7, 8], expand_composites=True)
    assert packed[0].parts == (7, 8)
    mapped = nest.map_structure(lambda x: -x, [composite], expand_composites=True)
    assert mapped[0].parts == (-1, -2)
    paths = list(shallow.yield_flat_paths([composite, Spec("a")], expand_composites=True))
    assert paths == [(i, "Composite", j) for i in (0, 1) for j in (0, 1)]


def test_composites_of_different_types():
    same = nest.assert_same_structure
    same(Composite(1, 2), Composite(3, 4), expand_composites=True)
    same(Composite(1, 2), Spec("a"), expand_composites=True)
    with pytest.raises(ValueError) as caught:
        same(Composite(1), Composite(1, kind="b"), expand_composites=True)
    reason = "Incompatible CompositeTensor TypeSpecs: type=Spec str=Spec(a) vs. "
    assert f"More specifically: {reason}type=Spec str=Spec(b)\nEntire" in str(caught.value)
    with pytest.raises(TypeError, match="type=Composite str=Composite.a. has type Composite"):
        same(Composite(1), [1], expand_composites=True)
    with pytest.raises(ValueError, match='"type=Composite str=Composite.a." is a sequence'):
        same(Composite(1), 1, expand_composites=True)


def test_packed_leaves_are_freed_with_structure():
    leaf = np.zeros(3)
    gone = weakref.ref(leaf)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        packed = nest.pack_sequence_as([[1]], [leaf])
        del leaf, packed
        assert gone() is None
    finally:
        if was_enabled:
            gc.enable()
