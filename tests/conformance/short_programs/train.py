"""tf.train: queues, hooks, optimizers, checkpoints."""


def programs(tf):
    T = tf.train

    def twice():
        v = tf.Variable(1.0)
        e = T.ExponentialMovingAverage(0.5)
        e.apply([v])
        e.apply([v])

    def steps():
        tf.Variable(1, name="a", collections=["global_step"])
        tf.Variable(1, name="b", collections=["global_step"])
        T.get_global_step()

    def strange():
        tf.Variable(1.0, name="a", collections=["global_step"])
        T.get_global_step()

    def again():
        T.create_global_step()
        T.create_global_step()

    def same():
        v = tf.Variable(1.0)
        T.Saver([v, v])

    return {
        "batch_of_nothing": lambda: T.batch([], 2),
        "batch_of_unknown_rank": lambda: T.batch(
            [tf.compat.v1.placeholder(tf.int32)], 2, shapes=None
        ),
        "shuffle_capacity": lambda: T.shuffle_batch([tf.constant(1)], 2, 4, 4),
        "batch_join_of_nothing": lambda: T.batch_join([], 2),
        "batch_join_of_other_keys": lambda: T.batch_join(
            [{"a": tf.constant(1)}, {"b": tf.constant(1)}], 2
        ),
        "batch_join_of_other_types": lambda: T.batch_join(
            [[tf.constant(1)], [tf.constant(1.0)]], 2
        ),
        "maybe_batch_rank": lambda: T.maybe_batch([tf.constant(1)], tf.constant([[True]]), 2),
        "maybe_batch_unknown_rank": lambda: T.maybe_batch(
            [tf.constant(1)], tf.compat.v1.placeholder(tf.bool), 2
        ),
        "maybe_batch_many": lambda: T.maybe_batch([tf.constant(1)], tf.constant([True]), 2),
        "epochs": lambda: T.limit_epochs(tf.constant([1]), 0),
        "producer_shape": lambda: T.input_producer(
            tf.compat.v1.placeholder(tf.int32, [None, None])
        ),
        "producer_strings": lambda: T.string_input_producer([]),
        "producer_slices": lambda: T.slice_input_producer([]),
        "runner_both": lambda: T.QueueRunner(
            queue=tf.queue.FIFOQueue(2, tf.int32),
            enqueue_ops=[],
            queue_runner_def=tf.compat.v1.train.QueueRunner(
                tf.queue.FIFOQueue(2, [tf.int32]), [tf.no_op()]
            ).to_proto(),
        ),
        "runners_without_session": lambda: T.start_queue_runners(),
        "runners_of_a_string": lambda: T.start_queue_runners("a"),
        "ftrl_power": lambda: T.FtrlOptimizer(0.1, learning_rate_power=1.0),
        "ftrl_initial": lambda: T.FtrlOptimizer(0.1, initial_accumulator_value=-1.0),
        "ftrl_l1": lambda: T.FtrlOptimizer(0.1, l1_regularization_strength=-1.0),
        "ftrl_l2": lambda: T.FtrlOptimizer(0.1, l2_regularization_strength=-1.0),
        "ftrl_shrinkage": lambda: T.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=-1.0),
        "adagrad_initial": lambda: T.AdagradOptimizer(0.1, initial_accumulator_value=0.0),
        "proximal_adagrad_initial": lambda: T.ProximalAdagradOptimizer(
            0.1, initial_accumulator_value=0.0
        ),
        "average_of_none": lambda: T.ExponentialMovingAverage(0.5).apply([tf.constant(1)]),
        "average_twice": twice,
        "two_global_steps": steps,
        "global_step_of_floats": strange,
        "assert_global_step_of_rank_1": lambda: T.assert_global_step(tf.Variable([1, 2])),
        "assert_global_step_of_floats": lambda: T.assert_global_step(tf.Variable(1.0)),
        "assert_global_step_of_numbers": lambda: T.assert_global_step(3),
        "global_step_twice": again,
        "saver_of_nothing": lambda: T.Saver([]),
        "saver_of_a_tensor": lambda: T.Saver([tf.constant(1)]),
        "saver_of_a_number": lambda: T.Saver({"a": 3}),
        "saver_same_names": lambda: T.Saver([tf.Variable(1.0, name="x"), T.Saver]),
        "saver_twice": same,
        "saver_defers_with_variables": lambda: T.Saver([tf.Variable(1.0)], defer_build=True),
        "saver_mixed_slices": lambda: T.Saver({"x": [3]}),
        "timer_both": lambda: T.SecondOrStepTimer(every_secs=1, every_steps=2),
        "timer_none": lambda: T.SecondOrStepTimer(),
        "logging_none": lambda: T.LoggingTensorHook({}),
        "logging_both": lambda: T.LoggingTensorHook({"a": "a:0"}, every_n_iter=2, every_n_secs=2.0),
        "logging_negative": lambda: T.LoggingTensorHook({"a": "a:0"}, every_n_iter=-1),
        "stop_both": lambda: T.StopAtStepHook(num_steps=1, last_step=2),
        "stop_none": lambda: T.StopAtStepHook(),
        "saver_hook_both": lambda: T.CheckpointSaverHook(
            "/tmp", save_secs=1, saver=T.Saver([tf.Variable(1.0)]), scaffold=T.Scaffold()
        ),
        "summary_hook_none": lambda: T.SummarySaverHook(save_steps=1, output_dir="/tmp"),
        "summary_hook_both": lambda: T.SummarySaverHook(
            save_steps=1, output_dir="/tmp", summary_op=tf.no_op(), scaffold=T.Scaffold()
        ),
        "counter_both": lambda: T.StepCounterHook(every_n_steps=1, every_n_secs=2),
        "decay_no_step": lambda: T.exponential_decay(0.1, None, 3, 0.5),
        "decay_polynomial": lambda: T.polynomial_decay(0.1, None, 3),
        "decay_piecewise": lambda: T.piecewise_constant(tf.constant(1), [1, 2], [1.0, 2.0]),
        "decay_piecewise_types": lambda: T.piecewise_constant(
            tf.constant(1), [1.0, 2.0], [1.0, 2.0, 3.0]
        ),
        "init_from_no_tensor": lambda: T.init_from_checkpoint("/nowhere", {"a": "b"}),
        "sync_of_nothing": lambda: T.SyncReplicasOptimizer(
            T.GradientDescentOptimizer(0.1), 1
        ).apply_gradients([]),
        "sync_without_step": lambda: T.SyncReplicasOptimizer(
            T.GradientDescentOptimizer(0.1), 1
        ).apply_gradients([(tf.constant(1.0), tf.Variable(1.0))]),
        "sync_token_early": lambda: T.SyncReplicasOptimizer(
            T.GradientDescentOptimizer(0.1), 1
        ).get_init_tokens_op(),
        "sync_runner_early": lambda: T.SyncReplicasOptimizer(
            T.GradientDescentOptimizer(0.1), 1
        ).get_chief_queue_runner(),
        "minimize_of_nothing": lambda: T.GradientDescentOptimizer(0.1).minimize(
            tf.constant(1.0), var_list=[]
        ),
        "minimize_unconnected": lambda: T.GradientDescentOptimizer(0.1).minimize(
            tf.constant(1.0), var_list=[tf.Variable(1.0)]
        ),
        "apply_nothing": lambda: T.GradientDescentOptimizer(0.1).apply_gradients([]),
        "apply_none": lambda: T.GradientDescentOptimizer(0.1).apply_gradients(
            [(None, tf.Variable(1.0))]
        ),
        "apply_to_a_tensor": lambda: T.GradientDescentOptimizer(0.1).apply_gradients(
            [(tf.constant(1.0), tf.constant(1.0))]
        ),
        "gradients_of_strings": lambda: T.GradientDescentOptimizer(0.1).compute_gradients(
            tf.constant("a"), [tf.Variable(1.0)]
        ),
        "gradient_gate": lambda: T.GradientDescentOptimizer(0.1).compute_gradients(
            tf.constant(1.0), [tf.Variable(1.0)], gate_gradients=7
        ),
        "scaffold_savers": lambda: (
            T.Saver([tf.Variable(1.0)]),
            tf.compat.v1.add_to_collection("savers", 1),
            tf.compat.v1.add_to_collection("savers", 2),
            T.Scaffold().finalize(),
        ),
        "managers_keep": lambda: T.CheckpointManager(T.Checkpoint(), "/tmp", max_to_keep=0),
        "managers_checkpoint": lambda: T.CheckpointManager(3, "/tmp", max_to_keep=3),
        "checkpoint_of_numbers": lambda: T.Checkpoint(a=3),
        "warm_start_vocab": lambda: T.warm_start("/nowhere", vars_to_warm_start=3),
        "schedules": lambda: [
            each(tf.constant(7))
            for each in (
                lambda n: T.exponential_decay(0.5, n, 4, 0.3, staircase=True),
                lambda n: T.exponential_decay(0.5, n, 4, 0.3),
                lambda n: T.natural_exp_decay(0.5, n, 4, 0.3, staircase=True),
                lambda n: T.inverse_time_decay(0.5, n, 4, 0.3, staircase=True),
                lambda n: T.inverse_time_decay(0.5, n, 4, 0.3),
                lambda n: T.polynomial_decay(0.5, n, 5, 0.1, 2.0, cycle=True),
                lambda n: T.polynomial_decay(0.5, n, 9, 0.1, 2.0),
                lambda n: T.polynomial_decay(0.5, n, 5),
                lambda n: T.cosine_decay(0.5, n, 9, alpha=0.2),
                lambda n: T.cosine_decay(0.5, n, 5, alpha=0.2),
                lambda n: T.cosine_decay_restarts(0.5, n, 3, 1.5, 0.8, 0.1),
                lambda n: T.linear_cosine_decay(0.5, n, 9, 0.7, 0.2, 0.05),
                lambda n: T.piecewise_constant(n, [6, 7, 8], [1.0, 2.0, 3.0, 4.0]),
            )
        ],
        "optimizers": lambda: [
            _steps(tf, make)
            for make in (
                lambda: T.AdadeltaOptimizer(0.5, 0.8, 1e-3, use_locking=True),
                lambda: T.AdagradOptimizer(0.5, 0.3),
                lambda: T.AdagradDAOptimizer(0.5, tf.constant(1, tf.int64), 0.2, 0.01, 0.02),
                lambda: T.AdamOptimizer(0.1, 0.8, 0.9, 1e-2),
                lambda: T.FtrlOptimizer(0.5, -0.7, 0.2, 0.01, 0.02),
                lambda: T.FtrlOptimizer(
                    0.5, -0.5, 0.2, 0.01, 0.02, True, l2_shrinkage_regularization_strength=0.1
                ),
                lambda: T.MomentumOptimizer(0.1, 0.8, use_nesterov=True),
                lambda: T.ProximalAdagradOptimizer(0.5, 0.3, 0.01, 0.02),
                lambda: T.ProximalGradientDescentOptimizer(0.5, 0.01, 0.02),
                lambda: T.RMSPropOptimizer(0.1, 0.8, 0.3, 1e-2, centered=True),
                lambda: T.RMSPropOptimizer(0.1, 0.8, 0.3, 1e-2),
            )
        ],
        "averages": lambda: _averages(tf, num_updates=3, zero_debias=True),
        "averages_without_bias": lambda: _averages(tf, zero_debias=False),
        "names_of_averages": lambda: T.ExponentialMovingAverage(0.5, name="kept").average_name(
            tf.Variable(1.0, name="x")
        ),
        "checkpoint_state": lambda: str(
            T.generate_checkpoint_state_proto(
                "/a", "/a/b-2", ["/a/b-1", "/a/b-2"], [1.5, 2.5], 1.25
            )
        ),
        "timers": lambda: _timers(T.SecondOrStepTimer(every_steps=3)),
        "global_norm": lambda: tf.clip_by_global_norm(
            [tf.constant([3.0]), None, tf.IndexedSlices(tf.constant([[4.0]]), tf.constant([0]))],
            2.5,
        )[1],
        "device_setter": lambda: _placed(tf, T.replica_device_setter(2, merge_devices=False)),
        "device_setter_of_jobs": lambda: _placed(
            tf,
            T.replica_device_setter(
                3, "/job:a", "/job:b/task:1", ps_ops=["VariableV2"], merge_devices=True
            ),
        ),
        "device_setter_greedy": lambda: _placed(
            tf,
            T.replica_device_setter(
                cluster={"ps": ["a:1", "b:1"], "worker": ["c:1"]},
                ps_strategy=tf.contrib.training.GreedyLoadBalancingStrategy(
                    2, tf.contrib.training.byte_size_load_fn
                ),
            ),
        ),
        "loss_scales": lambda: [
            each.get_config()
            for each in (
                T.experimental.FixedLossScale(3.0),
                T.experimental.DynamicLossScale(64.0, 5, 3.0),
            )
        ],
        "cluster": lambda: [
            T.ClusterSpec({"a": ["x:1", "y:2"], "b": {3: "z:4"}}).as_dict(),
            T.ClusterSpec({"b": {3: "z:4"}}).task_indices("b"),
            T.ClusterSpec({"b": {3: "z:4"}}).num_tasks("b"),
        ],
        "cluster_job": lambda: T.ClusterSpec({"a": ["x:1"]}).job_tasks("b"),
        "cluster_task": lambda: T.ClusterSpec({"a": ["x:1"]}).task_address("a", 1),
        "cluster_of_numbers": lambda: T.ClusterSpec({"a": 3}),
        "cluster_of_addresses": lambda: T.ClusterSpec({"a": [3]}),
        "cluster_of_text": lambda: T.ClusterSpec("a"),
    }


