"""Device names, specs, imported GraphDefs: known, merged, rejected."""


def device_names(tf, stage):
    spec = tf.DeviceSpec
    texts = [
        "",
        "/cpu:0",
        "/CPU:*",
        "/gpu:1",
        "/device:GPU:2",
        "/job:worker",
        "/job:worker/task:3",
        "/job:worker/replica:1/task:3/device:CPU:0",
        "/replica:1",
        "/job:a/job:b",
        "/device:CPU:0/device:GPU:0",
        "/task:x",
        "cpu:0",
        "/nothing:1",
        "/device:tpu",
        "/job:worker/cpu:*",
        "/gpu",
    ]
    for text in texts:
        with stage.failing():
            found = spec.from_string(text)
            parts = (found.job, found.replica, found.task, found.device_type, found.device_index)
            stage.say(repr(text), found.to_string(), parts, found == spec.from_string(text))
        with stage.failing(), tf.Graph().as_default(), tf.device(text):
            stage.say(tf.no_op().device)
    outer = spec(job="ps", task=1, device_type="CPU", device_index=0)
    for text in ("/gpu:1", "/job:worker", "/replica:2", ""):
        merged = spec.from_string(text)
        merged.merge_from(outer)
        inner = spec.from_string(outer.to_string())
        inner.merge_from(spec.from_string(text))
        stage.say(text, merged.to_string(), inner.to_string(), hash(merged) == hash(outer))
    stage.attempt(lambda: spec(device_type="gpu", device_index=1.5).to_string())
    blocks = [
        ["/job:ps", "/gpu:0"],
        ["/gpu:0", "/cpu:1"],
        ["/job:ps/gpu:0", None, "/cpu:1"],
        ["/job:ps", lambda op: "/gpu:3"],
        ["/job:ps", lambda op: op.device + "/cpu:3"],
        [lambda op: "/gpu:3", "/cpu:0"],
        [lambda op: None],
        [lambda op: 3],
        [outer, "/task:5"],
        ["/task:1", lambda op: spec(job="fn")],
    ]
    for block in blocks:
        with stage.failing(), tf.Graph().as_default() as graph:
            stage.say(_placed(graph, tf, block))


def _placed(graph, tf, block):
    if not block:
        return tf.no_op(name="placed").device
    with graph.device(block[0]):
        return _placed(graph, tf, block[1:])


