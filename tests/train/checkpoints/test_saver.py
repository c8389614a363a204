"""Savers: cases beyond the snippets, the programs and the exchange with TensorFlow."""

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.train.checkpoints import saver as saver_module
from tfmini._src.train.checkpoints.default_saver import saver_or_default
from tfmini._src.train.checkpoints.saver_builder import BaseSaverBuilder


def initialized(session):
    session.run(tf.global_variables_initializer())
    return session


@pytest.mark.parametrize("sharded", [False, True])
def test_version_1_is_written(tmp_path, caplog, sharded):
    """In one file, or one per device, with a file pattern as the checkpoint's name."""
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    saver = tf.train.Saver(write_version=tf.train.SaverDef.V1, sharded=sharded, max_to_keep=1)
    with tf.Session() as session:
        for step in (1, 2):
            path = saver.save(initialized(session), str(tmp_path / "model"), global_step=step)
        session.run(v.assign([0.0, 0.0]))
        assert tf.train.latest_checkpoint(str(tmp_path)) == path
        saver.restore(session, path)
        assert session.run(v).tolist() == [1.0, 2.0]
    shard = "-00000-of-00001" if sharded else ""
    assert path == str(tmp_path / "model-2") + shard.replace("00000", "?????", 1)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"checkpoint", f"model-2{shard}", "model-2.meta"}
    assert "TensorFlow's V1 checkpoint format has been deprecated." in caplog.text


@pytest.mark.parametrize("name", ["rate[0.1]", "a*", "what?", "back\\slash", "two//of"])
@pytest.mark.parametrize("sharded", [False, True])
def test_old_checkpoint_files_are_deleted(tmp_path, name, sharded):
    """Special characters in the folder's name are not expanded as a pattern."""
    directory = f"{tmp_path}/{name}"
    other = tmp_path / "ab"
    for location in (directory, other):
        os.makedirs(location)
    (other / "m-1.data-00000-of-00001").write_text("not of this checkpoint")
    tf.get_variable("v", initializer=[1.0, 2.0])
    saver = tf.train.Saver(sharded=sharded, max_to_keep=1)
    with tf.Session() as session:
        for step in (1, 2):
            saver.save(initialized(session), f"{directory}/m", step)
    names = ["m-2.data-00000-of-00001", "m-2.index", "m-2.meta"]
    assert sorted(os.listdir(directory)) == ["checkpoint", *names]
    assert len(os.listdir(other)) == 1


def test_version_1_is_restored():
    golden = os.path.join(
        os.path.dirname(__file__), os.pardir, os.pardir, "golden", "checkpoints", "old"
    )
    parts = tf.get_variable("parts", [7, 4], tf.float64, partitioner=tf.fixed_size_partitioner(2))
    strings = tf.get_variable("strings", initializer=tf.constant(["", "", ""]))
    with tf.Session() as session:
        tf.train.Saver().restore(session, golden)
        assert (np.concatenate(session.run(list(parts))).ravel() == np.arange(28)).all()
        assert session.run(strings)[0] == b"x"


def test_custom_saveable_object(tmp_path):
    class Doubled(BaseSaverBuilder.SaveableObject):
        def __init__(self, variable):
            spec = BaseSaverBuilder.SaveSpec(variable.value() * 2, "", "doubled")
            super().__init__(variable, [spec], "doubled")

        def restore(self, tensors, shapes):
            return self.op.assign(tensors[0] / 2)

    v = tf.get_variable("v", initializer=[1.0, 2.0])
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, Doubled(v))
    saver = tf.train.Saver()
    with tf.Session() as session:
        path = saver.save(initialized(session), str(tmp_path / "model"))
        assert tf.train.list_variables(path) == [("doubled", [2]), ("v", [2])]
        session.run(v.assign([0.0, 0.0]))
        saver.restore(session, path)
        assert session.run(v).tolist() == [1, 2]


def test_empty_saver(tmp_path):
    saver = tf.train.Saver(allow_empty=True)
    with tf.Session() as session:
        assert saver.save(session, str(tmp_path / "model")) is None
        saver.restore(session, None)
    assert [path.name for path in tmp_path.iterdir()] == ["model.meta"]


def test_default_saver():
    tf.get_variable("v", [2])
    saver = saver_or_default()
    assert saver_or_default() is saver and saver.as_saver_def().sharded
    tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver())
    with pytest.raises(RuntimeError, match="More than one item in collection savers"):
        saver_or_default()


def test_restored_value_survives_file_overwrite(tmp_path):
    """A variable keeps its restored value while its file is overwritten."""
    v = tf.get_variable("v", initializer=np.arange(1e5))
    change = v.assign(v * 2)
    saver = tf.train.Saver()
    with tf.Session() as session:
        path = saver.save(initialized(session), str(tmp_path / "model"))
        saver.restore(session, path)
        before = session.run(v)
        session.run(change)
        saver.save(session, path)
        assert (before == np.arange(1e5)).all()
        saver.restore(session, path)
        assert (session.run(v) == np.arange(1e5) * 2).all()


