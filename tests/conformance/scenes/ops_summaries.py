"""Summaries: tags, families, collections, message contents, errors; and ops that write them."""

import glob

import numpy as np

from tests.conformance.scenes import unknown


def _told(tf, stage, data):
    """Records the contents of a serialized Summary, without empty buckets."""
    summary = tf.Summary.FromString(data)
    for value in summary.value:
        kind = value.WhichOneof("value")
        held = getattr(value, kind) if kind else None
        said = [repr(value.tag), value.node_name, kind]
        if kind == "simple_value":
            said.append(held)
        elif kind == "histo":
            said += [held.min, held.max, held.num, held.sum, held.sum_squares]
            said += [list(held.bucket_limit), list(held.bucket)]
        elif kind == "image":
            said += [held.height, held.width, held.colorspace]
            said.append(_pixels(tf, held.encoded_image_string))
        elif kind == "audio":
            said += [held.sample_rate, held.num_channels, held.length_frames, held.content_type]
            said.append(held.encoded_audio_string)
        elif kind == "tensor":
            said += [tf.make_ndarray(held), held.dtype]
        metadata = value.metadata
        said += [metadata.display_name, metadata.summary_description]
        said += [metadata.plugin_data.plugin_name, metadata.plugin_data.content]
        stage.say(*said)


def _pixels(tf, png):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(tf.image.decode_png(png)).tolist()


def _run(tf, stage, cases, feed=None):
    for name, function in cases.items():
        with tf.Graph().as_default() as graph, tf.Session() as session:
            stage.say(name)
            with stage.failing():
                made = function()
                stage.say(made.name, made.dtype.name, made.shape)
                _told(tf, stage, session.run(made))
            stage.say(
                [
                    (key, [t.name for t in graph.get_collection(key)])
                    for key in sorted(graph.get_all_collection_keys())
                ]
            )
            stage.brief_graph(names=False)


def numbers(tf, stage):
    s = tf.summary
    raw = tf.raw_ops

    def scoped(function, *given, **options):
        def make():
            with tf.name_scope("out"):
                with tf.name_scope("in"):
                    function(*given, **options)
                return function(*given, **options)

        return make

    _run(
        tf,
        stage,
        {
            "scalar_of_one_fed": lambda: s.scalar("a", unknown(tf)([1.5])),
            "family": scoped(s.scalar, "a", 3.0, family="f"),
            "scoped": scoped(s.scalar, "a", 3.0),
            "kinds": lambda: s.merge(
                [s.scalar("a", tf.constant(3, k)) for k in (tf.uint8, tf.half, tf.int64)]
            ),
            "bool": lambda: s.scalar("a", True),
            "many": lambda: raw.ScalarSummary(tags=["a", "b"], values=[1.0, 2.0], name="own"),
            "many_of_matrix": lambda: raw.ScalarSummary(tags=[["a", "b"]], values=[[1.0, 2.0]]),
            "no_tags": lambda: raw.ScalarSummary(
                tags=np.zeros([0], object), values=np.zeros([0], "f")
            ),
            "two_tags": lambda: raw.ScalarSummary(tags=["a", "b"], values=1.0),
            "histogram_family": scoped(s.histogram, "h", [1, 2], family="f"),
            "histogram_kinds": lambda: s.merge(
                [s.histogram("h", tf.constant([3, 0], k)) for k in (tf.uint8, tf.half, tf.int64)]
            ),
            "edges": lambda: s.histogram("h", np.array([1e-12, -1e-12, 1.1e-12, 1e20, 1e300])),
        },
    )


def tensors_and_texts(tf, stage):
    s, raw = tf.summary, tf.raw_ops
    metadata = tf.SummaryMetadata(display_name="shown", summary_description="kept")
    metadata.plugin_data.plugin_name, metadata.plugin_data.content = "p", b"\x01"
    _run(
        tf,
        stage,
        {
            "metadata": lambda: s.tensor_summary("t", ["a", b"\xff"], summary_metadata=metadata),
            "metadata_and_words": lambda: s.tensor_summary(
                "t", True, "said", summary_metadata=metadata, display_name="called"
            ),
            "empty": lambda: s.tensor_summary("t", np.zeros([0, 2], np.float16)),
            "text_of_numbers": lambda: s.text("w", tf.constant(1.0, name="n")),
            "tags": lambda: raw.TensorSummaryV2(
                tag=["t"], tensor=1, serialized_summary_metadata=""
            ),
            "old": lambda: raw.TensorSummary(
                tensor=[1.0, 2.0], description="d", labels=["l"], display_name="n"
            ),
        },
    )
    stage.say(str(metadata).split("\n"))
    with tf.Graph().as_default():
        described = '{"type_hint": "hint"}'
        node = raw.TensorSummary(tensor=1.0, description=described).op.node_def
        stage.say(s.get_summary_description(node).type_hint)
        other = raw.TensorSummary(tensor=1.0).op.node_def
        with stage.failing():
            s.get_summary_description(other)


