"""Environment settings for convolutions on cuDNN."""

import pytest

from tfmini._src.devices.cuda.cudnn import library
from tfmini._src.devices.cuda.cudnn.algorithms import Settings, environment_settings

NAMES = (
    *("TF_CUDNN_USE_AUTOTUNE", "TF_CUDNN_DETERMINISTIC", "TF_DETERMINISTIC_OPS", "TFMINI_TF32"),
    "TF_CUDNN_WORKSPACE_LIMIT_IN_MB",
)


@pytest.fixture
def variables(monkeypatch):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch.setenv


def test_default_settings(variables):
    assert environment_settings() == Settings(True, False, False, 4096 << 20)


@pytest.mark.parametrize(
    "name, text, measures, deterministic",
    [
        ("TF_CUDNN_USE_AUTOTUNE", "0", False, False),
        ("TF_CUDNN_USE_AUTOTUNE", "false", False, False),
        ("TF_CUDNN_USE_AUTOTUNE", "1", True, False),
        ("TF_CUDNN_DETERMINISTIC", "1", False, True),
        ("TF_CUDNN_DETERMINISTIC", "true", False, True),
        ("TF_CUDNN_DETERMINISTIC", "0", True, False),
        ("TF_DETERMINISTIC_OPS", "1", False, True),
        ("TF_DETERMINISTIC_OPS", "false", True, False),
    ],
)
def test_autotune_and_determinism_variables(variables, name, text, measures, deterministic):
    variables(name, text)
    result = environment_settings()
    assert (result.measures, result.deterministic) == (measures, deterministic)


@pytest.mark.parametrize(
    "text, megabytes", [("10", 10), ("0", 0), ("", 4096), ("-1", 4096), ("1.5", 4096), ("x", 4096)]
)
def test_workspace_limit_variable(variables, text, megabytes):
    variables("TF_CUDNN_WORKSPACE_LIMIT_IN_MB", text)
    assert environment_settings().max_workspace == megabytes * 1048576


@pytest.mark.parametrize("text, wanted", [("1", True), ("0", False), ("true", False), ("", False)])
def test_tf32_variable(variables, text, wanted):
    variables("TFMINI_TF32", text)
    assert environment_settings().tf32 is wanted


@pytest.mark.parametrize(
    "version, text",
    [(90501, "9.5.1"), (90000, "9.0.0"), (8907, "8.9.7"), (8000, "8.0.0"), (91002, "9.10.2")],
)
def test_version_text(version, text):
    assert library.version_text(version) == text
