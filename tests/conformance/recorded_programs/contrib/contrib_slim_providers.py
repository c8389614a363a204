"""slim's datasets: records read by one or several readers, decoded, prefetched."""

import os

FOLDER = "/tmp/tfmini_slim_records"  # as recorded
REPLAYABLE = False


def write(tf):
    """Two files of five records each."""
    os.makedirs(FOLDER, exist_ok=True)
    for file in range(2):
        path = os.path.join(FOLDER, f"part{file}.tfrecord")
        with tf.python_io.TFRecordWriter(path) as writer:
            for number in range(5):
                label = tf.train.Int64List(value=[10 * file + number])
                feature = {"label": tf.train.Feature(int64_list=label)}
                made = tf.train.Example(features=tf.train.Features(feature=feature))
                writer.write(made.SerializeToString())


def build(tf):
    write(tf)
    here = os.getcwd()
    os.chdir(FOLDER)
    try:
        return _build(tf)
    finally:
        os.chdir(here)


def _build(tf):
    slim = tf.contrib.slim
    decoder = slim.tfexample_decoder.TFExampleDecoder(
        {"label": tf.FixedLenFeature([1], tf.int64)},
        {"label": slim.tfexample_decoder.Tensor("label", shape=[])},
    )
    files = ["part0.tfrecord", "part1.tfrecord"]
    dataset = slim.dataset.Dataset(
        files, tf.TFRecordReader, decoder, 10, {"label": "a number"}, classes=3
    )
    make = slim.dataset_data_provider.DatasetDataProvider
    in_order = make(dataset, shuffle=False, num_epochs=1)
    mixed = make(dataset, num_readers=2, common_queue_capacity=20, common_queue_min=5, seed=3)
    (label,) = in_order.get(["label"])
    pair = mixed.get(["record_key", "label"])
    _, single = slim.parallel_reader.single_pass_read(files, tf.TFRecordReader, scope="single")
    batches = tf.train.batch([label], 4, allow_smaller_final_batch=True)
    queue = slim.prefetch_queue.prefetch_queue([batches], dynamic_pad=True)
    named = slim.prefetch_queue.prefetch_queue(
        {"b": pair[1], "a": tf.reshape(pair[0], [])}, 3, 2, name="named"
    )

    def run(session):
        """The entire epoch, batch by batch."""
        here = os.getcwd()
        os.chdir(FOLDER)
        try:
            return read(session)
        finally:
            os.chdir(here)

    def read(session):
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        found = []
        try:
            while True:
                found += session.run(taken).tolist()
        except tf.errors.OutOfRangeError:
            coordinator.request_stop()
        both = session.run([len_of_single])
        coordinator.join(threads, ignore_live_threads=True)
        return [found, both]

    taken = queue.dequeue()
    len_of_single = tf.size(single)
    facts = {
        "samples": [in_order.num_samples(), dataset.classes],
        "items": sorted(mixed.list_items()),
        "shapes": [str(t.shape) for t in (label, *pair, taken)],
        "names": [named.names, named.name, sorted(named.dequeue())],
        "runners": len(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)),
        "files": len(slim.parallel_reader.get_data_files([files[0], "part*"])),
    }
    return {"steps": [("run", run)], "facts": facts}
