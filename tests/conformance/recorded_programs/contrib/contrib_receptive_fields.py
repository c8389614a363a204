"""Receptive fields of image features: convolutions, pools, padding, aligned and misaligned bypasses."""

import numpy as np


def build(tf):
    fields = tf.contrib.receptive_field
    facts, errors = {}, []

    def network(padding, stride, bypass=0):
        graph = tf.Graph()
        with graph.as_default():
            x = tf.placeholder(tf.float32, [None, None, None, 1], name="x")
            y = tf.pad(x, [[0, 0], [1, 2], [3, 0], [0, 0]], name="pad")
            weights = tf.Variable(tf.zeros([5, 3, 1, 1]), name="weights")
            y = tf.nn.conv2d(y, weights, [1, stride, 2, 1], padding, name="conv")
            y = tf.nn.relu(tf.nn.max_pool(y, [1, 3, 3, 1], [1, 2, 2, 1], padding, name="pool"))
            y = tf.nn.avg_pool(y, [1, 2, 2, 1], [1, 1, 1, 1], "VALID", name="mean")
            if bypass:
                around = tf.nn.max_pool(y, [1, 1, 1, 1], [1, bypass, 1, 1], "VALID", name="around")
                y = tf.add(y, around, name="sum")
            tf.identity(y, name="y")
        return graph

    def show(name, *arguments, **options):
        try:
            field = fields.compute_receptive_field_from_graph_def(*arguments, **options)
        except ValueError as error:
            errors.append(str(error))
            return
        facts[name] = str([None if each is None else int(each) for each in field])
        if None not in list(field):
            points = np.array([[0.0, 1.0], [2.5, 3.0]])
            facts[name + " middle"] = field.compute_input_center_coordinates(points).tolist()
            facts[name + " x"] = field.compute_input_center_coordinates([[3.0]], [0]).tolist()
            facts[name + " back"] = field.compute_feature_coordinates(points).tolist()

    for padding in ("SAME", "VALID"):
        for stride in (1, 2):
            graph = network(padding, stride)
            message = graph.as_graph_def()
            x, y = graph.get_tensor_by_name("x:0"), graph.get_tensor_by_name("y:0")
            show(f"{padding} {stride}", graph, x, y)
            show(f"{padding} {stride} known", message, "x", "y", input_resolution=[40, 61])
            infos, nodes = fields.get_compute_order(message, "x", [40, 61])
            facts[f"{padding} {stride} order"] = sorted(
                (name, info.order, str(info.input_size), str(info.output_size))
                for name, info in infos.items()
            )
            facts[f"{padding} {stride} nodes"] = sorted(nodes)
    show("fits", network("VALID", 1, 1).as_graph_def(), "x", "y")
    show("does not", network("VALID", 1, 2).as_graph_def(), "x", "y")
    show("stopped", network("VALID", 1, 2), "x", "y", stop_propagation=["around"])
    show("no output", message, "x", "nowhere")
    show("no input", message, "weights/read", "mean")
    for method in ("compute_input_center_coordinates", "compute_feature_coordinates"):
        field = fields.compute_receptive_field_from_graph_def(message, "x", "y")
        try:
            getattr(field, method)([1.0, 2.0, 3.0])
        except ValueError as error:
            errors.append(str(error))
    return {"facts": dict(facts, errors=errors), "steps": [("nothing", tf.constant(0.0))]}
