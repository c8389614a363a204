"""Base class for tests of models: `tensorflow.python.keras.keras_parameterized`."""

from __future__ import annotations

from absl.testing import parameterized

from tfmini._src.models.test.testcase import TestCase as GraphTestCase
from tfmini._src.nn.layers.backend.clear_session import clear_session


class ModelTestCase(GraphTestCase, parameterized.TestCase):
    """A parameterized `tf.test.TestCase` that clears Keras's graph before each test."""

    def tearDown(self) -> None:
        """Clears Keras's graph and session."""
        clear_session()
        super().tearDown()
