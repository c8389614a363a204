"""Missing names: TensorFlow's error, and a suggestion on a separate line."""

import operator
import re
import subprocess
import sys

import pytest

import tfmini as tf
from tfmini._src.base.names.hints import _CHECK_ADVICE, _TF2_REPLACEMENTS
from tfmini._src.base.names.renamed import RENAMED_MODULES, RENAMED_SYMBOLS

MISSES = [
    (lambda: tf.mul, "module 'tfmini' has no attribute 'mul'", "tf.multiply"),
    (lambda: tf.pack, "module 'tfmini' has no attribute 'pack'", "tf.stack"),
    (lambda: tf.reduce_sums, "module 'tfmini' has no attribute", "tf.reduce_sum"),
    (lambda: tf.nn.relluu, "module 'tfmini.nn' has no attribute 'relluu'", "tf.nn.relu"),
    (lambda: tf.nn.deconv2d, "module 'tfmini.nn' has no attribute", "tf.nn.conv2d_transpose"),
    (lambda: tf.train.AdamOptimiser, "module 'tfmini.train'", "tf.train.AdamOptimizer"),
    (lambda: tf.train.SummaryWriter, "module 'tfmini.train'", "tf.summary.FileWriter"),
    (lambda: tf.contrib.layer, "module 'tfmini.contrib'", "tf.contrib.layers"),
    (lambda: tf.contrib.layers.l2_regulariser, "layers'", "tf.contrib.layers.l2_regularizer"),
    (lambda: tf.logging.warned, "module 'tfmini.logging'", "tf.logging.warn"),
    (lambda: tf.raw_ops.Matmul, "module 'tfmini.raw_ops'", "tf.raw_ops.MatMul"),
]


@pytest.mark.parametrize("miss, error, meant", MISSES)
def test_hint(miss, error, meant):
    with pytest.raises(AttributeError) as caught:
        miss()
    first, second = str(caught.value).split("\n")
    assert first.startswith(error) or error in first
    assert second == f"Did you mean {meant}?"


LACKING = [
    (lambda: tf.TensorArraySpec, "tf.TensorArraySpec", "tf.TensorArray is supported"),
    (
        lambda: tf.tpu.shard,
        "tf.tpu",
        "TPUs are not supported",
    ),  # at the first missing name
    (lambda: tf.quantized_concat, "tf.quantized_concat", "apply tf.concat to"),
    (lambda: tf.xla, "tf.xla", "`tfmini check` lists"),  # a module, by the names in it
    (lambda: tf.nn.quantized_relu_x, "tf.nn.quantized_relu_x", "apply tf.clip_by_value"),
    (lambda: tf.contrib.labeled_tensor.slice, "tf.contrib.labeled_tensor", "`tfmini check` lists"),
    (lambda: tf.raw_ops.TopK, "tf.raw_ops.TopK", "`tfmini check` lists"),
]


@pytest.mark.parametrize("miss, name, instead", LACKING)
def test_unsupported_name_is_explained(miss, name, instead):
    with pytest.raises(AttributeError) as caught:
        miss()
    message = f"tfmini does not implement {name} of TensorFlow 1.15.5; {instead}"
    (hint,) = str(caught.value).split("\n")[1:]
    assert hint.startswith(message)


def test_old_alias_of_unsupported_name(monkeypatch):
    monkeypatch.setitem(RENAMED_SYMBOLS, "old_map", "TensorArraySpec")
    with pytest.raises(AttributeError) as caught:
        tf.old_map  # noqa: B018
    message = "In TensorFlow 1.15.5 it is tf.TensorArraySpec, which tfmini does not implement; "
    assert str(caught.value).split("\n")[1:] == [message + _CHECK_ADVICE]


def test_left_out_page_is_read_on_error_only():
    code = (
        "import tfmini as tf\nfrom tfmini._src.base.names import left_out\n"
        "read = left_out._names_and_parents.cache_info\nprint(read().misses)\n"
        "tf.nn.dynamic_rnn, hasattr(tf, '_private')\nprint(read().misses)\n"
        "print(hasattr(tf, 'xla'), read().misses)\n"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert printed.stdout.split() == ["0", "0", "False", "1"]


@pytest.mark.parametrize("module", [tf, tf.nn, tf.math, tf.train, tf.linalg, tf.random, tf.test])
def test_unknown_name_has_no_hint(module):
    with pytest.raises(AttributeError) as caught:
        module.zzzzzzzz  # noqa: B018
    text = f"module '{module.__name__}' has no attribute 'zzzzzzzz'"
    assert str(caught.value) == text
    assert caught.value.name == "zzzzzzzz"


def test_private_names_have_no_hint():
    with pytest.raises(AttributeError) as caught:
        tf._reduce_sum  # noqa: B018
    assert str(caught.value) == "module 'tfmini' has no attribute '_reduce_sum'"


def test_hinted_old_names_do_not_exist():
    """The names in the table of old ones are refused by `tf`, as 1.15.5 refuses them."""
    for name in {**RENAMED_SYMBOLS, **RENAMED_MODULES}:
        with pytest.raises(AttributeError, match="^module 'tfmini.*' has no attribute '"):
            operator.attrgetter(name)(tf)


def test_importing_missing_name():
    with pytest.raises(ImportError, match="cannot import name 'mul'"):
        from tfmini import mul  # noqa: F401, PLC0415


@pytest.mark.parametrize("name", sorted(_TF2_REPLACEMENTS))
def test_tensorflow_2_name_hints_at_1_x_name(name):
    with pytest.raises(
        AttributeError, match="This is a TensorFlow 2 name; in 1.15 use .*tf"
    ) as caught:
        operator.attrgetter(name.removeprefix("tf."))(tf)
    for old in re.findall(r"tf\.([\w.]+)", str(caught.value)):
        operator.attrgetter(old)(tf)
