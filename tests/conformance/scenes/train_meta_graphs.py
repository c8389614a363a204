"""Meta graphs: each export and import option; partial graphs, devices, savers, defaults."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import os
import zlib

from tests.conformance.scenes import in_own_graph


def _model(tf):
    """Two scopes, devices, variables of both kinds, two savers, a queue, a condition, a loop."""
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.device("/job:worker/task:1"):
        with tf.name_scope("one"):
            y = tf.multiply(x, 2.0, name="y")
            z = tf.identity(y, name="z")
    with tf.device("/gpu:1"), tf.variable_scope("two"):
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        w = tf.get_variable("w", initializer=[3.0], use_resource=True, trainable=False)
        total = tf.add(z, v, name="total")
        with tf.control_dependencies([y.op]):
            tf.cond(x[0] > 0, lambda: total * 2, lambda: total, name="chosen")
            tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], name="round")
    first = tf.train.Saver([v], name="first")
    tf.add_to_collection(tf.GraphKeys.SAVERS, first)
    tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver([w], name="second"))
    for value in (y, total):
        tf.add_to_collection("values", value)
    tf.add_to_collection("numbers", 3)
    tf.add_to_collection("numbers", 4)
    tf.add_to_collection("texts", "a")
    return first


def _shown(stage, message):
    info = message.meta_info_def
    stage.say(info.tags, info.meta_graph_version, info.stripped_default_attrs)
    stage.say([op.name for op in info.stripped_op_list.op])
    for key in sorted(message.collection_def):
        kind = message.collection_def[key].WhichOneof("kind")
        values = list(getattr(message.collection_def[key], kind).value) if kind else []
        stage.say(key, kind, len(values), values if kind != "bytes_list" else "")
    nodes = [
        (n.name, n.op, list(n.input), n.device, sorted(n.attr)) for n in message.graph_def.node
    ]
    stage.say(len(nodes), zlib.crc32(str(nodes).encode()), [name for name, *_ in nodes][:9])
    stage.say(sorted({device for *_, device, _ in nodes}))
    stage.say(message.saver_def.save_tensor_name, message.saver_def.restore_op_name)


def _options(first, last):
    def scene(tf, stage):
        saver = _model(tf)
        made = saver.as_saver_def()
        info = tf.MetaGraphDef.MetaInfoDef(tags=["a", "b"], meta_graph_version="7")
        export = tf.train.export_meta_graph
        part = tf.get_default_graph().as_graph_def()
        del part.node[3:]
        for options in (
            {},
            {"meta_info_def": info},
            {"saver_def": made},
            {"saver_def": made, "clear_extraneous_savers": True},
            {"clear_extraneous_savers": True},
            {"clear_devices": True},
            {"collection_list": ["values", "none"]},
            {"collection_list": []},
            {"strip_default_attrs": True},
            {"graph_def": part},
            {"graph_def": part, "clear_devices": True},
            {"export_scope": "two"},
            {"export_scope": "one", "strip_default_attrs": True},
            {"export_scope": "two", "clear_devices": True, "unbound_inputs_col_name": "mine"},
            {"export_scope": "two", "unbound_inputs_col_name": None},
            {"export_scope": "none"},
        )[first:last]:
            stage.say(sorted(options))
            with stage.failing():
                _shown(stage, export(**options))
                stage.say(
                    sorted(k for k in tf.get_default_graph().get_all_collection_keys() if "un" in k)
                )

    return scene


for _first in range(0, 16, 4):
    globals()[f"options_{_first}"] = in_own_graph(_options(_first, _first + 4))


def _files(tf, stage):
    saver = _model(tf)
    export = tf.train.export_meta_graph
    for name, options in (
        ("a.meta", {}),
        ("b.meta", {"as_text": True}),
        ("c/d.meta", {"export_scope": "two"}),
        ("e", {"graph": tf.Graph()}),
    ):
        path = os.path.join(stage.folder, name)
        with stage.failing():
            made = export(path, **options)
            with open(path, "rb") as file:
                data = file.read()
            if options.get("as_text"):
                stage.say(data.decode().split("\n")[0], len(data) > 1000)
            else:
                stage.say(tf.MetaGraphDef.FromString(data) == made)
            with tf.Graph().as_default() as graph:
                read = tf.train.import_meta_graph(path, clear_devices=True)
                stage.say(type(read).__name__, len(graph.get_operations()))
    stage.files()
    made = saver.export_meta_graph(
        stage.folder + "/f", ["texts"], as_text=True, clear_devices=True, strip_default_attrs=True
    )
    _shown(stage, made)
    made = saver.export_meta_graph(export_scope="two", clear_extraneous_savers=True)
    _shown(stage, made)
    for wrong in (
        {"graph": 3},
        {"graph_def": 3},
        {"saver_def": 3},
        {"meta_info_def": 3},
        {"filename": 3},
        {"more": 3},
    ):
        stage.attempt(lambda: export(**wrong) is None)


files = in_own_graph(_files)


def _read(tf, stage):
    _model(tf)
    message = tf.train.export_meta_graph()
    load = tf.train.import_meta_graph
    for options in (
        {},
        {"import_scope": "in"},
        {"import_scope": "in/deep/"},
        {"clear_devices": True, "import_scope": "free"},
        {"input_map": {"x": None}},
        {"restore_collections_predicate": lambda key: key in ("values", "variables")},
        {"return_elements": ["x"]},
        {"none": 3},
    ):
        stage.say(sorted(options))
        given = type(message)()
        given.CopyFrom(message)
        with tf.Graph().as_default() as graph, stage.failing():
            if "input_map" in options:
                options["input_map"] = {"x": tf.constant([1.0, 2.0], name="own")}
            saver = load(given, **options)
            stage.say(type(saver).__name__, saver and saver.saver_def.save_tensor_name)
            for key in sorted(graph.get_all_collection_keys(), key=str):
                stage.say(key, [getattr(item, "name", item) for item in graph.get_collection(key)])
            names = [op.name for op in graph.get_operations()]
            stage.say(len(names), zlib.crc32(" ".join(names).encode()))
            stage.say(sorted({op.device for op in graph.get_operations()}))
            stage.say(sorted({node.device for node in given.graph_def.node}))


read = in_own_graph(_read)


def _parts_bound_again(tf, stage):
    """Exports a scope, and imports it with its inputs bound."""
    _model(tf)
    part = tf.train.export_meta_graph(export_scope="two", clear_extraneous_savers=True)
    stage.say(list(part.collection_def["unbound_inputs"].bytes_list.value))
    names = [n.decode() for n in part.collection_def["unbound_inputs"].bytes_list.value]
    load = tf.train.import_meta_graph
    with tf.Graph().as_default() as graph:
        stage.attempt(load, part, input_map={"other": tf.constant(1.0)})
        stage.say(len(graph.get_operations()))
        own = {"z": tf.constant([5.0, 6.0], name="own_z"), "y": tf.no_op(name="own_y")}
        given = {}
        for name in names:
            stage.say(name)
            if "strided" in name or "Greater" in name or "x" in name:
                given[name] = tf.constant(True, name="yes")
            elif "^" in name:
                given[name] = own["y"]
            else:
                given[name] = own["z"]
        with stage.failing():
            load(part, import_scope="again", input_map=given, clear_devices=True)
            v = tf.global_variables()[0]
            stage.say(v.name, [each.name for each in tf.global_variables()])
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                stage.say(session.run("again/total:0"))


parts_bound_again = in_own_graph(_parts_bound_again)
