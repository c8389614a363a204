"""Feature columns to and from plain data, parsing specs, logit functions, evaluation results read and acted on."""

import importlib

import numpy as np

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.models_estimators import _estimator, _inputs


@in_own_graph
def specs_of_examples(tf, stage):
    of, column = tf.estimator, tf.feature_column
    age, ids = column.numeric_column("age"), column.categorical_column_with_identity("ids", 3)
    weights = column.numeric_column("w", default_value=2.0)
    classes, numbers = of.classifier_parse_example_spec, of.regressor_parse_example_spec
    newer = tf.compat.v2.estimator
    for make in (classes, newer.classifier_parse_example_spec):
        stage.attempts(
            lambda: sorted(make([age, ids], "label").items()),  # noqa: B023  called here
            lambda: sorted(make([age], "label", tf.string).items()),  # noqa: B023
            lambda: sorted(make([], "label", tf.string, "a", "w").items()),  # noqa: B023
            lambda: sorted(make([], "label", label_default=3, weight_column=weights).items()),  # noqa: B023
            lambda: make([age], "age"),  # noqa: B023
            lambda: make([age], "label", weight_column="age"),  # noqa: B023
            lambda: make([age], "label", weight_column=ids),  # noqa: B023
            lambda: make([age], "label", weight_column=3),  # noqa: B023
            lambda: make([], None),  # noqa: B023
            lambda: make(None, "label"),  # noqa: B023
            lambda: make([], "label", weight_column="label"),  # noqa: B023
        )
    for make in (numbers, newer.regressor_parse_example_spec):
        stage.attempts(
            lambda: sorted(make([age, ids], "label").items()),  # noqa: B023
            lambda: sorted(make([], "label", tf.int64, 5, 2, "w").items()),  # noqa: B023
            lambda: sorted(make([], "label", label_default=[1.0, 2.0], label_dimension=2).items()),  # noqa: B023
            lambda: sorted(make([], "label", weight_column=weights).items()),  # noqa: B023
            lambda: make([], "label", label_dimension=0),  # noqa: B023
            lambda: make([age], "age"),  # noqa: B023
            lambda: make([], None),  # noqa: B023
            lambda: make([], "label", weight_column=ids),  # noqa: B023
        )


@in_own_graph
def functions_of_logits(tf, stage):
    of = tf.contrib.estimator
    column = tf.feature_column
    age, ids = column.numeric_column("age"), column.categorical_column_with_identity("ids", 3)
    placed = column.embedding_column(ids, 2, initializer=tf.ones_initializer())
    features = {"age": tf.constant([[1.0], [2.0]]), "ids": tf.constant([[0], [2]])}
    dnn, linear = of.dnn_logit_fn_builder, of.linear_logit_fn_builder
    halves = tf.fixed_size_partitioner(2)
    for mode in ("train", "infer"):
        for make in (
            lambda: dnn(2, [3, 2], [age, placed], tf.nn.tanh, 0.5, halves, True),
            lambda: dnn(
                units=3,
                hidden_units=(2,),
                feature_columns=[age],
                activation_fn=None,
                dropout=None,
                input_layer_partitioner=None,
                batch_norm=False,
            ),
            lambda: linear(2, [age, ids]),
            lambda: linear(3, [age], "mean"),
            lambda: dnn(0.5, [1], [age], None, None, None, False),
            lambda: linear("a", [age]),
        ):
            with tf.Graph().as_default(), stage.failing():
                given = {k: tf.constant([[1], [2]], v.dtype) for k, v in features.items()}
                function = make()
                found = of.call_logit_fn(function, given, mode, {}, None)
                stage.say(found, len(tf.get_collection("update_ops")))
                stage.say([v.name for v in tf.global_variables()])
                stage.say([op.name for op in tf.get_collection("summaries")])
                stage.brief_graph(names=False)
    said = lambda features, mode, params, config: stage.say(mode, params, config)  # noqa: E731
    x = tf.ones([2])
    stage.attempts(
        lambda: of.call_logit_fn(said, 1, "m", {"p": 1}, "c"),
        lambda: sorted(of.call_logit_fn(lambda features, mode: {"a": x}, 1, "m", 2, 3)),
        lambda: of.call_logit_fn(lambda features: {1: x}, 1, "m", 2, 3),
        lambda: of.call_logit_fn(lambda features: {"a": 3}, 1, "m", 2, 3),
        lambda: of.call_logit_fn(lambda features: [x], 1, "m", 2, 3),
    )


