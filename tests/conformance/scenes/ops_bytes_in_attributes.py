"""String attributes that are not valid UTF-8, as in imported graphs."""


def _made(tf):
    words, numbers = tf.constant(["a", "b"]), [tf.constant(1), tf.constant(2)]
    return {
        "separator": {
            "StringJoin": tf.strings.join(["a", words], "-"),
            "ReduceJoin": tf.strings.reduce_join(words, separator="-"),
            "UnsortedSegmentJoin": tf.strings.unsorted_segment_join(words, [0, 0], 1, "-"),
        },
        "field_delim": {"DecodeCSV": tf.io.decode_csv(["1|2", "3|"], [[0], [9]], "|")[1]},
        "na_value": {
            "DecodeCSV_1": tf.io.decode_csv(["NA,2", "3,NA"], [[7], [9]], na_value="NA")[1]
        },
        "template": {"StringFormat": tf.strings.format("{} and {}", numbers)},
    }


def _changed(tf, stage, graph_def, name, attr, value, fetch):
    (node,) = (node for node in graph_def.node if node.name == name)
    old = node.attr[attr].s
    node.attr[attr].s = value
    with stage.failing(), tf.Graph().as_default():
        tf.import_graph_def(graph_def, name="")
        with tf.Session() as session:
            stage.say(name, session.run(fetch))
    node.attr[attr].s = old


def no_text(tf, stage):
    with tf.Graph().as_default() as graph:
        made = _made(tf)
    graph_def = graph.as_graph_def()
    for attr, fetches in made.items():
        for value in (b"\xff", b"{}\xfe{}", b"\xc3\xa4"):
            for fetch in fetches.values():
                _changed(tf, stage, graph_def, fetch.op.name, attr, value, fetch.name)
