"""`tensorflow.python.training.tracking`: names that libraries and checkpoint tests use."""

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.variables.auto_trackable import AutoTrackable
from tfmini._src.variables.trackable import NotTrackable
from tfmini.compat.python.training.tracking import tracking, util
from tfmini.compat.python.training.tracking.graph_view import ObjectGraphView


def test_late_variables_restore_on_creation(tmp_path):
    with eager_mode():
        saved = AutoTrackable()
        util.add_variable(saved, "v", initializer=3.0)
        path = tf.train.Checkpoint(held=saved).save(str(tmp_path / "c"))
        root = AutoTrackable()
        tf.train.Checkpoint(held=root).restore(path)
        assert util.add_variable(root, "v", shape=[]).numpy() == 3.0
        with pytest.raises(ValueError, match="'v', but a Trackable"):
            util.add_variable(root, "v", shape=[])
        with pytest.raises(ValueError, match="do not specify shape"):
            util.add_variable(root, "w", shape=[], initializer=1.0)
        saver = util.TrackableSaver(ObjectGraphView(saved))
        saver.restore(saver.save(str(tmp_path / "d"), 5)).assert_consumed()


def test_object_graph_view_and_savers(tmp_path):
    root = AutoTrackable()
    zeros = tf.zeros_initializer
    v = util.add_variable(root, "v", [2], tf.float64, zeros, trainable=False)
    assert v.name == "v:0" and v.dtype == tf.float64 and tf.trainable_variables() == []
    view = ObjectGraphView(root)
    (saveable,), message, _ = view.serialize_object_graph()
    assert (saveable.name, saveable.full_name) == ("v/.ATTRIBUTES/VARIABLE_VALUE", "v")
    assert view.root is root and view.list_objects() == [root, v]
    assert [child.local_name for child in message.nodes[0].children] == ["v"]
    saver = util.frozen_saver(root)
    with tf.Session() as session:
        session.run(util.gather_initializers(root))
        path = saver.save(session, str(tmp_path / "c"))
        session.run(v.assign([1.0, 2.0]))
        saver.restore(session, path)
        assert session.run(v).tolist() == [0.0, 0.0]


def test_untrackable_object_is_refused(tmp_path):
    class Refused(NotTrackable, AutoTrackable):
        pass

    with eager_mode(), pytest.raises(NotImplementedError, match="does not support object-based"):
        tf.train.Checkpoint(x=Refused()).save(str(tmp_path / "c"))


def test_cached_per_instance_evaluates_once():
    class Counted:
        calls = 0

        @property
        @tracking.cached_per_instance
        def value(self):
            self.calls += 1
            return self.calls

    one, other = Counted(), Counted()
    assert (one.value, one.value, other.value) == (1, 1, 1)
