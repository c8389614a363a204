"""tfmini._src.base.names.deprecation: TensorFlow 1.15.5's warnings, docstrings and errors."""

import functools
import inspect
import logging
import os
import warnings

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base.names import deprecation
from tfmini._src.session.eager.enable import eager_mode


@pytest.fixture
def shown(caplog):
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        yield caplog


def here(offset=0):
    """The line of the test that asks, plus an offset, as warnings name it."""
    frame = inspect.currentframe().f_back
    return f"{__file__}:{frame.f_lineno + offset}"


def test_deprecated(shown):
    @deprecation.deprecated(None, "Use g.")
    def f(x):
        """Does f.

        More
          words.
        """
        return x

    place = here(2)
    for i in range(2):
        assert f(i) == i
    assert shown.messages == [
        f"From {place}: test_deprecated.<locals>.f (from {__name__}) is deprecated and will be "
        "removed in a future version.\nInstructions for updating:\nUse g."
    ]
    assert f.__name__ == "f"
    assert f.__doc__ == (
        "Does f. (deprecated)\n\n"
        "Warning: THIS FUNCTION IS DEPRECATED. It will be removed in a future version.\n"
        "Instructions for updating:\nUse g.\n\nMore\n  words."
    )


def test_deprecation_with_date_repeats(shown):
    @deprecation.deprecated("2018-01-02", "Use g.", warn_once=False)
    def f():
        return 1

    assert f() + f() == 2
    assert len(shown.messages) == 2
    assert "is deprecated and will be removed after 2018-01-02.\n" in shown.messages[0]
    assert f.__doc__ == (
        "DEPRECATED FUNCTION\n\n"
        "Warning: THIS FUNCTION IS DEPRECATED. It will be removed after 2018-01-02.\n"
        "Instructions for updating:\nUse g."
    )
    with deprecation.silence():
        f()
    assert len(shown.messages) == 2


def test_deprecated_method(shown):
    class C:
        @deprecation.deprecated(None, "Use n.")
        def m(self):
            return 5

    assert C().m() == 5
    assert "test_deprecated_method.<locals>.C.m (from " in shown.messages[0]


def test_deprecated_args(shown):
    @deprecation.deprecated_args(None, "Use axis.", "dim", "keep")
    def g(x, axis=None, dim=None, keep=None):
        """G.
        Second."""
        return (x, axis, dim, keep)

    assert g(1, 2) == (1, 2, None, None)
    assert shown.messages == []
    place = here(1)
    assert g(1, 2, 3) == (1, 2, 3, None)
    assert g(1, dim=3) == (1, None, 3, None)
    assert g(1, keep=4) == (1, None, None, 4)
    words = f"calling test_deprecated_args.<locals>.g (from {__name__}) with"
    ending = (
        "is deprecated and will be removed in a future version.\n"
        "Instructions for updating:\nUse axis."
    )
    assert shown.messages[0] == f"From {place}: {words} dim {ending}"
    assert shown.messages[1].endswith(f"{words} keep {ending}")
    assert len(shown.messages) == 2
    assert g.__doc__ == (
        "G. (deprecated arguments)\n\nWarning: SOME ARGUMENTS ARE DEPRECATED: `(dim, keep)`. "
        "They will be removed in a future version.\n"
        "Instructions for updating:\nUse axis.\n\nSecond."
    )


def test_deprecated_args_in_eager_mode(shown):
    """TensorFlow warns of arguments in graph mode only, of functions and values in both."""

    @deprecation.deprecated_args(None, "Use axis.", "dim")
    def g(axis=None, dim=None):
        return dim

    with eager_mode():
        assert g(dim=1) == 1
        assert not shown.messages
    assert g(dim=1) == 1
    assert len(shown.messages) == 1


def test_deprecated_args_with_ok_values(shown):
    @deprecation.deprecated_args("2019-01-01", "Use axis.", ("dim", None), "rest", "kw")
    def g(x, dim=None, *rest, **kw):
        return x

    g(1)
    g(1, None)
    assert shown.messages == []
    g(1, 2)
    g(1, None, 3)
    g(1, k=2)
    named = [message.split(" with ")[1].split()[0] for message in shown.messages]
    assert named == ["dim", "rest", "kw"]


