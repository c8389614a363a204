"""Various datasets, images, TensorArrays, templates and control dependencies in eager mode."""

import numpy as np


def pipelines_of_many_steps(tf):
    dataset = tf.data.Dataset.range(8)
    parts = dataset.interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2), cycle_length=2)
    grouped = dataset.apply(
        tf.data.experimental.group_by_window(
            lambda x: x % 2, lambda key, rows: rows.batch(4), window_size=4
        )
    )
    scanned = dataset.apply(
        tf.data.experimental.scan(np.int64(0), lambda state, x: (state + x, state + x))
    )
    chosen = tf.data.experimental.sample_from_datasets(
        [dataset, dataset.map(lambda x: -x)], seed=2
    ).take(5)
    return {
        "parts": [x.numpy() for x in parts.take(6)],
        "grouped": [x.numpy() for x in grouped],
        "scanned": [int(x) for x in scanned],
        "chosen": list(chosen),
        "shuffled": list(dataset.shuffle(8, seed=4, reshuffle_each_iteration=False).prefetch(1)),
        "cached": [list(d) for d in [dataset.cache()] * 2],
        "enumerated": [[int(i), int(x)] for i, x in dataset.enumerate(5).take(2)],
        "size": tf.data.experimental.cardinality(dataset),
        "shard": list(dataset.shard(3, 1)),
    }


def one_shot_iterators(tf):
    dataset = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [[1.0], [2.0]]})
    iterator = dataset.make_one_shot_iterator()
    result = [iterator.get_next()["a"], next(iterator)["b"]]
    try:
        iterator.get_next()
        ended = False
    except tf.errors.OutOfRangeError:
        ended = True
    spec = tf.compat.v1.data.get_output_types(dataset)
    return {"found": result, "ended": ended, "types": str(spec)}


def pictures_in_pipelines(tf):
    picture = np.random.RandomState(0).randint(0, 255, (6, 6, 3)).astype("u1")
    encoded = tf.image.encode_png(picture)

    def prepared(data, label):
        image = tf.image.convert_image_dtype(tf.image.decode_png(data, channels=3), tf.float32)
        image = tf.image.resize_images(tf.image.central_crop(image, 0.7), [3, 3])
        return tf.image.random_flip_left_right(image, seed=1), tf.one_hot(label, 2)

    tf.set_random_seed(1)
    dataset = tf.data.Dataset.from_tensors((encoded, 1)).repeat(4).map(prepared).batch(2)
    images, labels = next(iter(dataset))
    return {
        "image": images[0, 0],
        "labels": labels,
        "gray": tf.image.rgb_to_grayscale(images)[0, :, :, 0],
        "adjusted": tf.image.adjust_brightness(images, 0.1)[0, 0],
        "decoded": int(tf.reduce_sum(tf.cast(tf.image.decode_png(encoded), tf.int32))),
        "psnr": tf.image.psnr(images[:1], images[:1] * 0.9, 1.0),
    }


def arrays_of_tensors(tf):
    array = tf.TensorArray(tf.float32, size=3, dynamic_size=True, clear_after_read=False)
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        for i in range(3):
            array = array.write(i, x**i)
        total = tf.reduce_sum(array.stack())
    other = tf.TensorArray(tf.int32, 0, dynamic_size=True).unstack(tf.range(4))
    return {
        "gradient": tape.gradient(total, x),
        "read": array.read(1),
        "size": array.size(),
        "gathered": other.gather([0, 3]),
        "concat": tf.TensorArray(tf.float32, 2).split(tf.range(5.0), [2, 3]).concat(),
    }


def loops_under_tapes(tf):
    x = tf.Variable(1.5)
    with tf.GradientTape() as tape:
        y = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * x), [0, x])[1]
        z = tf.reduce_sum(tf.map_fn(lambda v: v * x, tf.range(3.0)))
    return {"y": y, "gradient": tape.gradient([y, z], x)}


def templates_share_variables(tf):
    template = tf.make_template(
        "t", lambda x: tf.layers.dense(x, 2, kernel_initializer=tf.ones_initializer())
    )
    return {
        "values": [template(tf.ones([1, 3])), template(2 * tf.ones([1, 3]))],
        "names": sorted(v.name for v in template.variables),
    }


def dependencies_and_groups(tf):
    v = tf.Variable(1.0)
    with tf.control_dependencies([v.assign_add(1.0)]):
        read = v.read_value()
    group = tf.group(v.assign_add(1.0), v.assign_add(1.0))
    result = tf.tuple([tf.constant(1), tf.constant(2)])
    return {
        "read": read,
        "group": group is None,
        "v": v,
        "tuple": result,
        "noop": tf.no_op() is None,
    }


def averages_and_norms(tf):
    v = tf.Variable([1.0, 2.0])
    average = tf.train.ExponentialMovingAverage(0.5)
    average.apply([v])
    v.assign([3.0, 4.0])
    average.apply([v])
    grads, norm = tf.clip_by_global_norm([tf.constant([3.0, 4.0])], 1.0)
    return {
        "average": average.average(v),
        "clipped": grads,
        "norm": norm,
        "moments": tf.nn.moments(tf.reshape(tf.range(6.0), [2, 3]), [0]),
        "unit": tf.linalg.norm([[3.0, 4.0]], axis=1),
    }


def sums_by_other_names(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return {
        "einsum": tf.einsum("ij,jk->ik", x, x),
        "tensordot": tf.tensordot(x, x, axes=[[1], [0]]),
        "segments": tf.math.segment_sum([1, 2, 3], [0, 0, 1]),
        "unsorted": tf.math.unsorted_segment_max([1, 2, 3], [1, 0, 1], 2),
        "histogram": tf.histogram_fixed_width([0.0, 0.5, 1.5], [0.0, 2.0], nbins=2),
        "solved": tf.linalg.solve(x, [[1.0], [2.0]]),
        "eigen": tf.linalg.eigvalsh([[2.0, 1.0], [1.0, 2.0]]),
        "svd": tf.linalg.svd(x, compute_uv=False),
        "fft": tf.math.real(tf.signal.fft(tf.cast([1.0, 2.0, 3.0], tf.complex64))),
        "unique": list(tf.unique([3, 1, 3])),
        "top": list(tf.math.top_k([5, 9, 7], 2)),
        "sorted": [tf.sort([3, 1, 2]), tf.argsort([3, 1, 2], direction="DESCENDING")],
    }


def printed_values(tf):
    return {
        "texts": [
            repr(tf.constant([1.5, -2.0])),
            str(tf.constant("word")),
            repr(tf.constant([b"a", b"bc"])),
            str(tf.zeros([0, 2])),
            repr(tf.constant(True)),
            str(tf.range(2000)),
            repr(tf.constant(1 + 2j)),
            repr(tf.Variable([[1]], name="kernel")),
            str(tf.SparseTensor([[0]], [1.0], [2])),
            str(tf.ragged.constant([[1.5], []])),
            str(tf.IndexedSlices(tf.ones([1]), tf.constant([0]))),
            str(tf.TensorShape([1, None])),
        ],
    }
