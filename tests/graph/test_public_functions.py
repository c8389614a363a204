"""Functions overridden by their argument classes."""

import pytest

from tfmini._src.graph.public_functions import overridable, override


class Fraction:
    pass


@overridable
def halved(x, name=None):
    """Half of x."""
    return x / 2


@override("halved", Fraction)
def _halved(x, name=None):
    return ("half of a fraction", name)


def test_the_function_itself_comes_first():
    assert halved(6) == 3


def test_an_argument_of_the_class_is_answered_by_the_override():
    assert halved(Fraction(), name="n") == ("half of a fraction", "n")
    assert halved(x=Fraction()) == ("half of a fraction", None)
    assert halved([1, Fraction()]) == ("half of a fraction", None)


def test_what_no_override_takes_raises_its_own_error():
    with pytest.raises(TypeError, match="unsupported operand"):
        halved("a")


def test_it_keeps_its_name_and_docstring():
    assert (halved.__name__, halved.__doc__) == ("halved", "Half of x.")