def _writer(tf, **given):
    return tf.raw_ops.SummaryWriter(**given)


def written_by_ops(tf, stage):
    raw = tf.raw_ops
    grey = np.ones([3, 1, 2, 1], "f")
    handle = _writer(tf, shared_name="w", container="c")
    other = _writer(tf)
    create = lambda h, suffix, folder=stage.folder + "/deep/er": raw.CreateSummaryFileWriter(  # noqa: E731
        writer=h, logdir=folder, max_queue=2, flush_millis=10**6, filename_suffix=suffix
    )
    step = tf.placeholder_with_default(np.int64(7), [])
    graph_def = tf.GraphDef()
    graph_def.node.add(name="n", op="NoOp")
    event = tf.Event(step=3, wall_time=1.5)
    event.summary.value.add(tag="imported", simple_value=2.0)
    one = tf.Summary()
    one.value.add(tag="one", simple_value=1.0)
    metadata = tf.SummaryMetadata(display_name="shown").SerializeToString()
    given = {"writer": handle, "step": step}
    ops = {
        "scalar": raw.WriteScalarSummary(tag="s", value=1.5, **given),
        "scalar_of_int": raw.WriteScalarSummary(tag="", value=tf.constant(3, tf.uint8), **given),
        "histogram": raw.WriteHistogramSummary(tag="h", values=[1.0, 2.0], **given),
        "histogram_nan": raw.WriteHistogramSummary(tag="h", values=[1.0, np.nan], **given),
        "image": raw.WriteImageSummary(
            tag="i", tensor=grey, bad_color=np.array([1], "u1"), **given
        ),
        "image_two": raw.WriteImageSummary(
            tag="i", tensor=grey, bad_color=np.array([1], "u1"), max_images=2, **given
        ),
        "image_colour": raw.WriteImageSummary(
            tag="i", tensor=grey, bad_color=np.array(1, "u1"), **given
        ),
        "image_rank": raw.WriteImageSummary(
            tag="i", tensor=grey[0], bad_color=np.array([1], "u1"), **given
        ),
        "audio": raw.WriteAudioSummary(
            tag="a", tensor=grey[0], sample_rate=8.0, max_outputs=1, **given
        ),
        "audio_rate": raw.WriteAudioSummary(tag="a", tensor=grey[0], sample_rate=0.0, **given),
        "tensor": raw.WriteSummary(tag="t", tensor=["a"], summary_metadata=metadata, **given),
        "tensor_plain": raw.WriteSummary(tag="t", tensor=[1, 2], summary_metadata="", **given),
        "graph": raw.WriteGraphSummary(tensor=graph_def.SerializeToString(), **given),
        "graph_wrong": raw.WriteGraphSummary(tensor=b"\xff", **given),
        "raw": raw.WriteRawProtoSummary(tensor=[one.SerializeToString()] * 2, **given),
        "raw_wrong": raw.WriteRawProtoSummary(tensor=[one.SerializeToString(), b"\xff"], **given),
        "import": raw.ImportEvent(writer=handle, event=event.SerializeToString()),
        "import_wrong": raw.ImportEvent(writer=handle, event=b"\xff"),
    }
    flush, close = raw.FlushSummaryWriter(writer=handle), raw.CloseSummaryWriter(writer=handle)
    made, again = create(handle, ".one"), create(handle, ".two")
    of_other, other_close = create(other, ".three"), raw.CloseSummaryWriter(writer=other)
    stage.say(handle.shape, handle.dtype.name)
    with tf.Session() as session:
        stage.attempt(session.run, ops["scalar"])
        stage.attempt(session.run, flush)
        stage.attempt(session.run, close)
        stage.attempt(session.run, made)
        stage.attempt(session.run, again)
        for name, op in ops.items():
            stage.say(name)
            stage.attempt(session.run, op, {step: len(name)})
        stage.attempt(session.run, flush)
        stage.attempt(session.run, close)
        stage.attempt(session.run, close)
        stage.attempt(session.run, ops["scalar"])
        stage.attempt(session.run, of_other)
        stage.attempt(session.run, ops["scalar"])
        stage.attempt(session.run, other_close)
        stage.attempt(session.run, again)
        stage.attempt(session.run, ops["scalar"])
        stage.attempt(session.run, close)
    for path in sorted(glob.glob(stage.folder + "/deep/er/*"), key=lambda p: p.rsplit(".", 1)[1]):
        stage.say(path.rsplit(".", 1)[1])
        for event in tf.train.summary_iterator(path):
            stage.say(event.WhichOneof("what"), event.step, event.file_version)
            if event.WhichOneof("what") == "summary":
                _told(tf, stage, event.summary.SerializeToString())
    stage.brief_graph(names=False)
