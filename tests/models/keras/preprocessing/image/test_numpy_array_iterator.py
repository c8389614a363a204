"""Batches of an array of pictures for several threads."""

import threading

import numpy as np

import tfmini as tf


def test_threads_take_batches_one_after_the_other():
    pictures = tf.keras.preprocessing.image.ImageDataGenerator().flow(np.ones((4, 2, 2, 1)))
    entered, taken = threading.Event(), []

    def numbers():
        while True:
            entered.set()
            threading.Event().wait(0.2)  # while another thread asks
            yield np.array([0])

    pictures.index_generator = numbers()
    thread = threading.Thread(target=lambda: taken.append(next(pictures)))
    thread.start()
    assert entered.wait(60)
    assert next(pictures).shape == (1, 2, 2, 1)
    thread.join()
    assert taken[0].shape == (1, 2, 2, 1)
