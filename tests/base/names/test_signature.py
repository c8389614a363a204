"""tfmini._src.base.names.signature: arguments that are declared once."""

import inspect

import pytest

from tfmini._src.base.names.signature import arguments_of


def model(x, y, scale=2, name=None):
    """The model."""
    return x, y, scale, name


def test_arguments_come_in_order_or_by_name():
    @arguments_of(model)
    def in_order(*given):
        """Another."""
        return given

    @arguments_of(model)
    def by_name(y, **given):
        return y, given

    assert in_order(1, y=2) == (1, 2, 2, None)
    assert by_name(1, 2, name="n") == (2, {"x": 1, "scale": 2, "name": "n"})
    assert inspect.signature(in_order) == inspect.signature(model)
    assert inspect.getfullargspec(by_name).args == ["x", "y", "scale", "name"]
    assert (in_order.__name__, in_order.__doc__) == ("in_order", "Another.")


def test_fewer_arguments_and_other_defaults():
    @arguments_of(model, "y", name="other")
    def shorter(*given):
        return given

    assert str(inspect.signature(shorter)) == "(x, scale=2, name='other')"
    assert shorter(1) == (1, 2, "other")


def test_constructors():
    class First:
        def __init__(self, x, name="first"):
            self.seen = (x, name)

    class Second(First):
        @arguments_of(First, name="second")
        def __init__(self, x, *options):
            super().__init__(x + 1, *options)

    assert Second(1).seen == (2, "second")
    assert str(inspect.signature(Second)) == "(x, name='second')"


def test_errors_name_the_function():
    @arguments_of(model)
    def follower(*given):
        return given

    with pytest.raises(
        TypeError, match=r"^follower\(\) missing 1 required positional argument: 'y'$"
    ):
        follower(1)
    with pytest.raises(TypeError, match=r"^follower\(\) got an unexpected keyword argument 'z'$"):
        follower(1, 2, z=3)


def test_a_function_or_method_that_makes_an_object():
    class Made:
        def __init__(self, x, name="made"):
            self.seen = (x, name)

    @arguments_of(Made, name="other")
    def make(*given):
        return Made(*given)

    class Maker:
        @arguments_of(Made, "name")
        def make(self, x):
            return Made(x, self)

    maker = Maker()
    assert make(1).seen == (1, "other")
    assert maker.make(x=2).seen == (2, maker)
    assert str(inspect.signature(make)) == "(x, name='other')"
    assert str(inspect.signature(maker.make)) == "(x)"


def test_arguments_of_its_own_come_first():
    class First:
        def __init__(self, x, hint=None, name="first"):
            self.seen = (x, hint, name)

    class Second(First):
        @arguments_of(First, "x", name="second")
        def __init__(self, more, name, **hints):
            super().__init__(more, name=name, **hints)

    assert Second(1, True).seen == (1, True, "second")
    assert str(inspect.signature(Second)) == "(more, hint=None, name='second')"


def test_the_docstring_is_by_default_the_models():
    assert arguments_of(model)(lambda *given: given).__doc__ == "The model."