def specs(tf, stage):
    one = tf.TensorSpec([None, 2], tf.float32, name="one")
    others = {
        "same": tf.TensorSpec([None, 2], tf.float32, name="one"),
        "no_name": tf.TensorSpec([None, 2], tf.float32),
        "wider": tf.TensorSpec(None, tf.float32),
        "narrower": tf.TensorSpec([3, 2], tf.float32),
        "rank": tf.TensorSpec([2], tf.float32),
        "dtype": tf.TensorSpec([None, 2], tf.int32),
        "tensor": tf.ones([4, 2]),
        "tensor_wrong": tf.ones([4, 3]),
        "number": 3,
        "sparse": tf.SparseTensorSpec([None, 2], tf.float32),
    }
    for name, other in others.items():
        with stage.failing():
            stage.say(name, one == other, one != other, one.is_compatible_with(other))
            stage.say(one.most_specific_compatible_type(other))
    stage.say(one, hash(one) == hash(others["same"]), one in {others["same"]: 1})
    stage.attempt(tf.TensorSpec.from_tensor, tf.ones([2], name="made"))
    stage.attempt(tf.TensorSpec.from_tensor, tf.ones([2], name="made"), "other")
    stage.attempt(tf.TensorSpec.from_tensor, 3)
    stage.attempt(tf.TensorSpec.from_spec, one)
    stage.attempt(tf.TensorSpec.from_spec, one, "renamed")
    stage.attempt(tf.TensorSpec, [1], "float7")
    stage.attempt(tf.TensorSpec, "a")
    sparse, ragged = tf.SparseTensorSpec, tf.RaggedTensorSpec
    values = {
        "sparse": (sparse([None, 2], tf.float32), tf.sparse.eye(3, 2)),
        "sparse_dtype": (sparse([None, 2], tf.int32), tf.sparse.eye(3, 2)),
        "sparse_rank": (sparse([None], tf.float32), tf.sparse.eye(3, 2)),
        "sparse_any": (sparse(), tf.sparse.eye(3, 2)),
        "ragged": (ragged([None, None], tf.int32), tf.ragged.constant([[1], [2, 3]])),
        "ragged_rows": (ragged([3, None], tf.int32), tf.ragged.constant([[1], [2, 3]])),
        "ragged_splits": (
            ragged([None, None], tf.int32, row_splits_dtype=tf.int32),
            tf.ragged.constant([[1], [2, 3]]),
        ),
        "slices": (
            tf.IndexedSlicesSpec([None, 2]),
            tf.IndexedSlices(
                tf.ones([1, 2]), tf.constant([0], tf.int64), tf.constant([3, 2], tf.int64)
            ),
        ),
    }
    for name, (spec, value) in values.items():
        with stage.failing():
            stage.say(name, spec, spec.is_compatible_with(value), spec == value._type_spec)
            stage.say(value._type_spec, spec.most_specific_compatible_type(value._type_spec))
    stage.attempt(ragged, [None, None, 2], tf.int32, 3)
    stage.attempt(ragged, [None, None], tf.int32, 1, tf.float32)
    stage.attempt(ragged, None, tf.int32)
    stage.attempt(ragged, None, tf.int32, 1)
    stage.attempt(tf.type_spec_from_value, 3) if hasattr(tf, "type_spec_from_value") else None


def imports(tf, stage):
    with tf.Graph().as_default() as source:
        with tf.name_scope("in"):
            x = tf.placeholder(tf.float32, [None], name="x")
        y = tf.identity(x * 2.0, name="y")
        with tf.control_dependencies([y]):
            z = tf.add(y, 1.0, name="z")
        with tf.device("/cpu:0"), tf.colocate_with(z.op):
            tf.unstack(tf.stack([z, z]), name="u")
    definition = source.as_graph_def()

    def broken(change):
        copied = tf.GraphDef()
        copied.CopyFrom(definition)
        change(copied, {node.name: node for node in copied.node})
        return tf.import_graph_def(copied, name="")

    def of(*args, **options):
        return [str(e.name) for e in tf.import_graph_def(definition, *args, **options) or ()]

    def scoped():
        with tf.name_scope("outer"), tf.device("/gpu:0"):
            with tf.control_dependencies([tf.no_op(name="first")]):
                (found,) = tf.import_graph_def(definition, return_elements=["z"])
        return found.name, found.device, [c.name for c in found.control_inputs]

    def run():
        (z,) = tf.import_graph_def(definition, {"in/x:0": [3.0]}, ["z:0"])
        with tf.Session() as session:
            return session.run(z)

    cases = {
        "names": lambda: of(return_elements=["y", "z:0", "u:1"]),
        "mapped_value": run,
        "mapped_dtype": lambda: of({"in/x": tf.constant([1])}),
        "scoped": scoped,
        "no_input": lambda: broken(lambda g, n: n["y"].input.__delitem__(0)),
        "attr_type": lambda: broken(lambda g, n: setattr(n["y"].attr["T"], "type", 3)),
        "attr_missing": lambda: broken(lambda g, n: n["y"].attr.clear()),
        "attr_private": lambda: broken(lambda g, n: setattr(n["y"].attr["_other"], "i", 3)),
    }
    for name, case in cases.items():
        with tf.Graph().as_default() as graph:
            stage.say(name)
            stage.attempt(case)
            stage.say(*[f"{op.name}@{op.device}" for op in graph.get_operations()])
