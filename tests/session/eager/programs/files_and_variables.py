"""Datasets, files, checkpoints and summaries; variables and their updates."""

import os
import tempfile


def loops_over_datasets(tf):
    tfe = tf.contrib.eager
    dataset = tf.data.Dataset.from_tensor_slices([1, 2, 3, 4, 5, 6])
    squares = dataset.map(tf.square).shuffle(2, seed=1).batch(2)
    zipped = tf.data.Dataset.zip((dataset, dataset.map(lambda v: {"twice": 2 * v}))).take(2)
    iterator = tfe.Iterator(dataset.filter(lambda v: v % 2 > 0).repeat(2).batch(4))
    generated = tf.data.Dataset.from_generator(lambda: iter([[1], [2, 3]]), tf.int32, [None])
    mean, accuracy = tfe.metrics.Mean(), tfe.metrics.Accuracy()
    for value in dataset:
        mean(value)
        accuracy(value % 2, tf.ones_like(value))
    return {
        "squares": [batch.numpy() for batch in squares],
        "zipped": [[a, b["twice"]] for a, b in zipped],
        "next": [iterator.next(), next(iterator)],
        "shapes": str(iterator.output_shapes),
        "padded": list(generated.padded_batch(2, [None])),
        "windows": [list(w.batch(3).map(tf.reduce_sum))[0] for w in dataset.window(3, 1, 1, True)],
        "reduced": dataset.reduce(0, lambda a, b: a + b),
        "metrics": [mean.result(), accuracy.result()],
    }


def lines_and_records_of_files(tf):
    directory = tempfile.mkdtemp()
    text, records = os.path.join(directory, "lines.txt"), os.path.join(directory, "records")
    with tf.gfile.GFile(text, "w") as out:
        out.write("Line 1\nLine 2\n\nLine 3\n")
    with tf.python_io.TFRecordWriter(records) as writer:
        for i in range(3):
            feature = {"x": tf.train.Feature(int64_list=tf.train.Int64List(value=[i, i * i]))}
            writer.write(
                tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
            )
    parse = {"x": tf.io.FixedLenFeature([2], tf.int64)}
    lines = tf.data.TextLineDataset(text).filter(lambda line: tf.strings.length(line) > 0)
    return {
        "lines": [line.numpy() for line in lines.skip(1)],
        "records": [
            tf.io.parse_single_example(r, parse)["x"] for r in tf.data.TFRecordDataset(records)
        ],
        "csv": tf.io.decode_csv("1,2.5,word", [[0], [0.0], [""]]),
        "read": tf.read_file(text),
    }


def checkpoints_of_objects(tf):
    directory = tempfile.mkdtemp()
    x, step = tf.contrib.eager.Variable(10.0), tf.train.get_or_create_global_step()
    optimizer = tf.train.AdamOptimizer(0.1)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    root = tf.train.Checkpoint(x=x, optimizer=optimizer, model=model, step=step)
    manager = tf.train.CheckpointManager(root, directory, max_to_keep=2)
    for _ in range(3):
        optimizer.minimize(lambda: tf.reduce_sum(model(tf.ones([1, 2])) ** 2), global_step=step)
        manager.save()
    kept = [os.path.basename(path) for path in manager.checkpoints]
    x.assign(11.0)
    root.restore(manager.latest_checkpoint).assert_consumed()
    fresh = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    later = tf.train.Checkpoint(model=fresh)
    status = later.restore(tf.train.latest_checkpoint(directory))
    restored = fresh(tf.ones([1, 2]))  # variables are initialized at creation
    status.assert_existing_objects_matched()
    return {
        "x": x,
        "step": step,
        "kept": kept,
        "latest": os.path.basename(manager.latest_checkpoint),
        "restored": restored,
        "same": model(tf.ones([1, 2])),
        "counter": root.save_counter,
        "keys": sorted(name for name, _ in tf.train.list_variables(directory)),
    }


def savers_by_names(tf):
    directory = tempfile.mkdtemp()
    a = tf.contrib.eager.Variable([1.0, 2.0], name="a")
    saver = tf.contrib.eager.Saver([a])
    path = saver.save(os.path.join(directory, "model"), global_step=3)
    a.assign([5.0, 5.0])
    saver.restore(path)
    with tf.contrib.eager.restore_variables_on_create(path):
        b = tf.contrib.eager.Variable([0.0, 0.0], name="a")
    return {"file": os.path.basename(path), "a": a, "b": b}


def summaries_of_contrib(tf):
    directory = tempfile.mkdtemp()
    step = tf.train.get_or_create_global_step()
    writer = tf.contrib.summary.create_file_writer(directory, flush_millis=10000)
    with writer.as_default():
        for i in range(4):
            step.assign_add(1)
            with tf.contrib.summary.record_summaries_every_n_global_steps(2):
                tf.contrib.summary.scalar("loss", 0.5 * i)
        with tf.contrib.summary.always_record_summaries():
            tf.contrib.summary.histogram("weights", tf.range(4.0), step=9)
    writer.close()
    (name,) = os.listdir(directory)
    events = list(tf.train.summary_iterator(os.path.join(directory, name)))
    result = [[e.step, v.tag, v.simple_value] for e in events for v in e.summary.value]
    return {"found": result, "version": events[0].file_version}


def variables_and_their_updates(tf):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v")
    result = [v.assign_add([[1.0, 1.0], [1.0, 1.0]]), v.scatter_nd_update([[0]], [[9.0, 9.0]])]
    result += [tf.assign(v, v * 2.0), v.sparse_read([1]), v[0], tf.convert_to_tensor(v)]
    count = tf.Variable(0, dtype=tf.int64)
    for _ in range(3):
        count.assign_add(2)
    return {
        "found": result,
        "repr": repr(v),
        "count": count,
        "about": [v.name, str(v.shape), v.dtype.name, v.trainable],
        "sum": v + 1.0,
    }


def variables_of_scopes(tf):
    store = tf.contrib.eager.EagerVariableStore()
    with store.as_default():
        for _ in range(2):
            with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
                v = tf.get_variable("w", [2], initializer=tf.ones_initializer())
                dense = tf.layers.dense(
                    tf.ones([1, 2]), 1, kernel_initializer=tf.ones_initializer()
                )
            v.assign_add([1.0, 2.0])
    return {"names": sorted(v.name for v in store.variables()), "v": v, "dense": dense}


def rates_that_decay(tf):
    step, rates = tf.Variable(0, dtype=tf.int64), []
    decayed = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)
    cosine = tf.train.cosine_decay(1.0, step, 10)
    pieces = tf.train.piecewise_constant(step, [1, 3], [1.0, 0.5, 0.1])
    optimizer, weight = tf.train.GradientDescentOptimizer(decayed), tf.Variable(1.0)
    for _ in range(5):
        rates.append([decayed(), cosine(), pieces()])
        optimizer.minimize(lambda: weight * weight, global_step=step)
    return {"rates": rates, "weight": weight}


def optimizers_of_train(tf):
    results = {}
    for optimizer in [
        tf.train.AdamOptimizer(0.1),
        tf.train.AdagradOptimizer(0.1),
        tf.train.RMSPropOptimizer(0.1, momentum=0.5),
        tf.train.FtrlOptimizer(0.1),
        tf.train.AdadeltaOptimizer(1.0),
        tf.keras.optimizers.Nadam(0.1),
        tf.keras.optimizers.Adamax(0.1),
    ]:
        v = tf.Variable([1.0, -2.0])
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(v**4)
            optimizer.apply_gradients([(tape.gradient(loss, v), v)])
        results[type(optimizer).__name__] = v
    return results
