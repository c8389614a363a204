"""`tensorflow.python.keras.testing_utils`: data for tests of layers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["get_test_data"]

Samples = tuple[np.ndarray, np.ndarray]


def get_test_data(
    train_samples: int,
    test_samples: int,
    input_shape: Sequence[int],
    num_classes: int,
    random_seed: int | None = None,
) -> tuple[Samples, Samples]:
    """Returns samples that are easy to classify: a random pattern per class, with noise.

    Args:
      train_samples, test_samples: numbers of training and test samples.
      input_shape: shape of one sample.
      num_classes: number of classes.
      random_seed: seed of NumPy's generator; None to leave its state unchanged.

    Returns:
      ([train_samples, *input_shape] float32, [train_samples] int64 classes), and the same for the test samples.
    """
    if random_seed is not None:
        np.random.seed(random_seed)
    count, shape = train_samples + test_samples, tuple(input_shape)
    patterns = 2 * num_classes * np.random.random((num_classes, *shape))
    classes = np.random.randint(0, num_classes, size=(count,))
    noise = [np.random.normal(loc=0, scale=1.0, size=shape) for _ in range(count)]
    samples = (patterns[classes] + np.reshape(noise, (count, *shape))).astype(np.float32)
    train, test = slice(train_samples), slice(train_samples, None)
    return (samples[train], classes[train]), (samples[test], classes[test])
