"""A worker's graph under ParameterServerStrategy: variables on servers round-robin, the rest on the worker."""

REPLAYABLE = False  # its devices are tasks of a cluster


def build(tf):
    cluster = {"chief": ["a:1"], "worker": ["b:1", "c:1"], "ps": ["d:1", "e:1"]}
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(
        tf.train.ClusterSpec(cluster), task_type="worker", task_id=1, num_accelerators={}
    )
    strategy = tf.distribute.experimental.ParameterServerStrategy(resolver)
    contexts = []

    def data(context):
        numbers = [context.num_input_pipelines, context.input_pipeline_id]
        contexts.append([*numbers, context.num_replicas_in_sync])
        return tf.data.Dataset.range(4).batch(2)

    iterator = strategy.make_input_fn_iterator(data)
    with strategy.scope():
        step = tf.train.get_or_create_global_step()

        def train(x):
            x = tf.cast(x, tf.float32)[:, None]
            w = tf.get_variable("w", [1, 3], initializer=tf.zeros_initializer())
            b = tf.get_variable("b", [3], initializer=tf.zeros_initializer())
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - 1.0))
            return tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step), loss

        done, loss = strategy.experimental_run(train, iterator)
        strategy.group(done)
        strategy.reduce("mean", loss)
    extended = strategy.extended
    config = strategy.update_config_proto(tf.ConfigProto(device_filters=["/job:other"]))
    facts = {
        "devices": [extended.worker_devices, extended.parameter_devices],
        "variables": [[v.name, v.device] for v in tf.global_variables()],
        "of chief": [extended.should_checkpoint, extended.experimental_should_init],
        "contexts": contexts,
        "config": [list(config.device_filters), config.isolate_session_state],
    }
    return {"facts": facts, "steps": []}
