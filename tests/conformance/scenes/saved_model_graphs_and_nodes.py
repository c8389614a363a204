"""SavedModels and frozen graphs: several graphs, each with options; valid signatures; extracted and replaced nodes."""

# ruff: noqa: B023, E731

import numpy as np


def _said(stage, definition, *attrs):
    """Records a GraphDef's nodes, and some of their attrs."""
    for node in definition.node:
        found = [f"{k} {str(node.attr[k]).strip()!r}" for k in attrs if k in node.attr]
        keys = sorted(set(node.attr) - {"_gradient_op_type"})
        stage.say(node.name, node.op, list(node.input), keys, *found)
    versions = definition.versions
    stage.say(len(definition.library.function), versions.producer, versions.min_consumer)


def where_nodes_run(tf, stage):
    on_cpu = tf.graph_util.must_run_on_cpu
    v, r = (tf.Variable(1, name=name, use_resource=name == "r") for name in "vr")
    rows = tf.Variable([1.0, 2.0], name="rows", use_resource=False)
    queue = tf.FIFOQueue(2, [tf.float32], [[]])
    whole, part = tf.constant([1, 2]), tf.constant([1.0])
    made = [
        *(whole, part, tf.constant("a"), tf.constant([True]), tf.constant(3, tf.int64)),
        *(tf.dynamic_stitch([[0, 1]], [whole]), tf.dynamic_stitch([[0]], [part])),
        tf.raw_ops.ParallelDynamicStitch(indices=[[0, 1]], data=[whole]),
        tf.raw_ops.ParallelDynamicStitch(indices=[[0]], data=[part]),
        *(tf.cast(whole, tf.float32), tf.cast(part, tf.int32), tf.cast(part, tf.float64)),
        *(v, r, tf.assign(v, 2), tf.assign_add(v, 2), tf.assign_sub(v, 2), r.assign(3)),
        *(tf.scatter_add(rows, [0], [1.0]), tf.scatter_sub(rows, [0], [1.0])),
        *(tf.scatter_update(rows, [0], [1.0]), tf.scatter_mul(rows, [0], [1.0])),
        *(tf.truncated_normal([2]), tf.random_normal([2]), queue.queue_ref, queue.enqueue(1.0)),
        *(tf.raw_ops.TemporaryVariable(shape=[], dtype=tf.float32), tf.placeholder(tf.int32)),
    ]
    for each in made:
        op = each if isinstance(each, tf.Operation) else each.op
        found = (on_cpu(op), on_cpu(op.node_def), on_cpu(op, True), on_cpu(op.node_def, True))
        stage.say(op.type, *found)
    stage.attempts(
        lambda: tf.graph_util.tensor_shape_from_node_def_name(tf.get_default_graph(), "Const:1")
    )


def values_in_graphs(tf, stage):
    convert = tf.graph_util.convert_variables_to_constants
    kinds = {"ref": False, "resource": True}
    for name, resource in kinds.items():
        with tf.Graph().as_default() as graph, tf.Session() as session:
            stage.say(name)
            make = lambda key, value: tf.get_variable(
                key, initializer=np.array(value), use_resource=resource
            )
            v, w = make("v", np.float64([1.0, 2.0])), make("w", [[3, 4], [5, 6]])
            text = make("text", ["a", "bc"])
            x = tf.placeholder(tf.int32, [None], name="x")
            tf.gather(w, x, name="rows")
            tf.gather(v, tf.cast(x, tf.int64), name="long")
            tf.identity(tf.string_join([text, ["!", "?"]]), name="joined")
            picked = tf.cond(tf.reduce_sum(x) > 0, lambda: v + 1.0, lambda: v * 2.0)
            tf.identity(picked, name="picked")
            loop = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y + v), [0, v * 1.0])
            tf.identity(loop[1], name="looped")
            with tf.colocate_with(v.op if not resource else v.handle.op):
                tf.add(v, 1.0, name="beside")
            session.run(tf.global_variables_initializer())
            definition = graph.as_graph_def(add_shapes=True)
            for outputs, options in (
                (["rows", "long"], {}),
                (["joined"], {}),
                (["picked"], {}),
                (["looped"], {}),
                (["beside"], {"variable_names_whitelist": []}),
                (["beside", "joined"], {"variable_names_blacklist": ["v"]}),
                (
                    ["joined", "rows"],
                    {"variable_names_whitelist": ["text", "w"], "variable_names_blacklist": ["w"]},
                ),
            ):
                with stage.failing():
                    made = convert(session, definition, outputs, **options)
                    _said(stage, made, "T", "_class", "dtype", "Taxis", "Tindices", "Tparams")
                    if options:
                        continue
                    with tf.Graph().as_default(), tf.Session() as other:
                        tf.import_graph_def(made, name="")
                        fed = {"x:0": [1, 0]} if any(n.name == "x" for n in made.node) else {}
                        stage.say(other.run([o + ":0" for o in outputs], fed))
            stage.attempt(convert, session, definition, "rows")
            stage.attempt(convert, session, definition, ["nothing"])


def infos_of_tensors(tf, stage):
    of = tf.saved_model
    get, info = of.get_tensor_from_tensor_info, of.build_tensor_info
    with tf.name_scope("inner"):
        sparse = tf.sparse_placeholder(tf.int64, [3, None], name="sparse")
        ragged = tf.RaggedTensor.from_row_splits(
            tf.placeholder(tf.float32, [None, 2], "values"), tf.constant([0, 2], tf.int64)
        )
        two = tf.RaggedTensor.from_row_splits(ragged, tf.constant([0, 1], tf.int64))
        plain = tf.placeholder(tf.complex64, [2, None], "plain")
        vague = tf.placeholder(tf.bool, name="vague")
        v = tf.get_variable("v", [2], use_resource=True)
    for each in (sparse, ragged, two, plain, vague, v):
        message = info(each)
        stage.say(repr(str(message)))
        if each is ragged or each is two:  # TensorFlow lacks the inverse
            continue
    signature = of.predict_signature_def({"r": ragged, "s": sparse}, {"v": v, "two": two})
    builder = of.Builder(stage.folder + "/one")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        lost = type(signature)()
        lost.CopyFrom(signature)
        lost.inputs["r"].composite_tensor.components[1].dtype = 0
        stage.attempt(builder.add_meta_graph_and_variables, session, ["a"], {"s": lost})
        empty = type(signature)()
        empty.inputs["none"].dtype = 1
        stage.attempt(builder.add_meta_graph_and_variables, session, ["a"], {"s": empty})
        builder.add_meta_graph_and_variables(session, ["a"], {"s": signature})
        builder.save(True)
        for scope in (None, "again"):
            with tf.Session(graph=tf.Graph()) as other:
                meta = of.load(other, ["a"], stage.folder + "/one", import_scope=scope)
                signature = meta.signature_def["s"]
                stage.say(get(signature.inputs["s"], import_scope=scope, graph=other.graph))
                stage.say(repr(str(signature.outputs["two"])))
    stage.attempts(
        lambda: of.simple_save(session, stage.folder + "/two", {"x": plain}, {"y": vague}, vague)
    )
    stage.files()
