"""Object-based SavedModels as stored: nodes, attributes, functions, variables, layers; tags; separate values."""

import collections
import json
import os

import numpy as np

from tests.conformance.scenes import eager_mode


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value)}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _message(tf, folder, tags=("serve",)):
    with tf.Session(graph=tf.Graph()) as session:
        return tf.compat.v1.saved_model.load(session, list(tags), folder)


def _arguments(spec):
    """The fields of a FullArgSpec, without a method's `self`."""
    for pair in spec.fullargspec.named_tuple_value.values:
        value = pair.value
        if pair.key == "args":
            names = [each.string_value for each in value.list_value.values]
            yield pair.key, [name for name in names if name != "self"]
        else:
            yield pair.key, " ".join(str(value).split())


def _said(tf, stage, folder):
    """Records the objects in a SavedModel's message, and the attrs of its functions' nodes."""
    meta = _message(tf, folder)
    info = meta.meta_info_def
    stage.say(list(info.tags), info.stripped_default_attrs, sorted(meta.collection_def))
    bodies = [node for f in meta.graph_def.library.function for node in f.node_def]
    for node in bodies:
        if node.op in ("Conv2D", "StridedSlice", "MatMul"):
            stage.say(node.op, *sorted(set(node.attr) - {"_output_shapes"}))
    stage.say(meta.saver_def.version, meta.saver_def.sharded)
    for number, node in enumerate(meta.object_graph_def.nodes):
        kind = node.WhichOneof("kind")
        children = [(child.local_name, child.node_id) for child in node.children]
        slots = [
            (s.original_variable_node_id, s.slot_name, s.slot_variable_node_id)
            for s in node.slot_variables
        ]
        stage.say(number, kind, children, *slots)
        if kind == "variable":
            stage.say(repr(str(node.variable)))
        elif kind == "user_object":
            made = node.user_object
            version = made.version
            stage.say(made.identifier, version.producer, version.min_consumer)
            if made.metadata:
                found = json.loads(made.metadata)
                for key in sorted(found):
                    stage.say(key, _plain(found[key]))
        elif kind == "function":
            spec = node.function.function_spec
            stage.say(len(node.function.concrete_functions))
            stage.say(*_arguments(spec))
            stage.say(" ".join(str(spec.input_signature).split()))
        elif kind == "bare_concrete_function":
            bare = node.bare_concrete_function
            stage.say(list(bare.argument_keywords), bare.allowed_positional_arguments)
        elif kind in ("constant", "resource", "asset"):
            stage.say(" ".join(str(getattr(node, kind)).split()))
    functions = meta.object_graph_def.concrete_functions
    lines = [
        f"{one.canonicalized_input_signature} gives {one.output_signature}"
        for one in (functions[name] for name in functions)
    ]
    stage.say(*[" ".join(line.split()) for line in sorted(lines)])


def modules(tf, stage):
    spec = tf.TensorSpec
    pair = collections.namedtuple("Pair", "first second")

    class Module(tf.Module):
        def __init__(self):
            super().__init__(name="mine")
            self.v = tf.Variable(
                [1.0, 2.0], name="v", synchronization=tf.VariableSynchronization.ON_WRITE
            )
            self.fixed = tf.Variable(
                3, trainable=False, name="fixed", aggregation=tf.VariableAggregation.SUM
            )
            self.rows = [self.v, {"deep": tf.Variable("text")}]

        @tf.function(input_signature=[spec([None, 2], tf.float32, name="given")])
        def convolved(self, x):
            y = tf.nn.conv2d(x[None, :, :, None], tf.ones([1, 1, 1, 1]), strides=1, padding="VALID")
            return {"y": y, "sum": tf.reduce_sum(x @ self.v[:, None], axis=None)}

        @tf.function(
            input_signature=[
                spec([], tf.string),
                {"a": spec([2], tf.int32), "b": (spec([], tf.bool), [spec(None, tf.float64)])},
            ]
        )
        def measured(self, word, more):
            return tf.strings.length(word), pair(more["a"], None)

        @tf.function
        def free(self, x, *rest, by=2.0, kind="a", **named):
            return x * by

    with tf.Graph().as_default(), eager_mode(tf):
        made = Module()
        made.free(tf.constant(1.0))
        made.free(tf.constant([1.0]), tf.constant(2), by=3.0, other=None)
        tf.saved_model.save(made, stage.folder, signatures=made.convolved)
    _said(tf, stage, stage.folder)


def optimizers(tf, stage):
    with tf.Graph().as_default(), eager_mode(tf):
        made = tf.Module()
        made.v = tf.Variable([1.0, 2.0], name="v")
        made.w = tf.Variable(1.0, name="w")
        made.optimizer = tf.keras.optimizers.Adam(0.5)
        grads = [tf.constant([1.0, 1.0]), tf.constant(2.0)]
        made.optimizer.apply_gradients(zip(grads, [made.v, made.w]))
        tf.saved_model.save(made, stage.folder)
        found = tf.saved_model.load_v2(stage.folder)
        optimizer = found.optimizer
        stage.attempts(lambda: optimizer.get_config())
    _said(tf, stage, stage.folder)


