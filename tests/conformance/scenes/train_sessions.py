"""Monitored sessions: hook order, errors in each of their methods, lost sessions."""

# ruff: noqa: B023  a function that is defined in a round is called in it


def _hook(tf, stage, name, fails=None, times=99, **asks):
    """A hook that records its calls; `fails` is (method, error), raised `times` times."""
    left = [times]

    def called(method, *what):
        stage.say(name, method, *what)
        if fails and fails[0] == method and left[0]:
            left[0] -= 1
            raise fails[1]

    class Hook(tf.train.SessionRunHook):
        def begin(self):
            called("begin", tf.get_default_graph().finalized)

        def after_create_session(self, session, coord):
            called("after_create_session", type(session).__name__, type(coord).__name__)

        def before_run(self, run_context):
            called("before_run", run_context.original_args[1:], run_context.stop_requested)
            return tf.train.SessionRunArgs(**asks) if asks else None

        def after_run(self, run_context, run_values):
            called("after_run", run_values.results, run_context.stop_requested)

        def end(self, session):
            called("end", type(session).__name__)

    return Hook()


def order_of_calls(tf, stage):
    x = tf.placeholder_with_default(1.0, [], name="x")
    y, z = tf.identity(x * 2, name="y"), tf.identity(x * 3, name="z")
    hooks = [_hook(tf, stage, "one", fetches=y), _hook(tf, stage, "two")]
    hooks.append(_hook(tf, stage, "three", fetches={"z": z}))
    with tf.train.MonitoredSession(hooks=hooks) as session:
        stage.say(session.run(x), session.should_stop(), session.graph is y.graph)
        stage.say(session.run([x, {"y": y}], feed_dict={x: 5.0}))
        stage.say(y.graph.finalized)
    stage.say(y.graph.finalized, session.graph, session.should_stop())
    stage.attempt(session.close)
    stage.nodes()


def machines_lost_in_hooks(tf, stage):
    x = tf.constant(1.0)
    for method in ("after_create_session", "before_run", "after_run", "end"):
        for kind in (tf.errors.AbortedError, tf.errors.UnavailableError):
            stage.say("=", method, kind.__name__)
            fails = (method, kind(None, None, "gone"))
            hooks = [_hook(tf, stage, "one", fails, times=2), _hook(tf, stage, "two")]

            def use():
                with tf.train.MonitoredSession(hooks=hooks) as session:
                    stage.say(session.run(x), session.should_stop())

            stage.attempt(use)
            tf.get_default_graph()._unsafe_unfinalize()


def feeds_of_two(tf, stage):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder_with_default(1.0, [], name="y")

    def feeder(tensor):
        return tf.train.FeedFnHook(lambda: {tensor: 7.0})

    with tf.train.MonitoredSession(hooks=[feeder(x), feeder(y)]) as session:
        stage.say(session.run([x, y]))
        stage.say(session.run([x, y], feed_dict={}))
        for tensor in (x, y):
            try:
                session.run([x, y], feed_dict={tensor: 1.0})
            except RuntimeError as error:
                stage.say(str(error).split("<")[0])
    tf.get_default_graph()._unsafe_unfinalize()
    with tf.train.MonitoredSession(hooks=[feeder(x), feeder(x)]) as session:
        try:
            session.run(x)
        except RuntimeError as error:
            stage.say(str(error).split("<")[0])


def functions_of_steps(tf, stage):
    x = tf.constant(1.0)

    def step_fn(step_context):
        stage.say(type(step_context).__name__, type(step_context.session).__name__)
        stage.say(step_context.session.run(x), step_context.run_with_hooks(fetches=x))
        return "given back"

    def stops(step_context):
        step_context.request_stop()

    seen = []

    def lost(step_context):
        stage.say("step", len(seen))
        seen.append(1)
        if len(seen) < 3:
            raise tf.errors.AbortedError(None, None, "gone")
        return len(seen)

    for kind in (tf.train.MonitoredSession, tf.train.SingularMonitoredSession):
        session = kind(hooks=[_hook(tf, stage, "one")])
        stage.attempt(session.run_step_fn, step_fn)
        stage.attempt(session.run_step_fn, lambda context: 1)
        stage.attempt(session.run_step_fn, lambda step_context, more: 1)
        stage.attempt(session.run_step_fn, lambda: 1)
        stage.attempt(session.run_step_fn, lambda *step_context: 1)
        stage.attempt(session.run_step_fn, stops)
        stage.say(session.should_stop())
        session.close()
        tf.get_default_graph()._unsafe_unfinalize()
    with tf.train.MonitoredSession() as session:
        with_more = session.run_step_fn
        stage.attempt(with_more, lost)
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            session.run_step_fn(stops)
            stage.say("not here")


def threads_that_fail(tf, stage):
    x = tf.constant(1.0)
    errors = (KeyError("of a thread"), tf.errors.OutOfRangeError(None, None, "end"))
    for error in (*errors, tf.errors.AbortedError(None, None, "gone"), None):
        stage.say("=", type(error).__name__)

        class Threads(tf.train.SessionRunHook):
            times = 0

            def after_create_session(self, session, coord):
                self.coord = coord

            def after_run(self, run_context, run_values):
                Threads.times += 1
                if Threads.times > 1:
                    return
                try:
                    if error is not None:
                        raise error
                    self.coord.request_stop()
                except Exception as raised:
                    self.coord.request_stop(raised)

        def use():
            with tf.train.MonitoredSession(hooks=[Threads()]) as session:
                stage.say(session.run(x), session.should_stop())
                stage.attempt(session.run, x)
                stage.attempt(session.run, [tf.get_default_graph().get_tensor_by_name("Const:0")])

        stage.attempt(use)
        tf.get_default_graph()._unsafe_unfinalize()
