"""Algorithm selection for convolutions, its timing, and its cache."""

import json
from collections import Counter

import numpy as np
import pytest

import tfmini as tf
from tests.support.fake_cupy.cudnn import Library
from tests.support.fake_cupy.cudnn_convolutions import FMA, TENSOR_OPS, Problem
from tests.support.fake_cupy.errors import CUDARuntimeError
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda.cudnn import algorithm_choice
from tfmini._src.devices.cuda.cudnn.algorithm_choice import Choices
from tfmini._src.devices.cuda.cudnn.algorithms import environment_settings
from tfmini._src.devices.cuda.cudnn.library import CudnnError

VALUES = np.random.RandomState(3).randn(2, 5, 5, 3), np.random.RandomState(4).randn(2, 2, 3, 4)


@pytest.fixture(autouse=True)
def environment(monkeypatch, gpu_environment):
    for name in ("TF_CUDNN_USE_AUTOTUNE", "TF_CUDNN_DETERMINISTIC", "TF_DETERMINISTIC_OPS"):
        monkeypatch.delenv(name, raising=False)
    for name in ("TFMINI_TF32", "TF_CUDNN_WORKSPACE_LIMIT_IN_MB", "TFMINI_CUDNN"):
        monkeypatch.delenv(name, raising=False)


class Watched(Library):
    """Records computations: (direction, algorithm, math type, whether channels are last)."""

    def __init__(self):
        super().__init__()
        self.computed = []

    def _run_convolution(self, direction, *arguments):
        number, conv = arguments[7].value, self.records[arguments[6].value]
        problem = Problem(direction, *self._set(arguments[6], *arguments[2:6:2], arguments[11]))
        self.computed.append((direction, number, conv.math, problem.w.last))
        super()._run_convolution(direction, *arguments)


def trained(steps=2, dtype=tf.float32, data_format="NHWC", directions=3, **options):
    """Runs a convolution with or without its gradients.

    Returns:
      The library, with the computations of the last run; the emulated machine; the fetched values.
    """
    library = Watched()
    with fake_gpus(devices=1, cudnn=lambda: library, **options) as machine:
        with tf.Graph().as_default(), tf.device("/gpu:0"), tf.Session() as session:
            feed = {tf.placeholder(dtype, value.shape): value for value in VALUES}
            x, w = feed
            if data_format == "NCHW":
                x = tf.transpose(x, [0, 3, 1, 2])
            y = tf.nn.conv2d(x, w, strides=1, padding="VALID", data_format=data_format)
            fetches = [y, *tf.gradients(y, list(feed))][:directions]
            for _ in range(steps):
                library.computed.clear()
                result = session.run(fetches, feed)
    return library, machine, result


def count_calls(library, kind):
    return sum(kind in name for name in library.calls)


def test_algorithms_are_measured_once(monkeypatch):
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    library, machine, _ = trained(steps=4)
    assert count_calls(library, "Find") == 6  # three directions, each with channels first and last
    assert sum("Find" in name for name in machine.counters.sync_names) == 6
    # A layout that needs no conversion; float32 sums of products.
    assert set(library.computed) == {
        ("Forward", 1, FMA, True),
        ("BackwardData", 0, FMA, True),
        ("BackwardFilter", 3, FMA, True),
    }


def test_search_stops_at_time_budget(monkeypatch, caplog):
    """The first direction uses up the time budget; heuristics choose for the other two."""
    caplog.set_level("INFO", "tensorflow")
    monkeypatch.setenv("TFMINI_CUDNN_SEARCH_SECONDS", "7")
    clock = iter([100.0, 107.0])  # from the single search
    monkeypatch.setattr(algorithm_choice, "monotonic", lambda: next(clock))
    library, _, actual = trained()
    assert count_calls(library, "Find") == 2 and count_calls(library, "Get") > 0
    assert [text for text in caplog.messages if "SEARCH" in text] == [
        "GPU:0: cuDNN algorithm search reached its limit of 7 s (TFMINI_CUDNN_SEARCH_SECONDS); "
        "heuristics select the remaining algorithms."
    ]
    monkeypatch.setenv("TFMINI_CUDNN", "0")
    for array, expected in zip(actual, trained()[2]):
        np.testing.assert_allclose(array, expected, rtol=1e-4, atol=1e-5)


def test_zero_time_budget_disables_search(monkeypatch):
    monkeypatch.setenv("TFMINI_CUDNN_SEARCH_SECONDS", "0")
    library, _, _ = trained()
    assert not count_calls(library, "Find") and len(library.computed) == 3


@pytest.mark.parametrize("graphs", ["0", "1"])
def test_fastest_captured_algorithm_is_chosen(monkeypatch, graphs):
    """For captured steps, graph launches are timed, including the algorithm that cuDNN's own timing ranks second."""
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", graphs)
    monkeypatch.setattr(
        algorithm_choice, "_milliseconds", lambda gpu, work: (work(), next(times))[1]
    )
    times = iter([3.0, 1.5, 2.0, 2.5])
    library, _, _ = trained(directions=1)
    assert {row[:2] for row in library.computed} == {("Forward", 0)}


@pytest.mark.parametrize(
    "error", [CudnnError("cudnnConvolutionForward", 3000), CUDARuntimeError(900)]
)
def test_uncapturable_algorithm_is_skipped(monkeypatch, error):
    def fails(gpu, work):
        raise error

    monkeypatch.setattr(algorithm_choice, "_milliseconds", fails)
    library, _, _ = trained(directions=1)
    assert {row[:2] for row in library.computed} == {("Forward", 1)}


