"""`contrib.learn` file readers: batches of records and features, ordered and shuffled, parsed before or after."""

import os
import tempfile


def build(tf):
    learn = tf.contrib.learn
    folder = tempfile.mkdtemp()
    for number in range(2):
        with tf.python_io.TFRecordWriter(os.path.join(folder, f"{number}.tfrecord")) as writer:
            for i in range(4):
                features = {
                    "x": tf.train.Feature(float_list=tf.train.FloatList(value=[number, i])),
                    "words": tf.train.Feature(
                        bytes_list=tf.train.BytesList(value=[b"w%d" % j for j in range(i)])
                    ),
                }
                example = tf.train.Example(features=tf.train.Features(feature=features))
                writer.write(example.SerializeToString())
    pattern = os.path.join(folder, "*.tfrecord")
    before = os.getcwd()
    os.chdir(folder)  # for reproducible paths in the graph
    try:
        files = ["0.tfrecord", "1.tfrecord"]
        spec = {"x": tf.FixedLenFeature([2], tf.float32), "words": tf.VarLenFeature(tf.string)}
        reader = tf.TFRecordReader
        given = {"randomize_input": False, "num_epochs": 1, "queue_capacity": 10}
        plain = learn.read_batch_examples(files, 3, reader, **given)
        sizes = tf.strings.length(plain)
        keyed = learn.read_keyed_batch_examples(
            files, 3, reader, parse_fn=lambda t: tf.strings.length(t), num_threads=1, **given
        )
        several = learn.read_keyed_batch_examples(
            files,
            3,
            reader,
            read_batch_size=2,
            parse_fn=lambda t: tf.parse_example(t, {"x": spec["x"]}),
            **given,
        )
        shuffled = learn.read_batch_examples(files, 2, reader, queue_capacity=10, seed=3)
        features = learn.read_batch_features(
            files, 4, spec, reader, num_enqueue_threads=1, read_batch_size=1, **given
        )
        records = learn.read_batch_record_features(files, 4, spec, queue_capacity=9, num_epochs=1)
        queued = learn.io.queue_parsed_features({"a": tf.constant([1.0])}, None, 5, 1)
        wrong = {
            "none": lambda: learn.read_batch_examples([], 3, reader),
            "batch": lambda: learn.read_batch_examples(files, 0, reader),
            "capacity": lambda: learn.read_batch_examples(files, 3, reader, queue_capacity=0),
            "threads": lambda: learn.read_batch_examples(files, 3, reader, num_threads=0),
            "epochs": lambda: learn.read_batch_examples(files, 3, reader, num_epochs=0),
            "read": lambda: learn.read_batch_examples(files, 3, reader, read_batch_size=0),
            "nothing": lambda: learn.read_batch_examples("no*", 3, reader),
        }
        facts = {"shuffled": str(shuffled.get_shape()), "records": sorted(records)}
        facts["matched"] = len(tf.gfile.Glob(pattern))
        for name, call in wrong.items():
            try:
                call()
            except ValueError as error:
                facts[name] = str(error)

        def run(session):
            coordinator = tf.train.Coordinator()
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            os.chdir(folder)
            threads = tf.train.start_queue_runners(session, coordinator)
            try:
                found = [session.run([sizes, keyed[1], several[1]["x"]]) for _ in range(3)]
                found += [session.run(features) for _ in range(2)]
                return found + [session.run(queued[1])]
            finally:
                coordinator.request_stop()
                coordinator.join(threads, stop_grace_period_secs=60)
                os.chdir(before)

    finally:
        os.chdir(before)
    return {"steps": [("read", run)], "facts": facts}
