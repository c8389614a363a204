"""Serving outputs of model functions."""

import pytest

from tfmini._src.contrib.learn import (
    export_signatures,
)
from tfmini._src.contrib.learn.model_fn import ModelFnOps

pytestmark = pytest.mark.filterwarnings("ignore")


def _ops(predictions, outputs=None):
    return ModelFnOps("infer", predictions=predictions, output_alternatives=outputs)


_HEADS = {"head": ("p", {"a": 1}), "more": ("q", {"b": 1})}


def test_served_head():
    result = export_signatures.get_output_alternatives
    one = {"head": _HEADS["head"]}
    assert result(_ops({"a": 1}, one)) == result(_ops({"a": 1}, one), "head") == (one, "head")
    assert result(_ops({"a": 1}, _HEADS), "more") == (_HEADS, "more")
    for predictions, name in ((3, "output"), ({"a": 3}, "a")):
        for outputs in (None, {}):
            heads, default = result(_ops(predictions, outputs), "")
            assert default == "default_output_alternative"
            assert list(heads) == [default] and heads[default][0] == 0
            assert list(heads[default][1]) == [name]
