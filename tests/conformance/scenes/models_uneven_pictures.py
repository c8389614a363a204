"""Nonsquare images, distorted, fitted, flowed; tokenizers and series serialized and read."""

import json
import warnings

import numpy as np


def _picture(shape):
    return (np.arange(np.prod(shape), dtype=np.float32) * 7 % 31).reshape(shape)


def _warned(stage, function):
    """Records a call's warnings."""
    with warnings.catch_warnings(record=True) as caught, stage.failing():
        warnings.simplefilter("always")
        function()
    for row in caught:
        stage.say(row.category.__name__, str(row.message))


def moved_at_random(tf, stage):
    of = tf.keras.preprocessing.image
    x = _picture((3, 5, 2))

    def drawn(name, *args, **options):
        np.random.seed(4)
        found = getattr(of, name)(x, *args, **options)
        return found.shape, np.round(np.asarray(found).ravel()[::3], 2), np.random.randint(1000)

    last = {"row_axis": 0, "col_axis": 1, "channel_axis": 2}
    for name, args in (
        ("random_rotation", (40,)),
        ("random_shift", (0.2, 0.5)),
        ("random_shift", (0.5, 0)),
        ("random_shear", (25,)),
        ("random_zoom", ((0.5, 1.5),)),
        ("random_zoom", ((1, 1),)),
        ("random_zoom", ((1, 1.5),)),
    ):
        stage.say(name, args)
        stage.attempts(
            lambda: drawn(name, *args),  # noqa: B023  called here
            lambda: drawn(name, *args, **last),  # noqa: B023
            lambda: drawn(name, *args, fill_mode="constant", cval=9.0, **last),  # noqa: B023
            lambda: drawn(name, *args, interpolation_order=0, **last),  # noqa: B023
        )
    stage.attempts(
        lambda: drawn("random_zoom", (1, 2, 3)),
        lambda: drawn("random_channel_shift", 10.0),
        lambda: drawn("random_channel_shift", 10.0, 2),
        lambda: drawn("random_channel_shift", 0),
        lambda: of.random_brightness(_picture((2, 4, 3)), [1]),
    )


def fitted(tf, stage):
    of = tf.keras.preprocessing.image
    for order, shape in (("channels_last", (4, 2, 3, 1)), ("channels_first", (4, 3, 2, 3))):
        x = _picture(shape) / 31
        kept = x.copy()
        for options, how in (
            ({"featurewise_center": True}, {}),
            ({"featurewise_std_normalization": True}, {"augment": True, "rounds": 2, "seed": 5}),
            ({"featurewise_std_normalization": True, "rescale": 3.0}, {}),
            ({"zca_whitening": True, "zca_epsilon": 0.5}, {}),
            (
                {"zca_whitening": True, "zca_epsilon": 0.5, "rotation_range": 40},
                {"augment": True, "seed": 5},
            ),
            ({"samplewise_std_normalization": True, "dtype": "float64"}, {}),
        ):
            made = of.ImageDataGenerator(data_format=order, **options)
            stage.say(made.mean, made.std, made.principal_components, made.dtype)
            stage.say(made.featurewise_center, made.featurewise_std_normalization)
            stage.say(made.samplewise_center, made.zoom_range, made.interpolation_order)
            stage.say(made.channel_axis, made.row_axis, made.col_axis)
            for _ in range(2):
                made.fit(x, **how)
                for found in (made.mean, made.std):
                    stage.say(None if found is None else (found.shape, np.round(found, 3)))
            parts = made.principal_components
            stage.say(None if parts is None else (parts.shape, np.round(np.abs(parts[0]), 2)))
            one = x[0].copy()
            found = made.standardize(one)
            stage.say(np.round(np.abs(found), 2), found is one, np.array_equal(kept, x))
    made = of.ImageDataGenerator()
    stage.attempts(
        lambda: made.fit(x[0]),
        lambda: made.fit([[1.0]]),
        lambda: of.ImageDataGenerator(validation_split=1),
        lambda: of.ImageDataGenerator(validation_split=1.0),
        lambda: of.ImageDataGenerator(validation_split=-0.1),
        lambda: of.ImageDataGenerator(zoom_range=(1, "a")),
        lambda: of.ImageDataGenerator(zoom_range=(1, 2, 3)),
        lambda: of.ImageDataGenerator(brightness_range=(1, 2, 3)),
        lambda: of.ImageDataGenerator(brightness_range=[1, 2]).brightness_range,
        lambda: of.ImageDataGenerator(data_format="channels_Last"),
    )
    for options in (
        {"zca_whitening": True},
        {"zca_whitening": True, "featurewise_std_normalization": True},
        {"zca_whitening": True, "featurewise_center": True},
        {"featurewise_std_normalization": True},
        {"samplewise_std_normalization": True},
        {"samplewise_std_normalization": True, "samplewise_center": True},
    ):
        stage.say(sorted(options))

        def used(options=options):
            made = of.ImageDataGenerator(**options)
            for _ in range(2):
                stage.say(made.standardize(np.ones([1, 2, 1], np.float32)))

        _warned(stage, used)
    _warned(stage, lambda: of.ImageDataGenerator().fit(np.ones([1, 2, 3, 2])))
    _warned(stage, lambda: of.ImageDataGenerator().flow(np.ones([1, 2, 3, 2])))
    _warned(
        stage,
        lambda: of.ImageDataGenerator(data_format="channels_first").flow(np.ones([1, 2, 3, 1])),
    )


