"""Recorded calls in other contexts: gradients, twice in a graph, in branches, loops and functions, imported from their
GraphDef, eagerly. `ci/record calls --ways` writes TensorFlow's results.
"""

import json

from tests.conformance.recorded_calls import inputs

MAX_BASES = 2  # per function


def varied(tf, groups):
    """Records: calls of `groups`, each in every context."""
    found = {}
    for record in inputs.bases(groups, MAX_BASES):
        given = _with_tensors(record)
        for way in WAYS:
            found[json.dumps(dict(given, w=way), sort_keys=True)] = None
    return [json.loads(text) for text in found]


def _with_tensors(value):
    """A record with tensors instead of lists and arrays of floats, so that they have gradients."""
    if inputs.is_numbers(value):
        return {key: each for key, each in inputs.as_tensors(value).items() if key != "static"}
    if isinstance(value, list):
        return [_with_tensors(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.get("array") in ("float32", "float64"):
        return {("tensor" if key == "array" else key): each for key, each in value.items()}
    return {
        key: list(map(_with_tensors, each)) if key == "a" else _with_tensors(each)
        for key, each in value.items()
    }


def _parts(tf, value):
    return [each for each in tf.nest.flatten(value) if isinstance(each, tf.Tensor)]


def _floating(tf, value):
    return [each for each in _parts(tf, value) if each.dtype.is_floating or each.dtype.is_complex]


def _gradient(tf, call):
    result, given = call()
    return tf.gradients(_floating(tf, result), _sources(tf, given))


def _sources(tf, given):
    return _floating(tf, given) + tf.trainable_variables()


def _gradient_of_gradient(tf, call):
    result, given = call()
    first = tf.gradients(_floating(tf, result), _sources(tf, given))
    return tf.gradients([each for each in first if each is not None], _sources(tf, given))


def _twice(tf, call):
    return [call()[0], call()[0]]


def _branch(tf, call):
    chosen = tf.placeholder_with_default(True, [])
    return tf.cond(chosen, lambda: _parts(tf, call()[0]), lambda: _parts(tf, call()[0]))


def _loop(tf, call):
    outside = _parts(tf, call()[0])

    def body(number, *_):
        return [number + 1, *_parts(tf, call()[0])]

    return tf.while_loop(lambda number, *_: number < 2, body, [0, *outside])


def _function(tf, call):
    return tf.contrib.eager.defun(lambda: _parts(tf, call()[0]))()


def _of_dataset(tf, call):
    return tf.data.Dataset.range(2).map(lambda number: (number, *_parts(tf, call()[0])))


def _imported(tf, call):
    names = [each.name for each in _parts(tf, call()[0])]
    return tf.import_graph_def(
        tf.get_default_graph().as_graph_def(), name="again", return_elements=names
    )


def _eager(tf, call):
    with tf.Graph().as_default():
        types = [each.dtype for each in _parts(tf, call()[0])]
    return tf.contrib.eager.py_func(lambda: _parts(tf, call()[0]), [], types)


# Functions of tf and a call: a function that returns the call's results, and its inputs.
WAYS = {
    "gradient": _gradient,
    "gradient of gradient": _gradient_of_gradient,
    "twice": _twice,
    "branch": _branch,
    "loop": _loop,
    "function": _function,
    "dataset": _of_dataset,
    "imported": _imported,
    "eager": _eager,
}
