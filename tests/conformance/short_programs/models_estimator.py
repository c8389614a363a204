"""Estimators: arguments that they refuse, and parts of them with options that are not the default."""


def programs(tf):
    E, C = tf.estimator, tf.feature_column
    x = C.numeric_column("x")
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    def fn(features, labels, mode):
        return None

    def one(**options):
        return E.Estimator(fn, "folder", **options)

    def spec(mode="train", **options):
        given = {"loss": tf.constant(1.0), "train_op": tf.no_op(), "predictions": tf.constant(1.0)}
        return E.EstimatorSpec(mode, **{**given, **options})

    def config(**options):
        made = E.RunConfig(**options)
        return {
            k: getattr(made, k)
            for k in (
                "tf_random_seed",
                "save_summary_steps",
                "save_checkpoints_steps",
                "save_checkpoints_secs",
                "keep_checkpoint_max",
                "keep_checkpoint_every_n_hours",
                "log_step_count_steps",
                "model_dir",
            )
        }

    add(
        "config",
        lambda: config(),
        lambda: config(
            model_dir="a",
            tf_random_seed=3,
            save_summary_steps=4,
            save_checkpoints_steps=5,
            keep_checkpoint_max=6,
            keep_checkpoint_every_n_hours=7,
            log_step_count_steps=8,
        ),
        lambda: config(save_checkpoints_secs=9),
        lambda: config(save_checkpoints_secs=None, save_checkpoints_steps=None),
        lambda: config(save_checkpoints_secs=1, save_checkpoints_steps=1),
        lambda: config(save_summary_steps=-1),
        lambda: config(save_checkpoints_steps=-1),
        lambda: config(save_checkpoints_secs=-1),
        lambda: config(keep_checkpoint_max=-1),
        lambda: config(keep_checkpoint_every_n_hours=0),
        lambda: config(log_step_count_steps=0),
        lambda: config(tf_random_seed=1.5),
        lambda: config(session_config=3),
        lambda: config(model_dir=""),
        lambda: config(device_fn=3),
        lambda: config(device_fn=lambda: 3),
        lambda: config(protocol="ftp"),
        lambda: config(session_creation_timeout_secs=0),
        lambda: config(experimental_max_worker_delay_secs=-1),
        lambda: E.RunConfig().replace(master="a"),
        lambda: E.RunConfig().replace(model_dir="b").model_dir,
        lambda: E.RunConfig().replace(save_checkpoints_steps=2, save_checkpoints_secs=3),
    )
    add(
        "estimator",
        lambda: E.Estimator(None),
        lambda: E.Estimator(lambda labels: None),
        lambda: E.Estimator(lambda features, more: None),
        lambda: E.Estimator(lambda features: None, params={"a": 1}),
        lambda: one(config=3),
        lambda: one(config=E.RunConfig(model_dir="other")),
        lambda: one(params=3),
        lambda: one().train(lambda: None, steps=1, max_steps=1),
        lambda: one().train(lambda: None, steps=0),
        lambda: one().train(lambda: None, max_steps=-1),
        lambda: one().train(lambda: None, hooks=[3], steps=1),
        lambda: one().train(lambda: None, saving_listeners=[3], steps=1),
        lambda: one().train(3, steps=1),
        lambda: one().evaluate(lambda: None, steps=0),
        lambda: one().evaluate(lambda: None),
        lambda: next(one().predict(lambda: None)),
        lambda: one().export_saved_model("to", None),
        lambda: one().get_variable_value("a"),
        lambda: one().get_variable_names(),
        lambda: one().latest_checkpoint(),
        lambda: E.Estimator(lambda features, params: None, "f", params={"a": [1]}).params,
        lambda: E.Estimator(fn, None, E.RunConfig("g")).model_dir,
    )
    add(
        "spec",
        lambda: spec(loss=None),
        lambda: spec(train_op=None),
        lambda: spec("eval", loss=None),
        lambda: spec("infer", predictions=None),
        lambda: spec("other"),
        lambda: spec(loss=tf.constant([1.0, 2.0])),
        lambda: spec(loss=3),
        lambda: spec(loss=tf.constant([[4.0]])).loss,
        lambda: spec(train_op=3),
        lambda: spec(predictions=3),
        lambda: spec("eval", eval_metric_ops=3),
        lambda: spec("eval", eval_metric_ops={"a": 3}),
        lambda: spec("infer", export_outputs=3),
        lambda: spec("infer", export_outputs={"a": 3}),
        lambda: spec(
            "infer",
            export_outputs={
                "a": E.export.PredictOutput(tf.constant(1)),
                "b": E.export.PredictOutput(tf.constant(1)),
            },
        ),
        lambda: spec("infer", export_outputs={}).export_outputs,
        lambda: sorted(
            spec(
                "infer", export_outputs={"a": E.export.PredictOutput(tf.constant(1))}
            ).export_outputs
        ),
        lambda: spec(training_hooks=[3]),
        lambda: spec(training_chief_hooks=[3]),
        lambda: spec("eval", evaluation_hooks=[3]),
        lambda: spec("infer", prediction_hooks=[3]),
        lambda: spec(scaffold=3),
        lambda: spec()._replace(mode="eval"),
        lambda: spec("eval", evaluation_hooks=None).evaluation_hooks,
    )
    scores = tf.constant([[0.5]])
    add(
        "exported",
        lambda: E.export.ClassificationOutput(),
        lambda: E.export.ClassificationOutput(scores="a"),
        lambda: E.export.ClassificationOutput(scores=tf.constant([1])),
        lambda: E.export.ClassificationOutput(classes=tf.constant([1])),
        lambda: E.export.RegressionOutput(tf.constant(["a"])),
        lambda: E.export.RegressionOutput("a"),
        lambda: E.export.PredictOutput("a"),
        lambda: E.export.PredictOutput({3: scores}),
        lambda: E.export.PredictOutput({("a", "b"): scores}).outputs,
        lambda: str(
            E.export.ClassificationOutput(scores).as_signature_def(
                {"examples": tf.placeholder(tf.string, [None], "e")}
            )
        ),
        lambda: E.export.ClassificationOutput(scores).as_signature_def({"a": scores}),
        lambda: E.export.RegressionOutput(scores).as_signature_def(
            {"a": tf.constant("a"), "b": tf.constant("b")}
        ),
        lambda: str(
            E.export.RegressionOutput(scores).as_signature_def({"a": tf.constant("a", name="t")})
        ),
        lambda: E.export.ServingInputReceiver(None, {}),
        lambda: E.export.ServingInputReceiver({"a": scores}, None),
        lambda: E.export.ServingInputReceiver({"a": 3}, scores),
        lambda: E.export.ServingInputReceiver({3: scores}, scores),
        lambda: E.export.ServingInputReceiver({"a": scores}, 3),
        lambda: E.export.ServingInputReceiver({"a": scores}, scores, 3),
        lambda: E.export.ServingInputReceiver({"a": scores}, scores, {"b": 3}),
        lambda: sorted(
            E.export.ServingInputReceiver(
                scores, scores, {"b": {"c": scores}}
            ).receiver_tensors_alternatives["b"]
        ),
        lambda: sorted(E.export.ServingInputReceiver(scores, scores).features),
        lambda: E.export.TensorServingInputReceiver(scores, scores).features,
        lambda: E.export.TensorServingInputReceiver({"a": scores}, scores),
        lambda: {
            k: v.shape.as_list()
            for k, v in E.export.build_raw_serving_input_receiver_fn(
                {"a": scores}, 3
            )().features.items()
        },
        lambda: {
            k: v.shape.as_list()
            for k, v in E.export.build_raw_serving_input_receiver_fn(
                {"a": scores}
            )().features.items()
        },
        lambda: (
            E.export.build_parsing_serving_input_receiver_fn(
                {"a": tf.FixedLenFeature([2], tf.float32)}, 4
            )()
            .receiver_tensors["examples"]
            .shape.as_list()
        ),
    )
    add(
        "canned",
        lambda: E.DNNClassifier([2], [x], n_classes=1),
        lambda: E.LinearClassifier([x], n_classes=0),
        lambda: E.LinearRegressor([x], label_dimension=0),
        lambda: E.BaselineClassifier(n_classes=1),
        lambda: E.DNNLinearCombinedClassifier(),
        lambda: (
            E.classifier_parse_example_spec([x], "label", tf.int64, 0, "w")
            and {
                k: str(v)
                for k, v in E.classifier_parse_example_spec(
                    [x], "label", tf.string, "none", "w"
                ).items()
            }
        ),
        lambda: E.classifier_parse_example_spec([x], "x"),
        lambda: E.classifier_parse_example_spec([x], None),
        lambda: E.classifier_parse_example_spec([x], "y", weight_column="x"),
        lambda: {
            k: str(v)
            for k, v in E.regressor_parse_example_spec([x], "y", tf.float64, 2.5, 2, "w").items()
        },
        lambda: {
            k: str(v)
            for k, v in E.regressor_parse_example_spec([x], "y", label_dimension=3).items()
        },
    )
    add(
        "specs",
        lambda: E.TrainSpec(3),
        lambda: E.TrainSpec(fn, 0),
        lambda: E.TrainSpec(fn, hooks=[3]),
        lambda: list(E.TrainSpec(fn, 5))[1:],
        lambda: E.EvalSpec(3),
        lambda: E.EvalSpec(fn, 0),
        lambda: E.EvalSpec(fn, hooks=[3]),
        lambda: E.EvalSpec(fn, exporters=3),
        lambda: E.EvalSpec(fn, name=3),
        lambda: E.EvalSpec(fn, throttle_secs=-1),
        lambda: E.EvalSpec(fn, start_delay_secs=-1),
        lambda: E.EvalSpec(fn, exporters=[E.FinalExporter("a", fn), E.FinalExporter("a", fn)]),
        lambda: list(E.EvalSpec(fn, 7, "n", start_delay_secs=1, throttle_secs=2))[1:],
        lambda: E.train_and_evaluate(3, 3, 3),
        lambda: E.train_and_evaluate(one(), 3, 3),
        lambda: E.train_and_evaluate(one(), E.TrainSpec(fn), 3),
        lambda: E.BestExporter(serving_input_receiver_fn=fn, compare_fn=None),
        lambda: E.BestExporter(serving_input_receiver_fn=fn, compare_fn=lambda a: True),
        lambda: E.BestExporter(serving_input_receiver_fn=fn, exports_to_keep=0),
        lambda: E.LatestExporter("a", fn, exports_to_keep=-1),
        lambda: E.FinalExporter("a", fn).name,
        lambda: E.add_metrics(one(), lambda other: {}),
        lambda: E.experimental.make_early_stopping_hook(3, fn),
        lambda: E.experimental.make_early_stopping_hook(one(), fn, 1, 1),
        lambda: E.experimental.make_early_stopping_hook(one(), 3, None, 1),
        lambda: E.experimental.stop_if_no_decrease_hook(
            one(), "loss", 3, run_every_secs=1, run_every_steps=1
        ),
        lambda: E.inputs.numpy_input_fn({"x": __import__("numpy").arange(3)}, batch_size=2),
        lambda: E.inputs.numpy_input_fn({"x": __import__("numpy").arange(3)}, shuffle=3),
        lambda: E.inputs.numpy_input_fn({}, shuffle=False),
        lambda: E.inputs.numpy_input_fn(
            {"x": __import__("numpy").arange(3)}, __import__("numpy").arange(2), shuffle=False
        )(),
        lambda: E.inputs.numpy_input_fn([1], shuffle=False)(),
    )
    return found
