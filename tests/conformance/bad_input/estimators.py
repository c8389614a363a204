"""Estimators that cannot be, and inputs that they cannot take."""

import numpy as np


def _features(features, labels):
    pass


def _model(tf, **fields):
    """A model function whose spec has these fields, each made by a function of its features."""

    def model(features, labels, mode):
        made = {name: make(features) for name, make in fields.items()}
        return tf.estimator.EstimatorSpec(mode, **made)

    return model


def _input(tf):
    return {"x": tf.ones([2, 3])}, tf.zeros([2])


def _train(tf, **fields):
    return tf.estimator.Estimator(_model(tf, **fields)).train(lambda: _input(tf), steps=1)


def _scalar(tf):
    return {"loss": lambda f: tf.reduce_sum(f["x"]), "train_op": lambda f: tf.no_op()}


def a_method_again(tf):
    class Mine(tf.estimator.Estimator):
        def train(self, input_fn):
            pass

    Mine(_features)


def a_loss_of_another_graph(tf):
    other = tf.reduce_sum(tf.ones([2]), name="elsewhere")
    _train(tf, loss=lambda f: other, train_op=lambda f: tf.no_op())


def keys_of_no_dict(tf):
    estimator = tf.estimator.Estimator(_model(tf, predictions=lambda f: f["x"]))
    next(estimator.predict(lambda: _input(tf), predict_keys=["p"]))


def keys_that_are_not_there(tf):
    estimator = tf.estimator.Estimator(_model(tf, predictions=lambda f: {"p": f["x"]}))
    next(estimator.predict(lambda: _input(tf), predict_keys=["q"]))


def batches_of_unequal_length(tf):
    made = lambda f: {"p": f["x"], "q": tf.ones([5])}  # noqa: E731
    estimator = tf.estimator.Estimator(_model(tf, predictions=made))
    next(estimator.predict(lambda: _input(tf)))


def a_metric_called_loss(tf):
    metrics = lambda f: {"loss": tf.metrics.mean(f["x"])}  # noqa: E731
    estimator = tf.estimator.Estimator(_model(tf, eval_metric_ops=metrics, **_scalar(tf)))
    estimator.evaluate(lambda: _input(tf), steps=1)


def a_metric_called_global_step(tf):
    metrics = lambda f: {"global_step": tf.metrics.mean(f["x"])}  # noqa: E731
    estimator = tf.estimator.Estimator(_model(tf, eval_metric_ops=metrics, **_scalar(tf)))
    estimator.evaluate(lambda: _input(tf), steps=1)


def an_output_of_another_kind(tf):
    model = _model(tf, predictions=lambda f: f["x"], export_outputs=lambda f: {"a": f["x"]})
    next(tf.estimator.Estimator(model).predict(lambda: _input(tf)))


def a_name_in_both(tf):
    a = {"a": np.zeros([2])}
    tf.estimator.inputs.numpy_input_fn(a, a, shuffle=False)()


def an_exporter_without_a_name(tf):
    exporter = tf.estimator.FinalExporter("", lambda: None)
    tf.estimator.EvalSpec(lambda: None, exporters=exporter)


def a_comparison_of_three(tf):
    compare = lambda best_eval_result, current_eval_result, c: True  # noqa: E731
    tf.estimator.BestExporter("a", lambda: None, compare_fn=compare)


def a_training_spec_of_another_kind(tf):
    evaluation = tf.estimator.EvalSpec(lambda: None)
    tf.estimator.train_and_evaluate(tf.estimator.Estimator(_features), 1, evaluation)


def an_estimator_of_another_kind(tf):
    train, evaluation = tf.estimator.TrainSpec(lambda: None), tf.estimator.EvalSpec(lambda: None)
    tf.estimator.train_and_evaluate(1, train, evaluation)


CASES = {
    "a_config_of_another_kind": lambda tf: tf.estimator.Estimator(
        _features, config=tf.ConfigProto()
    ),
    "a_loss_of_rows": lambda tf: _train(tf, loss=lambda f: f["x"], train_op=lambda f: tf.no_op()),
    "metrics_that_are_tensors": lambda tf: _train(
        tf, eval_metric_ops=lambda f: {"m": f["x"]}, **_scalar(tf)
    ),
    "metrics_in_a_list": lambda tf: _train(tf, eval_metric_ops=lambda f: [f["x"]], **_scalar(tf)),
    "predictions_that_are_numbers": lambda tf: _train(
        tf, predictions=lambda f: {"p": 1}, **_scalar(tf)
    ),
    "a_model_without_labels": lambda tf: tf.estimator.Estimator(lambda features: None).train(
        lambda: _input(tf), steps=1
    ),
    "values_without_a_checkpoint": lambda tf: tf.estimator.Estimator(
        _features, "/nowhere/at/all"
    ).get_variable_value("x"),
    "an_export_without_a_checkpoint": lambda tf: tf.estimator.Estimator(
        _features, "/nowhere/at/all"
    ).export_saved_model("to", lambda: None),
    "a_regression_of_a_number": lambda tf: tf.estimator.export.RegressionOutput(1.0),
    "a_prediction_of_numbers": lambda tf: tf.estimator.export.PredictOutput({"a": 1}),
    "receivers_without_names": lambda tf: tf.estimator.export.ServingInputReceiver(
        {"a": tf.ones([2])}, {1: tf.ones([2])}
    ),
    "a_property_that_cannot_be_replaced": lambda tf: tf.estimator.RunConfig().replace(task_id=1),
    "a_warm_start_from_nothing": lambda tf: tf.estimator.WarmStartSettings(""),
    "a_warm_start_from_a_number": lambda tf: tf.estimator.Estimator(_features, warm_start_from=1),
    "an_empty_array": lambda tf: tf.estimator.inputs.numpy_input_fn(np.zeros([0]), shuffle=False)(),
    "an_empty_dict": lambda tf: tf.estimator.inputs.numpy_input_fn({}, shuffle=False)(),
    "labels_in_an_empty_dict": lambda tf: tf.estimator.inputs.numpy_input_fn(
        {"a": np.zeros([2])}, {}, shuffle=False
    )(),
    "an_exporter_of_another_kind": lambda tf: tf.estimator.EvalSpec(lambda: None, exporters=[1]),
    "no_best_exports_to_keep": lambda tf: tf.estimator.BestExporter(
        "a", lambda: None, exports_to_keep=-1
    ),
    "a_comparison_of_others": lambda tf: tf.estimator.BestExporter(
        "a", lambda: None, compare_fn=lambda best_eval_result, b: True
    ),
}
