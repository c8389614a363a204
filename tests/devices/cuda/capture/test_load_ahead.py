"""Kernels predicted for a plan are the ones that its step launches."""

import pytest

from tests.executor.capturing import gpus_with_graphs
from tests.support.gpu import launches
from tfmini._src.devices.cuda.capture import load_ahead

pytestmark = pytest.mark.usefixtures(gpus_with_graphs.__name__)

LATE = {"row_sums_f32"}  # of a mean along any axes


@pytest.mark.parametrize("name", ["mlp", "lenet", "resnet_20"])
def test_load_ahead_predicts_model_kernels(monkeypatch, name):
    """Nearly all are predicted, and no unused ones; variable initializers belong to other plans."""
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    foreseen = set()
    monkeypatch.setattr(load_ahead, "load", lambda xp, device, pairs: foreseen.update(pairs))
    step = set(launches.step_counters(getattr(launches, name)).launch_names)
    own = {kernel for kernel in step if kernel.endswith(("_f32", "_i64"))}
    own |= {kernel for kernel in step if kernel.startswith(("batch_", "turn_"))}
    wanted = {kernel for file, kernel in foreseen if file != "random_numbers" and kernel != "fused"}
    assert own - LATE == wanted
    assert {file for file, kernel in foreseen if kernel.startswith("uniform_")} == {
        "random_numbers"
    }


def test_kernels_compile_ahead_in_fresh_process(caplog):
    """NVRTC 13.0's wheel can compile on several threads only after one thread has loaded it."""
    launches.step_counters(launches.mlp)
    assert "compile ahead" not in caplog.text
