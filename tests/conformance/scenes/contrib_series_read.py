"""tf.contrib.timeseries: series readers, windows, and predictions that continue an evaluation."""

import numpy as np

from tests.support.models.series_runs import internal, series


def readers(tf, stage):
    ts = tf.contrib.timeseries
    canonical = internal(tf, "input_pipeline", "_canonicalize_numpy_data")
    examples = internal(tf, "input_pipeline", "TFExampleReader")
    one, path = np.arange(3), stage.folder + "/rows.csv"

    def said(require=False, **data):
        return lambda: sorted((k, v.shape) for k, v in canonical(data, require).items())

    stage.attempts(
        said(times=1, values=2.0),
        said(times=1, values=[1.0, 2.0]),
        said(times=1, values=[[1.0]]),
        said(times=one, values=one),
        said(times=one, values=one[:, None], more=one),
        said(times=one, values=one[:, None, None]),
        said(times=one[None], values=one[None]),
        said(times=one[None], values=one[None, :, None]),
        said(times=[one, one], values=np.zeros([2, 3, 4])),
        said(True, times=[one, one], values=np.zeros([2, 3, 4])),
        said(times=one[None, None], values=one[None, None]),
        said(times=one, values=one, more=np.ones(2)),
        said(times=one),
        said(values=one),
        lambda: ts.NumpyReader({"times": one}),
        lambda: ts.CSVReader(path, ("times",)),
        lambda: ts.CSVReader(path, ("times", "values", "times")),
        lambda: ts.CSVReader(path, column_dtypes=(tf.int64,)),
        lambda: examples(path, {"times": 1}),
        lambda: ts.RandomWindowInputFn(ts.NumpyReader(series(5)), 6, 2),
        lambda: ts.RandomWindowInputFn(ts.CSVReader(path), 600, 2) and "unknown",
    )
    with open(path, "w") as out:
        out.write("t,a,b,c\n1,2.5,x,4\n2,3.5,y,5\n3,,z,6\n")
    with open(stage.folder + "/bad.csv", "w") as out:
        out.write("1,2.5\n2,a\n")
    with tf.python_io.TFRecordWriter(stage.folder + "/rows.tfrecord") as writer:
        for i in range(4):
            features = tf.train.Features(
                feature={
                    "times": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
                    "values": tf.train.Feature(float_list=tf.train.FloatList(value=[i, -i])),
                }
            )
            writer.write(tf.train.Example(features=features).SerializeToString(deterministic=True))
    for make in (lambda: ts.NumpyReader(series(4, 2)),):
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            features, labels = ts.WholeDatasetInputFn(make())()
            stage.say(sorted((k, str(v.shape), v.dtype.name) for k, v in features.items()), labels)
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            session.run(tf.tables_initializer())
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            with stage.failing():
                stage.say(sorted(session.run(features).items()))
            coordinator.request_stop()
            coordinator.join(threads, ignore_live_threads=True)
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        for options in (
            {},
            {"discard_out_of_order": False, "jitter": False, "num_threads": None},
            {"shuffle_seed": 3, "queue_capacity_multiplier": 5, "jitter": False},
            {"shuffle_min_after_dequeue_multiplier": 7, "discard_consecutive_batches_limit": 2},
        ):
            features, labels = ts.RandomWindowInputFn(ts.NumpyReader(series(9)), 3, 2, **options)()
            stage.say(sorted((k, str(v.shape)) for k, v in features.items()), labels)
        stage.brief_graph(names=False)
        stage.say(len(tf.get_collection("queue_runners")))


def going_on(tf, stage):
    ts = tf.contrib.timeseries
    evaluation = {"times": np.array([[3, 4, 5]]), "start_tuple": (np.ones([1, 2]), np.ones([1]))}
    two = {"times": np.array([[3, 4], [5, 6]]), "start_tuple": np.ones([2])}

    def case(evaluation=evaluation, **options):
        def run():
            features, labels = ts.predict_continuation_input_fn(evaluation, **options)()
            with tf.Session() as session:
                session.run(tf.local_variables_initializer())
                return sorted(session.run(features).items()), labels

        return run

    stage.attempts(
        case(steps=3),
        case(steps=0),
        case(two, steps=2),
        case(times=[7, 9]),
        case(times=[[7, 9]]),
        case(times=[5, 6]),
        case(two, times=[[7, 8], [6, 9]]),
        case(two, times=[[7, 8], [7, 9]], exogenous_features={"a": np.ones([2, 2, 1])}),
        case(two, times=[7, 8]),
        case(times=[7], steps=1),
        case(),
        case({"times": np.array([[1]])}, steps=1),
    )
