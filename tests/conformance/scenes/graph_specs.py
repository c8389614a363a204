"""Type specs: compatibility, most specific common types, string forms; graph traversal; op seeds."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import importlib

import numpy as np


def _types(tf):
    if tf.__name__ == "tensorflow":
        return importlib.import_module("tensorflow.python.framework.type_spec")
    return importlib.import_module("tfmini._src.graph.type_spec")


def _specs(tf):
    T = tf.TensorSpec
    return {
        "scalar": T([], tf.float32),
        "default": T([2]),
        "any": T(None, tf.float32),
        "open": T([None, 3], tf.float32),
        "whole": T([2, 3], tf.float32),
        "named": T([2, 3], tf.float32, "n"),
        "other name": T([2, 3], tf.float32, name="m"),
        "integers": T([2, 3], tf.int32),
        "sparse": tf.SparseTensorSpec([2, 3], tf.float32),
        "sparse open": tf.SparseTensorSpec([None, 3], tf.float32),
        "sparse any": tf.SparseTensorSpec(),
        "sparse integers": tf.SparseTensorSpec(None, tf.int32),
        "slices": tf.IndexedSlicesSpec([5, 3], tf.float32),
        "slices of a shape": tf.IndexedSlicesSpec([5, 3], tf.float32, tf.int32, tf.int64),
        "slices of two": tf.IndexedSlicesSpec([5, 3], tf.float32, indices_shape=[2]),
        "ragged": tf.RaggedTensorSpec([2, None], tf.float32),
        "ragged wider": tf.RaggedTensorSpec([2, None, 3], tf.float32, 1, tf.int32),
    }


def _fields(tf, stage, specs):
    for name, spec in specs:
        stage.say(name, repr(spec), str(spec))
        stage.attempts(
            lambda: spec._flat_tensor_specs,
            lambda: spec._to_legacy_output_shapes(),
            lambda: spec._unbatch(),
        )


def fields(tf, stage):
    _fields(tf, stage, list(_specs(tf).items())[:8])


def fields_of_others(tf, stage):
    _fields(tf, stage, list(_specs(tf).items())[12:])


def _pairs(first, last):
    def scene(tf, stage):
        specs = _specs(tf)
        for name in list(specs)[first:last]:
            spec = specs[name]
            stage.say(name, [n for n, other in specs.items() if spec.is_compatible_with(other)])
            stage.say([n for n, other in specs.items() if spec == other])
            for other_name, other in specs.items():
                try:
                    common = spec.most_specific_compatible_type(other)
                except ValueError as error:
                    if other_name in ("integers", "sparse integers", "slices"):
                        stage.say("!!", other_name, str(error))
                    continue
                stage.say("&", other_name, common)

    return scene


for _first in range(0, 17, 4):
    globals()[f"pairs_{_first}"] = _pairs(_first, _first + 4)


def of_values(tf, stage):
    types, specs = _types(tf), _specs(tf)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    slices = tf.IndexedSlices(x, tf.constant([0, 1]))
    values = {
        "tensor": x,
        "variable": tf.Variable([1.0, 2.0]),
        "sparse": sparse,
        "slices": slices,
        "slices of a shape": tf.IndexedSlices(x, tf.constant([0, 1]), tf.constant([5, 3])),
        "ragged": tf.ragged.constant([[1.0], [2.0, 3.0]]),
        "array": np.zeros([2, 3], np.float32),
        "number": 3,
        "list": [1.0, 2.0],
        "list of tensors": [x, x],
        "list of sparse": [sparse, sparse],
        "list of both": [x, sparse],
        "text": "a",
        "none": None,
        "dict": {"a": 1},
        "spec": specs["whole"],
    }
    for name, value in values.items():
        stage.say(name)
        with stage.failing():
            spec = types.type_spec_from_value(value)
            stage.say(repr(spec))
            stage.say([n for n, other in specs.items() if other.is_compatible_with(value)])
            if "of" not in name:
                parts = spec._to_tensor_list(value)
                stage.say([(part.dtype, part.shape) for part in parts])
    T = tf.TensorSpec
    stage.attempts(lambda: T([-1]), lambda: specs["whole"]._to_components("text"))

    class Own:
        pass

    class Later(Own):
        pass

    def converted(number):
        return lambda value: T([number], tf.int32)

    stage.attempt(types.type_spec_from_value, Own())
    types.register_type_spec_from_value_converter(Own, converted(1))
    stage.attempt(types.type_spec_from_value, Own())
    stage.attempt(types.type_spec_from_value, Later())
    types.register_type_spec_from_value_converter(Own, converted(2), allow_subclass=True)
    stage.attempt(types.type_spec_from_value, Own())
    stage.attempt(types.type_spec_from_value, Later())


def walks(tf, stage):
    if tf.__name__ == "tensorflow":
        of = importlib.import_module("tensorflow.python.ops.op_selector")
    else:
        of = importlib.import_module("tfmini._src.graph.op_selection")
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    c = tf.add(a, b, name="c")
    with tf.control_dependencies([b.op]):
        d = tf.square(c, name="d")
    e = tf.argmax([d, d], name="e")
    other = tf.Graph()
    with other.as_default():
        far = tf.constant(1.0, name="far")

    def names(items):
        return [item.name for item in items]

    def sorted_names(items):
        return sorted(names(items))

    graph = a.graph
    stage.attempts(
        lambda: sorted_names(of.get_backward_walk_ops(d)),
        lambda: sorted_names(of.get_backward_walk_ops([e.op], only_differentiable=True)),
        lambda: of.make_list_of_t([a, far]),
        lambda: names(of.make_list_of_t([a, far], check_graph=False)),
        lambda: of.make_list_of_t(3),
        lambda: of.get_unique_graph(graph) is graph,
        lambda: of.get_unique_graph([], none_if_empty=True),
        lambda: of.get_unique_graph(3),
        lambda: of.check_graphs(a, c, far),
    )
