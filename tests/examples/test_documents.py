"""README and CONTRIBUTING tell the truth: their programs run, their links lead somewhere."""

import copy
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf
from tests.gpus import fake_gpus
from tfmini._src.devices.gpu import discovery
from tfmini._src.graph.opdef import registry
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule, UpdateRuleOptimizer

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/left_out.md",
    "tests/README.md",
)


def programs(document: str) -> list[str]:
    """The Python blocks of a document."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return [textwrap.dedent(b) for b in re.findall(r"```python\n(.*?)\n *```", text, re.DOTALL)]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    missing = [link for link in links if not (ROOT / document).parent.joinpath(link).exists()]
    assert not missing


def test_the_first_program_finds_the_slope(capsys: pytest.CaptureFixture[str]) -> None:
    program = programs("README.md")[0]
    with tf.Graph().as_default():
        exec(compile(program, "README.md", "exec"), {})
    assert float(capsys.readouterr().out) == pytest.approx(3.0, abs=1e-6)


def test_the_program_about_eager_execution() -> None:
    program = programs("README.md")[2]
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout == "121.0\n", ran.stderr


def test_the_program_about_saving(capsys: pytest.CaptureFixture[str]) -> None:
    program = programs("README.md")[3]
    with tf.Graph().as_default():
        exec(compile(program, "README.md", "exec"), {})
    assert capsys.readouterr().out == "[('weights', [3])] [1. 1. 1.]\n"


def test_the_program_about_freezing(capsys: pytest.CaptureFixture[str]) -> None:
    program = programs("README.md")[4]
    with tf.Graph().as_default():
        exec(compile(program, "README.md", "exec"), {})
    assert capsys.readouterr().out == "[3. 6.]\n[3. 6.]\n"


@pytest.mark.parametrize("count", [0, 1, 2])
def test_the_program_about_devices(
    count: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs("README.md")[1]
    if count == 2:
        program = program.replace('"/gpu:0"', '"/gpu:1"')
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with fake_gpus(devices=count), tf.Graph().as_default():
        exec(compile(program, "README.md", "exec"), {"tf": tf})
    printed = capsys.readouterr().out
    assert printed.endswith("\n6.0\n")
    place = f"GPU:{count - 1}" if count else "CPU:0"
    line = f"total: (Sum): /job:localhost/replica:0/task:0/device:{place}"
    assert line in printed
    assert count < 2 or line in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_of_reasons_has_what_discovery_says() -> None:
    """A row for each sentence, as the code has it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.split("### When the GPU is not found")[1].split("\n## ")[0]
    said = re.findall(r"^\| `([^`]*)` \|", table, re.MULTILINE)
    code = Path(discovery.__file__).read_text(encoding="utf-8")
    code = code.replace("{_DRIVER}", "libcuda.so.1").replace("{hidden!r}", "'...'")
    sentences = re.findall(r"why=f?\"([^\"]*)\"|why = \"([^\"]*)\"", code)
    for first, second in sentences:
        start = (first or second).split("{")[0]
        assert [row for row in said if row.startswith(start.rstrip())], first or second


def test_the_optimizer_of_contributing_takes_a_step() -> None:
    (program,) = [p for p in programs("CONTRIBUTING.md") if "class PowerSignOptimizer" in p]
    names = {
        "GRADIENT": GRADIENT,
        "UpdateRule": UpdateRule,
        "UpdateRuleOptimizer": UpdateRuleOptimizer,
    }
    exec(compile(program, "CONTRIBUTING.md", "exec"), names)
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.Variable([1.0, 2.0])
        loss = tf.reduce_sum(tf.square(variable))
        train = names["PowerSignOptimizer"]().minimize(loss)
        session.run(tf.global_variables_initializer())
        session.run(train)
        value = session.run(variable)
    expected = np.array([1.0, 2.0]) * (1 - 0.1 * np.e * 2)
    np.testing.assert_allclose(value, expected, rtol=1e-6)


def test_the_kernel_of_contributing_is_softplus() -> None:
    (program,) = [p for p in programs("CONTRIBUTING.md") if "on_gpu" in p]
    softplus = copy.copy(registry["Softplus"])
    exec(compile(program, "CONTRIBUTING.md", "exec"), {"softplus_op": softplus})
    assert softplus.gpu_kernel is not None
    x = np.array([-1.0, 0.5, 100.0], "f")
    with np.errstate(all="ignore"):
        got = softplus.gpu_kernel(SimpleNamespace(xp=np), x)
    np.testing.assert_allclose(got, [np.log1p(np.exp(-1.0)), np.log1p(np.exp(0.5)), 100.0], 1e-6)


def test_a_test_of_contributing_has_gpus(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    (program,) = [p for p in programs("CONTRIBUTING.md") if "fake_gpus" in p]
    with tf.Graph().as_default():
        numbers = tf.py_func(lambda: np.ones(5000, "f"), [], tf.float32)
        with tf.device("/gpu:1"):
            fetches = tf.exp(numbers)
        names = {"tf": tf, "fake_gpus": fake_gpus, "fetches": fetches}
        exec(compile(program, "CONTRIBUTING.md", "exec"), names)
    assert int(capsys.readouterr().out) >= 1
