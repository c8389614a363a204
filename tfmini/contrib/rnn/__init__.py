"""`tf.contrib.rnn`: cells of recurrent networks, and functions that apply them along time."""

from tfmini.contrib.rnn.attention_cell import AttentionCellWrapper
from tfmini.contrib.rnn.convolutional_lstm import (
    Conv1DLSTMCell,
    Conv2DLSTMCell,
    Conv3DLSTMCell,
    ConvLSTMCell,
)
from tfmini.contrib.rnn.coupled_lstm import CoupledInputForgetGateLSTMCell
from tfmini.contrib.rnn.frequency_lstm import TimeFreqLSTMCell
from tfmini.contrib.rnn.fused import FusedRNNCell, FusedRNNCellAdaptor, TimeReversedFusedRNN
from tfmini.contrib.rnn.gated import IntersectionRNNCell, UGRNNCell
from tfmini.contrib.rnn.grid_lstm import BidirectionalGridLSTMCell, GridLSTMCell
from tfmini.contrib.rnn.grouped_lstm import GLSTMCell
from tfmini.contrib.rnn.gru_blocks import GRUBlockCell, GRUBlockCellV2
from tfmini.contrib.rnn.highway import HighwayWrapper
from tfmini.contrib.rnn.independent import IndRNNCell, IndyGRUCell, IndyLSTMCell
from tfmini.contrib.rnn.layer_norm_lstm import LayerNormBasicLSTMCell
from tfmini.contrib.rnn.lstm_blocks import LSTMBlockCell, LSTMBlockFusedCell, LSTMBlockWrapper
from tfmini.contrib.rnn.nas import NASCell
from tfmini.contrib.rnn.phased import PhasedLSTMCell
from tfmini.contrib.rnn.projections import (
    EmbeddingWrapper,
    InputProjectionWrapper,
    OutputProjectionWrapper,
)
from tfmini.contrib.rnn.simple_unit import SRUCell
from tfmini.contrib.rnn.stacks import stack_bidirectional_dynamic_rnn, stack_bidirectional_rnn
from tfmini.names.namespaces import namespace as _namespace
from tfmini.rnn.basic import BasicRNNCell
from tfmini.rnn.basic_lstm import BasicLSTMCell
from tfmini.rnn.cell import LayerRNNCell, LSTMStateTuple, RNNCell
from tfmini.rnn.dropout import DropoutWrapper
from tfmini.rnn.gru import GRUCell
from tfmini.rnn.lstm import LSTMCell
from tfmini.rnn.sizes import batch_size_of as best_effort_input_batch_size
from tfmini.rnn.sizes import with_batch_first as transpose_batch_time
from tfmini.rnn.stacked import MultiRNNCell
from tfmini.rnn.unrolling import (
    static_bidirectional_rnn,
    static_rnn,
    static_state_saving_rnn,
)
from tfmini.rnn.wrappers import DeviceWrapper, ResidualWrapper

__all__ = [
    "AttentionCellWrapper",
    "BasicLSTMCell",
    "BasicRNNCell",
    "BidirectionalGridLSTMCell",
    "Conv1DLSTMCell",
    "Conv2DLSTMCell",
    "Conv3DLSTMCell",
    "ConvLSTMCell",
    "CoupledInputForgetGateLSTMCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "EmbeddingWrapper",
    "FusedRNNCell",
    "FusedRNNCellAdaptor",
    "GLSTMCell",
    "GRUBlockCell",
    "GRUBlockCellV2",
    "GRUCell",
    "GridLSTMCell",
    "HighwayWrapper",
    "IndRNNCell",
    "IndyGRUCell",
    "IndyLSTMCell",
    "InputProjectionWrapper",
    "IntersectionRNNCell",
    "LSTMBlockCell",
    "LSTMBlockFusedCell",
    "LSTMBlockWrapper",
    "LSTMCell",
    "LSTMStateTuple",
    "LayerNormBasicLSTMCell",
    "LayerRNNCell",
    "MultiRNNCell",
    "NASCell",
    "OutputProjectionWrapper",
    "PhasedLSTMCell",
    "RNNCell",
    "ResidualWrapper",
    "SRUCell",
    "TimeFreqLSTMCell",
    "TimeReversedFusedRNN",
    "UGRNNCell",
    "best_effort_input_batch_size",
    "stack_bidirectional_dynamic_rnn",
    "stack_bidirectional_rnn",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
    "transpose_batch_time",
]

_namespace(globals())
