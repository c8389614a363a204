"""Seeded results of `tf.keras.preprocessing`: a program for both TensorFlow and tfmini."""

import random

import numpy as np

SETTINGS = {
    "turned": {"rotation_range": 30},
    "moved": {"width_shift_range": 0.3, "height_shift_range": [1, 2]},
    "zoomed": {"zoom_range": 0.4, "shear_range": 20, "fill_mode": "constant", "cval": 3.0},
    "flipped": {"horizontal_flip": True, "vertical_flip": True, "rescale": 0.1},
    "shifted": {"channel_shift_range": 20.0, "samplewise_center": True},
    "lighter": {"brightness_range": (0.5, 1.5)},
    "samplewise": {"samplewise_center": True, "samplewise_std_normalization": True},
    "fitted": {"featurewise_center": True, "featurewise_std_normalization": True},
    "white": {"zca_whitening": True, "featurewise_center": True, "zca_epsilon": 0.1},
}


def images(image):
    result = {}
    x = np.random.RandomState(0).rand(5, 6, 6, 3) * 255
    y = np.arange(5)
    for name, settings in SETTINGS.items():
        generator = image.ImageDataGenerator(**settings)
        generator.fit(x)
        flow = generator.flow(x, y, batch_size=2, seed=7)
        batches = [next(flow) for _ in range(3)] + [flow[1]]
        result[name] = [[b.sum(), np.abs(np.diff(b, axis=1)).sum(), *t] for b, t in batches]
    np.random.seed(3)
    random_ones = {
        "random_rotation": (20,),
        "random_shift": (0.2, 0.3),
        "random_shear": (15,),
        "random_zoom": ((0.5, 1.2),),
        "random_channel_shift": (30.0,),
    }
    first = x[0].astype("float32").transpose(2, 0, 1)
    for name, arguments in random_ones.items():
        result[name] = np.asarray(getattr(image, name)(first, *arguments)).ravel()[::7]
    result["random_brightness"] = image.random_brightness(x[0], (0.3, 0.6)).ravel()[::7]
    return result


def folders(image, folder):
    result = {}
    x = np.random.RandomState(1).rand(6, 5, 4, 3) * 255
    for i, picture in enumerate(x):
        (folder / "ab"[i % 2]).mkdir(exist_ok=True)
        image.save_img(str(folder / "ab"[i % 2] / f"{i}.png"), picture)
    generator = image.ImageDataGenerator(validation_split=0.4)
    for mode in ("categorical", "binary", "sparse", "input", None):
        for part in ("training", "validation"):
            flow = generator.flow_from_directory(
                str(folder), (3, 3), class_mode=mode, batch_size=2, seed=1, subset=part
            )
            batch = next(flow)
            inputs, targets = batch if mode else (batch, np.zeros(1))
            result[f"{mode} {part}"] = [len(flow), inputs.sum(), *np.ravel(targets)]
    grey = image.load_img(str(folder / "a" / "0.png"), color_mode="grayscale", target_size=(4, 6))
    result["grey"] = image.img_to_array(grey).ravel()
    return result


def words(text):
    tokenizer = text.Tokenizer(num_words=5, oov_token="<other>")
    texts = ["The cat sat on the mat.", "The dog; the DOG ate", ["the", "Log"]]
    tokenizer.fit_on_texts(texts)
    numbers = tokenizer.texts_to_sequences([*texts, "a dog sat"])
    result = {"numbers": numbers, "texts": tokenizer.sequences_to_texts(numbers)}
    for mode in ("binary", "count", "freq", "tfidf"):
        result[mode] = tokenizer.texts_to_matrix(texts, mode).ravel()
    config = tokenizer.get_config()
    unordered = ("word_docs", "index_docs")  # in the order of a set of words
    result["config"] = [
        str(value) for name, value in sorted(config.items()) if name not in unordered
    ]
    result["hashed"] = text.hashing_trick("one two, Three two", 50, hash_function="md5")
    letters = text.Tokenizer(char_level=True)
    letters.fit_on_texts(["Hello"])
    result["letters"] = letters.texts_to_sequences(["hole"])
    return result


def sequences(sequence):
    rows = [[1], [2, 3, 4], [], [5, 6]]
    result = {
        f"{padding} {truncating}": sequence.pad_sequences(
            rows, 2, "float32", padding, truncating, 9
        ).ravel()
        for padding in ("pre", "post")
        for truncating in ("pre", "post")
    }
    result["longest"] = sequence.pad_sequences([[[1, 2]], [[3, 4], [5, 6]]]).ravel()
    result["table"] = sequence.make_sampling_table(12, 1e-2)
    random.seed(4)
    table = sequence.make_sampling_table(10, 0.2)
    result["pairs"] = sequence.skipgrams([1, 2, 0, 3, 4, 5, 1], 10, 2, 0.5, sampling_table=table)
    result["more pairs"] = sequence.skipgrams([1, 2, 3], 10, 1, categorical=True, seed=3)
    data = np.arange(30).reshape(15, 2)
    series = sequence.TimeseriesGenerator(
        data, data[:, 0], 4, sampling_rate=2, stride=3, start_index=1, reverse=True, batch_size=2
    )
    result["series"] = [
        len(series),
        *(v for i in range(len(series)) for part in series[i] for v in part.ravel()),
    ]
    result["series' json"] = series.to_json(sort_keys=True)
    np.random.seed(5)
    shuffled = sequence.TimeseriesGenerator(data, data, 3, shuffle=True, batch_size=3)
    result["shuffled"] = shuffled[0][1].ravel()
    return result


def results(keras, folder):
    parts = keras.preprocessing
    result = {
        "images": images(parts.image),
        "folders": folders(parts.image, folder),
        "words": words(parts.text),
        "sequences": sequences(parts.sequence),
    }
    return {part: {name: plain(value) for name, value in of.items()} for part, of in result.items()}


def plain(value):
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, str):
        return value
    return float(f"{float(value):.7g}")
