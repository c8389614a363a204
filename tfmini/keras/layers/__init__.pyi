from tfmini._src.nn.layers.keras.recurrent.abstract_rnn_cell import AbstractRNNCell as AbstractRNNCell
from tfmini._src.nn.layers.keras.activation import Activation as Activation
from tfmini._src.nn.layers.keras.activity_regularization import ActivityRegularization as ActivityRegularization
from tfmini._src.nn.layers.keras.merge import Add as Add
from tfmini._src.nn.layers.keras.attention import AdditiveAttention as AdditiveAttention
from tfmini._src.nn.layers.keras.noise import AlphaDropout as AlphaDropout
from tfmini._src.nn.layers.keras.attention import Attention as Attention
from tfmini._src.nn.layers.keras.merge import Average as Average
from tfmini._src.nn.layers.keras.pooling import AveragePooling1D as AveragePooling1D
from tfmini._src.nn.layers.keras.pooling import AveragePooling2D as AveragePooling2D
from tfmini._src.nn.layers.keras.pooling import AveragePooling3D as AveragePooling3D
from tfmini.keras.layers import AveragePooling1D as _AvgPool1D; AvgPool1D = _AvgPool1D
from tfmini.keras.layers import AveragePooling2D as _AvgPool2D; AvgPool2D = _AvgPool2D
from tfmini.keras.layers import AveragePooling3D as _AvgPool3D; AvgPool3D = _AvgPool3D
from tfmini._src.nn.layers.keras.batch_normalization import BatchNormalization as BatchNormalization
from tfmini._src.nn.layers.keras.recurrent.bidirectional import Bidirectional as Bidirectional
from tfmini._src.nn.layers.keras.merge import Concatenate as Concatenate
from tfmini._src.nn.layers.keras.conv import Conv1D as Conv1D
from tfmini._src.nn.layers.keras.conv import Conv2D as Conv2D
from tfmini._src.nn.layers.keras.conv_transpose import Conv2DTranspose as Conv2DTranspose
from tfmini._src.nn.layers.keras.conv import Conv3D as Conv3D
from tfmini._src.nn.layers.keras.conv_transpose import Conv3DTranspose as Conv3DTranspose
from tfmini._src.nn.layers.keras.recurrent.conv_lstm2d import ConvLSTM2D as ConvLSTM2D
from tfmini.keras.layers import Conv1D as _Convolution1D; Convolution1D = _Convolution1D
from tfmini.keras.layers import Conv2D as _Convolution2D; Convolution2D = _Convolution2D
from tfmini.keras.layers import Conv2DTranspose as _Convolution2DTranspose; Convolution2DTranspose = _Convolution2DTranspose
from tfmini.keras.layers import Conv3D as _Convolution3D; Convolution3D = _Convolution3D
from tfmini.keras.layers import Conv3DTranspose as _Convolution3DTranspose; Convolution3DTranspose = _Convolution3DTranspose
from tfmini._src.nn.layers.keras.margins import Cropping1D as Cropping1D
from tfmini._src.nn.layers.keras.margins import Cropping2D as Cropping2D
from tfmini._src.nn.layers.keras.margins import Cropping3D as Cropping3D
from tfmini._src.nn.layers.keras.recurrent.cudnn import CuDNNGRU as CuDNNGRU
from tfmini._src.nn.layers.keras.recurrent.cudnn import CuDNNLSTM as CuDNNLSTM
from tfmini._src.nn.layers.keras.dense import Dense as Dense
from tfmini._src.models.feature_column.dense_features import DenseFeatures as DenseFeatures
from tfmini._src.nn.layers.keras.depthwise_conv2d import DepthwiseConv2D as DepthwiseConv2D
from tfmini._src.nn.layers.keras.merge import Dot as Dot
from tfmini._src.nn.layers.keras.dropout import Dropout as Dropout
from tfmini._src.nn.layers.keras.advanced_activations import ELU as ELU
from tfmini._src.nn.layers.keras.embedding import Embedding as Embedding
from tfmini._src.nn.layers.keras.flatten import Flatten as Flatten
from tfmini._src.nn.layers.keras.recurrent.recurrent_v1 import GRU as GRU
from tfmini._src.nn.layers.keras.recurrent.gru_cell import GRUCell as GRUCell
from tfmini._src.nn.layers.keras.noise import GaussianDropout as GaussianDropout
from tfmini._src.nn.layers.keras.noise import GaussianNoise as GaussianNoise
from tfmini._src.nn.layers.keras.global_pooling import GlobalAveragePooling1D as GlobalAveragePooling1D
from tfmini._src.nn.layers.keras.global_pooling import GlobalAveragePooling2D as GlobalAveragePooling2D
from tfmini._src.nn.layers.keras.global_pooling import GlobalAveragePooling3D as GlobalAveragePooling3D
from tfmini.keras.layers import GlobalAveragePooling1D as _GlobalAvgPool1D; GlobalAvgPool1D = _GlobalAvgPool1D
from tfmini.keras.layers import GlobalAveragePooling2D as _GlobalAvgPool2D; GlobalAvgPool2D = _GlobalAvgPool2D
from tfmini.keras.layers import GlobalAveragePooling3D as _GlobalAvgPool3D; GlobalAvgPool3D = _GlobalAvgPool3D
from tfmini.keras.layers import GlobalMaxPooling1D as _GlobalMaxPool1D; GlobalMaxPool1D = _GlobalMaxPool1D
from tfmini.keras.layers import GlobalMaxPooling2D as _GlobalMaxPool2D; GlobalMaxPool2D = _GlobalMaxPool2D
from tfmini.keras.layers import GlobalMaxPooling3D as _GlobalMaxPool3D; GlobalMaxPool3D = _GlobalMaxPool3D
from tfmini._src.nn.layers.keras.global_pooling import GlobalMaxPooling1D as GlobalMaxPooling1D
from tfmini._src.nn.layers.keras.global_pooling import GlobalMaxPooling2D as GlobalMaxPooling2D
from tfmini._src.nn.layers.keras.global_pooling import GlobalMaxPooling3D as GlobalMaxPooling3D
from tfmini.keras import Input as Input
from tfmini._src.nn.layers.keras.input_layer import InputLayer as InputLayer
from tfmini.layers import InputSpec as InputSpec
from tfmini._src.nn.layers.keras.recurrent.recurrent_v1 import LSTM as LSTM
from tfmini._src.nn.layers.keras.recurrent.lstm_cell import LSTMCell as LSTMCell
from tfmini._src.nn.layers.keras.lambda_layer import Lambda as Lambda
from tfmini._src.nn.layers.base_layer import Layer as Layer
from tfmini._src.nn.layers.keras.layer_normalization import LayerNormalization as LayerNormalization
from tfmini._src.nn.layers.keras.advanced_activations import LeakyReLU as LeakyReLU
from tfmini._src.nn.layers.keras.locally_connected import LocallyConnected1D as LocallyConnected1D
from tfmini._src.nn.layers.keras.locally_connected import LocallyConnected2D as LocallyConnected2D
from tfmini._src.nn.layers.keras.masking import Masking as Masking
from tfmini.keras.layers import MaxPooling1D as _MaxPool1D; MaxPool1D = _MaxPool1D
from tfmini.keras.layers import MaxPooling2D as _MaxPool2D; MaxPool2D = _MaxPool2D
from tfmini.keras.layers import MaxPooling3D as _MaxPool3D; MaxPool3D = _MaxPool3D
from tfmini._src.nn.layers.keras.pooling import MaxPooling1D as MaxPooling1D
from tfmini._src.nn.layers.keras.pooling import MaxPooling2D as MaxPooling2D
from tfmini._src.nn.layers.keras.pooling import MaxPooling3D as MaxPooling3D
from tfmini._src.nn.layers.keras.merge import Maximum as Maximum
from tfmini._src.nn.layers.keras.merge import Minimum as Minimum
from tfmini._src.nn.layers.keras.merge import Multiply as Multiply
from tfmini._src.nn.layers.keras.advanced_activations import PReLU as PReLU
from tfmini._src.nn.layers.keras.reshaping import Permute as Permute
from tfmini._src.nn.layers.keras.recurrent.rnn import RNN as RNN
from tfmini._src.nn.layers.keras.advanced_activations import ReLU as ReLU
from tfmini._src.nn.layers.keras.reshaping import RepeatVector as RepeatVector
from tfmini._src.nn.layers.keras.reshaping import Reshape as Reshape
from tfmini._src.nn.layers.keras.separable_conv import SeparableConv1D as SeparableConv1D
from tfmini._src.nn.layers.keras.separable_conv import SeparableConv2D as SeparableConv2D
from tfmini.keras.layers import SeparableConv1D as _SeparableConvolution1D; SeparableConvolution1D = _SeparableConvolution1D
from tfmini.keras.layers import SeparableConv2D as _SeparableConvolution2D; SeparableConvolution2D = _SeparableConvolution2D
from tfmini._src.nn.layers.keras.recurrent.recurrent_v1 import SimpleRNN as SimpleRNN
from tfmini._src.nn.layers.keras.recurrent.simple_rnn_cell import SimpleRNNCell as SimpleRNNCell
from tfmini._src.nn.layers.keras.advanced_activations import Softmax as Softmax
from tfmini._src.nn.layers.keras.noise import SpatialDropout1D as SpatialDropout1D
from tfmini._src.nn.layers.keras.noise import SpatialDropout2D as SpatialDropout2D
from tfmini._src.nn.layers.keras.noise import SpatialDropout3D as SpatialDropout3D
from tfmini._src.nn.layers.keras.recurrent.stacked_rnn_cells import StackedRNNCells as StackedRNNCells
from tfmini._src.nn.layers.keras.merge import Subtract as Subtract
from tfmini._src.nn.layers.keras.advanced_activations import ThresholdedReLU as ThresholdedReLU
from tfmini._src.nn.layers.keras.time_distributed import TimeDistributed as TimeDistributed
from tfmini._src.nn.layers.keras.upsampling import UpSampling1D as UpSampling1D
from tfmini._src.nn.layers.keras.upsampling import UpSampling2D as UpSampling2D
from tfmini._src.nn.layers.keras.upsampling import UpSampling3D as UpSampling3D
from tfmini._src.nn.layers.keras.wrapper import Wrapper as Wrapper
from tfmini._src.nn.layers.keras.margins import ZeroPadding1D as ZeroPadding1D
from tfmini._src.nn.layers.keras.margins import ZeroPadding2D as ZeroPadding2D
from tfmini._src.nn.layers.keras.margins import ZeroPadding3D as ZeroPadding3D
from tfmini._src.nn.layers.keras.merge import add as add
from tfmini._src.nn.layers.keras.merge import average as average
from tfmini._src.nn.layers.keras.merge import concatenate as concatenate
from tfmini._src.nn.layers.keras.serialization import deserialize as deserialize
from tfmini._src.nn.layers.keras.merge import dot as dot
from tfmini._src.nn.layers.keras.merge import maximum as maximum
from tfmini._src.nn.layers.keras.merge import minimum as minimum
from tfmini._src.nn.layers.keras.merge import multiply as multiply
from tfmini._src.nn.layers.keras.serialization import serialize as serialize
from tfmini._src.nn.layers.keras.merge import subtract as subtract
