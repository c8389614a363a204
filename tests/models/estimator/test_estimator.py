"""Estimator warnings, and subclasses that override its methods."""

import pytest

import tfmini as tf


def slices():
    return tf.data.Dataset.from_tensor_slices({"x": [[1.0]]}).batch(1)


def element():
    return slices().make_one_shot_iterator().get_next(), None


def computed():
    return {"x": element()[0]["x"] * 2}


@pytest.mark.parametrize(
    ("input_fn", "warned"),
    [(slices, False), (element, False), (computed, True), (lambda: {"x": tf.ones([1, 1])}, True)],
)
def test_endless_predictions_warn(input_fn, warned, tmp_path, caplog):
    def model_fn(features, mode):
        return tf.estimator.EstimatorSpec(mode, predictions=features["x"])

    estimator = tf.estimator.Estimator(model_fn, str(tmp_path))
    next(estimator.predict(input_fn))
    assert ("That means predict yields forever." in caplog.text) is warned


def test_override_check_can_be_disabled(monkeypatch, tmp_path):
    """As in the constructor of adanet's Estimator."""

    class Trained(tf.estimator.Estimator):
        def train(self, input_fn, steps=None):
            with tf.Graph().as_default() as graph:
                step = self._create_global_step(graph)
                features, labels, hooks = self._get_features_and_labels_from_input_fn(
                    input_fn, "train"
                )
                spec = self._call_model_fn(features, labels, "train", self.config)
                return self._train_with_estimator_spec(spec, hooks, [], step, [])

    def model_fn(features, mode):
        step = tf.train.get_global_step()
        return tf.estimator.EstimatorSpec(
            mode, loss=tf.reduce_sum(features["x"]), train_op=tf.assign_add(step, 1)
        )

    allowed = staticmethod(lambda _: None)
    monkeypatch.setattr(tf.estimator.Estimator, "_assert_members_are_not_overridden", allowed)
    assert Trained(model_fn, str(tmp_path)).train(slices) == 1.0