def test_deprecated_arg_values(shown):
    @deprecation.deprecated_arg_values("2016-11-30", "Set it.", dim=1, b=None)
    def h(x, dim=1, b=2):
        """H."""
        return x

    h(1, 2)
    assert shown.messages == []
    place = here(1)
    h(1)
    h(1, b=None)
    words = f"calling test_deprecated_arg_values.<locals>.h (from {__name__}) with"
    ending = (
        "is deprecated and will be removed after 2016-11-30.\nInstructions for updating:\nSet it."
    )
    assert shown.messages[0] == f"From {place}: {words} dim=1 {ending}"
    assert shown.messages[1].endswith(f"{words} b=None {ending}")
    assert h.__doc__ == (
        "H. (deprecated argument values)\n\n"
        "Warning: SOME ARGUMENT VALUES ARE DEPRECATED: `(b=None, dim=1)`. "
        "They will be removed after 2016-11-30.\nInstructions for updating:\nSet it."
    )


def test_deprecated_alias(shown):
    class K:
        """A K."""

        def __init__(self, a):
            self.a = a

    def f(x):
        return x

    old_class = deprecation.deprecated_alias("old.K", "new.K", K)
    old_function = deprecation.deprecated_alias("old.f", "new.f", f)
    place = here(1)
    assert isinstance(old_class(3), K)
    assert old_class(4).a == 4
    assert old_function(5) == 5
    assert shown.messages[0] == (
        f"From {place}: The name old.K is deprecated. Please use new.K instead.\n"
    )
    assert "The name old.f is deprecated. Please use new.f instead." in shown.messages[1]
    assert len(shown.messages) == 2
    assert old_class.__doc__ == (
        "A K. (deprecated)\n\nWarning: THIS CLASS IS DEPRECATED. "
        "It will be removed in a future version. \nPlease use new.K instead."
    )


def test_deprecated_argument_lookup():
    lookup = deprecation.deprecated_argument_lookup
    assert lookup("axis", 1, "dimension", None) == 1
    assert lookup("axis", None, "dimension", 2) == 2
    assert lookup("axis", None, "dimension", None) is None
    with pytest.raises(ValueError) as caught:
        lookup("axis", 1, "dimension", 2)
    assert str(caught.value) == "Cannot specify both 'dimension' and 'axis'"


def test_rewrite_argument_docstring():
    found = deprecation.rewrite_argument_docstring("a `dim` b\n dim: x", "dim", "axis")
    assert found == "a `axis` b\n axis: x"


def test_deprecated_endpoints():
    @deprecation.deprecated_endpoints("a", "b")
    def f():
        """F."""

    assert f._tf_deprecated_api_names == ("a", "b")
    with pytest.raises(deprecation.DeprecatedNamesAlreadySet) as caught:
        deprecation.deprecated_endpoints("c")(f)
    assert str(caught.value) == (
        "Cannot set deprecated names for f to ('c',). "
        "Deprecated names are already set to ('a', 'b')."
    )


def test_hidden_attribute():
    class Base:
        a = 1

    class Child(Base):
        a = deprecation.hide_attribute_from_api("gone")

    with pytest.raises(AttributeError, match="^gone$"):
        _ = Child().a


@pytest.mark.parametrize(
    "make, text",
    [
        (
            lambda: deprecation.deprecated_args(None, "x", "a", foo=1),
            "Illegal argument to deprecated_args: {'foo': 1}",
        ),
        (
            lambda: deprecation.deprecated_args(None, "x", "a")(lambda b, *c: 1),
            "The following deprecated arguments are not present in the function signature: ['a']. "
            "Found next arguments: ['b', 'c', None].",
        ),
    ],
)
def test_invalid_decorator_arguments(make, text):
    with pytest.raises(ValueError) as caught:
        make()
    assert str(caught.value) == text


