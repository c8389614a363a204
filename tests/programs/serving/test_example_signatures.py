"""Classification and regression signatures, and their results: texts of TensorFlow Serving's sources."""

import numpy as np
import pytest

import tfmini as tf
from tests.programs.serving import served
from tfmini._src.programs.serving.example_signatures import (
    check_form,
    classes_and_scores,
    regressions,
)
from tfmini._src.programs.serving.served_model import ServedModel

WRONG = tf.errors.InvalidArgumentError
CLASSIFY, REGRESS = "tensorflow/serving/classify", "tensorflow/serving/regress"


def scores(*rows, dtype=np.float32):
    return np.array(rows, dtype)


def labels(*rows):
    return np.array(rows, object)


def test_classes_and_scores():
    both = {"classes": labels([b"a", b"\xc3\xbc"]), "scores": scores([0.5, 2])}
    result, values = classes_and_scores(both, 1)
    assert result == [["a", "ü"]] and values.tolist() == [[0.5, 2.0]]
    result, values = classes_and_scores({"scores": scores([1, 2], [3, 4])}, 2)
    assert result == [["", ""], ["", ""]] and values.tolist() == [[1, 2], [3, 4]]
    result, values = classes_and_scores({"classes": labels([b"a", b"b"])}, 1)
    assert result == [["a", "b"]] and values.tolist() == [[0, 0]] and values.dtype == np.float32


@pytest.mark.parametrize(
    "results, count, error",
    [
        (
            {"scores": scores([1], dtype="d")},
            1,
            r"^Expected scores Tensor of DT_FLOAT\. Got: DT_DOUBLE$",
        ),
        ({"classes": scores([1])}, 1, r"^Expected classes Tensor of DT_STRING\. Got: DT_FLOAT$"),
        ({"scores": scores(1, 2)}, 2, r"shape: \[batch_size num_classes\] but got \[2\]$"),
        ({"scores": scores([1], [2])}, 3, r"^Expected scores output batch size of 3\. Got: 2$"),
        (
            {"classes": labels([b"a", b"b"]), "scores": scores([1])},
            1,
            r"^Tensors class and score should match in dim_size\(1\)\. Got 2 vs\. 1$",
        ),
        ({"classes": labels([b"\xff"])}, 1, "^A label is not UTF-8: "),
    ],
)
def test_invalid_classification_results(results, count, error):
    with pytest.raises(WRONG, match=error):
        classes_and_scores(results, count)


def test_regression_values():
    assert regressions({"outputs": scores(1, 2)}, 2).tolist() == [1, 2]
    assert regressions({"outputs": scores([1], [2])}, 2).tolist() == [1, 2]
    assert regressions({"outputs": scores()}, 0).tolist() == []


@pytest.mark.parametrize(
    "results, count, error",
    [
        ({"outputs": np.float32(1)}, 1, r"but got \[\]$"),
        ({"outputs": scores([1, 2])}, 1, r"but got \[1,2\]$"),
        ({"outputs": scores([[1]])}, 1, r"but got \[1,1,1\]$"),
        (
            {"outputs": scores(1, dtype="i")},
            1,
            r"^Expected output Tensor of DT_FLOAT\.  Got: DT_INT32$",
        ),
        (
            {"outputs": scores(1, 2)},
            1,
            "^Input batch size did not match output batch size: 1 vs. 2$",
        ),
    ],
)
def test_invalid_regression_results(results, count, error):
    with pytest.raises(WRONG, match=error):
        regressions(results, count)


def form(method, inputs, outputs):
    info = tf.saved_model.utils.build_tensor_info(tf.constant(["a"]))
    build = tf.saved_model.signature_def_utils.build_signature_def
    return build(dict.fromkeys(inputs, info), dict.fromkeys(outputs, info), method)


@pytest.mark.parametrize(
    "method, inputs, outputs, error, text",
    [
        (CLASSIFY, ["inputs", "x"], ["scores"], WRONG, r"^Expected one input Tensor\.$"),
        (REGRESS, [], ["outputs"], WRONG, r"^Expected one input Tensor\.$"),
        (CLASSIFY, ["inputs"], "abc", WRONG, "^Expected one or two output Tensors, found 3$"),
        (CLASSIFY, ["inputs"], [], WRONG, "^Expected one or two output Tensors, found 0$"),
        (REGRESS, ["inputs"], ["outputs", "x"], WRONG, r"^Expected one output Tensor\.$"),
        (
            CLASSIFY,
            ["x"],
            ["scores"],
            tf.errors.FailedPreconditionError,
            "^No classification inputs found in SignatureDef: (?s:.*)scores",
        ),
        (
            CLASSIFY,
            ["inputs"],
            ["x"],
            tf.errors.FailedPreconditionError,
            'contain at least one of "classes" or "scores". Signature was: (?s:.*)"x"',
        ),
        (
            REGRESS,
            ["inputs"],
            ["x"],
            tf.errors.FailedPreconditionError,
            '^No regression outputs found in SignatureDef: (?s:.*)"x"',
        ),
    ],
)
def test_invalid_signature_forms(method, inputs, outputs, error, text):
    with pytest.raises(error, match=text):
        check_form(form(method, inputs, outputs), method)


def test_signature_lookup_by_method(tmp_path):
    served.flowers(str(tmp_path / "1"))
    model = ServedModel(str(tmp_path / "1"))
    signature = model.signature("value", REGRESS)
    result = signature.example_inputs([b"one", b"two"])
    assert {name: value.tolist() for name, value in result.items()} == {"inputs": [b"one", b"two"]}
    with pytest.raises(WRONG, match=r"^Input is empty\.$"):
        signature.example_inputs([])
    with pytest.raises(
        WRONG, match=f"^Expected classification .* to be {CLASSIFY}. Was: {REGRESS}$"
    ):
        model.signature("value", CLASSIFY)
    with pytest.raises(WRONG, match="^No signature was found with the name: none$"):
        model.signature("none", CLASSIFY)
