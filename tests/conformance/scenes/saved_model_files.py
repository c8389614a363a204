"""SavedModels: built, loaded, signed, in several graphs, with assets, main ops and tags; what is refused."""

import os


def _graph(tf, value=2.0):
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.get_variable("v", initializer=value)
    return x, tf.multiply(x, v, name="y")


def _signature(tf, x, y, method="tensorflow/serving/predict"):
    of = tf.saved_model
    return of.build_signature_def(
        {"x": of.utils.build_tensor_info(x)}, {"y": of.utils.build_tensor_info(y)}, method
    )


def _built(tf, folder, **options):
    """Builds one with these options of `add_meta_graph_and_variables`."""
    builder = tf.saved_model.Builder(folder)
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = _graph(tf)
        session.run(tf.global_variables_initializer())
        made = {name: value(x, y) if callable(value) else value for name, value in options.items()}
        tags = made.pop("tags", ["serve"])
        builder.add_meta_graph_and_variables(session, tags, **made)
    return builder


def _tree(stage, folder):
    for path, _, names in sorted(os.walk(folder)):
        stage.say(os.path.relpath(path, folder), sorted(names))


def _read(tf, stage, folder, *tags):
    """Says what the meta graphs of these tags hold."""
    for some in tags or [["serve"]]:
        with tf.Session(graph=tf.Graph()) as session, stage.failing():
            meta = tf.saved_model.load(session, some, folder)
            stage.say(some, sorted(meta.meta_info_def.tags), len(meta.graph_def.node))
            stage.say(meta.meta_info_def.stripped_default_attrs, sorted(meta.collection_def))
            stage.say(meta.saver_def.filename_tensor_name, meta.meta_info_def.tensorflow_version)
            for name, signature in sorted(meta.signature_def.items()):
                stage.say(name, signature.method_name)
                for infos in (signature.inputs, signature.outputs):
                    stage.say([(k, infos[k].name, infos[k].dtype) for k in sorted(infos)])
            stage.say([(a.tensor_info.name, a.filename) for a in meta.asset_file_def])
            stage.say(session.run("y:0", {"x:0": [1.0, 3.0]}))


def built(tf, stage):
    model = stage.folder + "/model"
    builder = tf.saved_model.Builder(model)
    stage.attempt(builder.save)
    stage.attempt(builder.add_meta_graph, ["serve"])
    stage.attempt(tf.saved_model.Builder, model)
    with tf.Session(graph=tf.Graph()) as session:
        x, y = _graph(tf)
        stage.attempt(builder.add_meta_graph_and_variables, session, ["serve"])
        session.run(tf.global_variables_initializer())
        stage.attempt(builder.add_meta_graph_and_variables, session, ["serve"], None)
        stage.attempt(builder.add_meta_graph_and_variables, session, ["again"])
        y = y + 1.0
        signatures = {"more": _signature(tf, x, y), "classify": _signature(tf, x, y, "other")}
        builder.add_meta_graph(["train", "gpu"], signature_def_map=signatures, clear_devices=True)
        builder.add_meta_graph([], strip_default_attrs=True)
        stage.say(builder.save(as_text=True))
        stage.say(builder.save())
    _tree(stage, model)
    _read(tf, stage, model, ["serve"], ["gpu", "train"], ["train"], [], "serve", ["again"])


def refused(tf, stage):
    def attempt(**options):
        number = len(os.listdir(stage.folder))
        stage.attempt(lambda: _built(tf, f"{stage.folder}/{number}", **options).save()[-12:])

    info = tf.saved_model.utils.build_tensor_info
    empty = tf.saved_model.build_signature_def
    attempt(signature_def_map=lambda x, y: {"s": _signature(tf, x, y)})
    attempt(signature_def_map=lambda x, y: {"s": empty({"x": info(x)}, {}, "m")})
    attempt(signature_def_map=lambda x, y: {"s": empty({}, {"y": info(y)}, "")})
    attempt(signature_def_map=lambda x, y: {"s": _nameless(tf, x, y)})
    attempt(signature_def_map=lambda x, y: {"__saved_model_init_op": _signature(tf, x, y)})
    attempt(main_op=lambda x, y: y)
    attempt(main_op=lambda x, y: "y")
    attempt(main_op=lambda x, y: y.op)
    attempt(legacy_init_op=lambda x, y: y.op)
    attempt(legacy_init_op=lambda x, y: y.op, main_op=lambda x, y: tf.no_op())
    attempt(assets_collection=[3])
    attempt(assets_collection=lambda x, y: [tf.constant(["a", "b"])])
    attempt(assets_collection=lambda x, y: [tf.constant(stage.folder + "/none")])
    attempt(saver=lambda x, y: tf.train.Saver({"other": tf.global_variables()[0]}))
    attempt(saver="none")
    attempt(tags="serve")
    attempt(strip_default_attrs=True, clear_devices=True)


def _nameless(tf, x, y):
    signature = _signature(tf, x, y)
    signature.inputs["x"].name = ""
    return signature


