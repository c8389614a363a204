"""Internal functions of nest, compared with TensorFlow 1.15.5's recorded results."""

import collections
from functools import partial

import pytest

import tfmini as tf
from tests.base.nest.test_structure import Composite, MyMapping, Pair, Point, Spec
from tfmini._src.base.nest import shallow as shallow_module

ab = collections.namedtuple("ab", "a b")


def test_flatten_up_to():
    tree = [[[2, 2], [3, 3]], [[4, 9], [5, 5]]]
    shallow = [[True, True], [False, True]]
    assert shallow_module.flatten_up_to(shallow, tree) == [[2, 2], [3, 3], [4, 9], [5, 5]]
    assert shallow_module.flatten_up_to(0, [0, 1]) == [[0, 1]]
    assert shallow_module.flatten_up_to({"b": 0, "a": 0}, {"a": (1,), "b": 2}) == [(1,), 2]
    whole = Composite(1, 2)
    assert shallow_module.flatten_up_to([whole, 0], [whole, 3]) == [whole, 3]
    assert shallow_module.flatten_up_to([whole, 0], [whole, 3], expand_composites=True) == [1, 2, 3]
    pairs = shallow_module.flatten_with_tuple_paths_up_to(shallow, tree)
    assert [path for path, _ in pairs] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    shorter = shallow_module.flatten_up_to(
        ["a", "b"], ["c", ["d"], "f"], check_subtrees_length=False
    )
    assert shorter == ["c", ["d"]]
    mixed = shallow_module.flatten_up_to([0, 0], (1, 2), check_types=False)
    assert mixed == [1, 2]


def test_map_structure_up_to():
    values = ab(2, 3)
    ops = ab(ab(1, 2), ab(2, 3))
    result = shallow_module.map_structure_up_to(values, lambda v, o: (v + o.a) * o.b, values, ops)
    assert result == ab(6, 15)
    with_path = shallow_module.map_structure_with_tuple_paths_up_to(
        {"b": None}, lambda path, *v: (path, v), {"a": 1, "b": (2, 3)}, {"a": 4, "b": 5},
        check_subtrees_length=False,
    )  # fmt: skip
    assert with_path == {"b": (("b",), ((2, 3), 5))}
    assert shallow_module.map_structure_up_to([0], lambda x, k: x + k, [1], k=5) == [6]
    sparse = [tf.SparseTensor([[0]], [1.0], [2])]
    up_to = partial(shallow_module.map_structure_up_to, sparse, tf.identity, sparse)
    assert isinstance(up_to(expand_composites=True)[0], tf.SparseTensor)
    with pytest.raises(ValueError, match="^Cannot map over no sequences$"):
        shallow_module.map_structure_up_to([1], len)


@pytest.mark.parametrize(
    "shallow, deep, text",
    [
        (
            *([0], 5),
            "TypeError: If shallow structure is a sequence, input must also be a sequence. "
            "Input has type: <class 'int'>.",
        ),
        (
            *([0], (5,)),
            "TypeError: The two structures don't have the same sequence type. Input structure has "
            "type <class 'tuple'>, while shallow structure has type <class 'list'>.",
        ),
        (
            *([0], [1, 2]),
            "ValueError: The two structures don't have the same sequence length. "
            "Input structure has length 2, while shallow structure has length 1.",
        ),
        (
            *({"a": 0, "c": 0}, {"a": 1, "b": 2}),
            "ValueError: The shallow_tree's keys are not a subset of the input_tree's keys. The "
            "shallow_tree has the following keys that are not in the input_tree: ['c'].",
        ),
    ],
)
def test_assert_shallow_structure(shallow, deep, text):
    with pytest.raises((TypeError, ValueError)) as caught:
        shallow_module.assert_shallow_structure(shallow, deep)
    assert f"{caught.type.__name__}: {caught.value}" == text


def test_compatible_shallow_structures():
    shallow_module.assert_shallow_structure(0, [1])
    shallow_module.assert_shallow_structure({"a": 0}, MyMapping({"a": [1]}))
    other = collections.namedtuple("ab", "a b")
    shallow_module.assert_shallow_structure(ab(0, 0), other(1, 2))
    with pytest.raises(TypeError, match="the same sequence type"):
        shallow_module.assert_shallow_structure(ab(0, 0), Pair(1, 2))
    with pytest.raises(ValueError) as caught:
        shallow_module.assert_shallow_structure([0, 0], [1], check_subtrees_length=False)
    assert str(caught.value) == (
        "The input_tree has fewer elements than the shallow_tree. "
        "Input structure has length 1, while shallow structure has length 2."
    )


def test_shallow_composites():
    check = shallow_module.assert_shallow_structure
    check(Composite(1, 2), Composite(3, 4), expand_composites=True)
    check(Spec("a"), Composite(3, 4), expand_composites=True)
    with pytest.raises(ValueError) as caught:
        check(Composite(1), Composite(1, kind="b"), expand_composites=True)
    assert str(caught.value) == (
        "Incompatible CompositeTensor TypeSpecs: Spec(a) vs. Spec(b) -- they differ"
    )
    with pytest.raises(TypeError, match="the same sequence type"):
        check(Composite(1), [1], expand_composites=True)
    with pytest.raises(TypeError, match="^If shallow structure is a TypeSpec, input must also be"):
        check(Spec("a"), [1, 2], check_types=False, expand_composites=True)