def _steps(tf, make):
    """A variable after three steps, dense and sparse."""
    x = tf.Variable([1.0, -2.0, 0.5])
    y = tf.Variable([[1.0, 2.0], [3.0, -4.0]])
    loss = tf.reduce_sum(x * x) + tf.reduce_sum(tf.gather(y, [1, 1]) ** 2)
    step = make().minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(step)
        return session.run([x, y])


def _averages(tf, num_updates=None, zero_debias=False):
    x = tf.Variable(1.0)
    total = tf.constant(2.0) * x
    kept = tf.train.ExponentialMovingAverage(0.9, num_updates, zero_debias)
    update = kept.apply([x, total])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value in (3.0, 5.0):
            session.run(x.assign(value))
            session.run(update)
        return session.run([kept.average(x), kept.average(total)])


def _timers(timer):
    found = []
    for step in (1, 2, 4, 5, 7):
        found.append(timer.should_trigger_for_step(step))
        if found[-1]:
            found.append(timer.update_last_triggered_step(step)[1])
    return [*found, timer.last_triggered_step()]


def _placed(tf, setter):
    with tf.device(setter):
        made = [tf.Variable(tf.zeros([n + 1]), name=f"v{n}") for n in range(3)]
        made.append(tf.Variable(1.0, name="r", use_resource=True))
        made.append(tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1).resource_handle)
        made.append(tf.constant(1.0))
        with tf.device("/job:other/cpu:0"):
            made.append(tf.identity(made[0]))
    return [each.device for each in made]
