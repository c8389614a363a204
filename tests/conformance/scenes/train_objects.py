"""Checkpoints of objects: what is in the files, what is restored, what is refused."""

import os

import numpy as np

from tests.conformance.scenes import eager_mode


def _objects(tf, more=True):
    """(a Checkpoint of many kinds of objects, a training op, a variable, the variables of lists and dicts)."""
    v = tf.Variable([1.0, 2.0], name="v")
    step = tf.train.get_or_create_global_step()
    layer = tf.layers.Dense(2)
    y = layer(tf.ones([1, 2]))
    optimizer = tf.train.AdamOptimizer(0.1)
    train = optimizer.minimize(tf.reduce_sum(y) * tf.reduce_sum(v), global_step=step)
    checkpoint = tf.train.Checkpoint(v=v, step=step, opt=optimizer, layer=layer)
    if more:
        checkpoint.more = [v, tf.Variable(3.0, name="three"), 7, "text"]
        checkpoint.named = {"a.b/c": tf.Variable(4.0, name="four"), "none": None}
        checkpoint.inner = tf.train.Checkpoint(
            again=v, r=tf.get_variable("r", [2], use_resource=True)
        )
        checkpoint.plain = "no object"
    return checkpoint, train, v


def what_is_in_the_file(tf, stage):
    checkpoint, train, v = _objects(tf)
    prefix = os.path.join(stage.folder, "deep", "x")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        paths = [checkpoint.save(prefix), checkpoint.save(prefix, session=session)]
        stage.say(paths, checkpoint.save_counter, session.run(checkpoint.save_counter))
        stage.say(open(stage.folder + "/deep/checkpoint").read().replace("\n", " | "))
        stage.say(tf.train.latest_checkpoint(stage.folder + "/deep"))
        reader = tf.train.NewCheckpointReader(paths[1])
        for name, shape in sorted(reader.get_variable_to_shape_map().items()):
            stage.say(name, shape)
        stage.say(reader.get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH").hex())
        stage.say(checkpoint.write(prefix + "alone"))
        checkpoint.late = tf.Variable(9.0, name="late")
        session.run(checkpoint.late.initializer)
        path = checkpoint.write(prefix + "more")
        stage.say(tf.train.NewCheckpointReader(path).get_tensor("late/.ATTRIBUTES/VARIABLE_VALUE"))


def what_is_restored(tf, stage):
    checkpoint, train, v = _objects(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        path = checkpoint.save(os.path.join(stage.folder, "x"))
        before = session.run([v, checkpoint.layer.kernel, checkpoint.opt.get_slot(v, "m")])
    with tf.Graph().as_default():
        again, _, v = _objects(tf)
        with tf.Session() as session:
            status = again.restore(path)
            stage.say(status.assert_consumed() is status, status.expect_partial() is status)
            stage.say(status.assert_existing_objects_matched() is status)
            status.assert_nontrivial_match().run_restore_ops()
            after = session.run([v, again.layer.kernel, again.opt.get_slot(v, "m")])
            stage.say([np.array_equal(*pair) for pair in zip(before, after)])
            stage.say(session.run([again.save_counter, again.step, again.more[1]]))
            stage.say(os.path.basename(again.save(os.path.join(stage.folder, "x"))))
    with tf.Graph().as_default():
        some, _, v = _objects(tf, more=False)
        some.other = tf.Variable(5.0, name="other")
        with tf.Session() as session:
            status = some.restore(path)
            for name in ("assert_consumed", "assert_existing_objects_matched"):
                try:
                    getattr(status, name)()
                except AssertionError as error:
                    stage.say(str(error).split("[")[0])
            status.initialize_or_restore()
            stage.say(
                session.run([some.step, some.other]), np.array_equal(session.run(v), before[0])
            )
        with tf.Session() as session:
            status = tf.train.Checkpoint(v=v).restore(path)
            stage.say(status.assert_existing_objects_matched() is status)
            try:
                status.assert_consumed()
            except AssertionError as error:
                stage.say(str(error).split(":")[0])
            status.run_restore_ops(session)
            stage.say(np.array_equal(session.run(v), before[0]))


def nodes_that_save_and_restore(tf, stage):
    checkpoint, train, v = _objects(tf)
    resource = tf.Variable([3.0], name="resource", use_resource=True)
    slots = tf.train.MomentumOptimizer(0.1, 0.5)
    with tf.device("/cpu:0"):
        step = slots.minimize(tf.reduce_sum(resource), var_list=[resource])
    checkpoint.slots, checkpoint.resource = slots, resource
    graph = tf.get_default_graph()
    said = 0

    def say_new():
        nonlocal said
        nodes = list(graph.as_graph_def().node)
        for node in nodes[said:]:
            stage.say(node.name, node.op, " ".join(node.input), node.device)
        said = len(nodes)

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run([train, step])
        said = len(graph.as_graph_def().node)
        paths = [checkpoint.save(os.path.join(stage.folder, "x")) for _ in range(2)]
        say_new()
        status = checkpoint.restore(paths[0])
        say_new()
        status.run_restore_ops()
        checkpoint.restore(paths[1]).initialize_or_restore()
        stage.say([n.name for n in list(graph.as_graph_def().node)[said:]])
        stage.say(session.run([resource, checkpoint.save_counter]))


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
    """Checkpoint.restore of files of a Saver, which has the counter of saves, or not."""
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
