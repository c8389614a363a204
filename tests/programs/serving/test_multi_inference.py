"""MultiInference: several signatures on the same examples in one call."""

import pytest

import tfmini as tf
from tests.programs.serving import served
from tests.programs.serving.test_grpc_services import answers, asked, x
from tfmini._src.programs.serving import multi_inference
from tfmini._src.programs.serving.messages import MESSAGES
from tfmini._src.programs.serving.served_model import ServedModel

CLASSIFY, REGRESS = "tensorflow/serving/classify", "tensorflow/serving/regress"


def asked_of_several(*tasks, examples=(), context=None):
    """A MultiInferenceRequest of (model, signature, method)s."""
    request = MESSAGES["MultiInferenceRequest"]()
    for name, signature, method in tasks:
        task = request.tasks.add(method_name=method)
        task.model_spec.name, task.model_spec.signature_name = name, signature
    inputs = asked("ClassificationRequest", examples=examples, context=context)
    request.input.CopyFrom(inputs.input)
    return request


def test_several_signatures_share_examples(tmp_path):
    rows = [x(0.5, 1.0), x(2.0, 3.0)]
    value, scores = ("flowers", "value", REGRESS), ("flowers", "scores", CLASSIFY)
    request = asked_of_several(value, ("flowers", "", CLASSIFY), scores, examples=rows, context=2)
    invalid = [
        [],
        [("", "value", REGRESS)],
        [value, ("line", "value", REGRESS)],
        [value, value],
        [("flowers", "", CLASSIFY), ("flowers", "serving_default", CLASSIFY)],
        [("flowers", "value", CLASSIFY)],
        [("flowers", "value", "tensorflow/serving/predict")],
        [("flowers", "none", REGRESS)],
        [scores, ("flowers", "text", REGRESS)],
    ]
    requests = [asked_of_several(*tasks, examples=rows) for tasks in invalid[1:]]
    requests.append(asked_of_several(value))
    actual, repeated, *refused = answers(
        tmp_path,
        *(("_multi_inference", each) for each in (request, request, *requests)),
    )
    first, second, third = actual.results
    assert [each.value for each in first.regression_result.regressions] == [5.5, 9.0]
    assert not first.HasField("classification_result")
    tables = [
        [[(c.label, c.score) for c in row.classes] for row in each.classifications]
        for each in (second.classification_result, third.classification_result)
    ]
    assert tables[0] == [[("iris", 2.5), ("rose", 3.0)], [("iris", 4.0), ("rose", 5.0)]]
    assert tables[1] == [[("", 2.5), ("", 3.0)], [("", 4.0), ("", 5.0)]]
    for result, name in zip(actual.results, ("value", "serving_default", "scores")):
        spec = result.model_spec
        assert (spec.name, spec.version.value, spec.signature_name) == ("flowers", 7, name)
    assert repeated == actual
    same_model = "All ModelSpecs in a MultiInferenceRequest must access the same model name."
    assert refused == [
        "NotFoundError: Servable not found for request: Latest()",
        f"InvalidArgumentError: {same_model}",
        "InvalidArgumentError: Duplicate evaluation of signature: value",
        "InvalidArgumentError: Duplicate evaluation of signature: serving_default",
        f"InvalidArgumentError: Expected classification signature method_name to be {CLASSIFY}. "
        f"Was: {REGRESS}",
        "UnimplementedError: Unsupported signature method_name: tensorflow/serving/predict",
        "InvalidArgumentError: Requested signature not found in model graph: none",
        "InvalidArgumentError: Expected output Tensor of DT_FLOAT.  Got: DT_STRING",
        "InvalidArgumentError: Input is empty.",
    ]


def test_multi_input_signatures_run_separately(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [tf.placeholder(tf.string, [None]) for _ in range(2)]
        values = [tf.strings.to_number(each) for each in inputs]
        build = tf.saved_model.signature_def_utils.regression_signature_def
        signatures = {name: build(i, v) for name, i, v in zip("ab", inputs, values)}
        served._save(session, str(tmp_path / "1"), signatures)
    model = ServedModel(str(tmp_path / "1"))
    signatures = [model.signature(name) for name in "ab"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Input tensor must be the same for"):
        multi_inference.join_signatures(model, signatures)
    assert multi_inference.join_signatures(model, signatures[:1]) is model.join_signatures(
        signatures[:1]
    )
