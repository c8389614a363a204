"""cluster_spec: the forms of a cluster, with TensorFlow 1.15.5's results."""

import pytest

import tfmini as tf

SPARSE = {"worker": {1: "a:1", 3: "b:1"}, "ps": ["c:1"]}


def test_cluster_spec_conversions():
    spec = tf.train.ClusterSpec(SPARSE)
    assert str(spec) == "ClusterSpec({'ps': ['c:1'], 'worker': {1: 'a:1', 3: 'b:1'}})"
    assert spec.as_dict() == SPARSE and spec.jobs == ["worker", "ps"]
    assert spec.num_tasks("worker") == 2 and spec.task_indices("worker") == [1, 3]
    assert spec.task_address("worker", 3) == "b:1"
    assert spec.job_tasks("worker") == [None, "a:1", None, "b:1"]
    assert spec == tf.train.ClusterSpec(spec) == tf.train.ClusterSpec(spec.as_cluster_def())
    assert spec != tf.train.ClusterSpec({}) and not tf.train.ClusterSpec({})


def test_cluster_def_is_copied():
    message = tf.train.ClusterSpec(SPARSE).as_cluster_def()
    spec = tf.train.ClusterSpec(message)
    message.job[0].tasks[0] = "later:1"
    assert spec.as_dict() == SPARSE
    assert spec.as_cluster_def() == tf.train.ClusterSpec(SPARSE).as_cluster_def()


@pytest.mark.parametrize(
    "wrong, kind, text",
    [
        (lambda spec: type(spec)(1), TypeError, "`cluster` must be a dictionary mapping"),
        (lambda spec: type(spec)({"a": 1}), TypeError, "The tasks for job 'a' must be a list"),
        (lambda spec: type(spec)({1: ["a"]}), TypeError, "Job name 1 must be bytes or unicode"),
        (lambda spec: type(spec)({"a": [1]}), TypeError, "Task address 1 must be bytes or unicode"),
        (lambda spec: spec.num_tasks("x"), ValueError, "No such job in cluster: 'x'"),
        (lambda spec: spec.job_tasks("q"), ValueError, "No such job in cluster: 'q'"),
        (
            lambda spec: spec.task_address("worker", 0),
            ValueError,
            "No task with index 0 in job 'worker'",
        ),
        (lambda spec: type(spec)({"a": {"0": "x:1"}}), TypeError, "'0' has type str, but expected"),
        (lambda spec: type(spec)({"a": {1 << 31: "x:1"}}), ValueError, "Value out of range: 2147"),
        (lambda spec: type(spec)({"a": {-1: "x:1"}}).job_tasks("a"), IndexError, "out of range"),
    ],
)
def test_invalid_cluster_specs(wrong, kind, text):
    with pytest.raises(kind, match=text):
        wrong(tf.train.ClusterSpec(SPARSE))


def test_negative_task_index():
    spec = tf.train.ClusterSpec({"a": {-1: "x:1", 0: "y:1"}})
    assert spec.as_dict() == {"a": {-1: "x:1", 0: "y:1"}}
    assert spec.task_address("a", -1) == "x:1" and spec.task_indices("a") == [-1, 0]
