"""Staging areas, in order and by key, with names and without: their nodes, and what goes through them."""


def build(tf):
    raw = tf.raw_ops
    x = tf.placeholder(tf.float32, [2], name="x")
    plain = tf.contrib.staging.StagingArea([tf.float32, tf.int32], shapes=[[2], []], capacity=2)
    named = tf.contrib.staging.StagingArea(
        [tf.float32, tf.string], names=["a", "b"], shared_name="names", memory_limit=1000
    )
    with tf.device("/cpu:0"):
        other = tf.contrib.staging.StagingArea([tf.float32])
    put = plain.put([x, tf.constant(3)])
    get = plain.get()
    put_names = named.put({"a": x * 2.0, "b": tf.constant("text")}, name="putting")
    get_names = named.get()
    shared = {"dtypes": [tf.float32, tf.int32], "shared_name": "map"}
    stage = [
        raw.OrderedMapStage(key=tf.constant(k, tf.int64), indices=i, values=v, **shared)
        for k, i, v in ((9, [0, 1], [x, 9]), (4, [0], [x * 4.0]), (4, [1], [4]))
    ]
    sizes = [raw.OrderedMapSize(**shared), raw.OrderedMapIncompleteSize(**shared)]
    item = raw.OrderedMapUnstageNoKey(indices=[0, 1], **shared)
    one = {"dtypes": [tf.int32], "shared_name": "map"}
    feed = {x: [1.0, 2.0]}
    return {
        "steps": [
            ("put", put, feed),
            ("put and get", [put, get], feed),
            ("size", plain.size()),
            ("peek", plain.peek(0)),
            ("get", get),
            ("put again", put, feed),
            ("clear", plain.clear(name="clearing")),
            ("size after", plain.size(name="left")),
            ("names", put_names, feed),
            ("got names", get_names),
            ("other", other.put(x), feed),
            ("other got", other.get()),
            ("nine", stage[0], feed),
            ("four", stage[1], feed),
            ("sizes", sizes),
            ("four whole", stage[2], feed),
            ("sizes of all", sizes),
            ("peek four", raw.OrderedMapPeek(key=tf.constant(4, tf.int64), indices=[1], **one)),
            ("smallest", list(item)),
            ("part", raw.OrderedMapUnstage(key=tf.constant(9, tf.int64), indices=[1], **one)),
            ("sizes after", sizes),
        ],
        "facts": {
            "names": [plain.name, named.name, other.name],
            "shapes": [str(t.shape) for t in get],
            "settings": [plain.capacity, named.memory_limit, sorted(get_names)],
        },
    }
