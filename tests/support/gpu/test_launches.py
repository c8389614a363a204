"""A fully captured model step is a single launch on the emulator, which rejects what CuPy rejects in a capture."""

import pytest

from tests.executor.capturing import gpus_with_graphs  # noqa: F401
from tests.support.gpu import gpu_checks, idle_on_gpus, launches
from tests.support.gpu.gpu_session import LAUNCHES

pytestmark = pytest.mark.usefixtures("gpus_with_graphs")


@pytest.mark.parametrize("name", ["lenet", "decoder"])
def test_captured_models_launch_one_graph(name):
    """Convolutions and pooling with their gradients, an RNN cell and its top words."""
    result = launches.step_counters(getattr(launches, name))
    assert result.launch_names == {"stage": 1, "graph": 1}  # its inputs, and the step
    assert not result.copies["d2d"]


def test_step_synchronizes_once():
    """For its fetches; closing the session also waits, outside the step."""
    result = launches.step_counters(launches.mlp)
    assert result.waits + result.syncs == 1


def test_loop_iterations_are_batched_into_graphs():
    """Of ten steps forward and ten backward, eight and two are a graph and the launch that passes its inputs; the
    matrix's gradient is a single product of the concatenated results of the backward steps.
    """
    result = launches.step_counters(launches.dynamic_lstm)
    assert result.launch_names["graph"] == result.launch_names["stage"] == 2 * 2 + 2
    assert result.launches < 20
    assert not result.copies["d2d"]


@pytest.mark.parametrize("name, most", [("lenet", 30), ("resnet_20", 180)])
def test_graph_kernel_count_is_bounded(monkeypatch, name, most):
    """Node by node: with cuDNN's convolutions, normalization and pooling take one or two kernels in each direction."""
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    assert launches.step_counters(getattr(launches, name)).launches <= most


def test_outcomes_of_rows():
    rows = [sample for sample in gpu_checks.SAMPLES if str(sample) in ("Tanh", "Tan", "Reshape")]
    result = launches.outcomes(gpu_checks.check_value, rows)
    assert result == {LAUNCHES: 2, idle_on_gpus.MOVED: 1}
