"""Optional conversions; the values are TensorFlow's."""

import pytest

import tfmini as tf

FEATURE = tf.autograph.experimental.Feature


def converted(function, *features):
    return tf.autograph.to_graph(function, experimental_optional_features=features)


def values(function, *features):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32, [])
        results = converted(function, *features)(x)
        return [session.run(results, {x: value}) for value in (4, 2)]


def appends(n):
    result = []
    for k in range(3):
        result.append(n + k)
    return len(result)


def assigns_under_another_name(n):
    items, of_names = [5, n, n], {"a": n}
    first = items.pop(0)
    same, same_names = items, of_names
    same[1] = n * 10
    same_names["a"] = n * 100
    return items[1] + of_names["a"] + first


@pytest.mark.parametrize(
    ("function", "expected"),
    [(appends, [3, 3]), (assigns_under_another_name, [445, 225])],
)
def test_lists(function, expected):
    assert values(function, FEATURE.LISTS) == expected


def test_equality_operators():
    def among(n):
        if 4 == n or n != 4 and n == 3:
            return 1
        return 0

    def between(n):
        return 0 < n < 3

    assert values(among, FEATURE.EQUALITY_OPERATORS) == [1, 0]
    assert values(between, FEATURE.EQUALITY_OPERATORS) == [False, True]
    assert converted(among)(tf.constant(4)) == 0  # tensors are equal only to themselves


def test_assertions():
    def positive(n):
        assert n > 3, "too small"
        return n

    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.int32, [])
        converted(positive, FEATURE.ASSERT_STATEMENTS)(x)
        (node,) = [op for op in graph.get_operations() if op.type == "Assert"]
        session.run(node, {x: 4})
        with pytest.raises(tf.errors.InvalidArgumentError, match="too small"):
            session.run(node, {x: 2})


def test_print_calls(capsys):
    def prints(n):
        return print("n is", n)

    with tf.Graph().as_default(), tf.Session() as session:
        session.run(converted(prints, FEATURE.BUILTIN_FUNCTIONS)(tf.constant(5)))
    assert capsys.readouterr().out == "n is 5\n"


def test_name_scopes():
    def outer(n):
        def _inner(x):
            return x + 1

        return _inner(n)

    with tf.Graph().as_default():
        assert converted(outer, FEATURE.NAME_SCOPES)(tf.constant(1)).op.name == "outer/fn_inner/add"


def test_auto_control_deps_is_refused():
    with pytest.raises(NotImplementedError, match="AUTO_CONTROL_DEPS: tfmini orders side"):
        converted(appends, FEATURE.AUTO_CONTROL_DEPS)
