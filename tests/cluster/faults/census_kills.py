"""A census Estimator in a cluster run by `tfmini launch`, with each task killed in turn.

`ci/soak faults --census` prints the results. The launcher restarts each killed task; training must resume from no
earlier step than the last checkpoint, finish, and export the model.
"""

from __future__ import annotations

import csv
import glob
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import tfmini as tf
from tests.cluster.tasks import environment

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "census_task.py")
TASKS = ("worker 0", "worker 1", "evaluator 0", "chief 0", "ps 0")
SECONDS = 240.0  # seconds for a task to restart and continue, on a busy machine
STEPS = 2500

_EDUCATION = ("11th", "HS-grad", "Some-college", "Bachelors", "Masters", "Doctorate")
_JOBS = ("Exec-managerial", "Craft-repair", "Sales", "Other-service", "Prof-specialty", "?")
_WORK = ("Private", "Self-emp-not-inc", "State-gov", "Federal-gov", "?")


def write_people(path, count, seed):
    """Writes random rows in the format of the Adult data set."""
    source = random.Random(seed)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        for _ in range(count):
            age, hours = source.randint(17, 90), min(99, max(1, round(source.gauss(40, 12))))
            level, job = source.randrange(6), source.randrange(len(_JOBS))
            is_married, is_male = source.random() < 0.5, source.random() < 0.6
            gain = source.choice((0, 0, 0, 0, 5178, 15024))
            score = 0.05 * (hours - 40) + 0.8 * (level - 3) + 1.2 * is_married + gain / 8000
            score += (1.0, -0.3, 0.2, -1.5, 1.0, -0.8)[job] - ((age - 48) / 18) ** 2
            writer.writerow(
                [
                    *(age, source.choice(_WORK), source.randint(20_000, 900_000)),
                    *(_EDUCATION[level], (7, 9, 10, 13, 14, 16)[level]),
                    "Married-civ-spouse"
                    if is_married
                    else source.choice(("Never-married", "Divorced")),
                    _JOBS[job],
                    ("Husband" if is_male else "Wife") if is_married else "Not-in-family",
                    *("White", "Male" if is_male else "Female", gain, 0, hours, "United-States"),
                    ">50K" if score + source.gauss(0, 0.5) > 0 else "<=50K",
                ]
            )


class Launched:
    """A launcher with its log lines so far."""

    def __init__(self, folder, steps, reference=""):
        self.folder = folder
        variables = {"CENSUS_REFERENCE": reference} if reference else {}
        options = ["--chief", "--ps", "1", "--workers", "2", "--evaluator"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tfmini", "launch", *options, SCRIPT, folder, str(steps)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**environment(), **variables},
        )
        self.lines: list[str] = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        with self.process.stdout as lines:
            for line in lines:
                self.lines.append(line.rstrip("\n"))

    def said(self, pattern, since=0):
        """The groups of a pattern's matches in the log, from a given line on."""
        result = (re.search(pattern, line) for line in self.lines[since:])
        return [match.groups() for match in result if match]

    def until(self, condition, what, seconds=SECONDS):
        end = time.monotonic() + seconds
        while not condition():
            tail = "\n".join(self.lines[-40:])
            assert self.process.poll() is None, f"ended, and {what} has not come:\n{tail}"
            assert time.monotonic() < end, f"hangs: {what} has not come:\n{tail}"
            time.sleep(0.05)

    def saved(self):
        """The step of the latest checkpoint."""
        path = tf.train.latest_checkpoint(os.path.join(self.folder, "model"))
        return int(path.rpartition("-")[2]) if path else -1

    def kill(self, task):
        """Kills a task; returns (last saved step, step resumed from, seconds until training continues)."""
        begun = len(self.lines)
        *_, (number,) = self.said(rf"^\[{task}\] process (\d+)")
        start = time.monotonic()
        os.kill(int(number), signal.SIGKILL)
        time.sleep(0.1)
        saved = self.saved()
        self.until(lambda: self.said(rf"^\[{task}\] process (\d+)", begun), f"{task} again")
        assert self.said(rf"^\[{task}\] ended with status -9; restarting()", begun)
        if task.startswith("evaluator"):
            again = rf"^\[{task}\].*Saving dict for global step (\d+)"
        else:  # all lose their sessions along with their parameter server
            again = rf"^\[{'chief 0' if task == 'ps 0' else task}\] from (\d+)"
        self.until(lambda: self.said(again, begun), f"{task} goes on")
        step = int(self.said(again, begun)[0][0])
        self.until(lambda: self.saved() > max(saved, step), "a later checkpoint")
        return saved, step, time.monotonic() - start

    def end(self, seconds):
        """Runs to the end; returns the exit status."""
        with open(os.path.join(self.folder, "hurry"), "w"):
            pass
        self.process.wait(seconds)
        self.reader.join(20)
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)


