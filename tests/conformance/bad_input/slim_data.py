"""slim's data sets, providers and item handlers, made wrongly."""


def _decoder(tf, key="label"):
    handlers = tf.contrib.slim.tfexample_decoder
    return handlers.TFExampleDecoder(
        {"label": tf.FixedLenFeature([], tf.int64)}, {key: handlers.Tensor("label")}
    )


def _provider(tf, decoder, files=("no such file",), **settings):
    slim = tf.contrib.slim
    dataset = slim.dataset.Dataset(list(files), tf.TFRecordReader, decoder, 1, {})
    return slim.dataset_data_provider.DatasetDataProvider(dataset, **settings)


def reader_of_one_component(tf):
    queue = tf.FIFOQueue(3, [tf.string])
    tf.contrib.slim.parallel_reader.ParallelReader(tf.TFRecordReader, queue)


def backup_that_is_no_handler(tf):
    handlers = tf.contrib.slim.tfexample_decoder
    handlers.BackupHandler(handlers.Tensor("x"), "y")


def primary_that_is_no_handler(tf):
    handlers = tf.contrib.slim.tfexample_decoder
    handlers.BackupHandler("y", handlers.Tensor("x"))


def runner_of_too_few_functions(tf):
    queue = tf.FIFOQueue(3, [tf.int32])
    tf.contrib.training.FeedingQueueRunner(queue, [queue.enqueue(1)], feed_fns=[])


CASES = {
    "no_files": lambda tf: _provider(tf, _decoder(tf), ["no_such_folder_here*"]),
    "no_sources": lambda tf: tf.contrib.slim.parallel_reader.get_data_files([]),
    "key_among_the_items": lambda tf: _provider(tf, _decoder(tf, "record_key")),
    "items_that_are_no_list": lambda tf: _provider(tf, _decoder(tf)).get("label"),
    "items_that_are_not_there": lambda tf: _provider(tf, _decoder(tf)).get(["image"]),
    "three_sides": lambda tf: tf.contrib.slim.tfexample_decoder.BoundingBox(["a", "b", "c"]),
    "shape_and_its_keys": lambda tf: tf.contrib.slim.tfexample_decoder.Tensor(
        "x", shape_keys="y", shape=[2]
    ),
    "padded_queue_of_unknown_rank": lambda tf: tf.contrib.slim.prefetch_queue.prefetch_queue(
        [tf.placeholder(tf.float32)], dynamic_pad=True
    ),
    "runner_without_operations": lambda tf: tf.contrib.training.FeedingQueueRunner(
        tf.FIFOQueue(3, [tf.int32])
    ),
    "fake_writer_twice": lambda tf: tf.contrib.testing.FakeSummaryWriter.uninstall(),
    "summary_of_other_tags": lambda tf: tf.contrib.testing.assert_summary(["a"], {}, tf.Summary()),
}
