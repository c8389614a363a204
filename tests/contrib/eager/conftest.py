"""Networks in both modes."""

import contextlib

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode

tfe = tf.contrib.eager


class Inner(tfe.Network):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.l1 = self.track_layer(tf.layers.Dense(1, use_bias=False))

    def call(self, x):
        return self.l1(x)


class Outer(tfe.Network):
    def __init__(self, shared=None, name=None):
        super().__init__(name=name)
        self.a = self.track_layer(shared or Inner())
        self.b = self.track_layer(Inner())
        regularizer = tf.contrib.layers.l1_regularizer(2.0)
        self.c = self.track_layer(tf.layers.Dense(2, name="last", bias_regularizer=regularizer))

    def call(self, x):
        return self.c(self.b(self.a(x)))


class Values:
    """Reads and sets values in one mode."""

    def __init__(self, session):
        self._session = session

    def of(self, tensor):
        return tensor.numpy() if self._session is None else self._session.run(tensor)

    def set(self, variable, value):
        assigned = variable.assign(value)
        if self._session is not None:
            self._session.run(assigned)


@pytest.fixture(params=["eager", "graph"])
def values(request):
    with contextlib.ExitStack() as stack:
        stack.enter_context(tf.Graph().as_default())
        if request.param == "eager":
            stack.enter_context(eager_mode())
            yield Values(None)
        else:
            yield Values(stack.enter_context(tf.Session()))


@pytest.fixture
def one(values):
    return tf.constant([[1.0]])