def layers(tf, stage):
    base, k = tf.keras.layers.Layer, tf.keras.layers

    class Named(base):
        def call(self, x, **kwargs):
            return x * 2.0

    class Trained(base):
        def call(self, x, training=None):
            return x

    class Plain(base):
        def __init__(self, units, **kwargs):
            super().__init__(**kwargs)
            self.units = units

        def call(self, x):
            return x

    with tf.Graph().as_default(), eager_mode(tf):
        for number, make in enumerate(
            (
                lambda: Named(input_shape=(3,), name="named"),
                lambda: Trained(dtype="float64", trainable=False, name="trained"),
                lambda: Plain(3, batch_input_shape=(2, 3), name="plain"),
                lambda: k.Dense(
                    2,
                    name="dense",
                    input_shape=(3,),
                    kernel_regularizer="l2",
                    activity_regularizer=tf.keras.regularizers.l1(0.5),
                    kernel_constraint="non_neg",
                ),
                lambda: k.BatchNormalization(name="normal"),
                lambda: k.Masking(name="masking"),
                lambda: k.Dropout(0.5, name="dropped", seed=1),
            )
        ):
            with stage.failing():
                layer = make()
                folder = os.path.join(stage.folder, str(number))
                layer(np.ones([2, 3] + [1] * (layer.name == "masking"), np.float32))
                tf.saved_model.save(layer, folder)
                meta = _message(tf, folder)
                node = meta.object_graph_def.nodes[0]
                stage.say(node.user_object.identifier, sorted(c.local_name for c in node.children))
                found = json.loads(node.user_object.metadata)
                for key in sorted(found):
                    stage.say(key, _plain(found[key]))
                lines = []
                for other in meta.object_graph_def.nodes[1:]:
                    if other.WhichOneof("kind") == "function":
                        spec = other.function.function_spec
                        known = [pair for pair in _arguments(spec) if "defaults" not in pair[0]]
                        lines.append(f"{len(other.function.concrete_functions)} {known}")
                for line in sorted(lines):
                    stage.say(line)
        stage.attempt(lambda: tf.saved_model.save(k.Dense(2, name="unbuilt"), stage.folder + "/u"))


def tags_of_loads(tf, stage):
    build, info = tf.saved_model.build_signature_def, tf.saved_model.build_tensor_info
    with eager_mode(tf):
        made = tf.Module()
        made.v = tf.Variable(1.0)
        tf.saved_model.save(made, stage.folder + "/objects")
        stage.attempt(lambda: tf.saved_model.predict_signature_def({"x": made.v}, {}))
    several = tf.saved_model.Builder(stage.folder + "/several")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [], name="x")
        signature = {"s": build({"x": info(x)}, {"y": info(x + 1.0)}, "m")}
        several.add_meta_graph_and_variables(session, ["a", "b"], signature)
        several.add_meta_graph(["c"], signature)
        several.save()
    load = tf.saved_model.load_v2
    with eager_mode(tf):
        for tags in (
            None,
            "serve",
            ["serve"],
            {"serve"},
            ("serve",),
            [],
            set(),
            ["serve", "serve"],
            ["serve", "gpu"],
            "other",
            ["other"],
            3,
        ):
            stage.attempt(lambda: load(stage.folder + "/objects", tags).v)  # noqa: B023
        for tags in (
            None,
            "c",
            ["a", "b"],
            ["b", "a"],
            {"a", "b"},
            "a",
            ["a"],
            ["a", "b", "c"],
            [],
        ):
            stage.attempt(
                lambda: load(stage.folder + "/several", tags).signatures["s"](tf.constant(1.0))  # noqa: B023
            )
        loaded = load(stage.folder + "/objects")
        stage.say(loaded.tensorflow_version[:4], type(loaded.tensorflow_git_version).__name__)


def loaded_in_graphs(tf, stage):
    with tf.Graph().as_default(), eager_mode(tf):
        made = tf.Module()
        made.v = tf.Variable([1.0, 2.0], name="v")
        made.table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([1, 2], tf.int64)), -1
        )
        made.f = tf.function(
            lambda x, w: (x * made.v, made.table.lookup(w)),
            input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([None], tf.string)],
        )
        tf.saved_model.save(made, stage.folder)
    for scope in (None, "s"):
        with tf.Graph().as_default(), tf.Session() as session, tf.name_scope(scope):
            one, two = (tf.saved_model.load_v2(stage.folder) for _ in range(2))
            y = one.f(tf.constant([3.0, 4.0]), tf.constant(["b", "c"]))
            stage.say([v.name for v in tf.global_variables()], [str(t.shape) for t in y])
            stage.say(len(tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS)))
            gradient = tf.gradients(y[0], one.v)[0]
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            stage.say(session.run(y))
            session.run(one.v.assign([0.0, 1.0]))
            stage.say(session.run([y, one.v, two.v]))
            stage.say(session.run(gradient))
            session.run(one.v.initializer)
            stage.say(session.run(one.v))
