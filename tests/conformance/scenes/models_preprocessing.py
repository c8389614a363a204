"""tf.keras.preprocessing.image: transformed and flowing images, with rare arguments."""

import numpy as np

_PICTURE = (np.arange(48, dtype=np.float32).reshape(4, 4, 3) % 11) * 20


def changed_pictures(tf, stage):
    of = tf.keras.preprocessing.image
    x = np.stack([_PICTURE, _PICTURE[::-1]])
    for options in (
        {},
        {"featurewise_center": True, "featurewise_std_normalization": True},
        {"samplewise_center": True, "samplewise_std_normalization": True},
        {"zca_whitening": True, "zca_epsilon": 0.1},
        {"width_shift_range": 0.5, "height_shift_range": 2},
        {"width_shift_range": [1, 2], "fill_mode": "constant", "cval": 7.0},
        {"zoom_range": 0.5},
        {"zoom_range": [0.5, 0.5], "fill_mode": "wrap"},
        {"zoom_range": 3.0},
        {"zoom_range": [1]},
        {"channel_shift_range": 20.0},
        {"horizontal_flip": True, "vertical_flip": True},
        {"rescale": 0.5, "preprocessing_function": lambda image: image + 1},
        {"brightness_range": 3},
        {"data_format": "none"},
        {"validation_split": 1.5},
        {"dtype": "float64"},
        {"rotation_range": 90, "fill_mode": "reflect"},
        {"shear_range": 30.0},
    ):
        with stage.failing():
            made = of.ImageDataGenerator(**options)
            if {"featurewise_center", "zca_whitening"} & set(options):
                made.fit(x / 255.0, seed=3)
            transform = made.get_random_transform((4, 4, 3), seed=3)
            stage.say(sorted(transform.items(), key=str))
            batch = next(made.flow(x / 255.0, batch_size=2, shuffle=False, seed=3))
            stage.say(batch.dtype, batch[0, 0], batch[1, :, 0])
    made = of.ImageDataGenerator()
    for options in (
        {"theta": 90},
        {"tx": 1, "ty": -1},
        {"zx": 0.5, "zy": 0.5},
        {"shear": 20},
        {"flip_horizontal": True},
        {"flip_vertical": True, "channel_shift_intencity": 5.0},
    ):
        with stage.failing():
            stage.say(sorted(options), made.apply_transform(_PICTURE, options)[0])


def flows(tf, stage):
    of = tf.keras.preprocessing.image
    x, y = np.arange(5 * 12, dtype=np.float32).reshape(5, 2, 2, 3), np.arange(5)
    made = of.ImageDataGenerator(validation_split=0.4)
    for given, options in (
        ((x, y), {"batch_size": 2}),
        ((x, y), {"batch_size": 2, "shuffle": False, "sample_weight": np.arange(5.0) / 2}),
        ((x, y), {"subset": "training", "shuffle": False}),
        ((x, y), {"subset": "validation", "shuffle": False}),
        ((x, y), {"subset": "none"}),
        ((x,), {"seed": 3, "batch_size": 3}),
        (((x, [np.ones([5, 1])]), y), {"shuffle": False, "batch_size": 2}),
        ((x, y[:3]), {}),
        ((x, y), {"sample_weight": np.ones(3)}),
        ((x[0], y), {}),
        (((x, [np.ones([3, 1])]), y), {}),
    ):
        with stage.failing():
            flow = made.flow(*given, **options)
            stage.say(flow.n, flow.batch_size, len(flow))
            for _ in range(4):
                batch = next(flow)
                stage.say([np.asarray(b).ravel()[::12].tolist() for b in tf.nest.flatten(batch)])
            flow.reset()
            stage.say(flow.batch_index, flow.total_batches_seen)
            stage.attempt(lambda f=flow: f[99])
