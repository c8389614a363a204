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
