"""Exports of `tf.contrib.learn`: garbage collection, best model selection, post-export functions."""

import pytest

import tfmini as tf
from tfmini._src.contrib.learn import (
    export_signatures,
)
from tfmini._src.contrib.learn.serving_input_fn import InputFnOps

pytestmark = pytest.mark.filterwarnings("ignore")


def test_every_input_and_output_pair_has_signature(tmp_path):
    learn, columns = tf.contrib.learn, [tf.contrib.layers.real_valued_column("a")]
    model = learn.LinearClassifier(columns, str(tmp_path / "model"))

    def inputs():
        return {"a": tf.constant([[0.0], [1.0]])}, tf.constant([[0], [1]])

    model.fit(input_fn=inputs, steps=1)
    spec = tf.contrib.layers.create_feature_spec_for_parsing(columns)
    served = learn.build_parsing_serving_input_fn(spec)
    path = model.export_savedmodel(str(tmp_path / "out"), served)
    with tf.Graph().as_default(), tf.Session() as session:
        signatures = tf.saved_model.load(session, ["serve"], path).signature_def
    assert sorted(signatures) == ["default_input_alternative:None", "serving_default"]
    with pytest.raises(ValueError, match="Requested default_output_alternative: other"):
        model.export_savedmodel(
            str(tmp_path / "out"), served, default_output_alternative_key="other"
        )


def test_input_alternatives():
    result = export_signatures.get_input_alternatives
    assert result(({"a": 1}, None)) == ({}, {"a": 1})
    of_defaults = InputFnOps({"a": 1}, None, {"b": 2})
    assert result(of_defaults) == ({"default_input_alternative": {"b": 2}}, {"a": 1})
    for nothing in (({}, None), InputFnOps(None, None, {"b": 2})):
        with pytest.raises(ValueError, match=r"^Features must be defined\.$"):
            result(nothing)


@pytest.mark.parametrize(
    "kind, inputs, outputs, expected",
    [
        ("CLASSIFICATION", "s", "classes:s probabilities:x", "classify s classes:s scores:x"),
        ("LOGISTIC_REGRESSION", "s", "classes:s", "classify s classes:s"),
        ("CLASSIFICATION", "s", "probabilities:x", "classify s scores:x"),
        ("CLASSIFICATION", "s", "classes:x", "classify s scores:x"),
        ("CLASSIFICATION", "s", "scores:x b:x", "classify s scores:x"),
        ("CLASSIFICATION", "s", "a:s", "classify s classes:s"),
        ("CLASSIFICATION", "s z", "classes:s", "predict classes:s"),
        ("CLASSIFICATION", "s", "a:x b:x", "predict a:x b:x"),
        ("LINEAR_REGRESSION", "s", "a:x", "regress s outputs:x"),
        ("LINEAR_REGRESSION", "s z", "a:x", "predict a:x"),
        ("LINEAR_REGRESSION", "s", "scores:x b:x", "predict b:x scores:x"),
        ("UNSPECIFIED", "s", "scores:x", "predict scores:x"),
    ],
)
def test_signature_by_problem_type(kind, inputs, outputs, expected):
    x, s = tf.placeholder(tf.float32, [None], "x"), tf.placeholder(tf.string, [None], "s")
    signature = export_signatures.build_standardized_signature_def(
        {name: x if name == "z" else s for name in inputs.split()},
        {n: x if t == "x" else s for n, t in (each.split(":") for each in outputs.split())},
        getattr(tf.contrib.learn.ProblemType, kind),
    )
    method, names = signature.method_name.rpartition("/")[2], sorted(signature.inputs)
    parts = [method, *["s"] * (names == ["inputs"])]
    parts += [f"{name}:{signature.outputs[name].name[:-2]}" for name in sorted(signature.outputs)]
    assert " ".join(parts) == expected
    assert names == (["inputs"] if "s" in parts else sorted(inputs.split()))


def test_signatures_of_all_inputs_and_heads():
    x, s = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.string, [None])
    kinds = tf.contrib.learn.ProblemType
    heads = {
        "h": (kinds.LINEAR_REGRESSION, {"scores": x}),
        "g": (kinds.CLASSIFICATION, {"classes": s, "probabilities": x}),
    }
    build = export_signatures.build_all_signature_defs
    inputs = {"default_input_alternative": {"in": s}}
    for default, method in (("h", "regress"), ("g", "classify")):
        result = {
            k: v.method_name.rpartition("/")[2] for k, v in build(inputs, heads, default).items()
        }
        assert result == {
            "default_input_alternative:h": "regress",
            "default_input_alternative:g": "classify",
            "serving_default": method,
        }
    for nothing in ({}, {"more": {"in": s}}):
        with pytest.raises(ValueError, match=r"^A default input_alternative must be provided\.$"):
            build(nothing, heads, "h")
    with pytest.raises(KeyError, match="none"):
        build(inputs, heads, "none")