def test_channels_first():
    library, _, _ = trained(data_format="NCHW")
    assert {row[3] for row in library.computed} == {False}


def test_doubles_are_transposed_to_channels_first():
    library, _, actual = trained(dtype=tf.float64)
    assert {row[3] for row in library.computed} == {False}
    _, _, want = trained(dtype=tf.float64, data_format="NCHW")
    np.testing.assert_array_equal(actual[0], np.moveaxis(want[0], 1, -1))


def test_float16_and_tf32_math_modes(monkeypatch):
    library, _, _ = trained(dtype=tf.float16)
    assert {row[2] for row in library.computed} == {TENSOR_OPS}
    monkeypatch.setenv("TFMINI_TF32", "1")
    library, _, _ = trained()
    assert {row[2] for row in library.computed} == {0}


@pytest.mark.parametrize("name", ["TF_CUDNN_DETERMINISTIC", "TF_DETERMINISTIC_OPS"])
def test_deterministic_mode_uses_deterministic_algorithms(monkeypatch, name):
    monkeypatch.setenv(name, "true")
    library, _, _ = trained()
    assert not count_calls(library, "Find")
    assert [row[:2] for row in sorted(library.computed)] == [
        ("BackwardData", 1),
        ("BackwardFilter", 1),
        ("Forward", 1),
    ]


def test_autotune_can_be_disabled(monkeypatch):
    monkeypatch.setenv("TF_CUDNN_USE_AUTOTUNE", "0")
    library, machine, _ = trained()
    assert not count_calls(library, "Find") and count_calls(library, "Algorithm_v7") == 3
    assert not any("Find" in name for name in machine.counters.sync_names)


def test_workspace_limit(monkeypatch):
    monkeypatch.setenv("TF_CUDNN_WORKSPACE_LIMIT_IN_MB", "0")
    library, _, _ = trained()
    assert [row[:2] for row in sorted(library.computed)] == [
        ("BackwardData", 0),
        ("BackwardFilter", 0),
        ("Forward", 0),
    ]


def test_settings(monkeypatch):
    result = environment_settings()
    assert (result.measures, result.deterministic, result.tf32) == (True, False, False)
    assert result.max_workspace == 4 << 30
    monkeypatch.setenv("TF_CUDNN_USE_AUTOTUNE", "False")
    monkeypatch.setenv("TF_CUDNN_WORKSPACE_LIMIT_IN_MB", "many")
    result = environment_settings()
    assert not result.measures and result.max_workspace == 4 << 30


@pytest.mark.parametrize("failing", [1, 2])
def test_layout_that_exceeds_memory_falls_back(monkeypatch, failing):
    """If memory is too short for arrays in the other layout, or for timing it, the node's own layout is used."""
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    whole = Choices._arrays_in_layout

    def short(self, convolution, channels_first, given):
        seen[channels_first] += 1
        if channels_first and seen[True] >= failing:
            raise MemoryError
        return whole(self, convolution, channels_first, given)

    seen = Counter()
    monkeypatch.setattr(Choices, "_arrays_in_layout", short)
    library, _, _ = trained(directions=1)
    assert seen[True] == failing
    assert {row[3] for row in library.computed} == {True}


def test_graph_launches_call_no_cudnn(monkeypatch):
    """Graph launches call no cuDNN functions."""
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "1")
    library = Watched()
    with fake_gpus(devices=1, cudnn=lambda: library) as machine, tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2, 6, 6, 3])
        h = tf.nn.conv2d(x, tf.get_variable("w", [3, 3, 3, 4]), strides=2, padding="SAME")
        h = tf.nn.depthwise_conv2d(h, tf.get_variable("v", [2, 2, 4, 1]), [1, 1, 1, 1], "VALID")
        step = tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_sum(h * h))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(6):
                before = len(library.calls)
                machine.counters.reset()
                session.run(step, {x: np.ones([2, 6, 6, 3])})
            assert len(library.calls) == before
        assert machine.counters.launch_names["graph"] == 1
        assert set(machine.counters.launch_names) <= {"stage", "graph"}


def test_choices_persist_on_disk(tmp_path):
    directory = tmp_path / "kept"
    library, _, want = trained(kept_choices=directory)
    assert count_calls(library, "Find") == 6
    (file,) = directory.iterdir()
    assert file.name.endswith("-cudnn-9.5.1.json")
    library, _, actual = trained(kept_choices=directory)
    assert not count_calls(library, "Find")
    for got, value in zip(actual, want):
        np.testing.assert_array_equal(got, value)


@pytest.mark.parametrize("damage", ["", "[]", "of entries", "of numbers"])
def test_invalid_cache_entries_are_measured_again(tmp_path, damage):
    trained(kept_choices=tmp_path)
    (file,) = tmp_path.iterdir()
    known = json.loads(file.read_text())
    if damage == "of entries":
        damage = json.dumps({key: {"number": 1} for key in known})
    elif damage == "of numbers":
        damage = json.dumps({key: {**value, "workspace": 1 << 60} for key, value in known.items()})
    file.write_text(damage)
    library, _, _ = trained(kept_choices=tmp_path)
    assert count_calls(library, "Find") == 6
    assert json.loads(file.read_text()).keys() == known.keys()


def test_unwritable_cache_directory_is_ignored(tmp_path):
    (tmp_path / "file").write_text("")
    library, _, _ = trained(kept_choices=tmp_path / "file" / "below")
    assert count_calls(library, "Find") == 6
