"""Collections by any name, scopes as filters, lookups by name, GraphKeys, dtypes, tf.compat."""


def build(tf):
    graph = tf.get_default_graph()
    a = tf.constant(1.0, name="a")
    with tf.name_scope("train"):
        b = tf.constant(2.0, name="b")
        v = tf.Variable(1.0, name="v")
    tf.add_to_collection("mine", a)
    tf.add_to_collection("mine", b)
    tf.add_to_collection("mine", a)
    tf.add_to_collection("mine", "text")
    tf.add_to_collection("lists", [a, b])
    tf.add_to_collections(["one", "two"], v)
    graph.add_to_collection("direct", 5)
    tf.get_collection_ref("ref").append("appended")
    copied = tf.get_collection("mine")
    copied.append("not kept")
    graph.clear_collection("gone")
    local = tf.Variable(
        0, collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False, name="local"
    )
    metric = tf.Variable(0, collections=[tf.GraphKeys.METRIC_VARIABLES], name="metric")
    tf.get_variable("model", [1], collections=[tf.GraphKeys.MODEL_VARIABLES])
    keys = sorted(k for k in dir(tf.GraphKeys) if k.isupper())
    dtypes = [getattr(tf, d) for d in (
        "float16", "float32", "float64", "bfloat16", "int8", "int16", "int32", "int64", "uint8",
        "uint16", "uint32", "uint64", "complex64", "complex128", "bool", "string", "qint8",
        "quint8", "qint16", "quint16", "qint32", "resource", "variant",
    )]  # fmt: skip
    numeric = [d for d in dtypes if d not in (tf.resource, tf.variant)]
    facts = {
        "mine": [getattr(x, "name", x) for x in tf.get_collection("mine")],
        "in scope": [t.name for t in tf.get_collection("mine", "train")],
        "lists": len(tf.get_collection("lists")[0]),
        "missing": tf.get_collection("never"),
        "keys": [k + "=" + str(getattr(tf.GraphKeys, k)) for k in keys],
        "names": sorted(k for k in graph.get_all_collection_keys() if isinstance(k, str)),
        "variables": [[x.name for x in group] for group in (
            tf.global_variables(), tf.trainable_variables(), tf.local_variables(),
            tf.model_variables(), tf.global_variables("train"), tf.trainable_variables("v"),
            tf.get_collection(tf.GraphKeys.METRIC_VARIABLES),
        )],
        "lookups": [
            graph.get_tensor_by_name("train/b:0") is b, graph.get_operation_by_name("a") is a.op,
            graph.as_graph_element(v) is v._as_graph_element(), graph.as_graph_element("a") is a.op,
            graph.as_graph_element("a:0", allow_operation=False) is a,
            graph.is_feedable(a), graph.is_fetchable(v.initializer), graph.building_function,
        ],
        "operations": [op.name for op in graph.get_operations()][:4],
        "dtypes": [[d.name, repr(d), d.as_datatype_enum, d.is_floating, d.is_integer, d.is_bool,
                    d.is_complex, d.is_quantized, bool(d.is_unsigned), d.is_numpy_compatible]
                   for d in dtypes],
        "sizes": [[d.size, str(d.real_dtype), str(d._as_ref)] for d in numeric if d != tf.string],
        "limits": [[float(d.min), float(d.max)] for d in numeric[:3] + numeric[4:8]],
        "as_dtype": [str(tf.as_dtype(d)) for d in ("float32", 3, "float32_ref", bool, 101, "half")],
        "compat": [tf.compat.as_bytes("a"), tf.compat.as_text(b"b"), tf.compat.as_str(b"c"),
                   tf.compat.as_str_any(5), str(tf.compat.v1.float32)],
        "versions": [tf.__version__, tf.VERSION, graph.graph_def_versions.producer, graph.version],
    }  # fmt: skip
    steps = [
        ("init", [v.initializer, local.initializer, metric.initializer]),
        ("values", [a, b, v]),
    ]
    return {"facts": facts, "steps": steps}
