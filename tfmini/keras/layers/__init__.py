"""`tf.keras.layers`. What `tf.layers` has too lives in `tfmini/layers/core/`."""

from tfmini.feature_column.feature_layers import DenseFeatures
from tfmini.keras.engine.input_layer import Input, InputLayer
from tfmini.keras.layer_data import registry as _registry
from tfmini.keras.layers.advanced_activations import (
    ELU,
    LeakyReLU,
    PReLU,
    ReLU,
    Softmax,
    ThresholdedReLU,
)
from tfmini.keras.layers.attention import (
    AdditiveAttention,
    Attention,
)
from tfmini.keras.layers.core import Activation
from tfmini.keras.layers.depthwise import (
    DepthwiseConv2D,
)
from tfmini.keras.layers.embeddings import Embedding
from tfmini.keras.layers.functional import (
    Lambda,
)
from tfmini.keras.layers.global_pooling import (
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalAveragePooling3D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    GlobalMaxPooling3D,
)
from tfmini.keras.layers.global_pooling import GlobalAveragePooling1D as GlobalAvgPool1D
from tfmini.keras.layers.global_pooling import GlobalAveragePooling2D as GlobalAvgPool2D
from tfmini.keras.layers.global_pooling import GlobalAveragePooling3D as GlobalAvgPool3D
from tfmini.keras.layers.global_pooling import GlobalMaxPooling1D as GlobalMaxPool1D
from tfmini.keras.layers.global_pooling import GlobalMaxPooling2D as GlobalMaxPool2D
from tfmini.keras.layers.global_pooling import GlobalMaxPooling3D as GlobalMaxPool3D
from tfmini.keras.layers.local import LocallyConnected1D, LocallyConnected2D
from tfmini.keras.layers.lookup import (
    deserialize,
    serialize,
)
from tfmini.keras.layers.margins import (
    Cropping1D,
    Cropping2D,
    Cropping3D,
    ZeroPadding1D,
    ZeroPadding2D,
    ZeroPadding3D,
)
from tfmini.keras.layers.merging import (
    Add,
    Average,
    Concatenate,
    Dot,
    Maximum,
    Minimum,
    Multiply,
    Subtract,
    add,
    average,
    concatenate,
    dot,
    maximum,
    minimum,
    multiply,
    subtract,
)
from tfmini.keras.layers.noise import (
    AlphaDropout,
    GaussianDropout,
    GaussianNoise,
    SpatialDropout1D,
    SpatialDropout2D,
    SpatialDropout3D,
)
from tfmini.keras.layers.normalizing import (
    LayerNormalization,
)
from tfmini.keras.layers.recurrent.abstract import AbstractRNNCell
from tfmini.keras.layers.recurrent.bidirectional import Bidirectional
from tfmini.keras.layers.recurrent.convolutional import ConvLSTM2D
from tfmini.keras.layers.recurrent.cudnn import CuDNNGRU, CuDNNLSTM
from tfmini.keras.layers.recurrent.gru_cell import GRUCell
from tfmini.keras.layers.recurrent.layers import GRU, LSTM, SimpleRNN
from tfmini.keras.layers.recurrent.lstm_cell import LSTMCell
from tfmini.keras.layers.recurrent.rnn import RNN
from tfmini.keras.layers.recurrent.simple_cell import SimpleRNNCell
from tfmini.keras.layers.recurrent.stacked import StackedRNNCells
from tfmini.keras.layers.reshaping import (
    ActivityRegularization,
    Masking,
    Permute,
    RepeatVector,
    Reshape,
)
from tfmini.keras.layers.transposed import (
    Conv2DTranspose,
    Conv3DTranspose,
)
from tfmini.keras.layers.transposed import (
    Conv2DTranspose as Convolution2DTranspose,
)
from tfmini.keras.layers.transposed import (
    Conv3DTranspose as Convolution3DTranspose,
)
from tfmini.keras.layers.upsampling import (
    UpSampling1D,
    UpSampling2D,
    UpSampling3D,
)
from tfmini.keras.layers.wrapping import TimeDistributed, Wrapper
from tfmini.layers.core.convolutional import Conv1D, Conv2D, Conv3D
from tfmini.layers.core.convolutional import Conv1D as Convolution1D
from tfmini.layers.core.convolutional import Conv2D as Convolution2D
from tfmini.layers.core.convolutional import Conv3D as Convolution3D
from tfmini.layers.core.dense import Dense
from tfmini.layers.core.dropout import Dropout
from tfmini.layers.core.flatten import Flatten
from tfmini.layers.core.normalization import BatchNormalization
from tfmini.layers.core.pooling import (
    AveragePooling1D,
    AveragePooling2D,
    AveragePooling3D,
    MaxPooling1D,
    MaxPooling2D,
    MaxPooling3D,
)
from tfmini.layers.core.pooling import AveragePooling1D as AvgPool1D
from tfmini.layers.core.pooling import AveragePooling2D as AvgPool2D
from tfmini.layers.core.pooling import AveragePooling3D as AvgPool3D
from tfmini.layers.core.pooling import MaxPooling1D as MaxPool1D
from tfmini.layers.core.pooling import MaxPooling2D as MaxPool2D
from tfmini.layers.core.pooling import MaxPooling3D as MaxPool3D
from tfmini.layers.core.separable import SeparableConv1D, SeparableConv2D
from tfmini.layers.core.separable import SeparableConv1D as SeparableConvolution1D
from tfmini.layers.core.separable import SeparableConv2D as SeparableConvolution2D
from tfmini.layers.input_spec import InputSpec
from tfmini.layers.layer import Layer
from tfmini.layers.operation_layers import AddLoss, AddMetric, TensorFlowOpLayer
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "AbstractRNNCell",
    "Activation",
    "ActivityRegularization",
    "Add",
    "AdditiveAttention",
    "AlphaDropout",
    "Attention",
    "Average",
    "AveragePooling1D",
    "AveragePooling2D",
    "AveragePooling3D",
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "BatchNormalization",
    "Bidirectional",
    "Concatenate",
    "Conv1D",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Conv3DTranspose",
    "ConvLSTM2D",
    "Convolution1D",
    "Convolution2D",
    "Convolution2DTranspose",
    "Convolution3D",
    "Convolution3DTranspose",
    "Cropping1D",
    "Cropping2D",
    "Cropping3D",
    "CuDNNGRU",
    "CuDNNLSTM",
    "Dense",
    "DenseFeatures",
    "DepthwiseConv2D",
    "Dot",
    "Dropout",
    "ELU",
    "Embedding",
    "Flatten",
    "GRU",
    "GRUCell",
    "GaussianDropout",
    "GaussianNoise",
    "GlobalAveragePooling1D",
    "GlobalAveragePooling2D",
    "GlobalAveragePooling3D",
    "GlobalAvgPool1D",
    "GlobalAvgPool2D",
    "GlobalAvgPool3D",
    "GlobalMaxPool1D",
    "GlobalMaxPool2D",
    "GlobalMaxPool3D",
    "GlobalMaxPooling1D",
    "GlobalMaxPooling2D",
    "GlobalMaxPooling3D",
    "Input",
    "InputLayer",
    "InputSpec",
    "LSTM",
    "LSTMCell",
    "Lambda",
    "Layer",
    "LayerNormalization",
    "LeakyReLU",
    "LocallyConnected1D",
    "LocallyConnected2D",
    "Masking",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
    "MaxPooling1D",
    "MaxPooling2D",
    "MaxPooling3D",
    "Maximum",
    "Minimum",
    "Multiply",
    "PReLU",
    "Permute",
    "RNN",
    "ReLU",
    "RepeatVector",
    "Reshape",
    "SeparableConv1D",
    "SeparableConv2D",
    "SeparableConvolution1D",
    "SeparableConvolution2D",
    "SimpleRNN",
    "SimpleRNNCell",
    "Softmax",
    "SpatialDropout1D",
    "SpatialDropout2D",
    "SpatialDropout3D",
    "StackedRNNCells",
    "Subtract",
    "ThresholdedReLU",
    "TimeDistributed",
    "UpSampling1D",
    "UpSampling2D",
    "UpSampling3D",
    "Wrapper",
    "ZeroPadding1D",
    "ZeroPadding2D",
    "ZeroPadding3D",
    "add",
    "average",
    "concatenate",
    "deserialize",
    "dot",
    "maximum",
    "minimum",
    "multiply",
    "serialize",
    "subtract",
]

_registry.register(AddLoss, AddMetric, TensorFlowOpLayer)
_registry.KNOWN.update(
    {
        name: globals()[name]
        for name in __all__
        if name[0].isupper() and name not in ("Input", "InputSpec")
    }
)

_namespace(globals())
