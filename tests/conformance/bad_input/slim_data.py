"""Invalid slim datasets, providers and item handlers."""


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
