"""Each example runs as for a user, in a separate process, with the documented output."""

import os
import re
import runpy
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import LazyModule

figure = LazyModule("matplotlib.figure")
image = LazyModule("matplotlib.image")

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

SCOPES = """\
-- automatic names
Const:0
Const_1:0
bias:0
bias_1:0
tower/add:0
tower/inner/mul:0
tower_1/sub:0
-- two kinds of scope
names/plain:0
shared:0
layer/inner:0
names/layer/mul:0
-- sharing
refused: Variable model/weights already exists, disallowed.
model/weights:0 [3, 2]
model/scale:0 []
"""


@dataclass(frozen=True)
class Output:
    """The output of a process, including carriage returns."""

    stdout: str
    stderr: str


def run(name: str, *arguments: str, folder: Path) -> Output:
    """The output of `python examples/NAME`, run in `folder`; it must succeed without a warning."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    process = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path.rstrip(os.pathsep)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    output = Output(process.stdout.decode(), process.stderr.decode())
    assert process.returncode == 0, output.stderr
    return output


def test_every_example_has_a_test() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    untested = [
        p.name for p in EXAMPLES.glob("*.py") if not re.search(rf'run\(\s*"{p.name}"', text)
    ]
    assert not untested


def test_digits_reaches_97_percent_and_plots(tmp_path: Path) -> None:
    process = run("digits.py", "--plot", "digits.png", folder=tmp_path)
    last = process.stdout.splitlines()[-1]
    accuracy = re.fullmatch(r"test accuracy: (0\.\d{3})", last)
    assert accuracy, last
    assert float(accuracy[1]) >= 0.97
    assert "\n" not in process.stderr.strip()  # the progress bar stays on its line
    assert "60/60" in process.stderr

    picture = image.imread(tmp_path / "digits.png")[..., :3]
    assert picture.shape == (500, 900, 3)
    blue = picture[..., 2] - picture[..., 0] > 0.3
    assert np.flatnonzero(blue[:320].any(axis=0)).size > 500  # the curve spans the image
    assert (picture[380:] < 0.2).all(axis=-1).sum() > 500  # dark pixels of misread digits


def test_titles_of_misread_digits_do_not_overlap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = []
    monkeypatch.setattr(figure.Figure, "savefig", lambda drawn, path: figures.append(drawn))
    plot = runpy.run_path(str(EXAMPLES / "digits.py"))["plot"]
    plot(tmp_path / "x.png", [2.0, 1.0], np.zeros([20, 64]), np.zeros(20, int), np.ones(20, int))
    figures[0].draw_without_rendering()
    boxes = [axes.title.get_window_extent() for axes in figures[0].axes[1:]]
    assert len(boxes) == 12
    assert all(left.x1 < right.x0 for left, right in zip(boxes, boxes[1:]))


def test_digits_without_plot_needs_no_matplotlib(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path_factory.mktemp("missing")
    (missing / "matplotlib.py").write_text("raise ImportError('there is none')")
    monkeypatch.setenv("PYTHONPATH", str(missing))
    process = run("digits.py", "--epochs", "1", folder=tmp_path)
    assert process.stdout.startswith("test accuracy: 0.")
    assert list(tmp_path.iterdir()) == []


def test_linear_regression_finds_the_line(tmp_path: Path) -> None:
    lines = run("linear_regression.py", folder=tmp_path).stdout.splitlines()
    assert lines == [
        "step  1: loss 2.2898",
        "step  5: loss 0.0653",
        "step 10: loss 0.0103",
        "step 50: loss 0.0091",
        "y = 1.98 x -1.01",
    ]


def test_scopes_prints_tensorflow_names(tmp_path: Path) -> None:
    assert run("scopes.py", folder=tmp_path).stdout == SCOPES


def test_snapshot_restores_after_worse_loss(tmp_path: Path) -> None:
    lines = run("snapshot.py", folder=tmp_path).stdout.splitlines()
    moves = re.fullmatch(
        r"loss 11\.373\d initially, 0\.0000 after (\d+) accepted moves of 1500", lines[0]
    )
    assert moves, lines[0]
    assert 40 <= int(moves[1]) <= 80
    assert lines[1:] == ["weights [ 1.  -2.   0.5]", "offset [3.]"]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda p: p.name)
def test_example_states_its_command(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert f"python examples/{path.name}" in text
    assert "import tfmini as tf" in text


def test_towers_train_on_available_devices(tmp_path: Path) -> None:
    process = run("multi_gpu_towers.py", "--steps", "100", folder=tmp_path)
    accuracy = re.fullmatch(r"test accuracy: (0\.\d{3})", process.stdout.splitlines()[-1])
    assert accuracy and float(accuracy[1]) >= 0.93


def test_towers_refuse_missing_gpus(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / "multi_gpu_towers.py"), "--hard", "--steps", "1"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    process = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 1
    assert "Cannot assign a device for operation tower_0/" in process.stderr
    assert "was explicitly assigned to /device:GPU:0 but available devices are" in process.stderr


def test_training_resumes_from_checkpoint(tmp_path: Path) -> None:
    begins = run("continue_training.py", "model", folder=tmp_path).stdout
    goes_on = run("continue_training.py", "model", folder=tmp_path).stdout
    assert begins.startswith("starting\nstep 60: loss 0.")
    assert goes_on.startswith("resuming at step 60\nstep 120: loss 0.")
    output = run("continue_training.py", folder=tmp_path).stdout
    assert output.startswith(begins + goes_on)
    assert output.splitlines()[-1] == "slope/Adam_1 [1, 1]"


def test_char_rnn_learns_and_samples(tmp_path: Path) -> None:
    process = run("char_rnn.py", "--steps", "120", "--length", "80", folder=tmp_path)
    *_, last = process.stdout.splitlines()
    bits = re.fullmatch(r"held-out text: (\d\.\d\d) bits per character", last)
    assert bits, last
    assert float(bits[1]) < 4.0  # by character frequency alone: 4.7
    written = process.stdout[: process.stdout.rindex(last) - 1]
    assert written.startswith("The ")
    assert len(written) == len("The ") + 80
    assert list(tmp_path.iterdir()) == []


def test_word2vec_learns_neighbouring_words(tmp_path: Path) -> None:
    process = run("word2vec.py", "--steps", "300", "--words", "list", "class", folder=tmp_path)
    first, losses, *neighbours = process.stdout.splitlines()
    assert re.fullmatch(r"\d+ words, \d+ of them distinct", first)
    fallen = re.fullmatch(r"loss: (\d+\.\d\d) initially, (\d+\.\d\d) at the end", losses)
    assert fallen and float(fallen[2]) < 0.5 * float(fallen[1])
    assert [line.partition(":")[0] for line in neighbours] == ["list", "class"]
    assert all(line.count(",") >= 5 for line in neighbours)


def test_word2vec_refuses_rare_words(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="does not say tensorflow often enough"):
        run("word2vec.py", "--words", "tensorflow", folder=tmp_path)


def test_autoencoder_beats_two_components(tmp_path: Path) -> None:
    process = run("autoencoder.py", "--epochs", "30", "--plot", "codes.png", folder=tmp_path)
    errors = [float(number) for number in re.findall(r"0\.\d{4}", process.stdout)]
    assert len(errors) == 2
    assert errors[0] < 0.9 * errors[1]
    picture = image.imread(tmp_path / "codes.png")[..., :3]
    assert picture.shape == (700, 900, 3)
    coloured = np.ptp(picture, axis=2) > 0.3
    assert coloured[:480, :780].sum() > 5000  # points in the plane


def test_digits_convnet_reaches_98_percent_and_plots(tmp_path: Path) -> None:
    process = run("digits_convnet.py", "--epochs", "15", "--plot", "filters.png", folder=tmp_path)
    accuracy = re.fullmatch(r"test accuracy: (0\.\d{3})", process.stdout.splitlines()[-1])
    assert accuracy and float(accuracy[1]) >= 0.98
    picture = image.imread(tmp_path / "filters.png")[..., :3]
    assert picture.shape == (500, 1000, 3)
    assert (picture[:, 540:] < 0.2).all(axis=-1).sum() > 5000  # the diagonal


def test_digits_keras_trains_and_reloads(tmp_path: Path) -> None:
    process = run("digits_keras.py", "--epochs", "6", "--folder", "kept", folder=tmp_path)
    lines = process.stdout.splitlines()
    assert lines[-2] == "stopped after 6 epochs"
    accuracy = re.fullmatch(r"test accuracy: (0\.\d{3})", lines[-1])
    assert accuracy and float(accuracy[1]) >= 0.9
    assert {path.name for path in (tmp_path / "kept").iterdir()} >= {
        *("model.json", "best.index", "curves"),
    }


def test_census_is_exported_and_served(tmp_path: Path) -> None:
    lines = run(
        "census.py", "--rows", "3000", "--steps", "150", folder=tmp_path
    ).stdout.splitlines()
    result = re.fullmatch(r"([\d.]+)% right, baseline ([\d.]+)%; AUC 0\.9\d\d", lines[0])
    assert result, lines[0]
    assert float(result[1]) > float(result[2]) + 25
    odds = [int(line.rpartition(" ")[2].strip("%")) for line in lines[1:]]
    assert odds[0] > 80 > 20 > odds[1]


def test_records_example_reads_both_ways_and_resumes(tmp_path: Path) -> None:
    begins = run("records.py", "data", "--steps", "200", folder=tmp_path)
    first, *steps, last = begins.stdout.splitlines()
    assert first == "starting"
    assert [line.split(":")[0] for line in steps] == ["step 100", "step 200"]
    accuracy = re.fullmatch(r"test accuracy: (0\.\d{3})", last)
    assert accuracy and float(accuracy[1]) > 0.8
    goes_on = run("records.py", "data", "--steps", "260", "--reader", "queues", folder=tmp_path)
    first, last = goes_on.stdout.splitlines()
    assert first == "resuming at step 200"
    assert float(last.split()[-1]) > float(accuracy[1]) - 0.02
    assert begins.stderr == goes_on.stderr == ""
    latest = tf.train.latest_checkpoint(str(tmp_path / "data" / "model"))
    assert latest is not None and latest.endswith("model.ckpt-260")
    tags = set()
    for path in (tmp_path / "data" / "model").glob("events.*"):
        for event in tf.train.summary_iterator(str(path)):
            tags |= {value.tag for value in event.summary.value}
    assert {"loss", "weights/model/hidden/kernel"} <= tags
    output = run("records.py", "data", "--tensorboard", folder=tmp_path).stdout
    assert output.startswith("tensorboard --logdir data/model\n")


def test_killed_records_example_resumes(tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "records.py"), "data", "--steps", "100000"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    while not process.stdout.readline().startswith("step 200"):
        assert process.poll() is None
    process.kill()
    process.wait()
    process.stdout.close()
    goes_on = run("records.py", "data", "--steps", "1", folder=tmp_path).stdout.splitlines()
    assert int(goes_on[0].removeprefix("resuming at step ")) >= 100


@pytest.mark.parametrize(
    "how", [(), pytest.param(("--synchronous",), marks=pytest.mark.full)], ids=["async", "sync"]
)
def test_cluster_example(tmp_path: Path, how: tuple[str, ...]) -> None:
    """Four processes: two parameter servers and two workers, in one log."""
    output = run("cluster.py", "--steps", "400", *how, folder=tmp_path)
    accuracy = re.search(r"\[worker 0\] test accuracy: (\S+)", output.stdout)
    assert accuracy and float(accuracy[1]) > 0.9, output.stdout
    assert "[worker 1] " in output.stdout
