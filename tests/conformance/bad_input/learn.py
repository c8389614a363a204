"""Invalid tf.contrib.learn Estimators and inputs."""


def _columns(tf):
    return [tf.contrib.layers.real_valued_column("x")]


def _model(tf, **options):
    return tf.contrib.learn.LinearClassifier(_columns(tf), **options)


def _input(tf):
    return {"x": tf.ones([2, 1])}, tf.ones([2, 1], tf.int32)


def two_folders(tf):
    config = tf.contrib.learn.RunConfig(model_dir="one")
    _model(tf, model_dir="two", config=config)


def a_model_of_two(tf):
    def model(features, labels):
        return features, labels

    tf.contrib.learn.Estimator(model).fit(input_fn=lambda: _input(tf), steps=1)


def a_prediction_of_no_name(tf):
    spec = tf.contrib.learn.MetricSpec(tf.metrics.accuracy)
    spec.create_metric_ops({}, tf.ones([2]), {"a": tf.ones([2]), "b": tf.ones([2])})


def a_prediction_of_another_name(tf):
    spec = tf.contrib.learn.MetricSpec(tf.metrics.accuracy, prediction_key="c")
    spec.create_metric_ops({}, tf.ones([2]), {"a": tf.ones([2])})


def an_unknown_activation(tf):
    model = tf.contrib.learn.DNNClassifier([2], _columns(tf), activation_fn="swoosh")
    model.fit(input_fn=lambda: _input(tf), steps=1)
