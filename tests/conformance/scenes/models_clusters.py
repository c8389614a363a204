"""k-means by graphs and Estimators, with every option; Estimators that pass the batch size, as on TPUs."""

import numpy as np

from tests.conformance.scenes import in_own_graph


@in_own_graph
def estimators_of_batch_sizes(tf, stage):
    tpu = tf.contrib.tpu

    def model(features, labels, mode, params, config):
        stage.say("model", mode, sorted(params.items()), config.log_step_count_steps)
        w = tf.get_variable("w", [], initializer=tf.ones_initializer())
        y = w * features["x"]
        if mode == "infer":
            return tpu.TPUEstimatorSpec(
                mode,
                {"y": y},
                export_outputs={"serving_default": tf.estimator.export.PredictOutput(y)},
            )
        loss = tf.reduce_mean(tf.square(y - labels))
        train = tf.train.GradientDescentOptimizer(0.125).minimize(
            loss, tf.train.get_or_create_global_step()
        )
        metrics = (lambda y: {"mean": tf.metrics.mean(y)}, {"y": y})
        return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train, eval_metrics=metrics)

    def rows(params, mode, config):
        stage.say("input", mode, sorted(params.items()), config.tf_random_seed)
        x = np.arange(8, dtype=np.float32)
        data = tf.data.Dataset.from_tensor_slices(({"x": x}, x * 2.0))
        return data.batch(params["batch_size"], drop_remainder=True)

    def run_config(name, loop=2, **options):
        return tpu.RunConfig(
            model_dir=f"{stage.folder}/{name}",
            tf_random_seed=3,
            tpu_config=tpu.TPUConfig(loop),
            **options,
        )

    sizes = {"train_batch_size": 2, "eval_batch_size": 3, "predict_batch_size": 4}
    cases = (
        ("a", {**sizes, "params": {"rate": 1}, "export_to_tpu": False}, {}),
        ("b", {**sizes, "eval_on_tpu": False}, {"loop": "5s"}),
        ("c", {"train_batch_size": 2, "eval_on_tpu": False}, {"log_step_count_steps": None}),
        ("d", {**sizes, "warm_start_from": stage.folder + "/a"}, {"log_step_count_steps": 1}),
        ("f", {**sizes, "model_dir": stage.folder + "/g"}, {}),
    )
    for name, options, settings in cases:
        stage.say(name)
        with stage.failing():
            config = run_config(name, **settings)
            made = tpu.TPUEstimator(model, config=config, use_tpu=False, **options)
            stage.say(made.config.log_step_count_steps, made.model_dir == config.model_dir)
            for _ in range(2 if name == "a" else 1):
                made.train(rows, steps=2)
                stage.say(made.get_variable_value("w"), made.get_variable_value("global_step"))
            stage.say(made.params)
            if name == "d":
                continue
            stage.say(sorted(made.evaluate(rows, steps=2).items()))
            stage.say([row["y"] for row in made.predict(rows)][:5])
            if name == "a":
                given = tf.estimator.export.build_raw_serving_input_receiver_fn(
                    {"x": tf.placeholder(tf.float32, [None])}
                )
                stage.say(type(made.export_saved_model(stage.folder + "/out", given)).__name__)
            tags = {}
            for event in _events(tf, made.model_dir):
                for value in event.summary.value:
                    tags.setdefault(value.tag, []).append(event.step)
            stage.say([tag for tag in sorted(tags) if "sec" in tag or tag == "loss"])
    make = tpu.TPUEstimator
    config = run_config("x")

    def derived(name, *members):
        kind = type(name, (tf.estimator.Estimator,), dict.fromkeys(members, 3))
        return kind(model, stage.folder + "/derived", params={}).model_dir

    stage.attempts(lambda: derived("Own", "_call_input_fn"))

    def trained(model, rows=rows, **options):
        made = make(model, config=config, use_tpu=False, **{**sizes, **options})
        return made.train(rows, steps=1)

    stage.attempts(
        lambda: trained(lambda features, labels, mode: None),
        lambda: trained(lambda features, mode, params: None),
        lambda: trained(model, lambda: None),
        lambda: trained(model, lambda params: 3),
        lambda: trained(model, params=3),
        lambda: trained(3),
        lambda: trained(lambda features, labels, mode, params: 3),
    )


def _events(tf, folder):
    tf.summary.FileWriterCache.clear()
    for path in tf.gfile.Glob(folder + "/*tfevents*"):
        yield from tf.train.summary_iterator(path)


def host_calls_that_write_summaries(tf, stage):
    """A host call that writes summaries, without a TPU: their file is opened, written in each step, flushed."""
    summary, tpu = tf.contrib.summary, tf.contrib.tpu

    def model_fn(features, labels, mode, params):
        v = tf.get_variable("v", [1], initializer=tf.ones_initializer())
        loss = tf.reduce_sum(tf.square(v * features - labels))
        step = tf.train.get_or_create_global_step()

        def host_call(step, loss):
            writer = summary.create_file_writer(f"{stage.folder}/host_{mode}")
            with writer.as_default(), summary.always_record_summaries():
                summary.scalar("loss", loss[0], step=step[0])
                return summary.all_summary_ops()

        given = [tf.reshape(tf.identity(step), [1]) + 0, tf.reshape(loss, [1])]
        with tf.control_dependencies(given):
            train = tf.train.GradientDescentOptimizer(0.0625).minimize(loss, step)
        metrics = (lambda x: {"mean": tf.metrics.mean(x)}, [features])
        train = train if mode == "train" else None
        return tpu.TPUEstimatorSpec(
            mode, loss=loss, train_op=train, host_call=(host_call, given), eval_metrics=metrics
        )

    def inputs(params):
        return tf.data.Dataset.from_tensors(([[1.0], [1.0]], [[0.5], [1.0]])).repeat()

    config = tpu.RunConfig(model_dir=stage.folder)
    estimator = tpu.TPUEstimator(
        model_fn, config=config, use_tpu=False, train_batch_size=2, eval_batch_size=2
    )
    estimator.train(inputs, steps=3)
    estimator.evaluate(inputs, steps=2)
    for mode in ("train", "eval"):
        for path in tf.gfile.Glob(f"{stage.folder}/host_{mode}/events*"):
            for event in tf.train.summary_iterator(path):
                for value in event.summary.value:
                    stage.say(mode, event.step, value.tag, value.simple_value)
