"""slim's item handlers and TFExampleDecoder: features of Examples as items."""

import numpy as np


def example(tf):
    def floats(*values):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))

    def ints(*values):
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))

    def texts(*values):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))

    raw = np.arange(12, dtype=np.uint8).tobytes()
    features = {
        "image/encoded": texts(raw),
        "image/format": texts(b"raw"),
        "image/many": texts(raw, raw[::-1]),
        "box/ymin": floats(0.1, 0.2),
        "box/xmin": floats(0.3, 0.4),
        "box/ymax": floats(0.5, 0.6),
        "box/xmax": floats(0.7, 0.8),
        "label": ints(7),
        "values": floats(1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
        "height": ints(2),
        "width": ints(3),
        "shape": ints(3, 2),
        "indices": ints(0, 2, 5),
        "weights": floats(0.5, 0.25, 0.125),
        "size": ints(6),
        "word": texts(b"b"),
    }
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def build(tf):
    handlers = tf.contrib.slim.tfexample_decoder
    one, many = tf.FixedLenFeature, tf.VarLenFeature

    class Table:
        def lookup(self, words):
            return tf.string_to_hash_bucket_fast(words, 10)

    features = {
        "image/encoded": one((), tf.string),
        "image/format": one((), tf.string, default_value="raw"),
        "image/many": many(tf.string),
        "box/ymin": many(tf.float32),
        "box/xmin": many(tf.float32),
        "box/ymax": many(tf.float32),
        "box/xmax": many(tf.float32),
        "label": one([1], tf.int64),
        "values": many(tf.float32),
        "height": one((), tf.int64),
        "width": one((), tf.int64),
        "shape": many(tf.int64),
        "indices": many(tf.int64),
        "weights": many(tf.float32),
        "size": one([1], tf.int64),
        "word": one((), tf.string),
        "missing": many(tf.float32),
    }
    tensor = handlers.Tensor
    items = {
        "image": handlers.Image(shape=[2, 2, 3]),
        "images": handlers.ItemHandlerCallback(
            ["image/many"], lambda f: tf.sparse_tensor_to_dense(f["image/many"], "")
        ),
        "boxes": handlers.BoundingBox(prefix="box/"),
        "label": tensor("label", shape=[]),
        "values": tensor("values"),
        "by_sizes": tensor("values", shape_keys=["height", "width"]),
        "by_shape": tensor("values", shape_keys="shape"),
        "flat": tensor("values", shape=[6, 1], default_value=-1.0),
        "word": handlers.LookupTensor("word", Table()),
        "backed": handlers.BackupHandler(tensor("missing"), tensor("values")),
        "not_backed": handlers.BackupHandler(tensor("values"), tensor("missing")),
        "sparse": handlers.SparseTensor(values_key="weights", shape=[6]),
        "dense": handlers.SparseTensor("indices", "weights", "size", densify=True),
    }
    decoder = handlers.TFExampleDecoder(features, items)
    serialized = tf.placeholder(tf.string, [], name="serialized")
    names = sorted(items)
    decoded = dict(zip(names, decoder.decode(serialized, names)))
    again = decoder.decode(serialized, ["label"])
    feed = {serialized: example(tf)}
    facts = {
        "items": sorted(decoder.list_items()),
        "keys": {name: list(handler.keys) for name, handler in items.items()},
        "shapes": {name: str(decoded[name].get_shape()) for name in names if name != "sparse"},
    }
    steps = [(name, decoded[name], feed) for name in names]
    return {"steps": [*steps, ("again", again, feed)], "facts": facts}
