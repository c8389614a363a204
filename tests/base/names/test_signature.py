"""tfmini._src.base.names.signature: arguments that are declared once."""

import inspect

import pytest

import tfmini as tf
from tfmini._src.base.names.signature import arguments_of


def model(x, y, scale=2, name=None):
    """The model."""
    return x, y, scale, name


def test_positional_and_keyword_arguments():
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


def test_shortened_signature_with_other_defaults():
    @arguments_of(model, "y", name="other")
    def shorter(*args):
        return args

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
    def follower(*args):
        return args

    with pytest.raises(
        TypeError, match=r"^follower\(\) missing 1 required positional argument: 'y'$"
    ):
        follower(1)
    with pytest.raises(TypeError, match=r"^follower\(\) got an unexpected keyword argument 'z'$"):
        follower(1, 2, z=3)


def test_factory_function_and_method():
    class Made:
        def __init__(self, x, name="made"):
            self.seen = (x, name)

    @arguments_of(Made, name="other")
    def make(*args):
        return Made(*args)

    class Maker:
        @arguments_of(Made, "name")
        def make(self, x):
            return Made(x, self)

    maker = Maker()
    assert make(1).seen == (1, "other")
    assert maker.make(x=2).seen == (2, maker)
    assert str(inspect.signature(make)) == "(x, name='other')"
    assert str(inspect.signature(maker.make)) == "(x)"


def test_own_arguments_precede_by_default():
    class First:
        def __init__(self, x, hint=None, name="first"):
            self.seen = (x, hint, name)

    class Second(First):
        @arguments_of(First, "x", name="second")
        def __init__(self, more, name, **hints):
            super().__init__(more, name=name, **hints)

    assert Second(1, True).seen == (1, True, "second")
    assert str(inspect.signature(Second)) == "(more, hint=None, name='second')"


def test_own_arguments_follow_named_one():
    @arguments_of(model, "y")
    def longer(scale, first=1, second=2, **kwargs):
        return scale, first, second, kwargs

    assert str(inspect.signature(longer)) == "(x, scale=2, first=1, second=2, name=None)"
    assert longer(0, 3, 4) == (3, 4, 2, {"x": 0, "name": None})


def test_docstring_defaults_to_model():
    assert arguments_of(model)(lambda *args: args).__doc__ == "The model."


FOUR = ((2, 3), (1, 1), "same")


def test_layers_keep_their_argument_order():
    scoped = tf.layers.Conv2DTranspose(4, *FOUR, "channels_first", tf.nn.relu)
    assert scoped.data_format == "channels_first"
    assert scoped.activation is tf.nn.relu
    kept = tf.keras.layers.Conv2DTranspose(4, (2, 3), (2, 2), "same", 1, "channels_first", (1, 1))
    assert (kept.output_padding, kept.data_format) == ((1, 1), "channels_first")
    volumes = tf.keras.layers.Conv3DTranspose(4, 2, (2, 2, 2), "same", 1, None, "relu")
    assert volumes.activation is tf.keras.activations.relu
    assert "dilation_rate" not in volumes.get_config()


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: tf.keras.layers.Dense(*range(20)),
            "__init__() takes from 2 to 11 positional arguments but 21 were given",
        ),
        (
            lambda: tf.layers.Dense(*range(20)),
            "__init__() takes from 2 to 13 positional arguments but 21 were given",
        ),
        (
            lambda: tf.layers.Dense(3, units=4),
            "__init__() got multiple values for argument 'units'",
        ),
    ],
)
def test_invalid_layer_calls(make, message):
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value) == message
