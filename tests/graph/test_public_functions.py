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


def test_original_function_is_called_first():
    assert halved(6) == 3


def test_override_handles_class_argument():
    assert halved(Fraction(), name="n") == ("half of a fraction", "n")
    assert halved(x=Fraction()) == ("half of a fraction", None)
    assert halved([1, Fraction()]) == ("half of a fraction", None)


def test_unhandled_arguments_raise_original_error():
    with pytest.raises(TypeError, match="unsupported operand"):
        halved("a")


def test_wrapper_preserves_name_and_docstring():
    assert (halved.__name__, halved.__doc__) == ("halved", "Half of x.")
