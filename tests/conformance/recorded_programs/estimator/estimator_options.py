"""An Estimator with all kinds of hooks, older checkpoints, warm starts, other exports, text and assets."""

import os
import shutil
import tempfile

import numpy as np

REPLAYABLE = False


def build(tf):
    estimators, train = tf.estimator, tf.train

    class Noted(train.SessionRunHook):
        def __init__(self, calls, name):
            self.calls, self.name = calls, name

        def begin(self):
            self.calls.append(self.name + " begins")

        def end(self, session):
            self.calls.append(self.name + " ends")

    calls = []

    def model(features, labels, mode, params):
        """Adds one to a weight and a bias in each step."""
        start = tf.constant_initializer(params["start"])
        weight = tf.get_variable("weight", [2], initializer=start)
        bias = tf.get_variable("bias" + params.get("of", ""), [], initializer=start)
        total = tf.reduce_sum(features["x"] * weight, 1) + bias
        modes = estimators.ModeKeys
        loss, update = None, None
        if mode != modes.PREDICT:
            loss = tf.reduce_mean(tf.square(total - labels))
        if mode == modes.TRAIN:
            update = tf.group(
                weight.assign_add([1.0, 1.0]),
                bias.assign_add(1.0),
                tf.assign_add(train.get_global_step(), 1),
            )
        return estimators.EstimatorSpec(
            mode,
            {"total": total},
            loss,
            update,
            eval_metric_ops={"mean": tf.metrics.mean(total)},
            export_outputs={
                "serving_default": estimators.export.PredictOutput({"total": total}),
                "value": estimators.export.RegressionOutput(total),
            },
            training_chief_hooks=[Noted(calls, "chief")],
            training_hooks=[Noted(calls, "training")],
            scaffold=train.Scaffold(saver=train.Saver(max_to_keep=7)),
            evaluation_hooks=[Noted(calls, "evaluation")],
            prediction_hooks=[Noted(calls, "prediction")],
        )

    x = {"x": np.arange(8.0, dtype="f").reshape(4, 2)}
    y = np.arange(4.0, dtype="f")

    def given():
        return tf.data.Dataset.from_tensors((x, y)).repeat()

    def asked():
        return tf.data.Dataset.from_tensors(x)

    def once():
        return tf.data.Dataset.from_tensors((x, y))

    def receives():
        features = {"x": tf.placeholder(tf.float32, [None, 2], "x")}
        return estimators.export.ServingInputReceiver(features, features)

    def with_labels():
        features = {"x": tf.placeholder(tf.float32, [None, 2], "x")}
        labels = tf.placeholder(tf.float32, [None], "y")
        return tf.contrib.estimator.build_raw_supervised_input_receiver_fn(features, labels)()

    def tree(folder):
        """The files below a folder, whose top-level names are timestamps."""
        found = []
        for here, _, files in os.walk(folder):
            where = os.path.relpath(here, folder).split(os.sep)
            where = [part for part in where if not part.isdigit() and part != "."]
            found += ["/".join(where + [name]) for name in files if "tfevents" not in name]
        return sorted(found)

    def within(scene):
        def run(session):
            folder = tempfile.mkdtemp()
            del calls[:]
            try:
                with tf.Graph().as_default():
                    return scene(folder)
            finally:
                tf.summary.FileWriterCache.clear()
                shutil.rmtree(folder)

        return scene.__name__, run

    def made(folder, start=0.0):
        config = estimators.RunConfig(
            os.path.join(folder, "model"),
            save_checkpoints_steps=2,
            keep_checkpoint_max=7,
            log_step_count_steps=None,
            session_creation_timeout_secs=60,
        )
        return estimators.Estimator(model, config=config, params={"start": start})

    def hooks(folder):
        """Hooks for training, evaluation and prediction, also from a spec."""
        mine = made(folder)
        mine.train(given, [Noted(calls, "mine")], steps=2)
        calls.append("-")
        mine.evaluate(once, hooks=[Noted(calls, "mine")], name="other")
        calls.append("-")
        list(mine.predict(asked, hooks=[Noted(calls, "mine")]))
        return list(calls) + tree(folder)

    def older(folder):
        """Predictions, evaluations and exports of a checkpoint other than the last."""
        mine = made(folder)
        mine.train(given, steps=5)
        found = []
        for number in (2, 5):
            path = os.path.join(mine.model_dir, f"model.ckpt-{number}")
            values = [each["total"] for each in mine.predict(asked, None, None, path)]
            measured = mine.evaluate(once, checkpoint_path=path)
            found += [values, sorted(measured.items())]
            exported = mine.export_saved_model(
                os.path.join(folder, f"out{number}"), receives, checkpoint_path=path
            )
            ask = tf.contrib.predictor.from_saved_model(exported.decode())
            found.append(ask({"x": x["x"]})["total"])
        one = list(mine.predict(asked, ["total"], yield_single_examples=False))
        return found + [one[0]["total"], mine.latest_checkpoint().split("/")[-1]]

    def exports(folder):
        """Exports with extra files, as text, without default attrs, for other modes."""
        mine = made(folder)
        mine.train(given, steps=2)
        with open(os.path.join(folder, "words"), "w") as file:
            file.write("a\nb\n")
        extra = {"deep/words.txt": os.path.join(folder, "words")}
        out = os.path.join(folder, "out")
        modes = estimators.ModeKeys
        mine.export_saved_model(out + "1", receives, extra, as_text=True)
        mine.export_savedmodel(out + "2", receives, extra, strip_default_attrs=True)
        mine.export_saved_model(out + "3", with_labels, experimental_mode=modes.TRAIN)
        mine.export_saved_model(out + "4", with_labels, experimental_mode=modes.EVAL)
        mine.experimental_export_all_saved_models(
            out + "5",
            {modes.PREDICT: receives, modes.EVAL: with_labels, modes.TRAIN: with_labels},
            assets_extra=extra,
            as_text=True,
            checkpoint_path=os.path.join(mine.model_dir, "model.ckpt-0"),
        )
        found = [tree(out + str(number)) for number in range(1, 6)]
        (last,) = os.listdir(out + "5")
        with open(os.path.join(out + "5", last, "saved_model.pbtxt")) as file:
            kinds = file.read().count("meta_graphs {")
        return found + [kinds]

    def warm(folder):
        """Variables initialized from another checkpoint: by pattern, under other names."""
        first = made(folder, 10.0)
        first.train(given, steps=3)
        folder_of = first.model_dir
        found = []
        settings = [
            folder_of,
            estimators.WarmStartSettings(folder_of, vars_to_warm_start="weight"),
            estimators.WarmStartSettings(folder_of, vars_to_warm_start=["bias"]),
            estimators.WarmStartSettings(
                os.path.join(folder_of, "model.ckpt-2"),
                vars_to_warm_start=".*ia.*",
                var_name_to_prev_var_name={"bias4": "bias"},
            ),
            estimators.WarmStartSettings(folder_of, None),
        ]
        for number, setting in enumerate(settings, 1):
            options = {"of": "4"} if number == 4 else {}
            config = estimators.RunConfig(os.path.join(folder, f"model_{number}"))
            second = estimators.Estimator(
                model, config=config, params=dict(options, start=0.0), warm_start_from=setting
            )
            second.train(given, steps=1)
            names = second.get_variable_names()
            found.append([[n, second.get_variable_value(n)] for n in names])
        return found

    def both(folder):
        """Alternating training and evaluation, with hooks, exporters and step counts."""
        mine = made(folder)

        def larger(best_eval_result, current_eval_result):
            return current_eval_result["mean"] > best_eval_result["mean"]

        best = estimators.BestExporter(
            "best",
            receives,
            compare_fn=larger,
            event_file_pattern="eval_x/*.tfevents.*",
            exports_to_keep=2,
            assets_extra=None,
            as_text=True,
        )
        final = estimators.FinalExporter("final", receives, as_text=True)
        latest = estimators.LatestExporter("latest", receives, as_text=True, exports_to_keep=1)
        with open(os.path.join(folder, "words"), "w") as file:
            file.write("a\n")
        beside = estimators.FinalExporter(
            "beside", receives, assets_extra={"words.txt": os.path.join(folder, "words")}
        )
        measured = estimators.train_and_evaluate(
            mine,
            estimators.TrainSpec(given, max_steps=6, hooks=[Noted(calls, "mine")]),
            estimators.EvalSpec(
                once,
                steps=1,
                name="x",
                hooks=[Noted(calls, "watching")],
                exporters=[best, final, latest, beside],
                start_delay_secs=1,
                throttle_secs=0,
            ),
        )
        files = [name for name in tree(folder) if "variables" not in name]
        return [list(calls), sorted(measured[0].items()), files]

    return {"steps": [within(scene) for scene in (hooks, older, exports, warm, both)]}
