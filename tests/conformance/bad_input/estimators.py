"""Invalid Estimators and inputs."""

import numpy as np


def _features(features, labels):
    pass


def _model(tf, **fields):
    """A model function whose spec has these fields, each a function of its features."""

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
