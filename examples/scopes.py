"""Names of operations and variables, and variable sharing: name scopes, variable scopes, reuse.

    python examples/scopes.py

Every op, tensor and variable of a graph has a unique name. The program creates some and prints their names; the
comments explain them.
"""

import tfmini as tf


def automatic_names():
    """Duplicate names get a number; a scope prefixes its name and a slash."""
    a = tf.constant(0.0)
    b = tf.constant(1.0)
    named = tf.constant(2.0, name="bias")
    again = tf.constant(3.0, name="bias")
    with tf.name_scope("tower"):
        total = a + b
        with tf.name_scope("inner"):
            product = named * again
    with tf.name_scope("tower"):  # entered again: a scope name is unique too
        difference = a - b
    for tensor in (a, b, named, again, total, product, difference):
        print(tensor.name)


def two_kinds_of_scope():
    """tf.Variable uses the name scope; get_variable uses only the variable scope."""
    with tf.name_scope("names"):
        plain = tf.Variable(0.0, name="plain")
        shared = tf.get_variable("shared", [])
        with tf.variable_scope("layer"):
            inner = tf.get_variable("inner", [])
            doubled = 2.0 * inner
    for variable in (plain, shared, inner):
        print(variable.name)
    print(doubled.name)


def dense(x, units):
    """A layer whose variables belong to the enclosing variable scope."""
    weights = tf.get_variable("weights", [x.shape[1], units])
    return tf.matmul(x, weights)


def sharing():
    """Shared variables: reuse=True finds existing ones; without it, creating them again raises an error."""
    x = tf.placeholder(tf.float32, [None, 3])
    with tf.variable_scope("model"):
        dense(x, 2)
    try:
        with tf.variable_scope("model"):
            dense(x, 2)
    except ValueError as error:
        print("refused:", str(error).split(" Did you mean")[0])
    with tf.variable_scope("model", reuse=True):
        dense(x, 2)
    with tf.variable_scope("model", reuse=tf.AUTO_REUSE):  # reuses or creates it
        dense(x, 2)
        tf.get_variable("scale", [])
    for variable in tf.global_variables():
        print(variable.name, variable.shape.as_list())


def main():
    for part in (automatic_names, two_kinds_of_scope, sharing):
        tf.reset_default_graph()
        print(f"-- {part.__name__.replace('_', ' ')}")
        part()


if __name__ == "__main__":
    main()
