"""tf.contrib.tfprof.ProfileContext."""

import os

import pytest

import tfmini as tf
from tests.train.profiler import profile_cases
from tfmini._src.base import proto


@pytest.fixture(scope="module")
def profiles():
    return profile_cases.profiles(tf)


def test_traced_and_profiled_steps(tmp_path):
    options = tf.profiler.ProfileOptionBuilder.time_and_memory()
    silent = tf.profiler.ProfileOptionBuilder(options).with_empty_output().build()
    x = tf.random_uniform([3, 3])
    y = tf.matmul(x, x, name="y")
    run = tf.Session.run
    with tf.Session() as session:
        with tf.contrib.tfprof.ProfileContext(
            str(tmp_path / "made"), trace_steps=[1, 2], dump_steps=[3], debug=True
        ) as context:
            for cmd in ("op", "scope", "graph", "code"):
                context.add_auto_profiling(cmd, silent, [2])
            for _ in range(5):
                session.run(y)
            context.trace_next_step()
            context.dump_next_step()
            metadata = tf.RunMetadata()
            session.run(y, run_metadata=metadata)
            assert metadata.step_stats.dev_stats
            with pytest.raises(tf.errors.InternalError, match="Already in context"):
                with tf.contrib.tfprof.ProfileContext(str(tmp_path)):
                    pass
        assert tf.Session.run is run
        session.run(y)
    assert sorted(os.listdir(tmp_path / "made")) == [
        *("profile_3", "profile_5", "run_meta_1", "run_meta_2", "run_meta_5")
    ]
    whole = proto.ProfileProto.FromString((tmp_path / "made" / "profile_5").read_bytes())
    assert list(whole.steps) == [1, 2, 5]
    (result,) = context.get_profiles("scope").values()
    assert "y" in [child.name for child in result.children]
    with pytest.raises(ValueError, match="No autoprofiler for command: other, was run"):
        context.get_profiles("other")


def test_chosen_steps(tmp_path):
    x, y = tf.constant(1.0) + 1.0, tf.constant(2.0) + 1.0
    with tf.Session() as session, tf.contrib.tfprof.ProfileContext(str(tmp_path)) as context:
        for index in range(14):
            session.run(x if index % 2 else [x, y])
        assert 2 <= context._traced <= 3
    with tf.contrib.tfprof.ProfileContext("", enabled=False) as context:
        context.add_auto_profiling("op", {}, [1])
        assert context.profiler is None
    for arguments in (("",), (str(tmp_path), range(101))):
        with pytest.raises(ValueError, match="Must have a directory|up to 100 steps"):
            tf.contrib.tfprof.ProfileContext(*arguments)


def test_default_dump_steps(tmp_path):
    x = tf.constant(1.0) + 1.0
    with tf.Session() as session, tf.contrib.tfprof.ProfileContext(str(tmp_path)):
        for _ in range(101):
            session.run(x)
            files = os.listdir(tmp_path)
    assert files == ["profile_100"]
