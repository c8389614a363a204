"""tf.train: one option of an optimizer, decay, saver, queue or average per program."""

import os
import re
import tempfile

import numpy as np

from tests.conformance.short_programs import rows, table_of


def programs(tf):
    T = tf.train

    def w():
        return tf.get_variable("w", initializer=[1.0, -2.0], use_resource=False)

    def v(name):
        with tf.variable_scope("", reuse=tf.AUTO_REUSE):
            return tf.get_variable(name, initializer=3.0)

    def step(value=0):
        made = T.get_or_create_global_step()
        if not value:
            return made
        return tf.constant(value)

    def gone(optimizer):
        """A variable after a step, and the names of the slots."""
        variable = w()
        first = optimizer.minimize(tf.reduce_sum(variable * variable), global_step=step())
        with tf.control_dependencies([first]):
            return [variable.read_value(), *optimizer.get_slot_names()] and variable.read_value()

    def minimized(optimizer):
        """A loss of gathered rows, some of them repeated."""
        table = tf.get_variable("t", initializer=np.arange(6.0, dtype="f").reshape(3, 2))
        rows_ = tf.gather(table, [2, 0, 2])
        first = optimizer.minimize(tf.reduce_sum(rows_ * rows_), global_step=step())
        with tf.control_dependencies([first]):
            return table.read_value()

    def options(**given):
        variable = w()
        return T.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(variable * variable), **given)

    def averaged(*args, **given):
        average, variable = T.ExponentialMovingAverage(*args, **given), v("v")
        with tf.control_dependencies([average.apply([variable, tf.constant(2.0, name="c")])]):
            return [
                average.average(variable).read_value(),
                tf.constant(average.average_name(variable)),
            ]

    def restored(average, *args, **given):
        v("v")
        return {
            name: str(made.name)
            for name, made in average.variables_to_restore(*args, **given).items()
        }

    def vars_of(thing, *names):
        return [str(getattr(thing, name, "none")) for name in names]

    def files():
        found = sorted(n for n in os.listdir(".") if n != "f.csv")
        state_ = T.get_checkpoint_state(".")
        return [found, list(state_.all_model_checkpoint_paths) if state_ else None]

    def saved(saver):
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            paths = [saver.save(session, "./c", global_step=i) for i in (1, 12)]
            saver.restore(session, paths[-1])
            return [paths, files()]

    def kept(options_):
        v("v")
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return [T.Saver().save(session, "./c", **options_), files()]

    def state(folder, *args, **given):
        os.mkdir("d")
        T.update_checkpoint_state(folder, *args, **given)
        return [open("d/" + name).read() for name in sorted(os.listdir("d"))]

    def queued(queue):
        return [queue.name, str(queue.dtypes), str(queue.shapes), str(queue.names)] and queue.size()

    def coordinated(options_):
        made = T.Coordinator()
        made.request_stop(**options_)
        made.join()
        return made.should_stop()

    def packed(add):
        """The nodes, devices and attrs of a model after an addition, and its collections."""
        with tf.device("/cpu:0"):
            w()
        with tempfile.TemporaryDirectory() as folder:
            builder = tf.saved_model.Builder(folder + "/model")
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                builder.add_meta_graph_and_variables(session, ["a"])
                add(builder)
            builder.save()
            with tf.Graph().as_default() as graph, tf.Session() as session:
                tf.saved_model.load(session, ["b"], folder + "/model")
        nodes = [[n.name, n.device, sorted(n.attr)] for n in graph.as_graph_def().node]
        return [nodes, sorted(graph.collections)]

    def made_by(manager):
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            with session.as_default():
                found = [manager.save() for _ in range(3)]
        return [found, manager.checkpoints, manager.latest_checkpoint, sorted(os.listdir("d"))]

    def cpus(session):
        return sum(device.device_type == "CPU" for device in session.list_devices())

    def walked():
        found = [os.path.join(f, n) for f, _, names in os.walk(".") for n in names]
        return sorted(re.sub("tfevents.*", "tfevents", n) for n in found)

    def monitored(**given):
        tf.summary.FileWriterCache.clear()
        with tf.Graph().as_default():
            tf.summary.scalar("s", v("v"))
            more = tf.assign_add(T.get_or_create_global_step(), 1)
            with T.MonitoredTrainingSession(**given) as session:
                found = [session.run(more), session.run(more)]
        return [found, walked()]

    def singular(**given):
        with tf.Graph().as_default():
            tf.summary.FileWriterCache.clear()
            value = v("v")
            with T.SingularMonitoredSession(**given) as session:
                return [session.run(value), session.raw_session().graph is value.graph, walked()]

    def runner(queue=None, **given):
        queue = tf.FIFOQueue(3, tf.float32, name="q")
        definition = T.QueueRunner(queue, [queue.enqueue(1.0)]).to_proto()
        with tf.Graph().as_default():
            with tf.name_scope(given["import_scope"] or ""):
                other = tf.FIFOQueue(3, tf.float32, name="q")
                other.enqueue(1.0), other.close(), other.close(True)
            made = T.QueueRunner(queue_runner_def=definition, **given)
            return [made.name, [op.name for op in made.enqueue_ops], made.close_op.name]

    def looped(**given):
        with tf.Graph().as_default():
            supervisor, found = T.Supervisor(logdir=None), []

            def once(session, *args, **options):
                found.append([list(args), sorted(options)])
                supervisor.request_stop()

            T.basic_train_loop(supervisor, once, **given)
            return found

    def with_manager(call):
        manager = T.SessionManager(
            recovery_wait_secs=0.01, ready_op=tf.report_uninitialized_variables([v("v")])
        )
        return call(manager)

    def prepared(**given):
        given = {"init_op": v("v").initializer, **given}
        session = with_manager(lambda manager: manager.prepare_session("", **given))
        return [session.run(v("v")), cpus(session)]

    def recovered(*args, **given):
        v("v")
        session, is_ready = with_manager(
            lambda manager: manager.recover_session("", *args, **given)
        )
        return [is_ready, is_ready and session.run(v("v"))]

    def stored(folder=""):
        with tf.Session() as session:
            session.run(v("v").assign(7.0))
            path = T.Saver([v("v")]).save(session, "./c")
        return folder or path

    def supervised(*args, **given):
        with tf.Graph().as_default():
            v("v")
            supervisor = T.Supervisor(logdir="l", save_model_secs=0, save_summaries_secs=0)
            with supervisor.managed_session(*args, **given) as session:
                found = [session.run("v:0"), cpus(session)]
                writer = supervisor.summary_writer
            try:
                writer.add_session_log(tf.SessionLog(status=2), 3)
                writer.flush()
            except Exception as error:
                found.append(str(error))
        return [found, walked()]

    def inside(call):
        v("v")
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return [call(session), os.path.exists("c.debug")]

    return rows(
        table_of(__file__),
        tf=tf, np=np, T=T, Q=tf.queue, V=v, STEP=step, SGD=lambda: T.GradientDescentOptimizer(0.1), S=tf.Session,
        OutOfRange=lambda: tf.errors.OutOfRangeError(None, None, "end"), gone=gone, minimized=minimized,
        options=options, averaged=averaged, restored=restored, vars_of=vars_of,
        saved=saved, kept=kept, state=state, queued=queued,
        made_by=made_by, monitored=monitored, singular=singular, runner=runner, looped=looped, prepared=prepared,
        recovered=recovered, STORED=stored, KEPT=lambda: stored("."), supervised=supervised,
        coordinated=coordinated, packed=packed, inside=inside,
    )  # fmt: skip
