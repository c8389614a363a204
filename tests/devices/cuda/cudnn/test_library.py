"""Finding libcudnn and its dependencies: its own calls abort the process if a component is missing."""

import logging
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda import cublas
from tfmini._src.devices.cuda.cudnn import library
from tfmini._src.devices.cuda.cudnn.library import CudnnError, open_cudnn


@pytest.fixture
def loaded(monkeypatch):
    """The loaded libraries by file name; `lacking` names missing ones."""
    names, lacking = [], set()

    def load(path):
        names.append(path.rpartition("/")[2])
        if lacking.intersection(names[-1:]):
            raise OSError(f"{names[-1]}: cannot open shared object file")
        return SimpleNamespace(path=path)

    def found(name):
        if name in lacking:
            raise RuntimeError(name)
        version = {"cudnn": "9", "cublas": "13"}[name]
        return SimpleNamespace(abs_path=f"/somewhere/{name}/lib{name}.so.{version}")

    pathfinder = SimpleNamespace(load_nvidia_dynamic_lib=found)
    monkeypatch.setitem(sys.modules, "cuda", SimpleNamespace(pathfinder=pathfinder))
    for module in (library, cublas):
        monkeypatch.setattr(module, "ctypes", SimpleNamespace(CDLL=load))
    return SimpleNamespace(names=names, lacking=lacking)


def test_all_parts_load_before_first_call(loaded):
    assert open_cudnn(13).path == "/somewhere/cudnn/libcudnn.so.9"
    parts = [f"libcudnn_{part}.so.9" for part in ("graph", "ops", "cnn", "adv")]
    assert loaded.names == ["libcudnn.so.9", "libcublas.so.13", *parts]


@pytest.mark.parametrize("name", ["cudnn", "libcudnn.so.9"])
def test_missing_cudnn_returns_none(loaded, name):
    loaded.lacking.add(name)
    assert open_cudnn(13) is None


@pytest.mark.parametrize(
    "name, message",
    [
        ("cublas", "cuDNN requires cuBLAS, which was not found: a part of it could not be loaded"),
        ("libcublas.so.13", "cuDNN requires cuBLAS, which was not found"),
        ("libcudnn_ops.so.9", "cuDNN: libcudnn_ops.so.9: cannot open shared object file"),
        ("libcudnn_adv.so.9", "cuDNN: libcudnn_adv.so.9: cannot open shared object file"),
    ],
)
def test_missing_dependencies_are_reported(loaded, name, message):
    loaded.lacking.update([name, "libcublas.so.13"] if name == "cublas" else [name])
    with pytest.raises(CudnnError, match=message):
        open_cudnn(13)


def without_cublas():
    raise CudnnError("cuDNN requires cuBLAS, which was not found", 1008)


def test_missing_cublas_falls_back(monkeypatch, caplog):
    """Convolutions use a fallback, and the reason is logged; ops without a fallback fail with the reason."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("TFMINI_CUDNN", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    values = np.ones((1, 3, 3, 1), "f")
    with (
        fake_gpus(devices=1, cudnn=without_cublas),
        tf.Graph().as_default(),
        tf.Session() as session,
    ):
        x = tf.placeholder(tf.float32, values.shape)
        y = tf.nn.conv2d(x, tf.ones([2, 2, 1, 1]), strides=1, padding="VALID")
        with caplog.at_level(logging.WARNING, "tensorflow"):
            assert session.run(y, {x: values}).ravel().tolist() == [4.0] * 4
        assert "convolutions run without cuDNN: cuDNN requires cuBLAS" in caplog.text
        net = tf.contrib.cudnn_rnn.CudnnLSTM(1, 2)
        outputs, _ = net(tf.ones([2, 3, 2]))
        with pytest.raises(tf.errors.FailedPreconditionError, match="requires cuBLAS"):
            session.run([tf.global_variables_initializer(), outputs])