def flowed(tf, stage):
    """More than two epochs, by next and by index."""
    of = tf.keras.preprocessing.image
    x = _picture((5, 2, 3, 1))
    made = of.ImageDataGenerator(validation_split=0.4, horizontal_flip=True, rescale=2.0)
    for options in (
        {"batch_size": 2, "seed": 3},
        {"batch_size": 2, "seed": 3, "shuffle": False},
        {"batch_size": 5, "seed": 1},
        {"batch_size": 1, "seed": 0, "subset": "validation"},
        {"batch_size": 2, "seed": 7, "subset": "training"},
        {"batch_size": 9, "seed": 2},
    ):
        flow = made.flow(x, **options)
        stage.say(options.get("subset"), flow.n, len(flow), flow.seed, flow.shuffle, flow.dtype)
        stage.say(flow.y, flow.sample_weight, flow.x.shape, flow.x_misc, flow.data_format)
        for _ in range(4):
            batch = next(flow)
            stage.say(batch.shape, batch[:, 0, 0, 0], flow.batch_index, flow.total_batches_seen)
        stage.say(flow[0][:, 1, 1, 0], flow[len(flow) - 1][:, 1, 1, 0], flow.index_array)
        flow.on_epoch_end()
        stage.say(flow.total_batches_seen, iter(flow) is flow)
        flow.reset()
        stage.say(flow.batch_index, next(flow).shape)
        stage.attempts(lambda: flow[len(flow)], lambda: flow[-1].shape)  # noqa: B023  called here
    y, weights = np.arange(5), np.arange(5.0)
    plain = of.ImageDataGenerator(validation_split=0.4)
    for given in (x, (x, y), (x, [y, weights]), [x, weights]):
        for subset in (None, "training", "validation"):
            flow = plain.flow(given, sample_weight=weights, shuffle=False, subset=subset)
            stage.say(subset, [np.shape(part) for part in tf.nest.flatten(next(flow))])
            labels = np.array([1, 0, 1, 0, 1])
            stage.attempt(
                lambda: [
                    np.shape(part)
                    for part in tf.nest.flatten(
                        next(plain.flow(given, labels, shuffle=False, subset=subset))  # noqa: B023
                    )
                ]
            )
    stage.attempts(
        lambda: plain.flow(x[:0], shuffle=False).n,
        lambda: len(plain.flow(x[:0], shuffle=False)),
        lambda: plain.flow(x[0]),
        lambda: plain.flow((x, y, weights)).x_misc,
        lambda: plain.flow(x, sample_weight=weights[:2]),
        lambda: plain.flow(x, y, subset="test"),
    )


