"""Imported GraphDefs: nodes with invalid attrs, op descriptions, functions and their attrs, loops, devices."""

_OPS = (
    *("Abs", "AddN", "All", "ApplyAdam", "ArgMax", "Assert", "Assign", "AvgPool", "BatchMatMulV2"),
    *(
        "BiasAdd",
        "Bitcast",
        "Bucketize",
        "Cast",
        "ConcatV2",
        "Const",
        "Conv2D",
        "Cumsum",
        "DecodeCSV",
    ),
    *("DecodeJpeg", "DecodeRaw", "DepthwiseConv2dNative", "DynamicPartition", "Enter", "Exit"),
    *(
        "FIFOQueueV2",
        "Fill",
        "FusedBatchNormV3",
        "GatherV2",
        "HashTableV2",
        "Identity",
        "IdentityN",
    ),
    *(
        "If",
        "ImageSummary",
        "IteratorGetNext",
        "LRN",
        "MatMul",
        "Max",
        "MaxPool",
        "Merge",
        "MirrorPad",
    ),
    *("NextIteration", "NoOp", "OneHot", "Pack", "PadV2", "ParseExample", "Placeholder", "PyFunc"),
    *(
        "QueueDequeueManyV2",
        "RandomUniform",
        "Range",
        "ReadVariableOp",
        "Reshape",
        "ResizeBilinear",
    ),
    *(
        "RestoreV2",
        "SaveV2",
        "ScatterUpdate",
        "Select",
        "Shape",
        "Softmax",
        "SparseMatMul",
        "Split",
    ),
    *("SplitV", "Squeeze", "StridedSlice", "StringJoin", "StringSplit", "Substr", "Sum", "Switch"),
    *(
        "TensorArrayV3",
        "TopKV2",
        "Unpack",
        "VarHandleOp",
        "VariableV2",
        "Where",
        "While",
        "ZerosLike",
    ),
)


def summaries_of_ops(tf, stage):
    for op in _OPS:
        definition = tf.GraphDef()
        node = definition.node.add(name="n", op=op)
        node.attr["nothing_there"].i = 1
        stage.attempt(tf.import_graph_def, definition)
    with tf.Graph().as_default():
        elsewhere = tf.constant(1.0, name="elsewhere")
    definition = tf.GraphDef()
    definition.node.add(name="n", op="Neg", input=["x"]).attr["T"].type = 1
    stage.attempt(tf.import_graph_def, definition, {"x": elsewhere})
    tf.constant(2.0, name="elsewhere")
    stage.attempt(
        lambda: tf.Session().run(tf.import_graph_def(definition, {"x:0": elsewhere}, ["n:0"]))
    )


def wrong_attrs(tf, stage):
    def imported(op, inputs=(), **attrs):
        with tf.Graph().as_default():
            definition = tf.GraphDef()
            for dtype in (tf.float32, tf.int32):
                node = definition.node.add(name=dtype.name, op="Placeholder")
                node.attr["dtype"].type = dtype.as_datatype_enum
            node = definition.node.add(name="n", op=op)
            node.input.extend(inputs)
            for key, value in attrs.items():
                node.attr[key].CopyFrom(value)
            found = tf.import_graph_def(definition, return_elements=["n"], name="")[0]
            return sorted(found.node_def.attr), [t.dtype.name for t in found.outputs]

    of, real, whole = tf.AttrValue, ["float32", "float32"], ["int32", "int32"]
    kind = lambda dtype: of(type=dtype.as_datatype_enum)  # noqa: E731
    many = of.ListValue
    stage.attempts(
        lambda: imported("Add", real, T=kind(tf.int32)),
        lambda: imported("Add", ["float32", "int32"], T=kind(tf.float32)),
        lambda: imported("Add", real, T=kind(tf.bool)),
        lambda: imported("Add", real, T=of()),
        lambda: imported("Add", real, T=of(list=many(type=[1]))),
        lambda: imported("Add", real, T=of(type=101)),
        lambda: imported("Add", real, T=kind(tf.float32), _mine=of(i=5)),
        lambda: imported("Add", ["float32:0", "float32:1"], T=kind(tf.float32)),
        lambda: imported("MatMul", whole, T=kind(tf.int8)),
        lambda: imported("Pack", real, T=kind(tf.float32), N=of(i=3)),
        lambda: imported("Pack", real, T=kind(tf.float32)),
        lambda: imported("IdentityN", ["float32", "int32"], T=of(list=many(type=[1]))),
        lambda: imported("IdentityN", [], T=of(list=many(type=[]))),
        lambda: imported("Placeholder"),
        lambda: imported("AvgPool", ["float32"], T=kind(tf.float32), padding=of(s=b"WIDE")),
        lambda: imported("NoOp", ["float32"]),
        lambda: imported("Assign", real, T=kind(tf.float32)),
    )


