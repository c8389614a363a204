"""`python -m tfmini devices --test`, on emulated GPUs."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda import products
from tfmini._src.programs.cli import device_checks, devices


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Array sizes small enough for the emulator."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(device_checks, "_COPIED_BYTES", 1 << 16)
    monkeypatch.setattr(device_checks, "_SIZES", {"float32": 32, "float16": 32})
    monkeypatch.setattr(device_checks.kernel_sources, "names", lambda: ["concat", "staging"])


def report_of(capsys, as_json=False):
    """The exit status and the output."""
    status = devices.run(SimpleNamespace(json=as_json, test=True))
    return status, capsys.readouterr().out


def test_every_check_runs_on_every_gpu(capsys):
    with fake_gpus(devices=2):
        status, text = report_of(capsys)
    assert status == 0, text
    lines = [line.split(maxsplit=3) for line in text.splitlines() if line.startswith("GPU:")]
    names = ["kernels", "copies", "products", "replays"]
    assert [line[:3] for line in lines] == [
        [f"GPU:{n}", name, "ok"] for n in (0, 1) for name in names
    ]
    assert lines[0][3].startswith("7 kernels compiled, or found, in ")
    assert lines[1][3].count("GB/s") == 3
    assert lines[2][3].count("Tflop/s") == 2
    assert lines[3][3].endswith("the same losses")


def test_json_output(capsys):
    with fake_gpus(devices=1):
        report = json.loads(report_of(capsys, as_json=True)[1])
    assert [check["name"] for check in report["checks"]] == [
        "kernels",
        "copies",
        "products",
        "replays",
    ]
    assert all(check["passed"] for check in report["checks"])
    assert report["versions"]


def test_failed_checks_do_not_stop_the_rest(capsys, monkeypatch):
    def broken(self, *arguments):
        raise RuntimeError("no product\ntoday")

    monkeypatch.setattr(products.Products, "multiply", broken)
    with fake_gpus(devices=1):
        status, text = report_of(capsys)
    assert status == 1
    assert "products   FAILED  RuntimeError: no product\n" in text
    assert "replays    FAILED" in text  # it multiplies too
    assert "copies     ok" in text


def test_missing_gpu_is_reported(capsys):
    with fake_gpus(devices=0):
        status, text = report_of(capsys)
        told, report = report_of(capsys, as_json=True)
    assert status == 1
    assert text.endswith("No GPU: CUDA finds no GPU.\n\nNothing tested: no GPU found.\n")
    assert told == 1 and json.loads(report)["checks"] == []


def test_failed_checks_report_first_error_line(capsys, monkeypatch):
    """Each failure is reported by the first line of its error; the exit status shows that one failed."""
    monkeypatch.setattr(
        device_checks.kernel_sources, "compile_all", lambda xp, ordinal: ["a"] * (ordinal + 3)
    )
    other = {
        **vars(np),
        "array_equal": lambda a, b: False,
    }  # other than the fake's expected results
    monkeypatch.setattr(device_checks, "np", SimpleNamespace(**other))
    monkeypatch.setattr(
        device_checks,
        "_train",
        lambda device: ([device, device_checks.os.environ["TFMINI_CUDA_GRAPHS"]], 1.0),
    )
    with fake_gpus(devices=2):
        status, text = report_of(capsys, as_json=True)
    assert status == 1
    report = json.loads(text)
    assert [check["device"] for check in report["checks"]] == ["GPU:0"] * 4 + ["GPU:1"] * 4
    kernels, copies, products, replays = report["checks"][4:]
    assert kernels.pop("result").startswith("4 kernels compiled, or found, in ")
    assert products.pop("result").startswith("float32 32 ")
    assert kernels == {"device": "GPU:1", "name": "kernels", "passed": True}
    assert products == {"device": "GPU:1", "name": "products", "passed": True}
    assert copies == {
        "device": "GPU:1",
        "name": "copies",
        "passed": False,
        "result": "ValueError: copied data differ from the original",
    }
    assert replays == {
        "device": "GPU:1",
        "name": "replays",
        "passed": False,
        "result": "ValueError: losses differ: ['GPU:1', '1'] in captured steps, ['GPU:1', '0'] in others",
    }
    assert list(report)[-1] == "checks" and report["devices"][2]["name"] == "/gpu:1"


@pytest.mark.parametrize("before", [None, "0", "1"])
@pytest.mark.parametrize("fails", [False, True])
def test_replays_restore_cuda_graphs_setting(monkeypatch, before, fails):
    tried = []

    def trained(device):
        tried.append(device_checks.os.environ["TFMINI_CUDA_GRAPHS"])
        if fails:
            raise ArithmeticError("no step")
        return ["0x1p+0"], 2e-6 if tried[-1] == "0" else 1e-6

    monkeypatch.setattr(device_checks, "_train", trained)
    monkeypatch.delenv("TFMINI_CUDA_GRAPHS", raising=False)
    if before is not None:
        monkeypatch.setenv("TFMINI_CUDA_GRAPHS", before)
    if fails:
        with pytest.raises(ArithmeticError, match="no step"):
            device_checks._replays(SimpleNamespace(name="GPU:0"))
    else:
        text = "a captured step 1 us, another 2 us, the same losses"
        assert device_checks._replays(SimpleNamespace(name="GPU:0")) == text
    assert device_checks.os.environ.get("TFMINI_CUDA_GRAPHS") == before
    assert tried == (["0"] if fails else ["0", "1"])


def test_copy_and_product_throughput(monkeypatch):
    """Copies on a GPU read and write; an n x n matrix product takes 2 n^3 operations."""
    monkeypatch.setattr(device_checks, "_COPIED_BYTES", 1 << 40)  # an eighth of it
    monkeypatch.setattr(device_checks, "_SIZES", {"float32": 64})
    asked = []
    monkeypatch.setattr(device_checks, "_seconds", lambda gpu, work: asked.append(work()) or 1e-6)
    with fake_gpus(devices=1, memory=1 << 27):
        config = device_checks.tf.ConfigProto(
            gpu_options=device_checks.tf.GPUOptions(per_process_gpu_memory_fraction=0.5)
        )
        (gpu,) = device_checks.session_gpus(config, "").values()
        copies, products = device_checks._copies(gpu), device_checks._products(gpu)
    rate = (gpu.limit_bytes // 8) / 1e9 / 1e-6
    on_it = 2 * device_checks._COPIES_PER_CALL * rate
    assert copies == f"to it {rate:.1f} GB/s, on it {on_it:.1f} GB/s, back {rate:.1f} GB/s"
    assert products == "float32 64 0.52 Tflop/s"
    assert len(asked) == 4 and asked[0].nbytes == gpu.limit_bytes // 8


def test_losses_are_exact_and_reproducible():
    first, second = (device_checks._train("CPU:0")[0] for _ in range(2))
    assert first == second and len(first) == len(set(first)) == 8
    losses = [float.fromhex(loss) for loss in first]
    assert all(loss.hex() == text for loss, text in zip(losses, first))
    assert losses[-1] < losses[0]


def test_timing_uses_fastest_of_five_runs(monkeypatch):
    clock = iter([0, 9, 10, 13, 20, 25, 30, 34, 40, 49])
    monkeypatch.setattr(device_checks.time, "perf_counter", lambda: next(clock))
    told = []
    compute = SimpleNamespace(synchronize=lambda: told.append("done"))
    gpu = SimpleNamespace(compute=compute)
    assert device_checks._seconds(gpu, lambda: told.append("work")) == 3
    assert told == ["done", "work", "done"] * 5
    monkeypatch.setattr(device_checks.time, "perf_counter", lambda: 1.0)
    assert device_checks._seconds(gpu, lambda: None) == 1e-9


def test_training_runs_on_tested_gpu(monkeypatch):
    """Even if it is not the first one."""
    used, product = [], products.Products.multiply

    def noted(self, *arguments):
        used.append(self._name)
        return product(self, *arguments)

    monkeypatch.setattr(products.Products, "multiply", noted)
    monkeypatch.setattr(device_checks, "_STEPS", 2)
    with fake_gpus(devices=2):
        for name in ("GPU:1", "GPU:0"):
            device_checks._train(name)
            assert set(used) == {name}
            used.clear()