def right_answers(folder):
    """Test rows classified correctly by the exported model, by a constant answer, and in total."""
    (path,) = glob.glob(os.path.join(folder, "model", "export", "census", "[0-9]*"))
    predict = tf.contrib.predictor.from_saved_model(path, "predict")
    names = (
        *("age", "workclass", None, "education", "education_num", "marital_status", "occupation"),
        *("relationship", None, None, "capital_gain", "capital_loss", "hours_per_week", None, None),
    )
    with open(os.path.join(folder, "adult.test")) as file:
        rows = list(csv.reader(file))
    classes = predict({"examples": [_example(names, row) for row in rows]})["class_ids"]
    right = [(row[-1] == ">50K") == bool(found) for row, (found,) in zip(rows, classes)]
    more = sum(row[-1] == ">50K" for row in rows)
    return sum(right), max(more, len(rows) - more), len(rows)


def _example(names, row):
    features = {}
    for name, text in zip(names, row):
        if name and text.isdigit():
            features[name] = tf.train.Feature(float_list=tf.train.FloatList(value=[float(text)]))
        elif name:
            features[name] = tf.train.Feature(bytes_list=tf.train.BytesList(value=[text.encode()]))
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def run(reference="", tasks=TASKS, steps=STEPS):
    """Trains once, killing each task; returns a table of observations.

    Raises:
      AssertionError: something hangs, or is lost or missing.
    """
    rows = [
        "| killed | last checkpoint | went on from | seconds until a later checkpoint |",
        "| --- | ---: | ---: | ---: |",
    ]
    with tempfile.TemporaryDirectory() as directory:
        write_people(os.path.join(directory, "adult.data"), 4000, 0)
        write_people(os.path.join(directory, "adult.test"), 1000, 1)
        launched = Launched(directory, steps, reference)
        start = time.monotonic()
        try:
            for task in ("chief 0", "worker 0", "worker 1"):
                launched.until(lambda t=task: launched.said(rf"^\[{t}\] from (\d+)"), task)
            evaluated = r"^\[evaluator 0\].*Saving dict for global step (\d+)"
            launched.until(lambda: launched.said(evaluated), "an evaluation")
            for task in tasks:
                saved, step, seconds = launched.kill(task)
                rows.append(f"| {task} | {saved} | {step} | {seconds:.1f} |")
                assert step >= saved or "evaluator" in task, rows[-1]
            status = launched.end(600)
        finally:
            launched.close()
        seconds = time.monotonic() - start
        assert status == 0, "\n".join(launched.lines[-60:])
        last, evaluations = launched.saved(), launched.said(evaluated)
        assert last >= steps, last
        # The chief may save again after the evaluator has seen the end. A checkpoint's step may be later than its
        # number: the workers continue while it is written.
        judged = int(evaluations[-1][0])
        held = tf.train.load_variable(os.path.join(directory, "model"), "global_step")
        assert steps <= judged <= held, (evaluations, held)
        right, always_same, count = right_answers(directory)
        assert right > always_same, right
    rows.append("")
    rows.append(
        f"The launcher exited with status 0 after {seconds:.0f} s at step {last} and {len(evaluations)} evaluations, "
        f"the last at step {judged}; the exported model classifies {right} of {count} people correctly, the majority "
        f"class {always_same}."
    )
    return "\n".join(rows)
