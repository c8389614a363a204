"""tf.contrib: legacy summaries, the profiler's legacy name, the projector, predictors, stripped graphs, sparsemax."""

# ruff: noqa: E731

import numpy as np


def older_summaries(tf, stage):
    of = tf.contrib.deprecated
    cases = {
        "histogram of none": lambda: of.histogram_summary("h", [np.nan], collections=[], name="n"),
        "image": lambda: of.image_summary("i", tf.ones([4, 1, 1, 1]), collections=["own"]),
        "images": lambda: of.image_summary(
            "i", tf.zeros([2, 1, 1, 3], tf.uint8), max_images=1, name="n"
        ),
        "audio": lambda: of.audio_summary("s", tf.zeros([4, 2]), 10, name="n"),
        "sound": lambda: of.audio_summary(
            "s", tf.zeros([2, 2, 1]), 10.0, max_outputs=1, collections=["own"]
        ),
        "all of one's own": lambda: [
            of.scalar_summary("a", 1, ["k"]),
            of.merge_all_summaries(key="k"),
        ],
        "nothing": lambda: [tf.constant(str(of.merge_all_summaries()))],
    }
    for name, case in cases.items():
        with tf.Graph().as_default() as graph, tf.Session() as session, stage.failing():
            stage.say(name)
            made = case()
            stage.brief_graph()
            stage.say(
                [(k, [t.name for t in graph.get_collection(k)]) for k in ("summaries", "own", "k")]
            )
            for each in tf.nest.flatten(made):
                found = session.run(each)
                if found != b"None":
                    values = tf.Summary.FromString(found).value
                    stage.say([(v.tag, v.simple_value, v.WhichOneof("value")) for v in values])


def projected(tf, stage):
    of = tf.contrib.tensorboard.plugins.projector
    config = of.ProjectorConfig()
    one = config.embeddings.add()
    one.tensor_name, one.metadata_path = "words", "words.tsv"
    one.sprite.image_path = "s.png"
    one.sprite.single_image_dim.extend([2, 3])
    config.model_checkpoint_path = 'a "quoted" path'

    class Writer:
        def __init__(self, folder):
            self.folder = folder

        def get_logdir(self):
            return self.folder

    stage.attempts(
        lambda: of.visualize_embeddings(Writer(None), config),
        lambda: of.visualize_embeddings(Writer(stage.folder), config),
        lambda: of.visualize_embeddings(Writer(stage.folder + "/none"), config),
    )


def predictors(tf, stage):
    of, learn = tf.contrib.predictor, tf.contrib.learn
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.WARN)

    def core(features, labels, mode):
        w = tf.get_variable("w", initializer=2.0)
        y = {"y": features["x"] * w}
        outputs = {
            "serving_default": tf.estimator.export.PredictOutput(y),
            "other": tf.estimator.export.RegressionOutput(features["x"] + w),
        }
        step = tf.train.get_global_step()
        return tf.estimator.EstimatorSpec(
            mode, y, tf.constant(1.0), tf.assign_add(step, 1), export_outputs=outputs
        )

    def older(features, labels, mode):
        w = tf.get_variable("w", initializer=2.0)
        kinds = learn.ProblemType
        heads = {
            "a": (kinds.UNSPECIFIED, {"y": features["x"] * w}),
            "b": (kinds.UNSPECIFIED, {"z": features["x"] - w}),
        }
        if mode == "infer":
            one = features.get("one")
            return learn.ModelFnOps(
                mode,
                {"y": features["x"]},
                output_alternatives={"a": heads["a"]} if one is not None else heads,
            )
        step = tf.assign_add(tf.train.get_global_step(), 1)
        return learn.ModelFnOps(mode, {"y": features["x"]}, tf.constant(1.0), step.op)

    x = lambda: {"x": tf.placeholder_with_default([1.0, 2.0], [None], "x")}
    receiver = lambda: tf.estimator.export.ServingInputReceiver(x(), x())
    estimator = tf.estimator.Estimator(core, stage.folder + "/core")
    estimator.train(lambda: ({"x": tf.ones([2])}, None), steps=1)
    old = learn.Estimator(older, stage.folder + "/older")
    old.fit(input_fn=lambda: ({"x": tf.ones([2])}, tf.ones([2])), steps=1)

    def inputs(single=False):
        given = x()
        features = {**given, "one": tf.ones([])} if single else given
        return learn.InputFnOps(features, None, given)

    exported = estimator.export_saved_model(stage.folder + "/out", receiver).decode()
    fed = {"x": [3.0]}
    graph = tf.Graph()
    stage.attempts(
        lambda: of.from_estimator(old, receiver),
        lambda: of.from_contrib_estimator(estimator, inputs),
        lambda: of.from_estimator(estimator, receiver, "none"),
        lambda: of.from_contrib_estimator(old, inputs),
        lambda: of.from_contrib_estimator(old, inputs, output_alternative_key="none"),
        lambda: of.from_contrib_estimator(old, lambda: learn.InputFnOps({}, None, {})),
        lambda: of.from_contrib_estimator(old, inputs, "none", "a"),
        lambda: of.from_contrib_estimator(old, lambda: inputs(True))({"x": [4.0]}),
        lambda: of.from_contrib_estimator(old, inputs, None, "b", graph)(fed),
        lambda: of.from_contrib_estimator(old, inputs, output_alternative_key="b", graph=graph).graph is graph,
        )  # fmt: skip
    with stage.failing():
        predict = of.from_estimator(estimator, receiver, "other", config=tf.ConfigProto())
        stage.attempts(
            lambda: predict({}),
            lambda: sorted(predict.feed_tensors),
            lambda: sorted(predict.fetch_tensors),
            lambda: str(predict).split(" with")[0],
        )
    saved = lambda *given, **options: of.from_saved_model(exported, *given, **options)
    stage.attempts(
        lambda: saved()({}),
        lambda: saved()({"x": [3.0], "z": 1}),
        lambda: saved("other", input_names={}, output_names={}),
        lambda: saved(input_names={}),
        lambda: saved(output_names={"a": "none:0"}, input_names={}),
        lambda: saved(tags="serve,other"),
        lambda: saved(tags="serve", graph=graph).graph is graph,
        lambda: of.from_saved_model(stage.folder + "/none"),
    )
    tf.logging.set_verbosity(level)


def sparse_probabilities(tf, stage):
    of = tf.contrib
    logits = lambda: tf.constant([[1.0, 2.0, 2.0], [0.0, -1.0, 5.0], [0.5, 0.5, 0.5]])

    def sloped(x, build):
        y = build(x)
        return y, tf.gradients(tf.reduce_sum(y * y), x)[0]

    pictures = lambda: tf.reshape(tf.range(18.0), [1, 3, 3, 2])
    stage.each(
        {
            "sparsemax": lambda: sloped(logits(), of.sparsemax.sparsemax),
            "double": lambda: of.sparsemax.sparsemax(tf.constant([[1.0, 3.0]], tf.float64)),
            "resampled doubles": lambda: of.resampler.resampler(
                tf.cast(pictures(), tf.float64), tf.constant([[0.5, 0.5]], tf.float64)
            ),
            "resampled rank": lambda: of.resampler.resampler(tf.ones([3, 3, 2]), tf.zeros([1, 2])),
            "resampled size": lambda: of.resampler.resampler(pictures(), tf.zeros([1, 3])),
        },
        graph="sum",
    )