def tokenizers_written(tf, stage):
    of = tf.keras.preprocessing.text
    for options in (
        {},
        {"num_words": 3, "oov_token": "?", "filters": "!", "lower": False, "split": ","},
        {"char_level": True, "document_count": 2},
    ):
        made = of.Tokenizer(**options)
        stage.say(json.loads(made.to_json())["class_name"])
        for texts in (["b,a b a", "a! B"], ["c"], []):
            made.fit_on_texts(texts)
            config = made.get_config()
            stage.say(*(f"{key}={config[key]!r}" for key in sorted(config) if "docs" not in key))
            stage.say(*(sorted(json.loads(config[k]).items()) for k in ("word_docs", "index_docs")))
        made.fit_on_sequences([[1, 1, 2], [2]])
        stage.say(made.document_count, sorted(made.index_docs.items()), len(made.word_index))
        written = made.to_json(indent=2)
        stage.say(written.count("\n"))
        made.fit_on_texts(["z z z", "a"])
        stage.say(sorted(made.word_index.items()), sorted(made.word_docs.items()))
        stage.say(list(made.texts_to_sequences_generator(["z, a", "b b c q", ["a", "q"]])))
        stage.say(list(made.sequences_to_texts_generator([[1, 2], [9], [3, 1]])))
        stage.say(made.texts_to_matrix([["a", "z", "a"]], "tfidf"))
    _warned(stage, lambda: stage.say(of.Tokenizer(nb_words=7).num_words))


def series_written(tf, stage):
    of = tf.keras.preprocessing.sequence
    data = np.arange(7)
    for options in ({}, {"start_index": 1, "end_index": 5, "stride": 2, "reverse": True}):
        made = of.TimeseriesGenerator(data, (data * 2).tolist(), 2, batch_size=2, **options)
        config = made.get_config()
        stage.say(*(f"{key}={config[key]!r}" for key in sorted(config)))
        stage.say(made.start_index, made.end_index, len(made), made.to_json(sort_keys=True))
        stage.say([[part.tolist() for part in made[i]] for i in range(len(made))])
        read = (
            tf.keras.preprocessing.sequence.TimeseriesGenerator(
                **{
                    **config,
                    "data": json.loads(config["data"]),
                    "targets": json.loads(config["targets"]),
                }
            )
            if not options
            else made
        )
        stage.attempt(lambda: (read.start_index, len(read), read[0][1]))  # noqa: B023  called here
    for length in (1, 4, 5, 6):
        for batch in (1, 2, 3):
            made = of.TimeseriesGenerator(data, data, length, batch_size=batch, stride=batch)
            stage.say(length, batch, len(made), [made[i][1].tolist() for i in range(len(made))])
    for length, step in ((4, 2), (5, 2), (4, 3)):
        made = of.TimeseriesGenerator(data.tolist(), data, length, step, reverse=step == 3)
        stage.attempt(lambda: made[0][0])  # noqa: B023  called here
    stage.attempts(
        lambda: of.TimeseriesGenerator(data, data, 7),
        lambda: of.TimeseriesGenerator(data, data, 6)[0],
        lambda: of.TimeseriesGenerator([object()] * 3, data[:3], 1).get_config(),
        lambda: of.TimeseriesGenerator(data[:3], [{1}, {2}, {3}], 1).to_json(),
        lambda: of.pad_sequences([[1, 2, 3]], 3, truncating="none"),
        lambda: of.pad_sequences([[], []]).shape,
        lambda: of.pad_sequences([], 2).shape,
        lambda: of.pad_sequences([]),
        lambda: of.pad_sequences([[], []], 2, padding="none"),
        lambda: of.pad_sequences([[1.7, -1.7]], 3),
        lambda: of.pad_sequences(np.ones([2, 3]), 2, "uint8", value=255),
        lambda: of.pad_sequences([["ab"]], 2, "U5", value="c").tolist(),
    )
