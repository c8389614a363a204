"""The documents are correct: their programs run and print the shown output, their links resolve."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.base.package import DISTRIBUTION
from tfmini._src.devices.cuda import discovery
from tfmini._src.devices.host.native.library import build_name

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for page in (ROOT / "docs").rglob("*.md")
    if page.name not in ("left_out.md", "source_layout.md", "index.md")
)
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "docs/left_out.md",
    "tests/README.md",
    "tests/conformance/README.md",
    *PAGES,
)
DEVICES = "docs/guides/devices.md"
# Commands after `$ `, each with its output, in which `...` replaces varying parts.
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
# A Python block that starts with a file name is that file, for the following commands.
FILE = re.compile(r"# (\S+\.py)\n")
# Python blocks, each with the text block directly after it, if any: the output.
BLOCK = re.compile(r"```python\n(.*?)\n *```(?:\n\n```text\n(.*?)```)?", re.DOTALL)


def programs(document: str) -> list[str]:
    """The Python blocks of a document."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return [textwrap.dedent(program) for program, _ in BLOCK.findall(text)]


def programs_of_pages() -> list[Any]:
    """Program and output of each Python block for users, by page and number; devices have a separate test."""
    return [
        pytest.param(program, output, id=f"{page}-{index}")
        for page in ("README.md", *PAGES)
        for index, (program, output) in enumerate(
            BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
        )
        if page != DEVICES and not FILE.match(program)
    ]


def commands_of_pages() -> list[Any]:
    """The pages with commands: each command with its output; files count as commands without one."""
    pages = []
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        blocks = re.findall(r"^```(?:python|console)\n.*?^```", text, re.MULTILINE | re.DOTALL)
        result: list[tuple[str, str]] = []
        for block in blocks:
            result += [pair for shown in CONSOLE.findall(block) for pair in COMMAND.findall(shown)]
            result += [(p, "file") for p, _ in BLOCK.findall(block + "\n") if FILE.match(p)]
        if any(output != "file" for _, output in result):
            pages.append(pytest.param(result, id=page))
    return pages


@cases.in_one_test
@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_resolve(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    missing = [link for link in links if not (ROOT / document).parent.joinpath(link).exists()]
    assert not missing


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as used in links."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", h).strip().lower().replace(" ", "-") for h in headings}


@cases.in_one_test
@pytest.mark.parametrize("document", DOCUMENTS)
def test_heading_links_resolve(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    for path, heading in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", text):
        page = (ROOT / document).parent / path if path else ROOT / document
        assert heading in anchors(page), f"{path}#{heading}"


def test_every_page_is_in_table_of_contents() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    entries = set(re.findall(r"^[a-z_/]+$", index, re.MULTILINE))
    pages = {page.removeprefix("docs/").removesuffix(".md") for page in PAGES}
    assert entries == pages | {
        "left_out",
        "source_layout",
        "reference/api/index",
        "reference/command_line",
    }
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page for page in PAGES if f"]({page})" not in readme] == []


@pytest.mark.parametrize("document, lines", [("README.md", 150), ("tests/README.md", 90)])
def test_readme_fits_a_page(document: str, lines: int) -> None:
    assert len((ROOT / document).read_text(encoding="utf-8").splitlines()) <= lines


@pytest.mark.parametrize("program, output", programs_of_pages())
def test_programs_print_documented_output(program: str, output: str, tmp_path: Path) -> None:
    if "fuse" in output and "TFMINI_NATIVE" not in program and build_name() is None:
        pytest.skip("the CPU's kernels are not built here")
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    process = subprocess.run([sys.executable, str(path)], capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert process.stdout == output


@pytest.mark.parametrize("commands", commands_of_pages())
def test_commands_print_documented_output(commands: list[tuple[str, str]], tmp_path: Path) -> None:
    for program, module in (("python", ""), ("tfmini", "-m tfmini")):
        path = tmp_path / "bin" / program
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\nexec {sys.executable} {module} "$@"\n')
        path.chmod(0o755)
    directory = tmp_path / "work"
    directory.mkdir()
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    environment |= {"PYTHONPATH": str(ROOT)}
    for command, output in commands:
        if output == "file":
            (directory / FILE.match(command)[1]).write_text(command)  # type: ignore[index]
            continue
        process = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, cwd=directory, env=environment
        )
        assert process.returncode == 0 or "|| " in command, process.stderr
        pattern = (
            re.escape(output)
            .replace(re.escape("...\n"), "(?:.*\n)*?")
            .replace(re.escape("..."), ".*")
        )
        assert re.fullmatch(pattern, process.stdout), f"{command} prints\n{process.stdout}"


@pytest.mark.parametrize("count", [0, 1, 2])
def test_device_program(
    count: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (program,) = programs(DEVICES)
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
    assert count < 2 or line in (ROOT / DEVICES).read_text(encoding="utf-8")


def test_discovery_messages_are_documented() -> None:
    """One row per message, as in the code."""
    text = (ROOT / DEVICES).read_text(encoding="utf-8")
    table = text.split("## When the GPU is not found")[1]
    documented = re.findall(r"^\| `([^`]*)` \|", table, re.MULTILINE)
    code = Path(discovery.__file__).read_text(encoding="utf-8")
    code = code.replace("{_DRIVER}", "libcuda.so.1").replace("{hidden!r}", "'...'")
    code = code.replace("{DISTRIBUTION}", DISTRIBUTION)
    sentences = re.findall(r"why=f?\"([^\"]*)\"|why = \(?\s*f?\"([^\"]*)\"", code)
    for first, second in sentences:
        start = (first or second).split("{")[0]
        assert [row for row in documented if row.startswith(start.rstrip())], first or second


def test_contributing_optimizer_is_adagrad() -> None:
    (formula,) = [p for p in programs("CONTRIBUTING.md") if "def adagrad(" in p]
    (rule,) = [p for p in programs("CONTRIBUTING.md") if "def _rule(" in p]
    directory = ROOT / "tfmini" / "_src"
    formulas = directory / "ops" / "state" / "optimizer_formulas.py"
    assert formula in formulas.read_text(encoding="utf-8")
    optimizer = directory / "train" / "optimizers" / "adagrad.py"
    assert textwrap.indent(rule, "    ") in optimizer.read_text(encoding="utf-8")


def test_contributing_subclass_trains(graph: tf.Graph, session: tf.Session) -> None:
    (program,) = [p for p in programs("CONTRIBUTING.md") if "class SignMomentum" in p]
    names: dict[str, Any] = {"tf": tf}
    exec(compile(program, "CONTRIBUTING.md", "exec"), names)
    x = tf.Variable([1.0, -1.0])
    train = names["SignMomentum"](0.1).minimize(tf.reduce_sum(x * x))
    session.run(tf.global_variables_initializer())
    session.run(train)
    np.testing.assert_allclose(session.run(x), [0.9, -0.9])


def test_contributing_gradient_is_floor_mod() -> None:
    (program,) = [p for p in programs("CONTRIBUTING.md") if "floor_mod_op" in p]
    source = ROOT / "tfmini" / "_src" / "ops" / "math" / "division.py"
    assert program in source.read_text(encoding="utf-8")


def test_contributing_kernel_is_l2_loss() -> None:
    (program,) = [p for p in programs("CONTRIBUTING.md") if "on_gpu" in p]
    source = ROOT / "tfmini/_src/ops/nn/l2_loss.py"
    assert program in source.read_text(encoding="utf-8")


def test_contributing_test_uses_gpus(
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
