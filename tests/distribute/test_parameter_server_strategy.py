"""ParameterServerStrategy and CentralStorageStrategy: placement, shared variables, Estimators, errors."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import environment
from tests.support.gpu.gpus import fake_gpus

TWO = tf.ConfigProto(device_count={"CPU": 2})
CLUSTER = {"worker": ["a:1", "b:1"], "ps": ["c:1"]}
experimental = tf.distribute.experimental


def central():
    return experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"])


def in_cluster(task_type, task_id, cluster=CLUSTER):
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(
        tf.train.ClusterSpec(cluster), task_type=task_type, task_id=task_id, num_accelerators={}
    )
    return experimental.ParameterServerStrategy(resolver)


def test_variable_placement():
    assert central().extended.parameter_devices == ("/device:CPU:0",)
    one = experimental.CentralStorageStrategy(["/cpu:1"])
    assert one.extended.parameter_devices == ("/cpu:1",)
    with fake_gpus(devices=2):
        extended = experimental.CentralStorageStrategy().extended
        assert extended.worker_devices == tuple(
            f"/replica:0/task:0/device:GPU:{i}" for i in range(2)
        )
        assert extended.parameter_devices == ("/device:CPU:0",)
    with tf.Graph().as_default(), one.scope():
        assert isinstance(tf.get_variable("v", [2]), type(tf.Variable(1.0, use_resource=True)))


def test_shared_variable():
    with tf.Graph().as_default(), tf.Session(config=TWO) as session:
        strategy = central()
        with strategy.scope():
            v = tf.Variable([1.0, 2.0], name="v", aggregation=tf.VariableAggregation.MEAN)
            plain = tf.Variable(3.0, name="plain")
            assert type(v).__name__ == "AggregatingVariable"
            assert (v.name, v.shape, v.dtype) == ("v:0", [2], tf.float32)
            assert v.distribute_strategy is strategy and v.op.type == "VarHandleOp"
            assert strategy.extended.variable_created_in_scope(v)
            assert strategy.extended.value_container(v.get()) is v

            def replica():
                context = tf.distribute.get_replica_context()
                number = tf.cast(context.replica_id_in_sync_group, tf.float32)
                return v.assign_add(tf.stack([1.0 + number, 4.0 * number])), v * 2.0

            added, doubled = strategy.experimental_run_v2(replica)
            with pytest.raises(ValueError, match="to update a AggregatingVariable in Replica"):
                strategy.experimental_run_v2(lambda: plain.assign(1.0))
            session.run([v.initializer, plain.initializer])
            assert session.run(v.is_initialized())
            session.run(strategy.group(added))
            np.testing.assert_allclose(session.run(v), [2.5, 4.0])
            np.testing.assert_allclose(session.run(strategy.unwrap(doubled)), [[5, 8]] * 2)
            session.run(v.assign([7.0, 7.0]))
            session.run(strategy.extended.update(v, lambda var: var.assign_sub([1.0, 2.0])))
            assert session.run(v.read_value()).tolist() == [6.0, 5.0]
            assert session.run(strategy.extended.read_var(v)).tolist() == [6.0, 5.0]


def test_invalid_updates():
    with tf.Graph().as_default():
        strategy = central()
        with strategy.scope():
            v = tf.Variable(1.0)
            values = strategy.experimental_run_v2(lambda: tf.constant(1.0))
            with pytest.raises(ValueError, match="with a PerReplica object PerReplica"):
                strategy.extended.update(v, lambda var, x: var.assign(x), args=(values,))
            mirrored = strategy.extended.broadcast_to(2.0 * v, "/cpu:1")
            strategy.extended.update(v, lambda var, x: var.assign(x), args=(mirrored,))
            with pytest.raises(ValueError, match="You can not update `var` 3. It must be a Var"):
                strategy.extended.update(3, lambda var: var)
        with pytest.raises(ValueError, match="Invalid variable aggregation mode: 7 for variable"):
            with strategy.scope():
                tf.Variable(1.0, aggregation=7)


def test_cluster_roles():
    chief = in_cluster("worker", 0).extended
    assert chief.should_checkpoint and chief.experimental_should_init and chief.should_save_summary
    assert not in_cluster("worker", 0, {**CLUSTER, "chief": ["d:1"]}).extended.should_checkpoint
    strategy = in_cluster("worker", 1)
    extended = strategy.extended
    assert extended.worker_devices == ("/job:worker/replica:0/task:1/device:CPU:0",)
    assert extended.parameter_devices == ("/job:ps/task:0",)
    with tf.Graph().as_default(), strategy.scope():
        value = tf.constant(1.0)
        assert value.device == "/job:worker/task:1"
        assert tf.get_variable("v", []).device == "/job:ps/task:0"
        with pytest.raises(
            ValueError, match="Cannot reduce to another worker: '/job:worker/.*task:0"
        ):
            extended.reduce_to("SUM", value, "/job:worker/task:0")
        with pytest.raises(ValueError, match="current worker is '/job:worker/task:1'"):
            extended.batch_reduce_to("SUM", [(value, "/job:worker/task:0")])
    evaluator = experimental.ParameterServerStrategy()
    assert evaluator.extended.parameter_devices == ("/device:CPU:0",)
    config = tf.ConfigProto(device_filters=["/job:other"])
    cluster = {**CLUSTER, "evaluator": ["e:1"]}
    evaluator.configure(config, cluster, "evaluator", 0)
    assert list(config.device_filters) == ["/job:evaluator/task:0"]
    assert evaluator.extended.should_checkpoint
    (context,) = evaluator.extended._input_contexts()
    assert (context.num_input_pipelines, context.input_pipeline_id) == (1, 0)
    with pytest.raises(ValueError, match="The cluster spec needs to have `ps` jobs.$"):
        in_cluster("worker", 0, {"worker": ["a:1"]})
    with pytest.raises(ValueError, match="you must also specify `task_type` and `task_id`$"):
        in_cluster("worker", None)


def test_environment_defines_cluster(monkeypatch):
    task = {"type": "worker", "index": 1}
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": CLUSTER, "task": task}))
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    strategy = experimental.ParameterServerStrategy(resolver)
    assert strategy.extended.parameter_devices == ("/job:ps/task:0",)


@pytest.mark.parametrize(
    "kind, launch",
    [
        ("central", ["run"]),
        (
            "servers",
            ["launch", "--chief", "--ps", "2", "--workers", "1", "--restarts", "0"],
        ),
        ("servers", ["launch", "--ps", "2", "--workers", "2", "--restarts", "0"]),
    ],
    ids=["central", "servers", "the first worker is the chief"],
)
def test_estimator_learns_in_each_mode(kind, launch, tmp_path):
    """It learns 3 x + 1; in a cluster the two variables are on two servers, and both trainers update them."""
    trainer = str(Path(__file__).with_name("estimator_trainer.py"))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tfmini", *launch, trainer, kind, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=240,
        env=environment(),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line.partition("found ")[2] for line in done.stdout.splitlines()]
    (found,) = [json.loads(line) for line in lines if line]
    np.testing.assert_allclose(found["weights"], [3.0, 1.0], atol=0.05)
    assert 600 <= found["step"] <= 602 and found["pipelines"] == [1 if kind == "central" else 2, 0]
    if kind == "servers":
        assert found["devices"] == ["/job:ps/task:1", "/job:ps/task:0"]