def assets(tf, stage):
    model = stage.folder + "/model"
    for name, words in (("words", "a\nb"), ("more/words", "c\nd\ne")):
        os.makedirs(os.path.dirname(stage.folder + "/" + name), exist_ok=True)
        with tf.gfile.Open(stage.folder + "/" + name, "w") as file:
            file.write(words)
    with tf.Session(graph=tf.Graph()) as session:
        tables = tf.contrib.lookup
        one, two = (
            tables.index_table_from_file(stage.folder + "/" + n, num_oov_buckets=1, vocab_size=s)
            for n, s in (("words", None), ("more/words", 2))
        )
        words = tf.placeholder(tf.string, [None], name="words")
        tf.stack([one.lookup(words), two.lookup(words)], name="ids")
        session.run(tf.tables_initializer())
        builder = tf.saved_model.Builder(model)
        builder.add_meta_graph_and_variables(
            session,
            ["serve"],
            assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS),
            main_op=tf.tables_initializer(),
        )
        builder.save()
    _tree(stage, model)
    _read(tf, stage, model)
    tf.gfile.Remove(stage.folder + "/words")
    for scope in (None, "inner"):
        with tf.Session(graph=tf.Graph()) as session:
            meta = tf.saved_model.load(session, ["serve"], model, import_scope=scope)
            name = f"{scope}/" if scope else ""
            stage.say(session.run(name + "ids:0", {name + "words:0": ["a", "d", "e"]}))
            stage.say([t.name for t in tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS)])
            stage.say(session.run(tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS)))
            stage.say(sorted(meta.collection_def), sorted(session.graph.get_all_collection_keys()))
    tf.gfile.Remove(model + "/assets/words")
    with tf.Session(graph=tf.Graph()) as session:
        stage.attempt(tf.saved_model.load, session, ["serve"], model)
        stage.say(len(session.graph.get_operations()))


def loaded(tf, stage):
    model = stage.folder + "/model"
    with tf.Session(graph=tf.Graph()) as session:
        x, y = _graph(tf)
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, model, {"x": x}, {"y": y})
        stage.attempt(tf.saved_model.simple_save, session, model, {"x": x}, {"y": y})
        stage.attempt(tf.saved_model.simple_save, session, model + "2", {"x": 3.0}, {"y": y})
        stage.attempt(tf.saved_model.simple_save, session, model + "3", {"x": x}, y)
    _read(tf, stage, model)
    load = tf.saved_model.load
    for path in (model, model + "/", stage.folder, model + "/none"):
        stage.say(tf.saved_model.maybe_saved_model_directory(path))
        with tf.Session(graph=tf.Graph()) as session, stage.failing():
            load(session, ["serve"], path)
            stage.say([v.name for v in tf.global_variables()], session.run("y:0", {"x:0": [3.0]}))
            stage.attempt(load, session, ["serve"], path)
            stage.say([v.name for v in tf.global_variables()])
            stage.attempt(lambda: session.run("y_1:0", {"x_1:0": [3.0]}))
    with tf.Session(graph=tf.Graph()) as session:
        load(session, ["serve"], model, import_scope="a")
        session.run(tf.global_variables()[0].assign(5.0))
        load(session, ["serve"], model, import_scope="b")
        stage.say(session.run(["a/y:0", "b/y:0"], {"a/x:0": [1.0], "b/x:0": [1.0]}))
        stage.attempt(load, session, ["serve"], model, True, clear_devices=True)
    with tf.Session(graph=tf.Graph()) as session:
        z = tf.constant([7.0])
        meta, returned = (
            tf.saved_model.loader.load(session, ["serve"], model, input_map={"x": z}),
            None,
        )
        stage.say(type(meta).__name__, returned, session.run("y:0"))
    os.remove(model + "/variables/variables.index")
    with tf.Session(graph=tf.Graph()) as session:
        stage.attempt(load, session, ["serve"], model)
        stage.attempt(lambda: session.run("y:0", {"x:0": [3.0]}))


def main_ops(tf, stage):
    for number, options in enumerate(
        [
            {"main_op": lambda x, y: tf.global_variables()[0].assign(9.0).op},
            {"legacy_init_op": lambda x, y: tf.global_variables()[0].assign(8.0).op},
            {"main_op": lambda x, y: tf.saved_model.main_op.main_op()},
            {"main_op": lambda x, y: tf.saved_model.main_op_with_restore(tf.no_op("restored"))},
        ]
    ):
        model = f"{stage.folder}/{number}"
        with stage.failing():
            _built(tf, model, **options).save()
            _read(tf, stage, model)
            with tf.Session(graph=tf.Graph()) as session:
                tf.saved_model.load(session, ["serve"], model)
                stage.say(session.run(["y:0", "v:0"], {"x:0": [1.0]}))
                stage.nodes()


