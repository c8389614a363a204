"""RunConfig and tasks: the cluster task described by TF_CONFIG; expected values are TensorFlow 1.15.5's."""

import json

import pytest

import tfmini as tf

FIELDS = (
    *("task_type", "task_id", "global_id_in_cluster", "master", "evaluation_master", "is_chief"),
    *("num_ps_replicas", "num_worker_replicas", "service", "model_dir"),
)
CLUSTER = {"chief": ["a:1"], "ps": ["b:1", "b:2"], "worker": ["c:1", "c:2"]}
OLD = {"master": ["a:1"], "ps": ["b:1"], "worker": ["c:1", "c:2"]}
PLACES = [
    ({}, {}, ("worker", 0, 0, "", "", True, 0, 1, None, None), None),
    (
        {"cluster": CLUSTER, "task": {"type": "worker", "index": 1}},
        CLUSTER,
        ("worker", 1, 2, "grpc://c:2", "", False, 2, 3, None, None),
        ["/job:ps", "/job:worker/task:1"],
    ),
    (
        {"cluster": CLUSTER, "task": {"type": "chief", "index": 0}},
        CLUSTER,
        ("chief", 0, 0, "grpc://a:1", "", True, 2, 3, None, None),
        ["/job:ps", "/job:chief"],
    ),
    (
        {"cluster": CLUSTER, "task": {"type": "ps", "index": 1}},
        CLUSTER,
        ("ps", 1, 4, "grpc://b:2", "", False, 2, 3, None, None),
        ["/job:ps", "/job:worker", "/job:chief", "/job:master"],
    ),
    (
        {
            "cluster": CLUSTER,
            "task": {"type": "evaluator", "index": 0},
            "eval_session_master": "grpc://e",
        },
        {},
        ("evaluator", 0, None, "", "grpc://e", False, 0, 0, None, None),
        None,
    ),
    (
        {"cluster": OLD, "task": {"type": "master", "index": 0}},
        OLD,
        ("master", 0, 0, "grpc://a:1", "", True, 1, 3, None, None),
        ["/job:ps", "/job:master"],
    ),
    (
        {"cluster": OLD, "task": {"type": "worker", "index": "1"}, "session_master": "grpc://x"},
        OLD,
        ("worker", 1, 2, "grpc://x", "", False, 1, 3, None, None),
        ["/job:ps", "/job:worker/task:1"],
    ),
    (
        {"cluster": {"chief": ["a:1"]}, "task": {"type": "chief", "index": 0}},
        {"chief": ["a:1"]},
        ("chief", 0, 0, "", "", True, 0, 1, None, None),
        ["/job:ps", "/job:chief"],
    ),
    ({"model_dir": "/m"}, {}, ("worker", 0, 0, "", "", True, 0, 1, None, "/m"), None),
]


def test_first_worker_is_chief_under_strategy(monkeypatch):
    cluster = {"worker": ["a:1", "a:2"], "ps": ["b:1"]}
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    for index, is_chief in ((0, True), (1, False)):
        task = {"type": "worker", "index": index}
        monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": task}))
        config = tf.estimator.RunConfig(train_distribute=strategy)
        assert config.is_chief is is_chief and config.global_id_in_cluster == index
        assert config.num_worker_replicas == 2 and config.num_ps_replicas == 1


ERRORS = [
    (
        {"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}},
        ValueError,
        'If "cluster" is set in TF_CONFIG, it must have one "chief" node.',
    ),
    (
        {"cluster": {"chief": ["a:1", "a:2"]}, "task": {"type": "chief", "index": 0}},
        ValueError,
        'The "cluster" in TF_CONFIG must have only one "chief" node.',
    ),
    ({"cluster": CLUSTER}, ValueError, 'If "cluster" is set in TF_CONFIG, task type must be set.'),
    (
        {"cluster": CLUSTER, "task": {"type": "worker"}},
        ValueError,
        'If "cluster" is set in TF_CONFIG, task index must be set.',
    ),
    (
        {"cluster": CLUSTER, "task": {"type": "worker", "index": -1}},
        ValueError,
        "Task index must be non-negative number.",
    ),
    (
        {"cluster": CLUSTER, "task": {"type": "worker", "index": 5}},
        ValueError,
        "5 is not a valid task_id for task_type worker in the cluster_spec:\nClusterSpec({'chief': "
        "['a:1'], 'ps': ['b:1', 'b:2'], 'worker': ['c:1', 'c:2']})\n\nNote that these values may be "
        "coming from the TF_CONFIG environment variable.",
    ),
    (
        {"cluster": CLUSTER, "task": {"type": "boss", "index": 0}},
        ValueError,
        "boss is not a valid task_type in the cluster_spec:\nClusterSpec({'chief': ['a:1'], 'ps': "
        "['b:1', 'b:2'], 'worker': ['c:1', 'c:2']})\n\nNote that these values may be coming from the "
        "TF_CONFIG environment variable.",
    ),
    (
        {
            "cluster": {
                "chief": ["a:1"],
                "ps": ["b:1", "b:2"],
                "worker": ["c:1", "c:2"],
                "master": ["z:1"],
            },
            "task": {"type": "chief", "index": 0},
        },
        ValueError,
        "If `master` node exists in `cluster`, job `chief` is not supported.",
    ),
    (
        {"cluster": OLD, "task": {"type": "evaluator", "index": 0}},
        ValueError,
        "If `master` node exists in `cluster`, task_type `evaluator` is not supported.",
    ),
    (
        {"task": {"type": "ps"}},
        ValueError,
        'If "cluster" is not set in TF_CONFIG, task type must be WORKER.',
    ),
    (
        {"task": {"index": 1}},
        ValueError,
        'If "cluster" is not set in TF_CONFIG, task index must be 0.',
    ),
    (
        {"service": 1},
        TypeError,
        "If \"service\" is set in TF_CONFIG, it must be a dict. Given <class 'int'>",
    ),
    ({"model_dir": ""}, ValueError, "model_dir in TF_CONFIG should be non-empty."),
]


@pytest.mark.parametrize("inputs, cluster, values, filters", PLACES, ids=range(len(PLACES)))
def test_task_from_tf_config(inputs, cluster, values, filters, monkeypatch):
    monkeypatch.setenv("TF_CONFIG", json.dumps(inputs))
    config = tf.estimator.RunConfig()
    assert config.cluster_spec.as_dict() == cluster
    assert tuple(getattr(config, name) for name in FIELDS) == values
    options = config.session_config
    assert (options if options is None else list(options.device_filters)) == filters


def test_checkpoint_steps_and_seconds_replace_each_other():
    config = tf.estimator.RunConfig(save_checkpoints_steps=5).replace(tf_random_seed=2)
    assert (config.save_checkpoints_steps, config.save_checkpoints_secs) == (5, None)
    config = config.replace(save_checkpoints_secs=7)
    assert (config.save_checkpoints_steps, config.save_checkpoints_secs) == (None, 7)


@pytest.mark.parametrize("inputs, kind, text", ERRORS, ids=range(len(ERRORS)))
def test_invalid_tf_config(inputs, kind, text, monkeypatch):
    monkeypatch.setenv("TF_CONFIG", json.dumps(inputs))
    with pytest.raises(kind) as caught:
        tf.estimator.RunConfig()
    assert str(caught.value) == text
