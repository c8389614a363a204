"""Batches of an image array in several threads."""

import threading

import numpy as np
from PIL import Image

import tfmini as tf


def test_threads_take_batches_sequentially():
    images = tf.keras.preprocessing.image.ImageDataGenerator().flow(np.ones((4, 2, 2, 1)))
    entered, taken = threading.Event(), []

    def numbers():
        while True:
            entered.set()
            threading.Event().wait(0.2)  # while another thread requests batches
            yield np.array([0])

    images.index_generator = numbers()
    thread = threading.Thread(target=lambda: taken.append(next(images)))
    thread.start()
    assert entered.wait(60)
    assert next(images).shape == (1, 2, 2, 1)
    thread.join()
    assert taken[0].shape == (1, 2, 2, 1)


def test_saved_images_are_rescaled(tmp_path):
    wide = np.arange(5 * 6, dtype=np.float32).reshape(5, 1, 2, 3)
    generator = tf.keras.preprocessing.image.ImageDataGenerator(data_format="channels_first")
    flow = generator.flow(
        wide, batch_size=2, shuffle=False, save_to_dir=str(tmp_path), save_prefix="p"
    )
    for _ in range(3):
        next(flow)
    retained = sorted(tmp_path.iterdir())
    assert [path.name.split("_")[:2] for path in retained] == [["p", str(n)] for n in range(5)]
    assert all(0 <= int(path.stem.split("_")[2]) < 10_000 for path in retained)
    for path in retained:
        assert path.suffix == ".png"
        with Image.open(path) as image:
            shades = np.asarray(image)
        assert shades.tolist() == [[0, 51, 102], [153, 204, 255]]


def test_saved_images_use_prefix_and_format(tmp_path):
    images = np.arange(8, dtype=np.float32).reshape(2, 2, 2, 1)
    generator = tf.keras.preprocessing.image.ImageDataGenerator()
    next(generator.flow(images, save_prefix="x"))
    assert not list(tmp_path.iterdir())
    next(generator.flow(images, save_to_dir=tmp_path, save_format="jpeg"))
    retained = sorted(path.name for path in tmp_path.iterdir())
    assert [name[:3] for name in retained] == ["_0_", "_1_"]
    for name in retained:
        with Image.open(tmp_path / name) as image:
            assert (image.format, image.size) == ("JPEG", (2, 2))