def test_warnings_name_callee_and_calling_line(shown, monkeypatch):
    """The program's lines for its own calls, tfmini's for its internal ones, like TensorFlow's for its own."""
    monkeypatch.setattr(deprecation, "_warned", set())
    assert tf.layers.Layer  # a warning qualifies a method's class by the loaded names
    with tf.Graph().as_default():
        first = int(here(1).rpartition(":")[2])
        tf.reduce_sum([1.0], keep_dims=True)
        tf.GraphKeys.VARIABLES  # noqa: B018
        cell = tf.nn.rnn_cell.BasicLSTMCell(3)
        cell(tf.zeros([2, 3]), cell.zero_state(2, tf.float32))
        tf.layers.Dense(3).apply(tf.zeros([2, 3]))
        tf.layers.dense(tf.zeros([2, 3]), 3)
        tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0], logits=[0.0])
        tf.data.Dataset.range(3).map(lambda x: tf.to_float(x))
    said = [message.split(": ", 1) for message in shown.messages]
    own = [(where, text) for where, text in said if where.startswith(f"From {__file__}:")]
    assert [text.split(" is deprecated")[0] for _, text in own] == [
        "calling tf.reduce_sum with keep_dims",
        "tf.GraphKeys.VARIABLES (from tfmini._src.graph.graph_keys)",
        "tf.nn.rnn_cell.BasicLSTMCell",
        "tf.layers.Layer.apply",
        "tf.layers.dense",
        "tf.to_float",
    ]
    rows = [0, 1, 2, 4, 5, 7]
    assert [where for where, _ in own] == [f"From {__file__}:{first + row}" for row in rows]
    others = {
        text.split(" is deprecated")[0]: where for where, text in said if (where, text) not in own
    }
    assert others.keys() >= {
        "tf.layers.Layer.add_variable",
        "calling tf.zeros_initializer with dtype",
        "tf.where",
    }
    assert all(
        where.startswith(f"From {os.path.dirname(tf.__file__)}") for where in others.values()
    )


@pytest.mark.parametrize(
    ("advice", "more"),
    [
        (
            "Use tf.quantized_concat.",
            "(tfmini does not implement tf.quantized_concat; keep using the deprecated name.)",
        ),
        (
            "Please use `nn.quantized_relu_x`",
            "(tfmini does not implement tf.nn.quantized_relu_x; ",
        ),
        ("Use tf.nn.relu or the cell.state, e.g. a.b.", ""),
    ],
)
def test_unsupported_advice_is_noted(shown, advice, more):
    deprecation.deprecated(None, advice)(lambda: 1)()
    assert shown.messages[0].partition(advice)[2].strip("\n").startswith(more)
    assert bool(more) == ("does not implement" in shown.messages[0])


def test_python_warnings_name_user_line():
    with warnings.catch_warnings(record=True) as caught, tf.Graph().as_default():
        warnings.simplefilter("always")
        slices = tf.IndexedSlices(tf.zeros([1, 2]), tf.constant([0]), tf.placeholder(tf.int32, [2]))
        place = here(1)
        tf.convert_to_tensor(slices)
    assert [f"{w.filename}:{w.lineno}" for w in caught] == [place]


def test_incomparable_values_differ():
    class Odd:
        def __eq__(self, other):
            raise TypeError("never")

        __hash__ = None

    odd = Odd()
    assert deprecation._are_equal(odd, odd)
    assert not deprecation._are_equal(odd, 1)
    assert not deprecation._are_equal(np.ones(2), 1) and not deprecation._are_equal(np.array(1), 2)
    assert deprecation._are_equal(1, 1.0) and not deprecation._are_equal("a", "b")


def test_undecorated():
    def f(x, dim=None):
        return x

    args = deprecation.deprecated_args(None, "Use x.", "dim")
    both = deprecation.deprecated(None, "Use g.")(args(f))
    assert deprecation.undecorated(both) is f
    assert deprecation.undecorated(f) is f
    assert deprecation.undecorated(dict) is dict
    outer = functools.wraps(both)(lambda x: both(x))
    assert deprecation.undecorated(outer) is outer
