"""Graphs with function libraries: entire, in parts, imported and re-exported, frozen."""

from tests.support.models.function_graphs import defun_module
from tests.support.programs import recording


def all_kinds(tf):
    recording.build(tf, "functions_defun")
    return tf.train.export_meta_graph()


def with_gradients(tf):
    recording.build(tf, "functions_gradients")
    return tf.train.export_meta_graph(strip_default_attrs=True)


def with_random_numbers(tf):
    Defun = defun_module(tf).Defun

    @Defun(tf.float32, func_name="Draw")
    def draw(x):
        return x + tf.random_uniform([2], seed=3)

    @Defun(tf.float32, tf.float32, func_name="Double")
    def double(x, dy):
        return dy * 2.0

    @Defun(tf.float32, func_name="Twice", grad_func=double)
    def twice(x):
        return draw(x) + draw(x)

    twice(tf.constant(1.0))
    return tf.train.export_meta_graph()


def imported_elsewhere(tf):
    recording.build(tf, "functions_gradients")
    first = tf.train.export_meta_graph()
    tf.reset_default_graph()
    tf.train.import_meta_graph(first, import_scope="elsewhere")
    return tf.train.export_meta_graph()


def part_of_it(tf):
    recording.build(tf, "functions_defun")
    return tf.train.export_meta_graph(export_scope="scope", clear_devices=True)


def cut_off(tf):
    recording.build(tf, "functions_gradients")
    whole = tf.get_default_graph().as_graph_def()
    part = tf.graph_util.extract_sub_graph(whole, ["gradients/AddN"])
    return tf.MetaGraphDef(graph_def=part)


def frozen(tf):
    recording.build(tf, "functions_gradients")
    graph = tf.get_default_graph()
    with recording.session(tf, {}) as session:
        session.run(tf.global_variables_initializer())
        names = ["gradients/AddN"]
        made = tf.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), names)
    return tf.MetaGraphDef(graph_def=made)
