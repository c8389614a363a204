"""A SavedModel's signatures: inputs, outputs, and conversion to classes and regression values."""

import numpy as np
import pytest

import tfmini as tf
from tests.programs.serving import served
from tfmini._src.programs.serving.served_model import ServedModel

WRONG = tf.errors.InvalidArgumentError


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    directory = tmp_path_factory.mktemp("model") / "1"
    served.kinds(str(directory))
    return ServedModel(str(directory))


@pytest.fixture(scope="module")
def signature(model):
    return model.signature("", "")


GIVEN = {"text": np.array([b"a", b"b"], object), "number": np.array([3, 4])}


def test_requested_outputs(signature):
    every = ("is_even", "next", "raw_bytes", "third", "upper")
    assert signature.checked_outputs(()) == every
    assert signature.checked_outputs(["upper", "next"]) == ("upper", "next")
    result = signature.run(GIVEN, ("upper", "next"))
    assert list(result) == ["upper", "next"]
    assert result["upper"].tolist() == [b"A", b"B"] and result["next"].tolist() == [4, 5]
    assert list(signature.run(GIVEN, ("next",))) == ["next"]
    with pytest.raises(WRONG, match=r"signature: y Outputs expected to be in the set \{is_even,"):
        signature.checked_outputs(["y"])
    with pytest.raises(WRONG, match="^duplicate output tensor alias: next$"):
        signature.checked_outputs(["next", "upper", "next"])


@pytest.mark.parametrize(
    "changed, error",
    [
        ({"more": np.zeros(2)}, r"3!=2 .* Sent extra: \{more\}\. Missing but required: \{\}\.$"),
        ({"number": None}, r"1!=2 .* Sent extra: \{\}\. Missing but required: \{number\}\.$"),
        ({"number": np.int32([3, 4])}, "^input number is expected to be int64 but int32 is"),
        (
            {"text": np.array([[b"a"]], object)},
            r"^input text is expected to have shape \(\?,\) but",
        ),
    ],
)
def test_invalid_inputs_are_refused(signature, changed, error):
    inputs = {name: value for name, value in {**GIVEN, **changed}.items() if value is not None}
    with pytest.raises(WRONG, match=error):
        signature.check_inputs(inputs)
    signature.check_inputs(GIVEN)


def test_failed_step_does_not_affect_model(signature):
    with pytest.raises(WRONG, match="assertion failed"):
        signature.run({**GIVEN, "number": np.array([-1, 2])}, ("next",))
    assert signature.run(GIVEN, ("next",))["next"].tolist() == [4, 5]


def test_batch_support_is_detected(model, signature):
    assert signature.has_batches and not model.signature("total", "").has_batches
    assert signature.dtypes["text"] is tf.string and signature.dtypes["number"] is tf.int64


def test_step_cache_is_bounded(signature, monkeypatch):
    monkeypatch.setattr("tfmini._src.programs.serving.served_model._MAX_STEPS", 2)
    signature._steps.clear()
    for outputs in (("next",), ("upper",), ("third",), ("next", "third"), ("next",)):
        assert list(signature.run(GIVEN, outputs)) == list(outputs)
        assert 1 <= len(signature._steps) <= 2


def test_aliased_outputs_share_value(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        outputs = {"a": 2 * x, "z": 3 * x}
        tf.saved_model.simple_save(
            session, str(tmp_path / "1"), {"x": x}, {**outputs, "b": outputs["a"]}
        )
    signature = ServedModel(str(tmp_path / "1")).signature("")
    result = signature.run({"x": np.float32([1, 2])}, signature.checked_outputs(()))
    assert {name: value.tolist() for name, value in result.items()} == {
        "a": [2, 4],
        "b": [2, 4],
        "z": [3, 6],
    }


def test_sparse_input_is_not_servable(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        sparse = tf.sparse_placeholder(tf.float32, [None, 2])
        total = tf.sparse_reduce_sum(sparse)
        tf.saved_model.simple_save(session, str(tmp_path / "1"), {"x": sparse}, {"total": total})
    signature = ServedModel(str(tmp_path / "1")).signature("", "")
    with pytest.raises(
        tf.errors.FailedPreconditionError, match=": x is a sparse tensor, which requests"
    ):
        signature.run({"x": np.zeros(3)}, ("total",))
