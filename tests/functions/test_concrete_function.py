"""Functions of functools.partial objects: arguments bound by keyword are not inputs; results are TensorFlow
1.15.5's."""

import functools

import pytest

import tfmini as tf

SCALAR = tf.TensorSpec([], tf.float32)


def numbers(a, b=2.0, c=3.0, d=4.0):
    return tf.stack([tf.cast(x, tf.float32) for x in (a, b, c, d)])


def with_keyword(a, *, k=3.0):
    return tf.stack([tf.cast(x, tf.float32) for x in (a, k)])


PARTS = {
    "c": functools.partial(numbers, c=10.0),
    "b": functools.partial(numbers, b=10.0),
    "first and c": functools.partial(numbers, 1.0, c=10.0),
    "two": functools.partial(numbers, 1.0, 2.0),
    "keyword": functools.partial(with_keyword, k=10.0),
}


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(
    ("part", "signed", "args", "kwargs", "expected"),
    [
        ("c", 0, (1.0,), {}, [1, 2, 10, 4]),
        ("c", 0, (1.0, 5.0), {}, [1, 5, 10, 4]),
        ("c", 0, (1.0,), {"c": 5.0}, [1, 2, 5, 4]),
        ("c", 0, (1.0,), {"d": 5.0}, [1, 2, 10, 5]),
        ("c", 1, (1.0,), {}, [1, 2, 10, 4]),
        ("c", 1, (), {"a": 1.0}, [1, 2, 10, 4]),
        ("c", 2, (1.0, 5.0), {}, [1, 5, 10, 4]),
        ("c", 2, (1.0,), {"b": 5.0}, [1, 5, 10, 4]),
        ("c", 2, (1.0,), {}, [1, 2, 10, 4]),
        ("first and c", 1, (5.0,), {}, [1, 5, 10, 4]),
        ("first and c", 1, (), {}, [1, 2, 10, 4]),
        ("b", 1, (5.0,), {}, [5, 10, 3, 4]),
        ("b", 0, (5.0,), {"d": 1.0}, [5, 10, 3, 1]),
        ("two", 1, (5.0,), {}, [1, 2, 5, 4]),
        ("keyword", 1, (1.0,), {}, [1, 10]),
        ("keyword", 0, (1.0,), {"k": 2.0}, [1, 2]),
    ],
)
def test_partial_calls(part, signed, args, kwargs, expected):
    signature = [SCALAR] * signed or None
    function = tf.function(PARTS[part], input_signature=signature)
    assert function(*args, **kwargs).numpy().tolist() == expected


@pytest.mark.parametrize(("part", "args"), [("c", (SCALAR, 2.0)), ("b", (SCALAR,))])
def test_structured_signature_omits_bound_arguments(part, args):
    concrete = tf.function(PARTS[part]).get_concrete_function(SCALAR)
    result, by_keyword = concrete.structured_input_signature
    assert result[0] == tf.TensorSpec([], tf.float32, "a") and result[1:] == args[1:]
    assert by_keyword == {}
