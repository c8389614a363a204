"""`import horovod` without Horovod installed: its modules, their names, its version."""

import importlib
import sys

import pytest

from tfmini._src.distribute.horovod import compression, elastic, failures, tensorflow as ours
from tfmini._src.models.keras.horovod import callbacks, elastic as keras_elastic, keras
from tfmini._src.programs.hook.extra_names import STRICT_VARIABLE
from tfmini._src.programs.hook.horovod_shim import HorovodFinder


@pytest.fixture
def finder(monkeypatch):
    monkeypatch.delenv(STRICT_VARIABLE, raising=False)
    before = [each for each in sys.modules if each.partition(".")[0] == "horovod"]
    for name in before:
        monkeypatch.delitem(sys.modules, name)
    result = HorovodFinder()
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, result])
    yield result
    for name in [each for each in sys.modules if each.partition(".")[0] == "horovod"]:
        del sys.modules[name]


def test_modules_export_tfmini_names(finder):
    for name, module, public in (
        ("horovod.tensorflow", ours, "DistributedOptimizer"),
        ("horovod.tensorflow.compression", compression, "Compression"),
        ("horovod.tensorflow.elastic", elastic, "run"),
        ("horovod.common.elastic", elastic, "run"),
        ("horovod.common.exceptions", failures, "HorovodInternalError"),
        ("horovod.keras", keras, "DistributedOptimizer"),
        ("horovod.tensorflow.keras", keras, "DistributedOptimizer"),
        ("horovod.keras.callbacks", callbacks, "MetricAverageCallback"),
        ("horovod.tensorflow.keras.callbacks", callbacks, "MetricAverageCallback"),
        ("horovod.keras.elastic", keras_elastic, "KerasState"),
        ("horovod.tensorflow.keras.elastic", keras_elastic, "KerasState"),
    ):
        result = importlib.import_module(name)
        assert result.__name__ == name and result is not module
        assert getattr(result, public) is getattr(module, public)
        with pytest.raises(AttributeError, match="no_such_name"):
            result.no_such_name  # noqa: B018
        with pytest.raises(AttributeError) as caught:
            result.__wrapped__  # noqa: B018
        assert str(caught.value) == f"module '{name}' has no attribute '__wrapped__'"
    package = importlib.import_module("horovod")
    assert package.__version__ == "0.21.3" and package.tensorflow.init is ours.init
    assert not hasattr(importlib.import_module("horovod.common"), "__version__")


def test_unrelated_modules_are_not_found(finder, monkeypatch):
    for name in ("horovod.torch", "horovod.spark", "horovod.tensorflow.mpi_ops", "horovodx", "os"):
        assert finder.find_spec(name) is None
    assert finder.find_spec("horovod", None, None).submodule_search_locations == []
    monkeypatch.setenv(STRICT_VARIABLE, "1")
    assert finder.find_spec("horovod") is None and finder.find_spec("horovod.tensorflow") is None