TREE = [1, {"b": 2, "a": [3]}, Pair(4, 5), Point(6, 7)]
PATHS = [(0,), (1, "a", 0), (1, "b"), (2, "x"), (2, "y"), (3, "b"), (3, "a")]


def test_paths():
    assert list(shallow_module.yield_flat_paths(TREE)) == PATHS
    assert shallow_module.flatten_with_tuple_paths(TREE) == list(zip(PATHS, [1, 3, 2, 4, 5, 6, 7]))
    joined = shallow_module.flatten_with_joined_string_paths(TREE)
    assert joined[:3] == [("0", 1), ("1/a/0", 3), ("1/b", 2)]
    dotted = shallow_module.flatten_with_joined_string_paths(TREE, separator=".")
    assert dotted[1] == ("1.a.0", 3)
    assert shallow_module.flatten_with_joined_string_paths(5) == [("", 5)]


def test_map_structure_with_paths():
    assert shallow_module.map_structure_with_paths(lambda p, x: (p, x), {"a": [5]}) == {
        "a": [("a/0", 5)]
    }
    result = shallow_module.map_structure_with_tuple_paths(lambda p, x, y: (p, x, y), [1], [2])
    assert result == [((0,), 1, 2)]
    assert shallow_module.map_structure_with_paths(lambda p, x, k: (p, x, k), [1], k=3) == [
        ("0", 1, 3)
    ]


def test_flatten_dict_items():
    nested = {(4, 5, (6, 8)): ("a", "b", ("c", "d"))}
    assert shallow_module.flatten_dict_items(nested) == {4: "a", 5: "b", 6: "c", 8: "d"}


@pytest.mark.parametrize(
    "value, text",
    [
        ([1], "TypeError: input must be a dictionary"),
        (
            {(4, 5): ("a",)},
            "ValueError: Could not flatten dictionary. Key had 2 elements, but value had 1 "
            "elements. Key: [4, 5], value: ['a'].",
        ),
        (
            {(4, 5): ("a", "b"), 5: 3},
            "ValueError: Could not flatten dictionary: key 5 is not unique.",
        ),
    ],
)
def test_flatten_dict_items_refuses(value, text):
    with pytest.raises((TypeError, ValueError)) as caught:
        shallow_module.flatten_dict_items(value)
    assert f"{caught.type.__name__}: {caught.value}" == text


def test_get_traverse_shallow_structure():
    walk = shallow_module.get_traverse_shallow_structure
    assert walk(lambda s: not isinstance(s, dict), [1, {"a": 2}, (3,)]) == [True, False, (True,)]
    assert walk(lambda s: False, [1, 2]) is False
    parts = walk(lambda s: (True, False) if isinstance(s, tuple) else True, ([1], [2]))
    assert parts == ([True], False)


@pytest.mark.parametrize(
    "answer, structure, text",
    [
        (1, 5, "traverse_fn returned structure: 1 for non-structure: 5"),
        (1, [5], "traverse_fn returned a non-bool scalar: 1 for input: [5]"),
        (
            *([[True]], [[5]]),
            "traverse_fn didn't return a depth=1 structure of bools.  saw: [[True]]  "
            "for structure: [[5]]",
        ),
    ],
)
def test_get_traverse_shallow_structure_refuses(answer, structure, text):
    with pytest.raises(TypeError) as caught:
        shallow_module.get_traverse_shallow_structure(lambda _: answer, structure)
    assert str(caught.value) == text


def test_composites_are_leaves_unless_expanded():
    whole, more = Composite(1, 2), {"expand_composites": True}
    with_paths = shallow_module.flatten_with_tuple_paths_up_to
    assert with_paths({"a": whole}, {"a": whole}) == [(("a",), whole)]
    assert [leaf for _, leaf in with_paths({"a": whole}, {"a": whole}, **more)] == [1, 2]
    assert shallow_module.flatten_up_to([whole], [whole]) == [whole]
    assert shallow_module.flatten_up_to([whole], [whole], **more) == [1, 2]
    shallow_module.assert_shallow_structure([whole], [3])
    with pytest.raises((TypeError, ValueError), match="input_tree|two structures|shallow"):
        shallow_module.assert_shallow_structure([whole], [3], **more)


def test_traverse_function_results():
    traverse = shallow_module.get_traverse_shallow_structure
    tree = [1, [2, 3]]
    assert traverse(lambda part: True, tree) == [True, [True, True]]
    assert traverse(lambda part: part != [2, 3], tree) == [True, False]
    assert traverse(lambda part: [False, True] if part is tree else True, tree) == [
        False,
        [True, True],
    ]
    for answer, kind, text in (
        ([True], ValueError, "The two structures don't have the same sequence length"),
        ((True, False), TypeError, "The two structures don't have the same sequence type"),
        ([True, 1], TypeError, "traverse_fn didn't return a depth=1 structure of bools"),
        (1, TypeError, "traverse_fn returned a non-bool scalar"),
    ):
        with pytest.raises(kind, match=text):
            traverse(lambda part, answer=answer: answer if part is tree else True, tree)
    with pytest.raises(TypeError, match="traverse_fn returned structure"):
        traverse(lambda part: [True, True], tree)
