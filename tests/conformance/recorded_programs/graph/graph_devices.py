"""Devices set by jobs, functions and variable device functions; merged, overridden, colocated."""


def build(tf):
    def for_parameters(op):
        parameter = op.type in ("Variable", "VariableV2", "VarHandleOp")
        return "/job:ps/task:1" if parameter else "/job:worker/replica:2"

    graph = tf.get_default_graph()
    made = []
    with tf.device(for_parameters):
        v = tf.Variable([1.0], name="v")
        with tf.device("/cpu:0"):
            w = tf.get_variable("w", [2])
            made.append(w * 2.0)
        with tf.device(tf.DeviceSpec(job="chief", task=3, device_type="GPU", device_index=1)):
            made.append(v + 1.0)
        with tf.device("/job:other"), tf.device(None), tf.device("/gpu:2"):
            made.append(tf.constant(3.0, name="cleared"))
        train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w) + tf.reduce_sum(v))
    with graph.device("/device:CPU:*"):
        made.append(tf.constant(1.0, name="any"))
    with tf.device("/job:UPPER/replica:1/task:2/CPU:3"):
        made.append(tf.constant(1.0, name="case"))
    with tf.device("/job:a/replica:1/task:2/device:gpu:3"):
        with tf.device("/replica:5/gpu:7"):
            made.append(tf.constant(1.0, name="merged"))
        with tf.device(lambda op: "/job:b" if op.type == "Const" else ""):
            made.append(tf.constant(1.0, name="by_function"))
            made.append(tf.identity(made[-1]))
        with tf.colocate_with(v):
            made.append(tf.constant(1.0, name="beside"))
            with tf.device("/cpu:9"):
                made.append(tf.constant(1.0, name="beside_and_device"))
        with tf.colocate_with(made[0], ignore_existing=True):
            made.append(tf.constant(1.0, name="only_beside"))
    with tf.device("/cpu:1"), tf.colocate_with(made[-1]), tf.device("/cpu:2"):
        made.append(tf.constant(1.0, name="inner_device"))
    with tf.device(""):
        made.append(tf.constant(1.0, name="empty"))
    own = tf.constant(1.0, name="own")
    own.op._set_device("/job:set/cpu:4")
    spec = tf.DeviceSpec
    full = spec.from_string("/job:a/replica:1/task:2/device:GPU:3")
    part = spec(job="b", device_type="cpu")
    facts = {
        "devices": [t.device for t in made] + [own.device, v.device, w.device, train.device],
        "initializers": [v.initializer.device, len(w.op.inputs)],
        "specs": [
            full.to_string(), part.to_string(), spec().to_string(), full.job, full.replica, full.task,
            full.device_type, full.device_index, str(part.device_index), full == spec.from_string(full.to_string()),
            spec.from_string("/gpu:1").to_string(), spec.from_string("/job:x/device:CPU:*").to_string(),
        ],
        "slots": [x.device for x in tf.global_variables()],
    }  # fmt: skip
    merged = spec.from_string("/job:a/task:1/gpu:2")
    merged.merge_from(part)
    facts["merged"] = merged.to_string()
    return {"facts": facts, "steps": []}