@pytest.mark.parametrize("names, left", [("a", [1, 5]), ("b", [5, 1]), ("ab", [1, 1])])
def test_partial_saver_restores_object_checkpoint(tmp_path, names, left):
    created = {name: tf.get_variable(name, initializer=1.0) for name in "ab"}
    saver = tf.train.Saver([created[name] for name in names])
    with tf.Session() as session:
        objects = tf.train.Checkpoint(x=created["a"], y=created["b"])
        path = objects.save(str(tmp_path / "model"), session=initialized(session))
        for _ in range(2):
            session.run([variable.assign(5.0) for variable in created.values()])
            saver.restore(session, path)
            assert session.run([*created.values()]) == left


def test_path_types(tmp_path):
    v = tf.get_variable("v", initializer=[1.0])
    saver = tf.train.Saver()
    with tf.Session() as session:
        assert saver.save(initialized(session), tmp_path / "model") == str(tmp_path / "model")
        for path in (tmp_path / "model", os.fsencode(tmp_path / "model")):
            v.load([2.0], session)
            saver.restore(session, path)
            assert session.run(v) == [1.0]
        with pytest.raises(ValueError, match="not a valid checkpoint"):
            saver.restore(session, str(tmp_path) + "/")


def test_checkpoint_values_are_fed(tmp_path):
    parts = tf.get_variable("p", [5, 2], partitioner=tf.fixed_size_partitioner(2))
    whole = tf.get_variable("w", [3])
    with tf.Session() as session:
        path = tf.train.Saver().save(initialized(session), str(tmp_path / "model"))
        expected = session.run([*parts, whole])
    framework = tf.contrib.framework
    missing = tf.get_variable("missing", [1])
    with tf.Session() as session:
        assign, feed = framework.assign_from_checkpoint(path, [*parts, whole])
        session.run(assign, feed)
        assert all((a == b).all() for a, b in zip(expected, session.run([*parts, whole])))
    for variables in ([whole, missing], {"w": whole, "none": missing}):
        with tf.Session() as session:
            framework.assign_from_checkpoint_fn(path, variables, ignore_missing_vars=True)(session)
            assert (session.run(whole) == expected[-1]).all()
    assert framework.assign_from_checkpoint_fn(path, [missing], ignore_missing_vars=True) is None


@pytest.mark.skipif(
    not os.path.exists("/proc/self/clear_refs"), reason="this system notes no peak of memory anew"
)
def test_peak_memory_is_bounded():
    """Saving and restoring 10 variables of 20 MB needs at most the memory of one more."""
    code = """
import os, tempfile
import tfmini as tf

def kilobytes(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name))

class Peak:
    # The most of resident memory from here on, as the kernel notes it, beyond what there is now.
    def __enter__(self):
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        self.base = kilobytes("VmRSS")
        return self
    def __exit__(self, *error):
        self.values = (kilobytes("VmHWM") - self.base) * 1024 / 20e6

for i in range(10):
    tf.get_variable(f"v{i}", [5, 1000, 1000], initializer=tf.ones_initializer())
saver = tf.train.Saver()
small = tf.train.Saver([tf.get_variable("small", [])])
prefix = os.path.join(tempfile.mkdtemp(), "model")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    small.restore(session, small.save(session, prefix))  # which loads the code
    with Peak() as saving:
        saver.save(session, prefix, write_meta_graph=False)
with tf.Session() as session:
    with Peak() as restoring:
        saver.restore(session, prefix)
print(saving.values, restoring.values)
"""
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    saving, restoring = map(float, output.split())
    assert saving < 1.2
    assert restoring < 11.2  # the values themselves are ten


def test_undecodable_path_is_refused_before_writing(tmp_path):
    variable = tf.Variable(1.0)
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(variable.initializer)
        with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
            saver.save(session, str(tmp_path / "\udcff"))
        assert not list(tmp_path.iterdir())
        path = saver.save(session, str(tmp_path / "model"))
    assert tf.train.latest_checkpoint(str(tmp_path)) == path


@pytest.mark.parametrize(
    "max_to_keep, hours, stays",
    [
        (2, 1, [3, 5, 7, 9, 11, 12, 13]),
        (1, 2.5, [6, 11, 13]),
        (2, 10_000.0, [12, 13]),
        (0, 1, [*range(1, 14)]),
    ],
)
def test_keep_checkpoint_every_n_hours(tmp_path, monkeypatch, max_to_keep, hours, stays):
    """With one every half hour; TensorFlow 1.15.5 kept the expected ones."""
    clock = SimpleNamespace(now=1e6)
    monkeypatch.setattr(saver_module, "time", SimpleNamespace(time=lambda: clock.now))
    tf.get_variable("v", initializer=1.0)
    saver = tf.train.Saver(max_to_keep=max_to_keep, keep_checkpoint_every_n_hours=hours)
    with tf.Session() as session:
        initialized(session)
        for step in range(1, 14):
            clock.now += 1800
            saver.save(session, str(tmp_path / "m"), step, write_meta_graph=False)
    assert sorted(int(path.stem[2:]) for path in tmp_path.glob("*.index")) == stays
    assert saver.last_checkpoints == [
        str(tmp_path / f"m-{step}") for step in range(14 - max_to_keep, 14)
    ]
