"""Sample rows of the ops that oneDNN supports, and golden programs of networks, by oneDNN at any size."""

import pytest

import tfmini as tf
from tests.conformance import test_every_op, test_golden
from tests.conformance.samples import Rows
from tests.devices.host.onednn.conftest import needs_library
from tests.support import cases
from tests.support.gpu import gpu_checks
from tests.support.programs import recording
from tfmini._src.devices.host.onednn import (
    batch_normalization,
    convolution,
    library,
    matmul,
    pooling,
)

pytestmark = needs_library

_SERVED = (
    "AvgPool AvgPoolGrad Conv2D Conv2DBackpropFilter Conv2DBackpropInput FusedBatchNorm FusedBatchNormGrad",
    "FusedBatchNormGradV2 FusedBatchNormGradV3 FusedBatchNormV2 FusedBatchNormV3 FusedPadConv2D",
    "FusedResizeAndPadConv2D MatMul MaxPool MaxPoolGrad MaxPoolGradV2 MaxPoolV2",
)
SERVED = {name for names in _SERVED for name in names.split()}
ROWS = Rows(lambda sample: sample.op in SERVED)
DIFFERENTIABLE = Rows(lambda sample: sample.op in SERVED and gpu_checks.DIFFERENTIABLE.has(sample))
NETWORKS = (
    "contrib_slim",
    "convolution",
    "keras_convolutions",
    "layers_convolutions",
    "nets",
    "nn_pool",
)


@pytest.fixture(autouse=True)
def runs(monkeypatch):
    """Makes the library compute arrays of any size; counts its computations."""
    for module in (convolution, matmul):
        monkeypatch.setattr(module, "_MIN_MULTIPLICATIONS", 1)
    for module in (batch_normalization, pooling):
        monkeypatch.setattr(module, "_MIN_ELEMENTS", 1)
    monkeypatch.setattr(convolution, "_MIN_FORWARD_DEPTH", 0)
    monkeypatch.setattr(convolution, "_MIN_GRADIENT_DEPTH", 0)
    monkeypatch.setattr(matmul, "_MIN_SIDE", 0)
    computed = []
    run = library.Steps.run

    def counted(steps, *arrays):
        computed.append(steps)
        run(steps, *arrays)

    monkeypatch.setattr(library.Steps, "run", counted)
    return computed


@cases.parametrize([ROWS.group()])
def test_values_match_samples(group, check_each):
    check_each(group, test_every_op.check_value)


@pytest.mark.parametrize("name", sorted(SERVED))
def test_op_runs_on_library(name, runs):
    for sample in ROWS:
        if sample.op == name:
            test_every_op.check_value(sample)
    assert runs


def gradients(sample):
    with tf.Graph().as_default(), tf.Session() as session:
        return gpu_checks.gradients(sample, session)


@cases.parametrize([DIFFERENTIABLE.group()])
def test_gradients_match_numpy(group, check_each, monkeypatch):
    """In single precision, compared with NumPy's."""

    def check(sample):
        by_library = gradients(sample)
        with monkeypatch.context() as patch:
            patch.setattr(library._state, "library", None)
            gpu_checks.compare_gradients(by_library, gradients(sample))

    check_each(group, check)


@pytest.mark.full
@pytest.mark.parametrize(
    "name",
    [n for n in recording.names_in("conformance/recorded_programs") if n.startswith(NETWORKS)],
)
def test_recorded_networks(name):
    test_golden.test_same_graph_and_values(name)
