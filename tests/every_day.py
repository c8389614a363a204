"""Which golden programs are run every day, which in `ci/check`, and which in `ci/thorough` alone."""

import os

import pytest

from tests import recording

# Bytes of what is recorded of a program: above, it takes seconds.
LARGE = 80_000
LARGEST_OF_A_FAMILY = 120_000
# On the fake these compile so many kernels of their own that they take 4 seconds to 50, half the time of all.
_OF_MANY_KERNELS = frozenset(
    (
        *("cells_basic", "cells_dropout", "cells_fused", "cells_gates", "cells_grids"),
        *("cells_in_grids", "cells_layer_norm", "contrib_clusters", "contrib_distances"),
        *("contrib_integrate", "contrib_layers_images", "contrib_layers_reversible"),
        *("contrib_slim_inception", "contrib_slim_residual", "distributions_flows"),
        *("distributions_mixtures", "distributions_positive", "distributions_rare"),
        *("gradients_elementwise", "heads_newer_trained", "keras_optimizers"),
        *("keras_peepholes", "keras_pictures", "keras_recurrent", "keras_starts"),
        *("keras_stateful", "math_binary_gradients", "nets_trained", "nn_activations"),
        *("quantize_training", "rnn_attention_cell", "rnn_own_cells", "rnn_variables"),
        *("sampling_losses", "seq2seq_layers", "signal_frames", "train_translation"),
    )
)


def mostly_thorough(names):
    """Parameters for programs: all but a small one of each family, whose names begin alike, are marked `thorough`."""
    small = {}
    for name in sorted(names, key=lambda name: (_size(name), name)):
        small.setdefault(name.partition("_")[0], name)
    every_day = {name for name in small.values() if _size(name) < LARGEST_OF_A_FAMILY}
    return _but_thorough(names, every_day)


def mostly_thorough_on_gpus(names):
    """As `mostly_thorough`, but those of many kernels are marked `lengthy`."""
    lengthy = pytest.mark.lengthy
    return [
        pytest.param(name, marks=lengthy) if name in _OF_MANY_KERNELS else parameter
        for name, parameter in zip(names, mostly_thorough(names))
    ]


def large_ones_thorough(names):
    """Parameters for programs: those of which much is recorded are marked `thorough`."""
    return _but_thorough(names, {name for name in names if _size(name) < LARGE})


def _size(name):
    return os.path.getsize(recording.path_of(name))


def _but_thorough(names, every_day):
    thorough = pytest.mark.thorough
    return [name if name in every_day else pytest.param(name, marks=thorough) for name in names]
