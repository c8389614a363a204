"""Functions that share their variables between calls."""

import pytest

import tfmini as tf


def scale(x, by=1.0):
    factor = tf.get_variable("factor", [], initializer=tf.constant_initializer(3.0))
    tf.get_local_variable("local", [], initializer=tf.zeros_initializer())
    return x * factor * by


def test_calls_share_variables(graph):
    template = tf.make_template("scale", scale, by=2.0)
    assert template.variables == []
    a, b = template(tf.constant(1.0)), template(tf.constant(2.0))
    assert [v.name for v in template.variables] == ["scale/factor:0", "scale/local:0"]
    assert template.trainable_variables == template.global_variables == template.trainable_weights
    assert template.non_trainable_variables == template.non_trainable_weights == []
    assert template.weights == template.variables
    assert (template.name, template.variable_scope.name) == ("scale", "scale")
    assert template.variable_scope_name == "scale/"
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([a, b]) == [6.0, 12.0]


def test_errors(graph):
    with pytest.raises(ValueError, match=r"^name cannot be None\.$"):
        tf.make_template(None, scale)
    template = tf.make_template("t", lambda: tf.Variable(1.0))
    template()
    with pytest.raises(ValueError) as caught:
        template()
    assert str(caught.value).startswith(
        "Trainable variable created when calling a template after the first time, perhaps you used "
        "tf.Variable when you meant tf.get_variable: [<tf.Variable 't_1/Variable:0' shape=() "
        "dtype=float32_ref>]\n\noriginally defined at:\n"
    )
    assert __file__ in str(caught.value)


def test_failed_first_call_may_be_repeated(graph):
    fails = [True]

    def once():
        if fails.pop():
            raise KeyError("not yet")
        return tf.get_variable("v", [], initializer=tf.zeros_initializer())

    template = tf.make_template("t", once, create_scope_now_=True)
    with pytest.raises(KeyError, match="not yet.*originally defined at:"):
        template()
    fails.append(False)
    assert template().name == "t/v:0"


def test_error_names_template_definition(graph):
    def wrong():
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="^wrong\n\noriginally defined at:\n") as caught:
        tf.make_template("wrong", wrong)()
    where = str(caught.value).partition("originally defined at:")[2]
    assert where.count('  File "') == 1 and 'tf.make_template("wrong", wrong)()' in where


@pytest.mark.usefixtures("eager")
def test_nested_templates_list_scope_variables():
    inner = tf.make_template("inner", lambda: tf.get_variable("v", []))
    outer = tf.make_template(
        "outer",
        lambda: (
            tf.get_variable("w", []),
            nested.append(tf.make_template("in", inner.func)),
            nested[0](),
        ),
    )
    nested = []
    assert inner.variables == []
    inner()
    outer()
    names = [[v.name for v in template.variables] for template in (inner, outer, *nested)]
    assert names == [["inner/v:0"], ["outer/in/v:0", "outer/w:0"], ["outer/in/v:0"]]
