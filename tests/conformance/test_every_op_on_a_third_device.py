"""Op samples and golden programs on `/device:CHECK:0`, a device known only to its own file."""

import numpy as np
import pytest

import tfmini as tf
from tests.conformance import test_every_op
from tests.support import cases
from tests.support.check_device import check_devices
from tests.support.gpu import gpu_checks
from tfmini._src.graph.opdef import raw, registry

SAMPLES = gpu_checks.Rows(lambda s: s.build is None and not registry[s.op].device_only)
PROGRAMS = (
    *("arrays_corners", "arrays_concat", "arrays_sorting", "autograph_classes", "cond_training"),
    *(
        "contrib_layers_spatial_softmax",
        "contrib_slim_providers",
        "critical_sections",
        "ctc_training",
    ),
    *("distributions_heads", "gradients_arguments", "keras_sessions", "layers_keras_style"),
    *(
        "losses_log_loss",
        "losses_pairwise_error",
        "metrics_counts",
        "metrics_matrices",
        "ops_shapes",
    ),
    *("optimizers_options", "rnn_layer_cells", "rnn_state_saving", "saver_nodes", "train_vae"),
    *("train_mlp", "train_q_learning", "training_sync_replicas", "variables_arguments"),
    *("variables_dependent", "variables_getters", "variables_resource", "warm_starts"),
)


@pytest.mark.full
@cases.parametrize(SAMPLES.groups())
def test_value(group, check_each):
    check_each(group, check_value)


def check_value(sample):
    with check_devices(), tf.Graph().as_default(), tf.Session() as session:
        arguments, feed = test_every_op.feeds(sample, True)
        if not feed:  # with constant inputs it would be folded
            arguments, feed = test_every_op.feeds(sample, False)
        outputs = test_every_op.outputs_of(getattr(raw, sample.op)(*arguments, **sample.attrs))
        actual = session.run(outputs, feed)
        assert all(isinstance(v, np.ndarray | np.generic | bytes) for v in actual)
    test_every_op.compare(sample, actual, test_every_op.expected(sample, sample.inputs))


@pytest.mark.full
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    with check_devices(2) as devices:
        gpu_checks.check_program(name)
    assert len(devices[0].copies) > 8
