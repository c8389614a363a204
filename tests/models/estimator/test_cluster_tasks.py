"""train_and_evaluate by the tasks of a cluster, each in a process."""

import glob
import io
import json
import os
import re
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import environment
from tests.models.estimator import cluster_script
from tfmini._src.cluster import launcher
from tfmini._src.cluster.free_ports import free_addresses
from tfmini._src.models.estimator import cluster_tasks

SCRIPT = cluster_script.__file__


@pytest.fixture
def task_estimator(monkeypatch, tmp_path):
    """Creates an Estimator as a task of a cluster whose servers never start."""
    started = []
    monkeypatch.setattr(cluster_tasks, "Server", lambda *args, **options: started.append(options))

    def make(task_type, task_id=0, **options):
        cluster = {"chief": ["a:1"], "worker": ["b:1", "c:1"], "ps": ["d:1"]}
        if task_type == "master":
            cluster["master"] = cluster.pop("chief")
        task = {"type": task_type, "index": task_id}
        monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": task}))
        config = tf.estimator.RunConfig(str(tmp_path), **options)
        return tf.estimator.Estimator(cluster_script.model_fn, config=config)

    make.started = started
    return make


def specs(max_steps=None):
    return (
        tf.estimator.TrainSpec(cluster_script.input_fn, max_steps=max_steps),
        tf.estimator.EvalSpec(cluster_script.input_fn, steps=1, throttle_secs=7),
    )


@pytest.mark.parametrize(
    ("task_id", "longest", "expected"), [(0, None, [5]), (1, None, [10]), (1, 8, [8]), (1, 0, [])]
)
def test_workers_start_with_delay(task_estimator, monkeypatch, task_id, longest, expected):
    slept, trained = [], []
    estimator = task_estimator("worker", task_id, experimental_max_worker_delay_secs=longest)
    monkeypatch.setattr(cluster_tasks, "time", SimpleNamespace(sleep=slept.append))
    monkeypatch.setattr(estimator, "train", lambda *args, **options: trained.append(options))
    assert tf.estimator.train_and_evaluate(estimator, *specs(9)) is None
    assert slept == expected
    assert [options["max_steps"] for options in trained] == [9]
    assert [(each["job_name"], each["task_index"]) for each in task_estimator.started] == [
        ("worker", task_id)
    ]


@pytest.mark.parametrize(("task_type", "listeners"), [("chief", 0), ("worker", 0), ("master", 1)])
def test_sole_master_evaluates_while_training(task_estimator, monkeypatch, task_type, listeners):
    trained = []
    estimator = task_estimator(task_type, experimental_max_worker_delay_secs=0)
    monkeypatch.setattr(estimator, "train", lambda *args, **options: trained.append(options))
    tf.estimator.train_and_evaluate(estimator, *specs())
    assert [len(options["saving_listeners"]) for options in trained] == [listeners]


def test_variables_are_placed_on_parameter_servers(task_estimator):
    estimator = task_estimator("worker", 1)
    with tf.Graph().as_default() as graph, tf.device(estimator._device_fn):
        cluster_script.model_fn({"x": tf.ones([2, 3])}, None, tf.estimator.ModeKeys.PREDICT)
    devices = {op.name: op.device for op in graph.get_operations()}
    assert devices["dense/kernel"] == "/job:ps/task:0"
    assert devices["dense/MatMul"] == "/job:worker/task:1"


def test_evaluator_polls_until_last_step(task_estimator, monkeypatch, caplog):
    estimator, slept, seen = task_estimator("evaluator"), [], []
    paths = iter([None, "a", "a", "b"])
    steps = {"a": 3, "b": 10}

    def evaluate(input_fn, steps_, hooks, path, name):
        seen.append(path)
        return {"global_step": steps[path]}

    clock = SimpleNamespace(sleep=slept.append, monotonic=lambda: 0.0)
    monkeypatch.setattr(cluster_tasks, "time", clock)
    monkeypatch.setattr(estimator, "latest_checkpoint", lambda: next(paths))
    monkeypatch.setattr(estimator, "evaluate", evaluate)
    with caplog.at_level("WARNING"):
        assert tf.estimator.train_and_evaluate(estimator, *specs(10)) is None
    assert seen == ["a", "b"]
    assert slept == [120, 7, 7, 7]
    assert [record.message.partition(".")[0] for record in caplog.records] == [
        "Estimator is not trained yet",
        "No new checkpoint ready for evaluation",
    ]


def exported_kernel(directory):
    (path,) = glob.glob(os.path.join(directory, "export", "final", "[0-9]*"))
    predict = tf.contrib.predictor.from_saved_model(path)
    return predict({"input": np.eye(3, dtype=np.float32)})["output"]


def test_cluster_trains_evaluates_and_exports(tmp_path):
    log = io.StringIO()
    jobs = {"chief": 1, "ps": 1, "worker": 1, "evaluator": 1}
    directory = str(tmp_path)
    status = launcher.Launch(jobs, [SCRIPT, "tfmini", directory, "600"], log=log).run()
    assert status == 0, log.getvalue()
    ends = re.findall(r"\[\w+ 0\] (\w+) steps: (\d+) result: (\w+)", log.getvalue())
    steps = {task: int(count) for task, count, _ in ends}
    assert steps.keys() == {"chief", "worker", "evaluator"}, log.getvalue()
    assert {result for *_, result in ends} == {"None"}
    assert steps["evaluator"] == 0
    assert steps["chief"] > 0
    assert steps["chief"] + steps["worker"] >= 600
    np.testing.assert_allclose(exported_kernel(directory), np.ones([3, 1]), atol=0.1)


@pytest.mark.reference
@pytest.mark.parametrize("by_tensorflow", ["ps", "chief", "worker"])
def test_mixed_cluster_with_tensorflow(tmp_path, reference, by_tensorflow):
    cluster = free_addresses({"chief": 1, "ps": 1, "worker": 1})
    processes = {}
    try:
        for job in (*cluster, "evaluator"):
            module = "tensorflow" if job == by_tensorflow else "tfmini"
            python = str(reference) if module == "tensorflow" else launcher.sys.executable
            config = {"cluster": cluster, "task": {"type": job, "index": 0}}
            variables = {**environment(), "TF_CONFIG": json.dumps(config)}
            if module == "tensorflow":
                variables.pop("PYTHONPATH")
            command = [python, "-W", "ignore", SCRIPT, module, str(tmp_path), "600"]
            processes[job] = subprocess.Popen(
                command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
        for job in ("chief", "worker", "evaluator"):
            printed, _ = processes[job].communicate(timeout=120)
            assert processes[job].returncode == 0, printed
    finally:
        for process in processes.values():
            process.kill()
            process.communicate()
    np.testing.assert_allclose(exported_kernel(str(tmp_path)), np.ones([3, 1]), atol=0.1)
