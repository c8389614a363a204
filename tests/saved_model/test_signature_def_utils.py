"""Valid signatures for serving, as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf

utils = tf.saved_model.signature_def_utils


@pytest.fixture
def tensors():
    examples, text = (tf.placeholder(tf.string, [None]) for _ in range(2))
    return examples, text, tf.placeholder(tf.float32, [None])


def test_valid_signatures(tensors):
    examples, classes, scores = tensors
    for inputs in ((classes, scores), (classes, None), (None, scores)):
        assert utils.is_valid_signature(utils.classification_signature_def(examples, *inputs))
    assert utils.is_valid_signature(utils.regression_signature_def(examples, scores))
    assert utils.is_valid_signature(utils.predict_signature_def({"x": examples}, {"y": scores}))


def test_invalid_signatures(tensors):
    def changed(change):
        made = utils.classification_signature_def(*tensors)
        change(made)
        return made

    for change in (
        lambda made: made.outputs["more"].CopyFrom(made.outputs["scores"]),
        lambda made: made.inputs["more"].CopyFrom(made.outputs["scores"]),
        lambda made: setattr(made, "method_name", "other"),
        lambda made: setattr(made.outputs["scores"], "dtype", tf.int32.as_datatype_enum),
        lambda made: made.outputs.clear(),
    ):
        assert not utils.is_valid_signature(changed(change))
