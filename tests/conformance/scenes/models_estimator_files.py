"""Files read and written by Estimators: SavedModels, receivers, exporters, warm starts, early stopping."""

import os

from tests.conformance.scenes.models_estimators import _estimator, _inputs


def exported(tf, stage):
    estimator = _estimator(tf, stage)
    receiver = tf.estimator.export

    def serving():
        text = tf.placeholder(tf.float32, [None, 1], name="given")
        return receiver.ServingInputReceiver({"x": text}, {"received": text})

    stage.attempt(estimator.export_saved_model, stage.folder + "/out", serving)
    estimator.train(_inputs(tf), steps=1)
    with stage.failing():
        path = estimator.export_saved_model(stage.folder + "/out", serving, as_text=True)
        stage.say(sorted(os.listdir(path)), type(path).__name__)
    build = receiver.build_raw_serving_input_receiver_fn
    spec = {"x": tf.placeholder(tf.float32, [None, 1])}
    supervised = tf.contrib.estimator.build_supervised_input_receiver_fn_from_input_fn
    training = estimator.experimental_export_all_saved_models
    more = [f"{stage.folder}/{name}" for name in ("vocabulary", "deep/words")]
    os.makedirs(stage.folder + "/deep")
    for each in more:
        with tf.gfile.Open(each, "w") as file:
            file.write("words")
    for case in (
        lambda: estimator.export_saved_model(stage.folder + "/raw", build(spec)),
        lambda: estimator.export_saved_model(stage.folder + "/none", lambda: 3),
        lambda: estimator.export_saved_model(stage.folder + "/none", None),
        lambda: estimator.export_saved_model(
            stage.folder + "/assets", serving, {"v": more[0], "a/w": more[1]}, checkpoint_path=None
        ),
        lambda: estimator.export_saved_model(stage.folder + "/x", serving, checkpoint_path="none"),
        lambda: training(
            stage.folder + "/all",
            {
                m: supervised(_inputs(tf)) if m != "infer" else serving
                for m in ("train", "eval", "infer")
            },
        ),
        lambda: training(stage.folder + "/two", {"eval": supervised(_inputs(tf))}),
        lambda: training(stage.folder + "/other", {"other": serving}),
        lambda: training(stage.folder + "/empty", {}),
    ):
        with stage.failing():
            path = case().decode()
            for folder, _, names in sorted(os.walk(path)):
                stage.say(os.path.relpath(folder, path), sorted(names))
            for tags in (["serve"], ["train"], ["eval"]):
                with tf.Session(graph=tf.Graph()) as session, stage.failing():
                    meta = tf.saved_model.load(session, tags, path)
                    for key, signature in sorted(meta.signature_def.items()):
                        names = [
                            sorted((k, v.name) for k, v in infos.items())
                            for infos in (signature.inputs, signature.outputs)
                        ]
                        stage.say(tags, key, signature.method_name, names)
                    stage.say(session.run("global_step:0"), len(meta.graph_def.node))


def receivers(tf, stage):
    of, x = tf.estimator.export, tf.placeholder(tf.float32, [None, 1], name="x")
    text = tf.placeholder(tf.string, [None], name="text")
    sparse = tf.sparse_placeholder(tf.float32, name="sparse")
    for case in (
        lambda: of.ServingInputReceiver({"x": x}, x),
        lambda: of.ServingInputReceiver(x, {"x": x}),
        lambda: of.ServingInputReceiver({"x": 3}, x),
        lambda: of.ServingInputReceiver({3: x}, {3: x}),
        lambda: of.ServingInputReceiver({"x": x}, None),
        lambda: of.ServingInputReceiver({}, {"x": x}),
        lambda: of.ServingInputReceiver({"x": sparse}, {"x": sparse}),
        lambda: of.ServingInputReceiver({"x": x}, text, {"other": x}),
        lambda: of.ServingInputReceiver({"x": x}, text, {"other": {"a": x}}),
        lambda: of.ServingInputReceiver({"x": x}, text, {"other": 3}),
        lambda: of.ServingInputReceiver({"x": x}, text, [3]),
        lambda: of.TensorServingInputReceiver(x, {"x": x}),
        lambda: of.TensorServingInputReceiver({"x": x}, {"x": x}),
        lambda: of.build_raw_serving_input_receiver_fn({"x": x}, 2)(),
        lambda: of.build_raw_serving_input_receiver_fn({"x": x, "s": text})(),
        lambda: of.build_parsing_serving_input_receiver_fn(
            {"a": tf.FixedLenFeature([2], tf.float32)}
        )(),
        lambda: of.build_parsing_serving_input_receiver_fn(
            {"a": tf.VarLenFeature(tf.int64)}, default_batch_size=3
        )(),
        lambda: of.ClassificationOutput(x),
        lambda: of.ClassificationOutput(None, text),
        lambda: of.ClassificationOutput(text),
        lambda: of.ClassificationOutput(),
        lambda: of.ClassificationOutput(x, x),
        lambda: of.RegressionOutput(x),
        lambda: of.RegressionOutput(text),
        lambda: of.RegressionOutput(3),
        lambda: of.PredictOutput(x),
        lambda: of.PredictOutput({"a": x}),
        lambda: of.PredictOutput({3: x}),
        lambda: of.PredictOutput({"a": 3}),
        lambda: of.PredictOutput({("a", "b"): x}),
    ):
        with stage.failing():
            made = case()
            stage.say(type(made).__name__, sorted(k for k in dir(made) if k[0] != "_"))
            for name in ("features", "receiver_tensors", "scores", "classes", "value", "outputs"):
                if hasattr(made, name):
                    stage.say(name, getattr(made, name))


