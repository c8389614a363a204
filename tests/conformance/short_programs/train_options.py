"""tf.train: an option of an optimizer, a decay, a saver, a queue, an average a program."""

import os

import numpy as np

from tests.conformance.short_programs import rows

OPTIMIZERS = """
gone(T.?) | GradientDescentOptimizer(0.1, True) | GradientDescentOptimizer(0.1, name="n") | MomentumOptimizer(0.1, 0.9)
    | MomentumOptimizer(0.1, 0.9, True) | MomentumOptimizer(0.1, 0.9, use_nesterov=True)
    | MomentumOptimizer(0.1, 0.9, name="n") | AdamOptimizer(0.1) | AdamOptimizer(beta1=0.5) | AdamOptimizer(beta2=0.5)
    | AdamOptimizer(epsilon=0.5) | AdamOptimizer(use_locking=True) | AdamOptimizer(name="n")
    | AdagradOptimizer(0.1, 0.5) | AdagradOptimizer(0.1, use_locking=True, name="n") | AdagradDAOptimizer(0.1, STEP())
    | AdagradDAOptimizer(0.1, STEP(), initial_gradient_squared_accumulator_value=0.5)
    | AdagradDAOptimizer(0.1, STEP(), l1_regularization_strength=0.5)
    | AdagradDAOptimizer(0.1, STEP(), l2_regularization_strength=0.5)
    | AdagradDAOptimizer(0.1, STEP(), use_locking=True, name="n") | AdagradDAOptimizer(0.1, STEP(), 0.0)
    | AdadeltaOptimizer(0.1) | AdadeltaOptimizer(rho=0.5) | AdadeltaOptimizer(epsilon=0.5)
    | AdadeltaOptimizer(use_locking=True, name="n") | RMSPropOptimizer(0.1) | RMSPropOptimizer(0.1, decay=0.5)
    | RMSPropOptimizer(0.1, momentum=0.5) | RMSPropOptimizer(0.1, epsilon=0.5) | RMSPropOptimizer(0.1, centered=True)
    | RMSPropOptimizer(0.1, use_locking=True, name="n") | FtrlOptimizer(0.1) | FtrlOptimizer(0.1, -0.3)
    | FtrlOptimizer(0.1, 0.0) | FtrlOptimizer(0.1, initial_accumulator_value=0.5)
    | FtrlOptimizer(0.1, l1_regularization_strength=0.5) | FtrlOptimizer(0.1, l2_regularization_strength=0.5)
    | FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.5)
    | FtrlOptimizer(0.1, accum_name="a", linear_name="l", name="n") | FtrlOptimizer(0.1, use_locking=True)
    | ProximalAdagradOptimizer(0.1, 0.5) | ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.5)
    | ProximalAdagradOptimizer(0.1, l2_regularization_strength=0.5)
    | ProximalAdagradOptimizer(0.1, use_locking=True, name="n") | ProximalGradientDescentOptimizer(0.1, 0.5)
    | ProximalGradientDescentOptimizer(0.1, l2_regularization_strength=0.5)
    | ProximalGradientDescentOptimizer(0.1, use_locking=True, name="n") | GradientDescentOptimizer(lambda: 0.5)
    | AdamOptimizer(lambda: 0.5, lambda: 0.5, lambda: 0.5, lambda: 0.5) | GradientDescentOptimizer(0.0)
    | GradientDescentOptimizer(-1.0) | GradientDescentOptimizer("a") | GradientDescentOptimizer(0.1, name="")
    | GradientDescentOptimizer(0.1, name=None)
minimized(T.?) | GradientDescentOptimizer(0.1) | MomentumOptimizer(0.1, 0.9)
    | MomentumOptimizer(0.1, 0.9, use_nesterov=True) | AdamOptimizer(0.1) | AdagradOptimizer(0.1)
    | AdagradDAOptimizer(0.1, STEP()) | AdadeltaOptimizer(0.1) | RMSPropOptimizer(0.1)
    | RMSPropOptimizer(0.1, centered=True) | FtrlOptimizer(0.1)
    | FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.5) | ProximalAdagradOptimizer(0.1)
    | ProximalGradientDescentOptimizer(0.1, 0.5)
options(?) | global_step=STEP() | var_list=[] | var_list=[tf.constant(1.0)] | gate_gradients=0 | gate_gradients=2
    | gate_gradients=5 | aggregation_method=1 | aggregation_method=7 | colocate_gradients_with_ops=True | name="n"
    | grad_loss=tf.constant(2.0) | grad_loss=3 | var_list=3
SGD().apply_gradients(?) | [] | [(None, V("v"))] | [(tf.constant(1.0), tf.constant(1.0))]
    | [(tf.constant(1.0), V("v"))], name="n" | [(tf.constant(1.0), V("v"))], STEP() | 3 | [(3, V("v"))]
T.AdamOptimizer().get_slot(?) | V("v"), "m" | V("v"), "none"
T.AdamOptimizer().? | get_slot_names() | variables() | get_name()
T.exponential_decay(0.1, STEP(7), ?) | 3, 0.5 | 3, 0.5, True | 3, 0.5, name="n" | 0, 0.5
T.natural_exp_decay(0.1, STEP(7), ?) | 3, 0.5 | 3, 0.5, True | 3, 0.5, name="n"
T.inverse_time_decay(0.1, STEP(7), ?) | 3, 0.5 | 3, 0.5, True | 3, 0.5, name="n"
T.polynomial_decay(0.1, STEP(7), ?) | 3 | 9 | 9, 0.02 | 9, end_learning_rate=0.05, power=2.0 | 3, cycle=True
    | 9, name="n" | 0
T.piecewise_constant(STEP(7), ?) | [3, 9], [1.0, 2.0, 3.0] | [3, 7], [1.0, 2.0, 3.0], "n" | [3.0], [1.0, 2.0]
    | [], [1.0] | [3], [1.0, 2]
T.cosine_decay(0.1, STEP(7), ?) | 9 | 9, 0.5 | 9, name="n" | 3
T.cosine_decay_restarts(0.1, STEP(7), ?) | 2 | 2, t_mul=1.0 | 2, m_mul=0.5 | 2, alpha=0.5 | 2, 1.5, 0.7, 0.1, "n"
T.linear_cosine_decay(0.1, STEP(7), ?) | 9 | 9, 1.5 | 9, alpha=0.5 | 9, beta=0.5 | 9, name="n"
T.noisy_linear_cosine_decay(0.1, STEP(7), ?) | 9 | 9, initial_variance=0.1 | 9, variance_decay=0.1 | 9, num_periods=1.5
    | 9, alpha=0.5, beta=0.5 | 9, name="n"
averaged(?) | 0.5 | 0.5, 3 | 0.5, zero_debias=True | 0.5, name="n" | 1.0 | 0.0
restored(T.ExponentialMovingAverage(0.5), ?) | None | [] | moving_avg_variables=[V("v")]
T.warm_start("none", ?) | "v" | vars_to_warm_start=[] | var_name_to_prev_var_name={"a": "b"}
built(T.?) | limit_epochs(tf.constant([1]), 2, "n") | limit_epochs(tf.constant([1])) | input_producer(tf.constant(1))
    | slice_input_producer([[1], [2]], 1, False, None, 5, "s", "n") | range_input_producer(3, 0)
    | string_input_producer(["a"], -1)
built(T.?.name) | range_input_producer(3, 1, False, capacity=2, shared_name="s", name="n")
    | range_input_producer(3, seed=4) | string_input_producer(["a"], 1, False, None, 5, "s", "n", "k")
    | string_input_producer(["a", "b"], shuffle=True, seed=3)
    | input_producer([1], [], 1, True, 3, 5, "s", "sum", "n", "k")
built(T.batch([tf.constant(1)], 2, ?)) | 3 | capacity=7 | enqueue_many=True | dynamic_pad=True
    | allow_smaller_final_batch=True | shared_name="s" | name="n" | shapes=[[]] | num_threads=0 | capacity=0
built(T.maybe_batch([tf.constant(1)], True, 2, ?)) | 3 | capacity=7 | dynamic_pad=True | allow_smaller_final_batch=True
    | shared_name="s" | name="n" | shapes=[[]]
built(T.shuffle_batch([tf.constant(1)], 2, 9, 3, ?)) | 3 | seed=4 | allow_smaller_final_batch=True | shared_name="s"
    | name="n" | shapes=[[]] | num_threads=0
built(T.maybe_shuffle_batch([tf.constant(1)], 2, 9, 3, True, ?)) | 3 | seed=4 | allow_smaller_final_batch=True
    | shared_name="s" | name="n" | shapes=[[]]
built(T.batch_join([[tf.constant(1)]] * 2, 2, ?)) | 3 | dynamic_pad=True | allow_smaller_final_batch=True
    | shared_name="s" | name="n" | shapes=[[]] | capacity=0
built(T.maybe_batch_join([[tf.constant(1)]] * 2, True, 2, ?)) | 3 | dynamic_pad=True | allow_smaller_final_batch=True
    | shared_name="s" | name="n" | shapes=[[]]
built(T.shuffle_batch_join([[tf.constant(1)]] * 2, 2, 9, 3, ?)) | 5 | seed=4 | allow_smaller_final_batch=True
    | shared_name="s" | name="n" | shapes=[[]]
built(T.maybe_shuffle_batch_join([[tf.constant(1)]] * 2, 2, 9, 3, True, ?)) | 5 | seed=4
    | allow_smaller_final_batch=True | shared_name="s" | name="n" | shapes=[[]]
built(T.shuffle_batch([tf.constant([1, 2])], 2, 9, 3, enqueue_many=True))
vars_of(T.CheckpointSaverHook("d", ?), "_saver", "_save_path", "_steps_per_run", "_listeners") | 5 | save_steps=5
    | save_steps=5, checkpoint_basename="b.ckpt" | 5, listeners=[1] | save_secs=5, save_steps=5
vars_of(T.StepCounterHook(?), "_summary_writer", "_output_dir", "_steps_per_run", "_summary_tag") | 5
    | every_n_steps=None, every_n_secs=5 | output_dir="d" | 5, 5 | None
vars_of(T.LoggingTensorHook({"a": "a:0"}, ?), "_at_end", "_tag_order", "_formatter", "_log_at_end") | 5
    | every_n_secs=5 | at_end=True | 5, formatter=str | every_n_iter=0
vars_of(T.SecondOrStepTimer(?), "_every_secs", "_every_steps", "_last_triggered_step") | 5 | every_steps=5 | 5, 5
    | None, 0
T.NanTensorHook("a", ?)._fail_on_nan_loss | False | fail_on_nan_loss=True
vars_of(T.ProfilerHook(?), "_output_file", "_show_dataflow", "_show_memory") | 5 | save_secs=5 | 5, output_dir="d"
    | 5, show_dataflow=False | 5, show_memory=True | 5, 5
vars_of(T.FinalOpsHook(1, ?), "_final_ops", "_final_ops_feed_dict") | {"a": 1} | final_ops_feed_dict={"b": 1}
vars_of(T.GlobalStepWaiterHook(?), "_wait_until_step") | 5 | 0
vars_of(T.SummarySaverHook(summary_op=1, ?), "_summary_writer", "_output_dir") | 5, output_dir="d"
    | save_secs=5, save_steps=None, output_dir="d" | 5, 5, "d" | 5
"""
FILES = """
saved(T.Saver(?)) | [V("v")] | {"k": V("v")} | [V("v")], max_to_keep=1 | [V("v")], sharded=True | [V("v")], name="n"
    | [V("v")], restore_sequentially=True | [V("v")], write_version=1 | [V("v")], pad_step_number=True
    | [V("v")], filename="f" | [V("v")], save_relative_paths=True | [V("v")], reshape=True | [V("v")], allow_empty=True
    | [], allow_empty=True | [V("v")], max_to_keep=0 | [V("v")], max_to_keep=None | [V("v")], max_to_keep=-1
    | [V("v")], keep_checkpoint_every_n_hours=0.0 | [V("v")], saver_def=None, defer_build=False
kept(?) | {"global_step": 3} | {"global_step": 3, "latest_filename": "l"} | {"meta_graph_suffix": "m"}
    | {"write_meta_graph": False} | {"write_state": False} | {"strip_default_attrs": True} | {"save_debug_info": True}
    | {"global_step": -1} | {"latest_filename": "a/b"} | {"global_step": "x"} | {"global_step": STEP(4)}
T.Saver([V("v")]).? | restore(None, "none") | restore(S(), "none") | restore(S(), None) | last_checkpoints
    | set_last_checkpoints(["a"]) | set_last_checkpoints("a") | recover_last_checkpoints(["none"])
    | as_saver_def().max_to_keep | export_meta_graph("m", ["c"], True).saver_def.max_to_keep
    | export_meta_graph(as_text=True).HasField("saver_def") | export_meta_graph(export_scope="e").graph_def.node[:]
    | export_meta_graph(clear_devices=True).graph_def.node[0].device
    | export_meta_graph(clear_extraneous_savers=True).saver_def.max_to_keep
    | export_meta_graph(strip_default_attrs=True).meta_info_def.stripped_default_attrs
state(?) | "d", "d/a" | "d", "d/b", all_model_checkpoint_paths=["d/a", "d/b"] | "d", "d/b", ["d/a"]
    | "d", "d/a", latest_filename="l" | "d", "d/a", all_model_checkpoint_timestamps=[1.0]
    | "d", "d/a", ["d/a"], None, [2.0], 1.0 | "d", "d/a", last_preserved_timestamp=3.0
T.generate_checkpoint_state_proto("d", "d/a", ?) | ["d/b"] | all_model_checkpoint_paths=["d/b", "d/a"]
    | all_model_checkpoint_timestamps=[1.0] | all_model_checkpoint_timestamps=[1.0, 2.0] | last_preserved_timestamp=2.0
T.? | latest_checkpoint("none") | latest_checkpoint("none", "l") | get_checkpoint_state("none")
    | checkpoint_exists("none") | get_checkpoint_mtimes(["none"]) | remove_checkpoint("none", 1)
    | remove_checkpoint("none", checkpoint_format_version=2, meta_graph_suffix="m") | list_variables("none")
    | load_variable("none", "v") | load_checkpoint("none") | NewCheckpointReader("none") | import_meta_graph("none")
    | import_meta_graph(tf.train.export_meta_graph(), import_scope="i")
    | import_meta_graph(tf.train.export_meta_graph(), True) | write_graph(tf.GraphDef(), ".", "g.txt")
    | write_graph(tf.GraphDef(), ".", "g.pb", False) | write_graph(tf.get_default_graph(), "a", "g")
    | get_global_step() | create_global_step() | assert_global_step(STEP()) | global_step(S(), STEP())
    | basic_train_loop(None, None) | replica_device_setter(0) | replica_device_setter(2)(tf.Variable(1.0).op)
    | replica_device_setter(2, "/job:x", "/job:y")(tf.constant(1.0).op)
    | replica_device_setter(2, ps_ops=["Const"])(tf.constant(1.0).op)
    | replica_device_setter(2, merge_devices=False)(tf.constant(1.0).op)
    | replica_device_setter(cluster={"ps": ["a:1"], "worker": ["b:1"]})(tf.Variable(1.0).op)
    | replica_device_setter(2, ps_strategy=3) | replica_device_setter(2, ps_strategy=lambda op: 1)(tf.Variable(1.0).op)
list(T.checkpoints_iterator(?)) | "none", timeout=0 | "none", min_interval_secs=0, timeout=0.01
    | "none", timeout=0.01, timeout_fn=lambda: True
T.ClusterSpec(?).as_dict() | {"a": ["b:1"]} | {"a": {3: "b:1"}} | 3 | {"a": {"x": "b"}} | {"a": [3]}
T.ClusterSpec({"a": ["b:1", "c:1"]}).? | task_address("a", 1) | task_address("a", 2) | task_address("x", 0)
    | num_tasks("a") | num_tasks("x") | job_tasks("a") | job_tasks("x") | task_indices("a") | task_indices("x") | jobs
    | as_cluster_def().job[0].name
queued(Q.FIFOQueue(2, tf.int32, ?)) | shapes=[] | names=["a"] | shared_name="s" | name="n" | [[2]] | names="a"
    | shapes=[[1], [2]]
queued(Q.RandomShuffleQueue(5, 0, tf.int32, ?)) | shapes=[] | names=["a"] | shared_name="s" | name="n" | seed=3
queued(Q.PaddingFIFOQueue(2, [tf.int32], ?)) | [[]] | [[]], names=["a"] | [[]], shared_name="s" | [[]], name="n" | []
queued(Q.PriorityQueue(2, [tf.int32], ?)) | [[]] | [[]], shared_name="s" | [[]], name="n"
tf.FIFOQueue(?) | 0, tf.int32 | -1, tf.int32 | 2, [] | 2, 3 | 2, [tf.int32], [[], []] | 2, [tf.int32], names=["a", "b"]
built(Q.FIFOQueue(2, tf.int32, []).?) | enqueue(1, "n") | enqueue([1, 2]) | enqueue(1.5) | enqueue_many([[1, 2]], "n")
    | enqueue_many(1) | dequeue("n") | dequeue_many(0, "n") | dequeue_many(-1) | dequeue_up_to(0, "n")
    | close(True, "n") | close(False) | is_closed("n") | size("n")
coordinated(?) | {} | {"ex": ValueError("v")} | {"ex": OutOfRange()} | {"ex": 3}
    | {"ex": (ValueError, ValueError("w"), None)}
"""


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
        """Of gathered rows, some of them twice."""
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

    return rows(
        OPTIMIZERS + FILES,
        tf=tf, np=np, T=T, Q=tf.queue, V=v, STEP=step, SGD=lambda: T.GradientDescentOptimizer(0.1), S=tf.Session,
        OutOfRange=lambda: tf.errors.OutOfRangeError(None, None, "end"), gone=gone, minimized=minimized,
        options=options, averaged=averaged, restored=restored, vars_of=vars_of,
        saved=saved, kept=kept, state=state, queued=queued,
        coordinated=coordinated,
    )  # fmt: skip
