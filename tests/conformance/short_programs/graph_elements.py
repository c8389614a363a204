"""Tensors, attrs, specs and imported nodes: their conversions, and what is refused."""

import numpy as np
from google.protobuf import text_format


def programs(tf):
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    raw = tf.raw_ops
    convert, part = tf.convert_to_tensor, tf.contrib.graph_editor

    def slices(dense_shape=None):
        return tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 2]), dense_shape)

    def sparse():
        return tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])

    def node(text, **options):
        message = tf.GraphDef()
        text_format.Merge(text, message)
        return tf.import_graph_def(message, name="", **options)

    class Other:
        pass

    def converted(given, **options):
        class Mine:
            pass

        tf.register_tensor_conversion_function(Mine, lambda *args, **kwargs: given)
        return convert(Mine(), **options)

    def overridden(value):
        with tf.get_default_graph()._attr_scope({"_mine": value}):
            return tf.no_op().node_def.attr["_mine"].s

    add(
        "attrs",
        lambda: tf.one_hot([1], 2, axis="a"),
        lambda: tf.one_hot([1], 2, axis=1.5),
        lambda: raw.Placeholder(dtype=tf.float32, shape=tf.TensorShape([2]).as_proto()).shape,
        lambda: raw.Placeholder(dtype=tf.float32, shape=3.5),
        lambda: raw.Placeholder(dtype=tf.float32, shape=[-2]),
        lambda: raw.Const(value=3, dtype=tf.int32),
        lambda: raw.StatefulPartitionedCall(args=[], Tout=[], f=3),
        lambda: raw.AddN(inputs=[]),
        lambda: raw.AddN(inputs=[tf.constant(1), tf.constant(1.0)]),
        lambda: raw.Pack(values=[1, 2.5]),
        lambda: raw.IdentityN(input=[]),
        lambda: raw.Print(input=1, data=[]),
        lambda: raw.ConcatV2(values=[tf.constant([1]), tf.constant([1.0])], axis=0),
        lambda: raw.Switch(data=[1], pred=1),
        lambda: raw.MatMul(a=[[1.0]], b=[[1]]),
        lambda: raw.Cast(x=1, DstT="some"),
        lambda: raw.Max(input=["a"], axis=0),
        lambda: raw.DynamicStitch(indices=[[0]], data=[[1.0], [2.0]]),
        lambda: overridden(3),
        lambda: overridden(lambda op: None),
        lambda: overridden(lambda op: 3),
        lambda: overridden(lambda op: tf.AttrValue(s=op.name.encode())),
        lambda: tf.get_default_graph()._attr_scope(3).__enter__(),
        lambda: tf.get_default_graph().gradient_override_map({"a": 3}).__enter__(),
        lambda: tf.get_default_graph()._kernel_label_map({"a": 3}).__enter__(),
    )
    add(
        "conversions",
        lambda: tf.register_tensor_conversion_function(3, lambda: 3),
        lambda: tf.register_tensor_conversion_function((), lambda: 3),
        lambda: tf.register_tensor_conversion_function(Other, 3),
        lambda: converted(3, name="a"),
        lambda: converted(tf.constant(1), dtype=tf.float32),
        lambda: converted(tf.constant(1), preferred_dtype=tf.float32),
        lambda: converted(NotImplemented),
        lambda: converted(NotImplemented, name="b"),
        lambda: convert(Other()),
        lambda: tf.convert_n_to_tensor(3) if hasattr(tf, "convert_n_to_tensor") else 0,
        lambda: tf.convert_to_tensor_or_indexed_slices(slices(), tf.int32),
        lambda: tf.convert_to_tensor_or_sparse_tensor(sparse(), tf.int32),
        lambda: tf.convert_to_tensor_or_sparse_tensor([1], tf.float32),
        lambda: tf.is_tensor(sparse()),
        lambda: tf.contrib.framework.is_tensor(Other()),
        lambda: tf.constant({"b": 1}),
        lambda: tf.constant([{"b": 1}]),
        lambda: tf.constant([[1.0], [2.0, 3.0]], tf.complex64),
        lambda: tf.constant([[1.0], [2.0, 3.0]], tf.float32),
        lambda: tf.constant([["a"], "b"]),
        lambda: tf.constant([1, [2]]),
        lambda: tf.constant([1], tf.qint8),
        lambda: tf.constant([(1,), (2,)], tf.qint8),
        lambda: tf.constant(3, tf.variant),
        lambda: tf.make_tensor_proto([1], tf.string),
        lambda: tf.make_tensor_proto([1], shape=[3]).int_val,
        lambda: tf.make_tensor_proto([1, 2], shape=[3]),
        lambda: tf.get_static_value(tf.shape(tf.ones([2, 3]))),
        lambda: tf.get_static_value(tf.rank(tf.ones([2, 3]))),
        lambda: tf.get_static_value(tf.size(tf.ones([2, 3]))),
        lambda: tf.get_static_value(raw.Concat(concat_dim=0, values=[[1], [2]])),
        lambda: tf.get_static_value(tf.concat([[1], [2]], 0)),
        lambda: tf.zeros(tf.concat([[1], [2]], 0)).shape,
        lambda: tf.zeros(tf.shape(tf.placeholder(tf.int32, [None, 3]))[1:]).shape,
        lambda: tf.zeros(tf.shape(tf.placeholder(tf.int32, [None, 3]))[::-1]).shape,
        lambda: tf.zeros(tf.shape(tf.placeholder(tf.int32, [None, 3]))[-3:]).shape,
        lambda: tf.zeros(tf.shape(tf.placeholder(tf.int32, [None, 3]))[:-3]).shape,
        lambda: tf.zeros(tf.shape(tf.placeholder(tf.int32, [None, 3]))[2:1]).shape,
        lambda: tf.zeros(tf.shape(tf.placeholder(tf.int32, [None, 3]))[2:1:-1]).shape,
        lambda: tf.zeros(tf.shape(tf.placeholder(tf.int32, [None, 3]))[0:1:-1]).shape,
        lambda: tf.zeros(tf.shape(tf.placeholder(tf.int32, [None, 3]))[tf.newaxis, 0]).shape,
        lambda: raw.Fill(dims=tf.constant(-1), value=1),
        lambda: tf.reshape(tf.placeholder(tf.int32), tf.constant(-1)).shape,
        lambda: tf.placeholder(tf.float32, [None, 2]).set_shape([3]),
        lambda: tf.image.resize_images(tf.ones([1, 2, 2, 3]), tf.constant(3)),
    )
    add(
        "specs",
        lambda: tf.DeviceSpec.from_string("/cpu:0/gpu:1"),
        lambda: tf.DeviceSpec.from_string("/cpu:0/device:GPU:1"),
        lambda: tf.DeviceSpec(job="a").parse_from_string("/job:b/gpu:1").to_string(),
        lambda: tf.DeviceSpec(job="a").parse_from_string("some"),
        lambda: tf.DeviceSpec(job="a") == tf.DeviceSpec.from_string("/job:a"),
        lambda: len({tf.DeviceSpec(job="a"), tf.DeviceSpec(job="a")}),
        lambda: tf.SparseTensorSpec([2], tf.float32).most_specific_compatible_type(
            tf.TensorSpec([2])
        ),
        lambda: str(
            tf.SparseTensorSpec([2, 3]).most_specific_compatible_type(tf.SparseTensorSpec([2, 4]))
        ),
        lambda: tf.SparseTensorSpec([2]).is_compatible_with(tf.TensorSpec([2])),
        lambda: tf.IndexedSlicesSpec([2], tf.float32).is_compatible_with(slices()),
        lambda: str(tf.IndexedSlicesSpec([2], tf.float32, tf.int32, tf.int64)),
        lambda: tf.SparseTensorSpec([2]).value_type.__name__,
        lambda: tf.IndexedSlicesSpec([2]).value_type.__name__,
        lambda: tf.data.experimental.get_structure(
            tf.data.Dataset.from_tensors(tf.sparse.from_dense([1]))
        ),
        lambda: tf.data.Dataset.from_tensor_slices(tf.SparseTensor(np.zeros([1, 0]), [1], [])),
        lambda: tf.TensorSpec.from_tensor(3),
        lambda: tf.TensorSpec([2], tf.int32).is_compatible_with(tf.constant([1.0])),
        lambda: repr(tf.constant(1).experimental_ref()),
        lambda: tf.constant(1).experimental_ref() == 3,
    )
    add(
        "parts",
        lambda: [slices().device, slices().graph is tf.get_default_graph()],
        lambda: (lambda s: [op.name for op in tf.negative(s.values) and s.consumers()])(slices()),
        lambda: (lambda s: [op.name for op in tf.negative(s.values) and s.consumers()])(sparse()),
        lambda: (-slices([4])).values,
        lambda: sparse().graph is tf.get_default_graph(),
        lambda: str(slices([4])),
        lambda: sparse().eval(session=tf.Session()),
        lambda: tf.constant(1).eval(session=tf.Session(graph=tf.Graph())),
        lambda: tf.no_op().run(session=tf.Session(graph=tf.Graph())),
        lambda: tf.constant(1).eval(),
        lambda: tf.no_op().run(),
        lambda: tf.Graph().get_operation_by_name(3),
        lambda: tf.Graph().get_tensor_by_name(3),
        lambda: tf.Graph().as_graph_element("a", False, False),
        lambda: tf.name_scope("a", 3).__enter__(),
        lambda: tf.name_scope(None, 3).__enter__(),
        lambda: tf.name_scope("a", "b", [tf.constant(1)]).name,
        lambda: tf.name_scope(None, "b").name,
        lambda: tf.get_default_graph().name_scope(b"ab").__enter__(),
        lambda: sorted(
            map(str, (tf.add_to_collection("a", 1), tf.get_default_graph().collections)[1])
        ),
        lambda: (tf.add_to_collection("a", 1), tf.get_default_graph().get_all_collection_keys())[1],
        lambda: tf.get_default_graph().building_function,
        lambda: len(tf.control_dependencies([slices()]).__enter__() or []),
        lambda: tf.Tensor._override_operator("__some__", lambda x: x),
        lambda: tf.train.export_meta_graph(graph=3),
        lambda: tf.train.export_meta_graph(
            graph=(lambda g: (g.add_to_collection(("a",), 1), g)[1])(tf.get_default_graph())
        ).collection_def.keys(),
        lambda: part.get_tensors(3),
        lambda: part.get_tensors(tf.get_default_graph()),
        lambda: part.make_list_of_op(tf.get_default_graph(), allow_graph=False),
        lambda: part.get_backward_walk_ops([]),
        lambda: part.get_forward_walk_ops([]),
    )
    add(
        "imported",
        lambda: node("node { name: 'a' op: 'Add' }"),
        lambda: node("node { name: 'a' op: 'Const' }"),
        lambda: node(
            "node { name: 'a' op: 'Identity' input: 'a' attr { key: 'T' value { type: DT_FLOAT } } }"
        ),
        lambda: node(
            "node { name: 'a' op: 'NoOp' attr { key: '_class' value { list { s: 'loc:@b' } } } }"
        ),
        lambda: node("node { name: 'a' op: 'Placeholder' attr { key: 'dtype' value { } } }"),
        lambda: node("node { name: 'a' op: 'Placeholder' attr { key: 'dtype' value { i: 3 } } }"),
        lambda: node("node { name: 'a' op: 'NoOp' input: 'b' }"),
        lambda: node("node { name: 'a' op: 'NoOp' input: '^b' }"),
        lambda: node("node { name: 'a' op: 'NoOp' } node { name: 'a' op: 'NoOp' }"),
        lambda: node("node { name: 'a' op: 'Some' }"),
        lambda: node("node { name: 'a' op: 'Mul' input: '^a' input: 'b' }"),
        lambda: node("", input_map={"a": tf.constant(1)}),
        lambda: tf.get_default_graph()._building_function,
    )
    return found