def exporters(tf, stage):
    of = tf.estimator
    estimator = _estimator(tf, stage)
    estimator.train(_inputs(tf), steps=1)
    estimator.evaluate(_inputs(tf, epochs=1))
    build = of.export.build_raw_serving_input_receiver_fn(
        {"x": tf.placeholder(tf.float32, [None, 1])}
    )
    path, folder = estimator.latest_checkpoint(), stage.folder + "/out"
    final = of.FinalExporter("final", build)
    stage.say(final.export(estimator, folder, path, {}, False))
    stage.say(len(final.export(estimator, folder, path, {}, True)) - len(folder))
    seen = []
    best = of.BestExporter("best", build, exports_to_keep=1, event_file_pattern="eval/*.tfevents.*")
    smaller = lambda best_eval_result, current_eval_result: seen.append(1) or False  # noqa: E731
    never = of.BestExporter("never", build, compare_fn=smaller, exports_to_keep=None)
    for loss in (3.0, 4.0, 2.0, 2.0):
        made = best.export(estimator, folder + "/best", path, {"loss": loss}, False)
        stage.say(loss, made is None, len(os.listdir(folder + "/best")))
        stage.say(
            never.export(estimator, folder + "/never", path, {"loss": loss}, True) is None,
            len(seen),
        )
    stage.attempt(best.export, estimator, folder, path, {}, False)
    latest = of.LatestExporter("latest", build, exports_to_keep=2)
    for _ in range(3):
        stage.say(latest.export(estimator, folder + "/latest", path, {}, False) is None)
        stage.say(len(os.listdir(folder + "/latest")))
    for case in (
        lambda: of.LatestExporter("a", build, exports_to_keep=0),
        lambda: of.BestExporter("a", build, exports_to_keep=-1),
        lambda: of.BestExporter("a", build, compare_fn=None),
        lambda: of.BestExporter("a", build, compare_fn=lambda a, b: True),
        lambda: of.BestExporter(),
    ):
        with stage.failing():
            stage.say(case().name)


def stopped_early(tf, stage):
    estimator = _estimator(tf, stage, run={"save_checkpoints_steps": 2})
    of = tf.estimator.experimental
    for number, loss in enumerate((5.0, 3.0, 4.0, 4.5, 3.5)):
        step = 10 * (1 + number)
        with tf.Graph().as_default():
            writer = tf.summary.FileWriter(estimator.eval_dir(), filename_suffix=f".{step}")
            value = tf.Summary.Value(tag="loss", simple_value=loss)
            other = tf.Summary.Value(tag="accuracy", simple_value=1.0 / loss)
            writer.add_summary(tf.Summary(value=[value, other]), step)
            writer.close()
    cases = {
        "no_increase": lambda: of.stop_if_no_increase_hook(
            estimator, "accuracy", 20, min_steps=100, run_every_secs=None, run_every_steps=1
        ),
        "higher_later": lambda: of.stop_if_higher_hook(
            estimator, "loss", 4.9, min_steps=50, run_every_secs=None, run_every_steps=1
        ),
        "lower": lambda: of.stop_if_lower_hook(
            estimator, "loss", 3.0, run_every_secs=None, run_every_steps=1
        ),
    }
    for name, case in cases.items():
        stage.say(name)
        with stage.failing():
            hook = case()
            before = (
                int(estimator.get_variable_value("global_step"))
                if estimator.latest_checkpoint()
                else 0
            )
            estimator.train(_inputs(tf), [hook], steps=4)
            stage.say(int(estimator.get_variable_value("global_step")) - before)