def signatures(tf, stage):
    of, x = tf.saved_model, tf.placeholder(tf.float32, [None, 2], name="x")
    text = tf.placeholder(tf.string, [None], name="text")
    sparse = tf.sparse_placeholder(tf.int64, [3, 4], name="sparse")
    made = of.signature_def_utils
    cases = [
        lambda: made.predict_signature_def({"a": x}, {"b": x}),
        lambda: made.predict_signature_def({}, {"b": x}),
        lambda: made.predict_signature_def({"a": x}, None),
        lambda: made.predict_signature_def({"s": sparse}, {"b": x}),
        lambda: made.classification_signature_def(text, text, x),
        lambda: made.classification_signature_def(text, None, x),
        lambda: made.classification_signature_def(text, text, None),
        lambda: made.classification_signature_def(text, None, None),
        lambda: made.classification_signature_def(x, text, x),
        lambda: made.classification_signature_def(text, x, None),
        lambda: made.classification_signature_def(None, text, x),
        lambda: made.regression_signature_def(text, x),
        lambda: made.regression_signature_def(text, text),
        lambda: made.regression_signature_def(x, x),
        lambda: made.regression_signature_def(text, None),
        lambda: of.build_signature_def(),
        lambda: of.build_signature_def({"a": x}),
        lambda: of.build_tensor_info(3.0),
        lambda: of.build_tensor_info(sparse),
        lambda: of.build_tensor_info(tf.get_variable("v", [2])),
        lambda: of.build_tensor_info(tf.ragged.constant([[1], [2, 3]])),
    ]
    for case in cases:
        with stage.failing():
            proto = case()
            stage.say(repr(str(proto)))
            if hasattr(proto, "method_name"):
                stage.say(made.is_valid_signature(proto))
    info = of.build_tensor_info(sparse)
    stage.say(of.get_tensor_from_tensor_info(info).dense_shape.name)
    info = of.build_tensor_info(x)
    stage.say(of.get_tensor_from_tensor_info(info).name)
    stage.attempt(of.get_tensor_from_tensor_info, info, tf.Graph())
    stage.say(of.tag_constants.SERVING, of.tag_constants.TPU, of.DEFAULT_SERVING_SIGNATURE_DEF_KEY)
    stage.say(of.CLASSIFY_INPUTS, of.REGRESS_OUTPUTS, of.PREDICT_METHOD_NAME, of.MAIN_OP_KEY)


def predictors(tf, stage):
    model = stage.folder + "/model"
    with tf.Session(graph=tf.Graph()) as session:
        x, y = _graph(tf)
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, model, {"a": x}, {"b": y, "c": x})
    of = tf.contrib.predictor.from_saved_model
    predict = of(model)
    for feed in ({"a": [1.0]}, {"x": [1.0]}, {}, {"a": [1.0], "more": 1}, {"a": ["word"]}):
        with stage.failing():
            stage.say(sorted(predict(feed).items()))
    stage.say(sorted(predict.feed_tensors), sorted(predict.fetch_tensors))
    stage.attempt(of, model, tags="none")
    stage.attempt(of, stage.folder)
    infos = tf.saved_model.utils.build_tensor_info
    with tf.Graph().as_default():
        x, y = _graph(tf)
        signature = tf.saved_model.build_signature_def({"in": infos(x)}, {"out": infos(y)}, "m")
    stage.attempt(of, model, signature_def_key="predict", signature_def=signature)
    stage.attempt(of, model, input_names={"i": "x:0"})
    graph = tf.Graph()
    given = of(model, graph=graph)
    stage.say(given.graph is graph, given.session.graph is graph)


def frozen(tf, stage):
    util = tf.graph_util
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    r = tf.get_variable("r", initializer=[3.0, 4.0], use_resource=True)
    with tf.device("/cpu:0"):
        y = tf.identity(tf.nn.relu(x * v + r), name="y")
    tf.add(y, 1.0, name="unused")
    step = tf.assign_add(v, [1.0, 1.0], name="step")
    definition = tf.get_default_graph().as_graph_def()
    stage.attempt(lambda: [n.name for n in util.extract_sub_graph(definition, ["y"]).node])
    for wanted in (["none"], "y", ["y:0"], []):
        with stage.failing():
            stage.say(len(util.extract_sub_graph(definition, wanted).node))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        convert = util.convert_variables_to_constants
        for options in (
            {},
            {"variable_names_whitelist": ["v"]},
            {"variable_names_blacklist": ["v"]},
        ):
            made = convert(session, definition, ["y"], **options)
            stage.say([(n.name, n.op) for n in made.node])
        made = convert(session, definition, ["y"])
        session.run(step)
    short = util.remove_training_nodes(made, protected_nodes=["y"])
    stage.say([n.name for n in short.node], [n.name for n in util.remove_training_nodes(made).node])
    stage.say(util.tensor_shape_from_node_def_name(tf.get_default_graph(), "y"))
    with tf.Session(graph=tf.Graph()) as session:
        (y,) = tf.import_graph_def(made, return_elements=["y:0"])
        stage.say(session.run(y, {"import/x:0": [1.0, 1.0]}))
        stage.attempt(tf.import_graph_def, made, {"none": y})
        stage.attempt(tf.import_graph_def, made, {"x": y}, ["y:0", "v"], "again")
        stage.attempt(tf.import_graph_def, made, None, ["none:0"])
    stage.say(util.must_run_on_cpu(definition.node[0]), util.must_run_on_cpu(tf.constant("a").op))