def results_read_and_acted_on(tf, stage):
    of, more = tf.contrib.estimator, tf.estimator.experimental
    estimator = _estimator(tf, stage, run={"save_checkpoints_steps": 2})
    module = "tensorflow_estimator.python.estimator.early_stopping"
    if tf.__name__ != "tensorflow":
        module = "tfmini._src.models.estimator.early_stopping"
    read = importlib.import_module(module).read_eval_metrics
    folder = stage.folder + "/results"
    stage.say(read(folder))
    for number, (loss, high) in enumerate(((5.0, 0.1), (3.0, 0.5), (4.0, 0.4), (2.0, 0.4))):
        with tf.Graph().as_default():
            writer = tf.summary.FileWriter(folder, filename_suffix=f".{number}")
            values = [tf.Summary.Value(tag=t, simple_value=v) for t, v in zip("lh", (loss, high))]
            values.append(tf.Summary.Value(tag="text", tensor=tf.make_tensor_proto("a")))
            for step in (10 * number, 10 * number + 5):
                writer.add_summary(tf.Summary(value=values[step % 2 :]), step)
            writer.close()
    stage.say(list(read(folder).items()), type(read(folder)).__name__)
    every = {"eval_dir": folder, "run_every_secs": None, "run_every_steps": 1}
    for name, make in (
        ("no decrease", lambda: more.stop_if_no_decrease_hook(estimator, "l", 20, **every)),
        (
            "no decrease later",
            lambda: of.stop_if_no_decrease_hook(estimator, "l", 10, folder, 10, None, 1),
        ),
        ("no increase", lambda: more.stop_if_no_increase_hook(estimator, "h", 25, **every)),
        ("no increase yet", lambda: of.stop_if_no_increase_hook(estimator, "h", 26, **every)),
        ("higher", lambda: more.stop_if_higher_hook(estimator, "h", 0.5, **every)),
        (
            "higher at once",
            lambda: of.stop_if_higher_hook(estimator, "h", 0.45, folder, 15, None, 1),
        ),
        ("lower", lambda: more.stop_if_lower_hook(estimator, "l", 2.0, **every)),
        ("lower later", lambda: of.stop_if_lower_hook(estimator, "l", 3.5, folder, 16, None, 1)),
        ("no name", lambda: more.stop_if_lower_hook(estimator, "none", 3.5, **every)),
        ("no folder", lambda: more.stop_if_lower_hook(estimator, "l", 9.0, None, 0, None, 1)),
        ("at a step", lambda: of.make_stop_at_checkpoint_step_hook(estimator, 100)),
        ("at no step", lambda: of.make_stop_at_checkpoint_step_hook(estimator, None)),
    ):
        stage.say(name)
        with tf.Graph().as_default(), stage.failing():
            hook = make()
            step = tf.train.get_or_create_global_step()
            add = tf.assign_add(step, 2)
            with tf.train.SingularMonitoredSession([hook]) as session:
                for _ in range(2):
                    if not session.should_stop():
                        stage.say(session.run(add), session.should_stop())
            stage.say([v.name for v in tf.global_variables()])
    inputs = _inputs(tf, rows=4)
    estimator.train(inputs, steps=2)
    given = tf.estimator.export.ServingInputReceiver
    path = stage.folder + "/words"
    with open(path, "w") as file:
        file.write("words")

    def serving():
        x = tf.placeholder(tf.float32, [None, 1], "x")
        return given({"x": x}, {"x": x})

    first = estimator.latest_checkpoint()
    estimator.train(inputs, steps=2)
    out = stage.folder + "/out"
    supervised = of.build_supervised_input_receiver_fn_from_input_fn(inputs)
    modes = tf.estimator.ModeKeys
    for make in (
        lambda: of.export_saved_model_for_mode(
            estimator, out, serving, {"a/b": path}, True, first, modes.PREDICT
        ),
        lambda: of.export_saved_model_for_mode(estimator, out, supervised, mode=modes.EVAL),
        lambda: of.export_all_saved_models(
            estimator,
            out,
            {modes.PREDICT: serving, modes.TRAIN: supervised},
            {"c": path},
            True,
            first,
        ),
        lambda: estimator.experimental_export_all_saved_models(
            out, {modes.EVAL: supervised}, {"c": path}, False, first
        ),
    ):
        with stage.failing():
            made = make().decode()
            for at, _, names in sorted(tf.gfile.Walk(made)):
                stage.say(at.replace(made, "MADE"), sorted(names))
            for tag in ("serve", "train", "eval"):
                with tf.Session(graph=tf.Graph()) as session, stage.failing():
                    meta = tf.saved_model.load(session, [tag], made)
                    stage.say(tag, sorted(meta.signature_def), session.run("global_step:0"))
                    stage.say(np.asarray(session.run("w:0")).tolist())
