"""Small programs with summaries: the graph node by node, and the summaries bit for bit."""

import numpy as np

_NUMBERS = np.array([[-1.5, 0.0, 2.0], [3.25, 1e-13, -4e21]], np.float32)
_PICTURES = (np.arange(24).reshape(2, 3, 4, 1) * 9).astype(np.uint8)
_SOUNDS = np.linspace(-1, 1, 12, dtype=np.float32).reshape(1, 6, 2)


def _x(tf):
    return tf.placeholder(tf.float32, [None, 3], name="x")


def _in(context, make):
    with context:
        return make()


def _nested(tf):
    with tf.name_scope("a"), tf.variable_scope("b"), tf.name_scope("c"):
        return tf.summary.scalar("d", tf.reduce_sum(_x(tf)))


def _in_a_condition(tf):
    x = _x(tf)
    return tf.cond(
        tf.reduce_sum(x) < 0,
        lambda: tf.summary.scalar("less", tf.reduce_max(x)),
        lambda: tf.summary.scalar("more", tf.reduce_min(x)),
    )


def _in_a_loop(tf):
    def body(i, text):
        return i + 1, tf.summary.merge([tf.summary.scalar("turn", i)])

    return tf.while_loop(lambda i, _: i < 3, body, [tf.constant(0), tf.constant("")])[1]


def _of_variables(tf):
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    v = tf.get_variable("v", [2], use_resource=True, initializer=tf.zeros_initializer())
    return tf.summary.merge([tf.summary.histogram(each.op.name, each) for each in (w, v)])


def _layers(tf):
    layers = tf.contrib.layers
    x = tf.nn.relu(_x(tf), name="active")
    layers.summarize_activation(x)
    layers.summarize_tensor(tf.reduce_sum(x), tag="sum")
    layers.summarize_tensors([x, tf.constant(1.0)])
    return tf.summary.merge_all()


def _collections(tf):
    tf.add_to_collection("seen", tf.identity(_x(tf), name="kept"))
    tf.contrib.layers.summarize_collection("seen", name_filter="ke.*")
    tf.contrib.layers.summarize_activations()
    return tf.summary.merge_all()


def _optimized(tf, *summaries):
    w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(_x(tf) * w)
    step = tf.train.get_or_create_global_step()
    tf.contrib.layers.optimize_loss(loss, step, 0.1, "SGD", summaries=list(summaries))
    return tf.summary.merge_all()


def _old(tf):
    old = tf.contrib.deprecated
    made = [old.scalar_summary("one tag", 1.0), old.histogram_summary("h", _x(tf), name="named")]
    return [*made, old.merge_summary(made), old.merge_all_summaries()]


def _events(tf):
    summary = tf.contrib.summary
    tf.train.get_or_create_global_step()
    with summary.create_file_writer("FOLDER-none").as_default(), summary.always_record_summaries():
        summary.scalar("a", 1.0)
        summary.histogram("b", [1.0, 2.0], family="f")
        summary.generic("c", [1, 2])
    summary.summary_writer_initializer_op()
    return tf.constant(len(summary.all_summary_ops()))


def _events_now_and_then(tf):
    summary = tf.contrib.summary
    step = tf.train.get_or_create_global_step()
    with summary.create_file_writer("FOLDER-none").as_default():
        with summary.record_summaries_every_n_global_steps(3, step):
            summary.scalar("a", 1.0, step=step)
            with summary.never_record_summaries():
                summary.scalar("b", 1.0)
    return tf.constant(len(summary.all_summary_ops()))


def _described(tf):
    return tf.summary.tensor_summary("t", [1, 2], summary_description="two", display_name="T")


def _with_metadata(tf):
    data = tf.SummaryMetadata.PluginData(plugin_name="mine", content=b"\x01\x02")
    metadata = tf.SummaryMetadata(display_name="shown", plugin_data=data)
    return tf.summary.tensor_summary("t", _x(tf), summary_metadata=metadata, family="f")


_PROGRAMS = {
    "scalar_of_a_half": lambda tf: tf.summary.scalar("s", tf.constant(0.1, tf.float16)),
    "tags_of_signs": lambda tf: tf.summary.scalar("a b/c$d", 1.0),
    "tags_of_slashes": lambda tf: tf.summary.scalar("//b", 1.0),
    "tags_of_families": lambda tf: tf.summary.scalar("s", 1.0, family="one two"),
    "tags_of_families_in_scopes": lambda tf: _in(
        tf.name_scope("outer"), lambda: tf.summary.histogram("h", _x(tf), family="fam")
    ),
    "tags_of_scopes": _nested,
    "histograms_of_variables": _of_variables,
    "text_of_a_matrix": lambda tf: tf.summary.text("t", tf.constant([["a", ""], ["\n", "d"]])),
    "tensor_described": _described,
    "tensor_with_metadata": _with_metadata,
    "images_in_gray": lambda tf: tf.summary.image("i", _PICTURES),
    "images_but_one": lambda tf: tf.summary.image("i", _PICTURES, max_outputs=1, family="f"),
    "images_of_floats": lambda tf: tf.summary.image("i", np.ones([1, 2, 2, 3], np.float32)),
    "sounds_of_two_sides": lambda tf: tf.summary.audio("a", _SOUNDS, 8000.0),
    "sounds_at_a_rate": lambda tf: tf.summary.audio(
        "a", _SOUNDS, tf.constant(4000.0), 1, family="f"
    ),
    "in_a_condition": _in_a_condition,
    "in_a_loop": _in_a_loop,
    "of_layers": _layers,
    "of_collections": _collections,
    "of_an_optimizer": lambda tf: _optimized(tf, "loss", "learning_rate"),
    "of_gradients": lambda tf: _optimized(tf, "gradients", "gradient_norm", "global_gradient_norm"),
    "of_old_names": _old,
    "of_writers": _events,
    "of_writers_now_and_then": _events_now_and_then,
}


def _runs(tf, tensors):
    """The values, and the placeholders' feeds."""
    nodes = tf.get_default_graph().get_operations()
    feeds = {op.outputs[0]: _NUMBERS for op in nodes if op.type == "Placeholder"}
    with tf.Session() as session:
        session.run([each.initializer for each in tf.global_variables()])
        return session.run(tensors, feeds)


def _scene(make):
    def scene(tf, stage):
        made = make(tf)
        tensors = list(made) if isinstance(made, list) else [made]
        stage.graph()
        for key in sorted(map(str, tf.get_default_graph().get_all_collection_keys())):
            stage.say(key, len(tf.get_collection(key)))
        for value in _runs(tf, tensors):
            stage.say(repr(_without_pictures(tf, value)))

    return scene


def _without_pictures(tf, value):
    """A summary's bytes; images, whose compression varies, reduced to their sizes."""
    if not isinstance(value, bytes) or b"PNG" not in value:
        return value
    made = tf.Summary.FromString(value).value
    return [(v.tag, v.image.height, v.image.width, v.image.colorspace) for v in made]


for _name, _make in _PROGRAMS.items():
    globals()[_name] = _scene(_make)