def _functions(tf):
    """A GraphDef with three functions: one with a factor attr, one with a number, one that calls the first."""
    definition = tf.GraphDef()
    library = definition.library
    double = library.function.add()
    signature = double.signature
    signature.name = "Double"
    signature.input_arg.add(name="x", type=tf.float32.as_datatype_enum)
    signature.output_arg.add(name="y", type=tf.float32.as_datatype_enum)
    signature.attr.add(name="U", type="bool")
    node = double.node_def.add(name="product", op="MatMul", input=["x", "x"])
    node.attr["T"].type = tf.float32.as_datatype_enum
    node.attr["transpose_b"].placeholder = "U"
    double.ret["y"] = "product:product:0"
    total = library.function.add()
    signature = total.signature
    signature.name = "Total"
    signature.input_arg.add(name="x", type=tf.float32.as_datatype_enum, number_attr="N")
    signature.output_arg.add(name="y", type=tf.float32.as_datatype_enum)
    signature.output_arg.add(name="z", type=tf.float32.as_datatype_enum, number_attr="N")
    signature.attr.add(name="N", type="int", has_minimum=True, minimum=2)
    node = total.node_def.add(name="sum", op="AddN", input=["x"])
    node.attr["T"].type = tf.float32.as_datatype_enum
    node.attr["N"].placeholder = "N"
    total.ret["y"] = "sum:sum:0"
    total.ret["z"] = "x"
    outer = library.function.add()
    signature = outer.signature
    signature.name = "Outer"
    signature.input_arg.add(name="x", type=tf.float32.as_datatype_enum)
    signature.output_arg.add(name="y", type=tf.float32.as_datatype_enum)
    node = outer.node_def.add(name="inner", op="Double", input=["x"])
    node.attr["U"].b = True
    outer.ret["y"] = "inner:y:0"
    return definition


def functions_of_graphs(tf, stage):
    cases = {
        "double": ("Double", ["a"], {"U": tf.AttrValue(b=True)}, None),
        "double_plain": ("Double", ["a"], {"U": tf.AttrValue(b=False)}, None),
        "double_none": ("Double", ["a"], {}, None),
        "double_number": ("Double", ["a"], {"U": tf.AttrValue(i=1)}, None),
        "double_int": ("Double", ["i"], {"U": tf.AttrValue(b=True)}, None),
        "double_more": ("Double", ["a", "a"], {"U": tf.AttrValue(b=True)}, None),
        "double_attr": ("Double", ["a"], {"U": tf.AttrValue(b=True), "V": tf.AttrValue(i=1)}, None),
        "outer": ("Outer", ["a"], {}, None),
        "outer_int": ("Outer", ["i"], {}, None),
        "unknown": ("Nowhere", ["a"], {}, None),
        "total_one": ("Total", ["a"], {"N": tf.AttrValue(i=1)}, None),
        "total_none": ("Total", [], {"N": tf.AttrValue(i=0)}, None),
        "total_negative": ("Total", [], {"N": tf.AttrValue(i=-1)}, None),
        "total_fewer": ("Total", ["a", "a", "a"], {"N": tf.AttrValue(i=2)}, None),
    }
    for name, (op, inputs, attrs, change) in cases.items():
        stage.say(name)
        with tf.Graph().as_default() as graph, stage.failing():
            definition = _functions(tf)
            if change:
                change({each.signature.name: each for each in definition.library.function})
            for given, value in (("a", [[1.0, 2.0]]), ("i", 3)):
                made = tf.constant(value, name=given)
                definition.node.add().CopyFrom(made.op.node_def)
            node = definition.node.add(name="n", op=op, input=inputs)
            for key, value in attrs.items():
                node.attr[key].CopyFrom(value)
            (found,) = tf.import_graph_def(definition, return_elements=["n"], name="in")
            stage.say([t.dtype.name for t in found.outputs], [t.shape for t in found.outputs])
            stage.say(len(graph.as_graph_def().library.function))
            with tf.Session() as session:
                stage.attempt(session.run, found.outputs)
