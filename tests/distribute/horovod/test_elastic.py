"""Elastic training: real processes killed or added, and state handling."""

import importlib.util
import io
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import environment
from tests.cluster.test_ray_launcher import ray  # noqa: F401
from tfmini._src.cluster.elastic_launcher import ElasticLaunch, own_names, script_slots
from tfmini._src.cluster.ray_launcher import RayMachines
from tfmini._src.distribute.horovod import elastic, tensorflow as hvd
from tfmini._src.distribute.horovod.ops import running
from tfmini._src.programs.cli import main

TRAINER = str(Path(__file__).with_name("elastic_trainer.py"))


def launched(*arguments, **variables):
    """The progress lines of each rank, and all lines."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tfmini", "launch", *arguments],
        capture_output=True,
        text=True,
        timeout=240,
        env={**environment(), **variables},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    return sorted(line.partition("done ")[2] for line in lines if "] done " in line), done.stdout


@pytest.mark.parametrize("restarts, left", [(0, 2), pytest.param(3, 3, marks=pytest.mark.full)])
def test_killed_rank_is_replaced_or_dropped(tmp_path, restarts, left):
    """The others return to the fourth step and continue, alone or with its replacement."""
    command = [TRAINER, str(tmp_path / "marker"), str(left)]
    options = ["--min-np", "2", "--max-np", "3", "--restarts", str(restarts)]
    result, log = launched(*options, *command)
    assert [line.split(" [")[0] for line in result] == [f"{n} 3 {left} True" for n in range(left)]
    assert sum(line.endswith(f"[{left}]") for line in result) == 2, log
    assert f"ended with status 1{'; restarting' if restarts else '; no restarts left'}" in log
    assert (tmp_path / "marker").exists()


KILLED_WHILE_CONNECTING = """
import os, signal, sys
import horovod.tensorflow as hvd
from tfmini._src.distribute.horovod import basics

own_rank_info = basics.own_rank_info

def place():
    found = own_rank_info()
    if found.rank == 1 and not os.path.exists(sys.argv[1]):
        open(sys.argv[1], "x").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return found

basics.own_rank_info = place
hvd.init()
print("done", hvd.rank(), hvd.size())
"""


def test_rank_killed_during_connection(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(KILLED_WHILE_CONNECTING)
    options = ["--min-np", "2", "--max-np", "2", str(script), str(tmp_path / "marker")]
    result, log = launched(*options)
    assert (
        result == ["0 2", "1 2"] and "Rank 1 disconnected before all ranks were connected" in log
    ), log


def discovery(tmp_path, slots):
    hosts, script = tmp_path / "hosts", tmp_path / "discover"
    hosts.write_text(f"localhost:{slots}\n")
    script.write_text(f"#!/bin/sh\ncat {hosts}\n")
    script.chmod(0o755)
    (tmp_path / "marker").touch()
    options = ["--min-np", "1", "--max-np", "4", "--host-discovery-script", str(script)]
    return [*options, TRAINER, str(tmp_path / "marker")], str(hosts)


def test_added_rank_joins(tmp_path):
    command, hosts = discovery(tmp_path, 1)
    result, log = launched(*command, "2", hosts)
    assert result == ["0 1 2 True [2]", "1 1 2 True []"], log


def test_removed_rank_leaves(tmp_path):
    command, hosts = discovery(tmp_path, 2)
    result, log = launched(*command, "1", hosts)
    assert result == ["0 2 1 True [1]"], log
    assert "ended with status" not in log


def test_ranks_on_ray_actors(ray, tmp_path):  # noqa: F811
    """A killed rank gets a new actor, and the old one ends."""
    log, machines = io.StringIO(), RayMachines(0.5)
    command = [TRAINER, str(tmp_path / "marker"), "2"]
    assert ElasticLaunch(command, 2, 2, log=log, machines=machines).run() == 0
    done = [line for line in log.getvalue().splitlines() if "] done " in line]
    assert len(done) == 2 and "restarting" in log.getvalue(), log.getvalue()
    assert len(ray.actors) == 3 and all(actor.is_lost for actor in ray.actors)


def test_lost_ray_machine_is_no_failure(ray, tmp_path):  # noqa: F811
    """It counts as no failure; training continues with Ray's remaining capacity."""
    log, hosts, machines = io.StringIO(), tmp_path / "hosts", RayMachines(0.5)
    (tmp_path / "marker").touch()
    ray.free = {"CPU": 1.0}

    def lose_one():
        while len(ray.actors) < 2:
            time.sleep(0.001)
        ray.free = {"CPU": 0.0}
        while not hosts.exists():
            time.sleep(0.001)
        ray.actors[1].lose()
        ray.free = {"CPU": 1.0}

    threading.Thread(target=lose_one, daemon=True).start()
    command = [TRAINER, str(tmp_path / "marker"), "3", str(hosts)]
    assert ElasticLaunch(command, 2, 3, restarts=0, log=log, machines=machines).run() == 0
    done = [line for line in log.getvalue().splitlines() if "] done " in line]
    assert len(done) == 3 and all(" 2 3 True " in line for line in done), log.getvalue()
    assert len(ray.actors) == 4 and all(actor.is_lost for actor in ray.actors)


@pytest.mark.launchers
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="no Ray here")
def test_ranks_on_real_ray(tmp_path):
    home = os.environ.get("HOME", "/")
    options = ["--ray", "--cpus", "0.4", "--min-np", "2", "--max-np", "2"]
    command = [TRAINER, str(tmp_path / "marker"), "2"]
    result, log = launched(*options, *command, RAY_AUTH_MODE="disabled", HOME=home)
    assert [line[:11] for line in result] == ["0 2 2 True ", "1 2 2 True "], log
    assert "restarting" in log


