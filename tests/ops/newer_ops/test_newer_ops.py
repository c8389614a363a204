"""Ops added after 1.15: OpDefs and results are TensorFlow 2's."""

from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.second_release.op_calls import CALLS
from tests.support import cases, goldens
from tfmini._src.base import proto
from tfmini._src.graph import op_registry
from tfmini._src.graph.nodedef import op_def
from tfmini._src.graph.opdef import raw, registry

GOLDEN = Path(__file__).parents[2] / "golden" / "second_release"
# Ops that 1.15.5 expresses by another op, and those covered by models.py and attr_calls.py.
ELSEWHERE = {"DisableCopyOnRead", "ParseExampleV2", "ImageProjectiveTransformV3"}
TOLERANCES = {"f": 2e-6, "d": 1e-12}


@pytest.fixture(scope="module")
def definitions():
    data = goldens.read_bytes(GOLDEN / "op_defs.pb.xz")
    return {op.name: op for op in proto.OpList.FromString(data).op}


@cases.in_one_test
@pytest.mark.parametrize("name", sorted(n for n in registry.newer if not n.startswith("_")))
def test_op_def_matches_tensorflow_2(name, definitions):
    assert str(op_def(op_registry.opdef(name))) == str(definitions[name])


def test_every_op_is_covered():
    called = {name for name, _ in CALLS} | ELSEWHERE
    assert called == {name for name in registry.newer if not name.startswith("_")}


def test_newer_ops_are_hidden_from_raw_ops():
    assert not registry.newer & set(dir(tf.raw_ops))
    with pytest.raises(AttributeError, match="Erfinv"):
        tf.raw_ops.Erfinv  # noqa: B018


@pytest.fixture(scope="module")
def results():
    with np.load(GOLDEN / "op_calls.npz") as kept:
        return dict(kept)


@cases.in_one_test
@pytest.mark.parametrize("number", range(len(CALLS)), ids=lambda n: f"{n}-{CALLS[n][0]}")
def test_results_match_tensorflow_2(number, results):
    name, arguments = CALLS[number]
    with tf.Graph().as_default(), tf.Session() as session:
        created = getattr(raw, name)(**arguments)
        created = created if isinstance(created, tuple) else (created,)
        actual = session.run(list(created))
    for location, (tensor, value) in enumerate(zip(created, actual, strict=True)):
        expected = results[f"{number}/{location}"]
        assert value.dtype == expected.dtype and value.shape == expected.shape
        assert tensor.shape.is_compatible_with(expected.shape)
        if expected.dtype.kind == "f":
            tolerance = TOLERANCES[expected.dtype.char]
            np.testing.assert_allclose(value, expected, rtol=tolerance, atol=tolerance)
        else:
            assert value.tolist() == expected.tolist()


WRONG = [
    ("DenseBincount", {"input": [-1], "size": np.int64(2), "weights": np.zeros(0, "f")}, "non-negative"),
    ("DenseBincount", {"input": [1], "size": np.int64(2), "weights": np.zeros(3, "f")}, "weights"),
    ("MatrixDiagPartV3", {"input": np.ones((2, 2), "f"), "k": 2, "padding_value": 0.0}, "out of bound"),
    ("MatrixSetDiagV3", {"input": np.ones((2, 2), "f"), "diagonal": [1.0], "k": 0}, "Expected diagonal"),
    ("StatelessRandomGetKeyCounter", {"seed": np.array([1, 2, 3])}, "seed must have shape"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "text"), WRONG)
def test_invalid_calls(name, arguments, text):
    with tf.Graph().as_default(), tf.Session() as session:
        output = getattr(raw, name)(**arguments)
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(output)


def test_other_generators_are_refused():
    drawn = {"shape": [2], "key": np.array([1], "u8"), "counter": np.array([0, 0], "u8"), "alg": 2}
    with tf.Graph().as_default(), tf.Session() as session:
        output = raw.StatelessRandomUniformV2(**drawn)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Unsupported algorithm id: 2"):
            session.run(output)
