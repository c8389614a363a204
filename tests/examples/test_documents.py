"""README and CONTRIBUTING tell the truth: their programs run, their links lead somewhere."""

import re
import textwrap
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tfmini.train.update_rule import GRADIENT, UpdateRule, UpdateRuleOptimizer

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
    (program,) = programs("README.md")
    with tf.Graph().as_default():
        exec(compile(program, "README.md", "exec"), {})
    assert float(capsys.readouterr().out) == pytest.approx(3.0, abs=1e-6)


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
