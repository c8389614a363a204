"""Names that tfmini lacks: importing and subclassing work, using them fails with an explanation."""

import inspect
import re

import pytest

from tfmini._src.programs.hook import object_lookup
from tfmini._src.programs.hook.missing_names import missing
from tfmini._src.train.optimizers.optimizer import Optimizer


@pytest.mark.parametrize("kind", ["function", "object"])
def test_unused_missing_name_is_harmless(kind):
    found = missing("tf.some.name", kind)
    assert found is missing("tf.some.name", kind)
    assert repr(found) == "<missing tf.some.name>" and found.__name__ == "name"
    assert not isinstance(found, type) and not hasattr(found, "__wrapped__")
    assert repr(found.part) == "<missing tf.some.name.part>"
    found.own = 3
    assert missing("tf.some.name", kind).own == 3
    del found.own


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x(),
        lambda x: x(1, a=2),
        lambda x: x.part(3),
        lambda x: list(x),
        lambda x: len(x),
        lambda x: x[0],
        lambda x: x.__setitem__(0, 1),
        lambda x: 1 in x,
        lambda x: x.__enter__(),
        lambda x: int(x),
        lambda x: float(x),
        lambda x: range(x),
        lambda x: x + 1,
        lambda x: 1 + x,
        lambda x: x - 1,
        lambda x: 1 - x,
        lambda x: x * 1,
        lambda x: 1 * x,
        lambda x: x / 1,
        lambda x: 1 / x,
        lambda x: x < 1,
        lambda x: x <= 1,
        lambda x: x > 1,
        lambda x: x >= 1,
    ],
)
def test_used_missing_name_is_reported(use):
    with pytest.raises(NotImplementedError, match=r"tf\.some\.other"):
        use(missing("tf.some.other", "object"))


def test_missing_class_can_be_subclassed():
    found = missing("tf.some.Layer", "class")
    assert isinstance(found, type) and found.__name__ == "Layer" and found.__module__ == "tf.some"
    assert not isinstance(3, found) and not issubclass(int, found)

    class Own(found):
        pass

    assert issubclass(Own, found)
    for make in (found, Own):
        with pytest.raises(NotImplementedError, match=r"tf\.some\.Layer"):
            make(3, a=4)
    assert repr(found.attribute) == "<missing tf.some.Layer.attribute>"
    with pytest.raises(NotImplementedError, match=r"tf\.some\.Layer\.build"):
        found.build()
    for name in ("_private", "__dunder__"):
        with pytest.raises(AttributeError, match=f"type object 'Layer' has no attribute '{name}'"):
            getattr(found, name)


@pytest.mark.parametrize(
    "name, is_one",
    [
        ("tf.train.NoSuchOptimizer", True),
        ("tf.train.NoSuchHook", False),
        ("tf.contrib.opt.NoSuchOptimizer", False),
    ],
)
def test_missing_optimizers_subclass_optimizer(name, is_one):
    found = missing(name, "class")
    assert issubclass(found, Optimizer) == is_one and inspect.isclass(found)
    with pytest.raises(NotImplementedError, match=name):
        found(0.1)


@pytest.mark.parametrize(
    "path, name, full_name",
    [
        (
            "compat.v2.keras.estimator",
            "model_to_estimator",
            "tensorflow.python.keras.estimator.model_to_estimator_v2",
        ),
        (
            "compat.v2.data.experimental",
            "SqlDataset",
            "tensorflow.python.data.experimental.ops.readers.SqlDatasetV2",
        ),
    ],
)
def test_alias_error_uses_its_own_name(path, name, full_name):
    with pytest.raises(NotImplementedError, match=re.escape(full_name)):
        object_lookup.find(path, name)()