@pytest.fixture
def alone(monkeypatch):
    monkeypatch.delenv("TFMINI_RANKS", raising=False)
    hvd.init()
    yield
    hvd.shutdown()


class OneRank:
    """Fake operations of a job with a single rank."""

    rank, size = 0, 1

    def gather(self, name, value):
        return value

    def close(self):
        """Does nothing."""


def test_state_restores_last_commit(alone):
    variable = tf.get_variable("v", initializer=[1.0, 2.0])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        state = elastic.TensorFlowState(batch=0, seen=[])
        assert state.variables == [variable]
        variable.load([3.0, 4.0])
        state.batch, state.seen = 5, ["a"]
        state.restore()
        assert session.run(variable).tolist() == [1.0, 2.0] and (state.batch, state.seen) == (0, [])
        variable.load([5.0, 6.0])
        state.batch = 7
        state.commit()
        state.seen.append("b")
        state.restore()
        assert session.run(variable).tolist() == [5.0, 6.0] and (state.batch, state.seen) == (7, [])
        state.batch = 8
        state.sync()
        state.batch = 9
        state.restore()
        assert state.batch == 8


def test_keras_state_restores_last_commit(alone, keras_session):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), "mse")
    state = hvd.elastic.TensorFlowKerasState(model, batch=0)
    before = model.get_weights()
    x, y = np.ones([4, 2], np.float32), np.ones([4, 1], np.float32)
    model.fit(x, y, verbose=0)
    after, slots = model.get_weights(), model.optimizer.get_weights()
    assert not np.array_equal(before[0], after[0])
    state.restore()
    np.testing.assert_array_equal(model.get_weights()[0], before[0])
    model.set_weights(after)
    state.save()
    model.fit(x, y, verbose=0)
    state.restore()
    np.testing.assert_array_equal(model.get_weights()[0], after[0])
    for found, expected in zip(model.optimizer.get_weights(), slots, strict=True):
        np.testing.assert_array_equal(found, expected)
    state.sync()
    np.testing.assert_array_equal(model.get_weights()[0], after[0])


def test_function_is_retried_until_it_returns(alone, monkeypatch):
    """After a failure from the last commit, after a rank change from the current state; callbacks see both."""
    state, resets, calls = elastic.ObjectState(batch=0), [], []
    state.register_reset_callbacks([lambda: resets.append(state.batch)])
    ends = [
        elastic.HorovodInternalError(None, None, "Lost rank 1"),
        elastic.HostsUpdatedInterrupt(),
        elastic.HostsUpdatedInterrupt(skip_sync=True),
    ]

    @elastic.run
    def train(state, more):
        """Trains."""
        calls.append(state.batch)
        state.batch += more
        if ends:
            raise ends.pop(0)
        return state.batch

    assert train(state, 10) == 30 and train.__doc__ == "Trains."
    assert calls == [0, 0, 10, 20] and resets == [0, 10, 20]


def test_unrelated_errors_are_raised(alone):
    @elastic.run
    def train(state):
        raise tf.errors.UnknownError(None, None, "a user's own")

    with pytest.raises(tf.errors.UnknownError, match="a user's own"):
        train(elastic.ObjectState())


def test_host_change_interrupts_commit(alone, monkeypatch):
    monkeypatch.setattr(elastic, "has_changed", lambda: True)
    running[0] = OneRank()
    with pytest.raises(elastic.HostsUpdatedInterrupt, match="ranks of this job change") as caught:
        elastic.ObjectState(a=1).commit()
    assert not caught.value.skip_sync


def test_state_requires_session(alone):
    with pytest.raises(ValueError, match="requires a session"):
        elastic.TensorFlowState([tf.get_variable("v", initializer=1.0)])


def test_discovery_script_prints_slots(tmp_path, caplog):
    script = tmp_path / "hosts"
    script.write_text("#!/bin/sh\necho localhost:3\necho\necho elsewhere:5\necho 127.0.0.1\n")
    script.chmod(0o755)
    assert script_slots(str(script), own_names()) == 4
    assert "elsewhere is a remote machine" in caplog.text
    assert script_slots(str(script), None) == 9
    script.write_text("#!/bin/sh\necho localhost:many\n")
    with pytest.raises(ValueError, match="printed 'localhost:many', expected HOST:SLOTS"):
        script_slots(str(script), None)


@pytest.mark.parametrize(
    "options, message",
    [
        (["--max-np", "2"], "require --min-np"),
        (["--host-discovery-script", "x"], "require --min-np"),
        (["--min-np", "2"], "--min-np must be at least 1, and --max-np"),
        (["--min-np", "0", "--ranks", "2"], "--min-np must be at least 1, and --max-np"),
        (["--min-np", "3", "--max-np", "2"], "--min-np must be at least 1, and --max-np"),
        (["--min-np", "1", "--max-np", "2", "--ps", "1"], "--ranks excludes parameter servers"),
    ],
)
def test_invalid_options(options, message, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["launch", *options, "train.py"])
    assert ended.value.code == 2 and message in capsys.readouterr().err


def test_abstract_state_methods_are_explained():
    for name in ("save", "restore", "sync"):
        with pytest.raises(NotImplementedError, match=f"^hvd.elastic.State has no {name}.*derive"):
            getattr(elastic.State(), name)()
