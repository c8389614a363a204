"""Object-based checkpoints: file contents, restored values, errors."""

from tests.conformance.scenes import eager_mode


def restoring_of_nothing(tf, stage):
    v = tf.Variable(3.0, name="v")
    checkpoint = tf.train.Checkpoint(v=v)
    for wrong in (1, "text", tf.constant(1.0), None):
        try:
            tf.train.Checkpoint(x=wrong)
        except ValueError as error:
            stage.say(str(error).split(", got")[0])
    with tf.Session() as session:
        status = checkpoint.restore(None)
        stage.attempt(status.assert_consumed)
        stage.attempt(status.run_restore_ops)
        status.initialize_or_restore()
        stage.say(session.run(v))
        stage.attempt(checkpoint.restore, stage.folder + "/none")
        session.run(v.assign(8.0))
        path = tf.train.Saver([v]).save(session, stage.folder + "/named")
        session.run(v.assign(9.0))
        status = checkpoint.restore(path)
        stage.attempt(status.run_restore_ops)
        stage.say(session.run(v))


def _asserts(stage, status):
    stage.say(type(status).__name__)
    for asserts in "consumed", "existing_objects_matched", "nontrivial_match":
        try:
            stage.say(getattr(status, "assert_" + asserts)() is status)
        except AssertionError as error:
            stage.say(str(error).split("\n")[0].replace("CheckpointV1", "Checkpoint"))


def restoring_by_names(tf, stage):
    """Checkpoint.restore of a Saver's files, with and without the save counter."""
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b", use_resource=True)
    checkpoint = tf.train.Checkpoint(a=a, b=b)
    with tf.Session() as session:
        session.run([a.initializer, b.initializer, checkpoint.save_counter.initializer])
        some = tf.train.Saver([a]).save(session, stage.folder + "/some")
        every = tf.train.Saver().save(session, stage.folder + "/all")
    for path in (some, every):
        with tf.Session() as session:
            status = checkpoint.restore(path)
            _asserts(stage, status)
            stage.attempt(status.initialize_or_restore)
            stage.attempt(session.run, b)
            _asserts(stage, status)
            stage.attempt(status.run_restore_ops)
            checkpoint.more = tf.Variable(3.0, name="more" + path[-3:])
            stage.attempt(status.assert_consumed)
            stage.attempt(status.run_restore_ops)
            checkpoint.more = checkpoint.a
    for path in (some, every):
        with eager_mode(tf):
            a, b = tf.Variable(5.0, name="a"), tf.Variable(6.0, name="b")
            checkpoint = tf.train.Checkpoint(a=a, b=b)
            status = checkpoint.restore(path)
            stage.say(a.numpy(), b.numpy())
            _asserts(stage, status)
            checkpoint.inner = tf.train.Checkpoint()
            checkpoint.inner.again = tf.Variable(7.0, name="a")
            stage.say(checkpoint.inner.again.numpy())
            b.assign(8.0)
            stage.say(b.numpy())
            checkpoint.other = tf.Variable(9.0, name="other")
            _asserts(stage, status)
            stage.attempt(status.run_restore_ops)
