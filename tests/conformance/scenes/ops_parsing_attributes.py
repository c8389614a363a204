"""Ops that parse records, with attribute lists of inconsistent lengths."""


def _features(tf, **values):
    def of(numbers):
        return tf.train.Feature(float_list=tf.train.FloatList(value=numbers))

    return tf.train.Features(feature={name: of(numbers) for name, numbers in values.items()})


def _made(tf):
    """A tensor of each of the four ops, by op type."""
    context = _features(tf, a=[1.0, 2.0], s=[1.0])
    example = tf.train.Example(features=context).SerializeToString(deterministic=True)
    spec = {"a": tf.FixedLenFeature([2], tf.float32), "s": tf.VarLenFeature(tf.float32)}
    return {"ParseExample": lambda: tf.parse_example([example], spec)["a"]}


def _changed(tf, stage, kind, graph_def, fetch):
    """Records an import and a run with each list of the node emptied and extended."""
    (node,) = (node for node in graph_def.node if node.op == kind)
    lists = [name for name in sorted(node.attr) if node.attr[name].WhichOneof("value") == "list"]
    for name in lists:
        for field in ("s", "type", "shape"):
            kept = list(getattr(node.attr[name].list, field))
            if not kept or kind.startswith("ParseSingleSeq") and name.startswith("feature_list_"):
                continue  # TensorFlow crashes
            for values in ([], [*kept, kept[0]]):
                del getattr(node.attr[name].list, field)[:]
                getattr(node.attr[name].list, field).extend(values)
                stage.say(kind, name, len(values))
                with stage.failing(), tf.Graph().as_default():
                    tf.import_graph_def(graph_def, name="")
                    with tf.Session() as session:
                        stage.say(session.run(fetch))
            del getattr(node.attr[name].list, field)[:]
            getattr(node.attr[name].list, field).extend(kept)


def lengths(tf, stage):
    for kind, make in sorted(_made(tf).items()):
        with tf.Graph().as_default() as graph:
            fetch = make().name
            _changed(tf, stage, kind, graph.as_graph_def(), fetch)
