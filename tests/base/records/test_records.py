"""Records behave like the standard library's dataclasses."""

import copy
import dataclasses
import pickle

import pytest

from tfmini._src.base.records import dataclass


@dataclass(frozen=True)
class Point:
    """A place."""

    x: int
    y: int = 2
    names: list = dataclasses.field(default_factory=list, compare=False, repr=False)


@dataclass
class Named:
    name: str
    length: int = dataclasses.field(init=False, default=0)
    parts: dict = dataclasses.field(init=False, default_factory=dict)

    def __post_init__(self):
        self.length = len(self.name)


@dataclass(frozen=True)
class Far(Point):
    z: int = 3


@dataclass(eq=False)
class Alone:
    value: object = None

    def __repr__(self):
        return "alone"


def test_fields_and_defaults():
    point = Point(1)
    assert (point.x, point.y, point.names) == (1, 2, [])
    assert Point(1).names is not point.names
    assert Point(3, names=[4], y=5).names == [4]
    assert Far(1, z=7) == Far(1, 2, [], 7)
    assert Named("abc").length == 3
    assert Named("a").parts == {}
    assert [f.name for f in dataclasses.fields(Far)] == ["x", "y", "names", "z"]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()
    with pytest.raises(TypeError, match="unexpected keyword argument 'w'"):
        Point(1, w=2)


def test_equality_and_hash():
    assert Point(1) == Point(1, names=[3])
    assert hash(Point(1)) == hash(Point(1, 2, [3]))
    assert Point(1) != Point(2)
    assert Point(1) != Far(1)
    assert Named("a") == Named("a")
    assert Alone(1) != Alone(1)
    assert len({Alone(), Alone()}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(Named("a"))


def test_frozen_records_are_immutable():
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'w'"):
        Far(1).w = 2
    assert dataclasses.replace(point, y=9) == Point(1, 9)
    named = Named("abc")
    named.name = "b"
    assert (named.name, named.length) == ("b", 3)


def test_repr_and_copies():
    assert repr(Point(1)) == "Point(x=1, y=2)"
    assert repr(Named("a")) == "Named(name='a', length=1, parts={})"
    assert repr(Alone()) == "alone"
    for record in (Point(1), Far(1), Named("abc")):
        assert pickle.loads(pickle.dumps(record)) == record
        assert copy.copy(record) == record
        assert dataclasses.is_dataclass(record)
