"""Editors and type checkers see tfmini's names: jedi (for notebooks and editors), and mypy on a program."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import tfmini as tf
from tests.base.names import jedi_answers, training_script
from tests.base.names.test_public import modules
from tests.conformance import test_api

ROOT = Path(__file__).resolve().parents[3]
SIGNATURES = [
    *(
        "tf.Session",
        "tf.Variable",
        "tf.concat",
        "tf.get_variable",
        "tf.placeholder",
        "tf.reduce_sum",
    ),
    *("tf.layers.dense", "tf.saved_model.simple_save", "tf.test.main", "tf.train.AdamOptimizer"),
    *("tf.nn.bidirectional_dynamic_rnn", "tf.nn.ctc_loss_v2", "tf.nn.dynamic_rnn", "tf.nn.raw_rnn"),
    *("tf.nn.static_rnn", "tf.contrib.rnn.LSTMBlockCell"),
]


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Returns jedi's answer: the names offered at a program's end, or the parameters of the function called there."""
    command = [sys.executable, jedi_answers.__file__, ROOT, tmp_path_factory.mktemp("jedi")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:

        def answer(query, kind, program):
            process.stdin.write(json.dumps([query, kind, program]) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield answer
        process.kill()


def parameters(signature):
    """Parameter names in a line of tests/golden/api.json.xz."""
    inside = re.sub(r"[\[(<{][^()]*?[\])>}]", "", signature.partition(" (")[2][:-1])
    return [part.partition("=")[0].strip("*") for part in inside.split(", ") if part]


@pytest.mark.parametrize("kind", ["file", "notebook"])
@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_are_shown(ask, kind, name):
    assert ask("parameters", kind, name + "(") == parameters(test_api.golden()[name])


def test_file_completion_lists_public_names(ask):
    missing = {}
    for name in sorted(set(modules()) - {"tf.raw_ops"}):
        missing[name] = set(modules()[name].__all__).difference(ask("names", "file", name + "."))
    assert {name: names for name, names in missing.items() if names} == {}
    assert len(missing) > 250


def test_file_completion_hides_imports_of_errors(ask):
    offered = ask("names", "file", "tf.errors.")
    assert not {"os", "inspect", "traceback", "warnings"}.intersection(offered)


def test_notebook_completion_lists_public_names_only(ask):
    others = {}
    for name in sorted(set(modules()) - {"tf.raw_ops"}):
        offered = {n for n in ask("names", "notebook", name + ".") if not n.startswith("__")}
        others[name] = offered ^ set(modules()[name].__all__)
    assert {name: names for name, names in others.items() if names} == {}
    assert len(others) > 250


def test_messages_show_their_fields(ask):
    fields = tf.GPUOptions.DESCRIPTOR.fields
    assert ask("parameters", "notebook", "tf.GPUOptions(") == [field.name for field in fields]


# Editor completions after a dot, in the middle of a program.
OFFERED = {
    "tf.layers.dense(x, 3)": "shape",
    "tf.nn.relu(x)": "eval",
    "(tf.cast(x, tf.int32) + 1)": "dtype",
    "tf.get_variable('v')": "assign",
    "tf.train.AdamOptimizer(0.1).minimize(x)": "run",
    "tf.train.get_or_create_global_step()": "initializer",
    "tf.train.Saver()": "restore",
    "tf.data.Dataset.from_tensor_slices(x).map(abs).batch(2)": "make_one_shot_iterator",
    "tf.estimator.Estimator(abs)": "evaluate",
    "tf.summary.FileWriter('folder')": "add_summary",
    "with tf.Session() as session: session": "run",
}


@pytest.mark.parametrize("code", OFFERED)
def test_results_complete_class_members(ask, code):
    assert OFFERED[code] in ask("names", "file", f"x = tf.placeholder(tf.float32)\n{code}.")


def test_training_script_trains(tmp_path, capsys):
    level = tf.logging.get_verbosity()
    try:
        training_script.main(["--steps", "20", "--folder", str(tmp_path)])
    finally:
        tf.logging.set_verbosity(level)  # the script changes it
    printed = capsys.readouterr().out
    assert re.findall(r"^(\w+ \w+)", printed, re.MULTILINE)[-2:] == ["accuracy of"] * 2, printed


GOOD = """
import numpy as np
import tfmini as tf


class Scale(tf.layers.Layer):
    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        return inputs * 2.0


def model(x: tf.Tensor) -> tf.Tensor:
    v = tf.Variable(tf.zeros([3]), name="v")
    w = tf.get_variable("w", [3, 3])
    outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(4), x, dtype=tf.float32)
    hidden = tf.layers.dense(outputs, 3, activation=tf.nn.relu)
    return tf.matmul(hidden, w) + v


def config() -> tf.ConfigProto:
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    return config


x = tf.placeholder(tf.float32, [None, 3], name="x")
loss = tf.reduce_mean(tf.square(x - 1.0), axis=0) - x[0] ** 2 / 3
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
saver = tf.train.Saver()
example = tf.train.Example(features=tf.train.Features())
with tf.Session(config=config()) as session:
    try:
        session.run(tf.global_variables_initializer())
        _, value = session.run([train, loss], feed_dict={x: np.zeros([2, 3])})
        total = value + 0.0
        for loss_now in (session.run(loss, {x: np.zeros([2, 3])}), loss.eval()):
            total += loss_now
            print(f"{loss_now[0]:.3f}", float(loss_now[0]), int(loss_now[1]), loss_now.mean())
        name = session.run(tf.constant("name")).decode()
    except tf.errors.OpError as error:
        print(error.message, tf.dtypes.cast(x, tf.int32), tf.compat.v1.trainable_variables())
"""
WRONG = {
    "tf.nn.sofmax(1.0)": 'Module has no attribute "sofmax"',
    "tf.nn.dynamic_rnn(None, 1.0)": 'incompatible type "None"; expected "RNNCell"',
    "tf.errors.os": 'Module has no attribute "os"',
    "tf.autodiff": 'Module has no attribute "autodiff"',
    "tf.Session(grph=None)": 'Unexpected keyword argument "grph" for "Session"',
    "tf.Variable(1.0, nme='x')": 'Unexpected keyword argument "nme" for "Variable"',
    "tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(4), 1.0, time_majr=True)": 'Unexpected keyword argument "time_majr"',
    "tf.ConfigProto(alow_soft_placement=True)": 'Unexpected keyword argument "alow_soft_placement"',
    "tf.ConfigProto().gpu_options.visible_devices": '"GPUOptions" has no attribute "visible_devices"',
    "tf.reduce_sum()": 'Missing positional argument "input_tensor"',
}


# In TensorFlow they are ops, and here they come from above tf.dtypes.
OPS_OF_DTYPES = {
    "tf.dtypes.as_string",
    "tf.dtypes.cast",
    "tf.dtypes.complex",
    "tf.dtypes.saturate_cast",
}


def functions():
    """All public functions that declare their parameters."""
    for name in test_api.here():
        text = test_api.golden().get(name, "")
        if text.startswith("function") and "*" not in text and not name.startswith("tf.raw_ops."):
            yield name


# Type checkers' output for names and results.
TYPES = {
    "tf.layers.dense(tf.zeros([2, 3]), 3)": "Tensor",
    "tf.nn.relu(1.0)": "Tensor",
    "tf.get_variable('v')": "Variable",
    "tf.get_variable('v') + 1.0": "Tensor",
    "tf.Session().run(tf.zeros([]))": "FetchedValue",
    "tf.Session().run(tf.get_variable('v'))": "FetchedValue",
    "tf.Session().run(tf.no_op())": "None",
    "tf.Session().run([tf.zeros([])])": "list[FetchedValue]",
    "tf.Session().run([tf.no_op(), tf.zeros([])])": "list[Any]",
    "tf.Session().run((tf.zeros([]), tf.get_variable('v')))": "tuple[FetchedValue, ...]",
    "tf.Session().run({'a': tf.zeros([])})": "dict[str, FetchedValue]",
    "tf.Session().run(collections.namedtuple('N', ['a'])(tf.zeros([])))": "Any",
    "tf.zeros([]).eval()": "FetchedValue",
    "tf.ConfigProto().gpu_options.per_process_gpu_memory_fraction": "float",
    "tf.GraphDef().node[0].attr['T'].type": "int",
    "tf.data.Dataset.range(3).map(abs)": "DatasetV1",
    "tf.train.AdamOptimizer().minimize(tf.zeros([]))": "Operation",
}


def write_asks(folder, expressions):
    """A program that asks for the types of expressions, one a line from the second on."""
    asks = [f"reveal_type({expression})" for expression in expressions]
    (folder / "asks.py").write_text("\n".join(["import collections, tfmini as tf", *asks]))


@pytest.mark.full
def test_mypy_checks_user_programs(tmp_path):
    """Valid programs pass, mistakes are found, and no public function has lost its parameters."""
    (tmp_path / "good.py").write_text(textwrap.dedent(GOOD))
    (tmp_path / "wrong.py").write_text("\n".join(["import tfmini as tf", *WRONG]))
    shutil.copy(training_script.__file__, tmp_path)
    asked = sorted(set(functions()) - OPS_OF_DTYPES)
    write_asks(tmp_path, [*TYPES, *asked])
    command = [*("-m", "mypy", "--config-file=", "--check-untyped-defs")]
    command += ["--cache-dir", str(tmp_path / "cache"), "--hide-error-context"]
    done = subprocess.run(
        [sys.executable, *command, "good.py", "wrong.py", "asks.py", "training_script.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"MYPYPATH": str(ROOT), "PATH": "", "HOME": str(tmp_path)},
        timeout=400,
    )
    lines = [line for line in done.stdout.splitlines() if re.match(r"\w+\.py:\d+: error: ", line)]
    assert [line.split(":")[:2] for line in lines] == [
        ["wrong.py", str(index)] for index, _ in enumerate(WRONG, 2)
    ], done.stdout + done.stderr
    for line, problem in zip(lines, WRONG.values()):
        assert problem in line
    revealed = [line for line in done.stdout.splitlines() if "Revealed type is" in line]
    for line, shown in zip(revealed, TYPES.values()):
        assert f'Revealed type is "{shown}"' in re.sub(r"\b[\w.]+\.(?=\w)", "", line)
    revealed = revealed[len(TYPES) :]
    assert len(revealed) == len(asked) > 700
    nothing = re.compile(r'Revealed type is "(Any|def \(\*.*)"')
    lost = [name for name, line in zip(asked, revealed) if nothing.search(line)]
    assert not lost, " ".join(lost)


@pytest.mark.skipif(not shutil.which("pyright"), reason="no pyright: it needs Node.js")
def test_pyright_checks_user_programs(tmp_path):
    (tmp_path / "good.py").write_text(textwrap.dedent(GOOD))
    shutil.copy(training_script.__file__, tmp_path)
    write_asks(tmp_path, TYPES)
    settings = {"extraPaths": [str(ROOT)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        ["pyright", "--pythonpath", sys.executable, "--outputjson"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=400,
    )
    diagnostics = json.loads(done.stdout)["generalDiagnostics"]
    assert [each for each in diagnostics if each["severity"] == "error"] == []
    types = [re.search('is "(.*)"$', each["message"])[1] for each in diagnostics]
    assert types == [*TYPES.values()]
