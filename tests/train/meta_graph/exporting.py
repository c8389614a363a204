"""Entire graphs, by `export_meta_graph` arguments and collection contents."""

import numpy as np

from tests.support.programs import recording


def nothing(tf):
    return tf.train.export_meta_graph()


def one_constant(tf):
    tf.constant([1.0, 2.0], name="c")
    return tf.train.export_meta_graph()


def trained_network(tf):
    recording.build(tf, "train_mlp")
    return tf.train.export_meta_graph()


def nested_conditions(tf):
    recording.build(tf, "cond_nested")
    return tf.train.export_meta_graph()


def gradients_through_conditions(tf):
    recording.build(tf, "cond_gradients")
    return tf.train.export_meta_graph()


def partitioned_variables(tf):
    recording.build(tf, "variables_partitioned")
    return tf.train.export_meta_graph()


def resource_variables(tf):
    recording.build(tf, "variables_resource")
    return tf.train.export_meta_graph()


def arguments_of_variables(tf):
    recording.build(tf, "variables_arguments")
    return tf.train.export_meta_graph()


def lookup_tables(tf):
    recording.build(tf, "lookup_tables")
    return tf.train.export_meta_graph()


def optimizers(tf):
    recording.build(tf, "optimizers_dense")
    return tf.train.export_meta_graph(strip_default_attrs=True)


def devices_kept(tf):
    recording.build(tf, "graph_devices")
    return tf.train.export_meta_graph()


def devices_cleared(tf):
    recording.build(tf, "graph_devices")
    return tf.train.export_meta_graph(clear_devices=True)


def conditions_with_devices_cleared(tf):
    recording.build(tf, "cond_training")
    return tf.train.export_meta_graph(clear_devices=True)


def default_attrs_stripped(tf):
    recording.build(tf, "train_attention")
    return tf.train.export_meta_graph(strip_default_attrs=True)


def every_kind_of_collection(tf):
    x = tf.constant(1.0, name="x")
    kinds = {
        "texts": ["a", b"\xff\x00", "\u00e9"],
        "integers": [1, True, -(2**40)],
        "floats": [0.5, 1, float("inf")],
        "nodes": [x, x.op, tf.Variable(1.0, name="v")],
        "names": ["x:0", "elsewhere"],
        "numpy": [np.int64(3)],
        "things": [object()],
        "mixed": [1, "two"],
        "node, then not": [x, 3],
        "text, then not": ["a", 3],
        "empty": [],
        "None": [None],
    }
    for key, items in kinds.items():
        for item in items:
            tf.add_to_collection(key, item)
    tf.get_collection_ref("looked at")
    tf.add_to_collection(3, "a key that is no string")
    tf.add_to_collection(b"bytes", "a key of bytes")
    return tf.train.export_meta_graph()


def collections_of_variables(tf):
    keys = tf.GraphKeys
    for number, key in enumerate(
        [
            keys.LOCAL_VARIABLES,
            keys.MODEL_VARIABLES,
            keys.METRIC_VARIABLES,
            keys.MOVING_AVERAGE_VARIABLES,
            keys.CONCATENATED_VARIABLES,
            keys.TRAINABLE_RESOURCE_VARIABLES,
            "my own",
        ]
    ):
        with tf.variable_scope(f"v{number}"):
            tf.get_variable("w", [2, 3], collections=[key, keys.GLOBAL_VARIABLES])
            tf.get_variable("r", [], collections=[key], use_resource=True, trainable=False)
    tf.train.get_or_create_global_step()
    return tf.train.export_meta_graph()


def variables_that_are_cached(tf):
    with tf.variable_scope("s", caching_device="/cpu:0"):
        tf.get_variable("w", [2])
        tf.get_variable("r", [2], use_resource=True)
    return tf.train.export_meta_graph()


def chosen_collections(tf):
    tf.Variable(1.0, name="v")
    for key in ("a", "b", "c"):
        tf.add_to_collection(key, key)
    return tf.train.export_meta_graph(collection_list=["b", "variables", "not there"])


def meta_info_is_kept(tf):
    tf.no_op(name="n")
    info = tf.MetaGraphDef.MetaInfoDef(tags=["serve", "gpu"], meta_graph_version="mine")
    info.tensorflow_version = "0.1"
    return tf.train.export_meta_graph(meta_info_def=info)


def another_graph(tf):
    other = tf.Graph()
    with other.as_default():
        tf.Variable(2.0, name="there")
    tf.Variable(1.0, name="here")
    return tf.train.export_meta_graph(graph=other)


def nodes_that_are_given(tf):
    tf.Variable(1.0, name="v")
    tf.constant(1, name="c")
    graph_def = tf.get_default_graph().as_graph_def()
    del graph_def.node[0]
    return tf.train.export_meta_graph(graph_def=graph_def)


def saver_def_that_is_given(tf):
    tf.Variable(1.0, name="v")
    saver_def = tf.train.SaverDef(
        filename_tensor_name="save/Const:0",
        save_tensor_name="save/control_dependency:0",
        restore_op_name="save/restore_all",
        max_to_keep=3,
    )
    return tf.train.export_meta_graph(saver_def=saver_def, clear_devices=True)


def functions(tf):
    recording.build(tf, "functions_python")
    return tf.train.export_meta_graph()
