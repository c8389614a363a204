"""tf.keras: an option of a layer, a function, a callback a program."""

import json
import os

import numpy as np

from tests.conformance.short_programs import rows

LAYERS = """
made(L.Dense(2, ?), X) | activation="relu" | use_bias=False | kernel_initializer="ones" | bias_initializer="ones"
    | kernel_regularizer="l2" | bias_regularizer="l2" | activity_regularizer="l2" | kernel_constraint="non_neg"
    | bias_constraint="non_neg" | trainable=False | dtype="float64" | name="n" | activation="some"
    | kernel_initializer="some" | kernel_regularizer="some" | kernel_constraint="some" | input_shape=[3], batch_size=2
    | weights=[np.ones([3, 2]), np.ones(2)] | weights=[np.ones([3, 2])] | other=3
made(L.Embedding(5, 2, ?), [[0, 3], [4, 1]]) | embeddings_initializer="ones" | embeddings_regularizer="l2"
    | activity_regularizer="l2" | embeddings_constraint="non_neg" | mask_zero=True | input_length=2 | input_length=3
    | input_length=[2]
made(L.SimpleRNN(2, ?), S) | activation="relu" | use_bias=False | kernel_initializer="ones"
    | recurrent_initializer="ones" | bias_initializer="ones" | kernel_regularizer="l2" | recurrent_regularizer="l2"
    | bias_regularizer="l2" | activity_regularizer="l2" | kernel_constraint="non_neg" | recurrent_constraint="non_neg"
    | bias_constraint="non_neg" | dropout=0.5 | recurrent_dropout=0.5 | return_sequences=True | return_state=True
    | go_backwards=True | unroll=True | time_major=True
made(L.GRU(2, ?), S) | activation="relu" | recurrent_activation="sigmoid" | use_bias=False | kernel_initializer="ones"
    | recurrent_initializer="ones" | bias_initializer="ones" | kernel_regularizer="l2" | recurrent_regularizer="l2"
    | bias_regularizer="l2" | activity_regularizer="l2" | kernel_constraint="non_neg" | recurrent_constraint="non_neg"
    | bias_constraint="non_neg" | dropout=0.5 | recurrent_dropout=0.5 | implementation=2 | reset_after=True
    | time_major=True
made(L.LSTM(2, ?), S) | activation="relu" | recurrent_activation="sigmoid" | use_bias=False | kernel_initializer="ones"
    | recurrent_initializer="ones" | bias_initializer="ones" | unit_forget_bias=False | kernel_regularizer="l2"
    | recurrent_regularizer="l2" | bias_regularizer="l2" | activity_regularizer="l2" | kernel_constraint="non_neg"
    | recurrent_constraint="non_neg" | bias_constraint="non_neg" | dropout=0.5 | recurrent_dropout=0.5
    | implementation=2 | time_major=True
made(L.RNN(L.SimpleRNNCell(2, ?)), S) | activation="relu" | use_bias=False | kernel_initializer="ones"
    | recurrent_initializer="ones" | bias_initializer="ones" | kernel_regularizer="l2" | recurrent_regularizer="l2"
    | bias_regularizer="l2" | kernel_constraint="non_neg" | recurrent_constraint="non_neg" | bias_constraint="non_neg"
    | dropout=0.5 | recurrent_dropout=0.5
made(L.RNN(L.GRUCell(2, ?)), S) | activation="relu" | recurrent_activation="sigmoid" | use_bias=False
    | kernel_initializer="ones" | recurrent_initializer="ones" | bias_initializer="ones" | kernel_regularizer="l2"
    | recurrent_regularizer="l2" | bias_regularizer="l2" | kernel_constraint="non_neg" | recurrent_constraint="non_neg"
    | bias_constraint="non_neg" | dropout=0.5 | recurrent_dropout=0.5 | implementation=2 | reset_after=True
made(L.RNN(L.LSTMCell(2, ?)), S) | activation="relu" | recurrent_activation="sigmoid" | use_bias=False
    | kernel_initializer="ones" | recurrent_initializer="ones" | bias_initializer="ones" | unit_forget_bias=False
    | kernel_regularizer="l2" | recurrent_regularizer="l2" | bias_regularizer="l2" | kernel_constraint="non_neg"
    | recurrent_constraint="non_neg" | bias_constraint="non_neg" | dropout=0.5 | recurrent_dropout=0.5
    | implementation=2
made(K.experimental.PeepholeLSTMCell(2, ?), None) | recurrent_constraint="non_neg" | unit_forget_bias=False
    | activation="relu"
made(L.RNN([L.LSTMCell(2), L.GRUCell(3)], ?), S) | return_sequences=True | return_state=True | go_backwards=True
    | unroll=True | time_major=True | stateful=True
made(L.CuDNNGRU(2, ?), None) | recurrent_constraint="non_neg" | kernel_regularizer="l2" | return_state=True
    | stateful=True | go_backwards=True
made(L.CuDNNLSTM(2, ?), None) | recurrent_constraint="non_neg" | unit_forget_bias=False | return_sequences=True
    | stateful=True
made(L.ConvLSTM2D(2, 2, ?), S5) | strides=2 | padding="same" | dilation_rate=2 | activation="relu"
    | recurrent_activation="sigmoid" | use_bias=False | kernel_initializer="ones" | recurrent_initializer="ones"
    | bias_initializer="ones" | unit_forget_bias=False | kernel_regularizer="l2" | recurrent_regularizer="l2"
    | bias_regularizer="l2" | activity_regularizer="l2" | kernel_constraint="non_neg" | recurrent_constraint="non_neg"
    | bias_constraint="non_neg" | return_sequences=True | go_backwards=True | dropout=0.5 | recurrent_dropout=0.5
made(L.Bidirectional(L.SimpleRNN(2, return_sequences=True), ?), S) | merge_mode="sum" | merge_mode="mul"
    | merge_mode="ave" | merge_mode=None | backward_layer=L.SimpleRNN(3, go_backwards=True, return_sequences=True)
    | backward_layer=L.SimpleRNN(3) | weights=[1]
made(L.Conv1D(2, 2, ?), S) | strides=2 | padding="same" | padding="causal" | dilation_rate=2 | activation="relu"
    | use_bias=False | kernel_initializer="ones" | bias_initializer="ones" | kernel_regularizer="l2"
    | bias_regularizer="l2" | activity_regularizer="l2" | kernel_constraint="non_neg" | bias_constraint="non_neg"
made(L.Conv2D(2, 2, ?), S4) | strides=2 | padding="same" | dilation_rate=2 | activation="relu" | use_bias=False
    | kernel_initializer="ones" | bias_initializer="ones" | kernel_regularizer="l2" | bias_regularizer="l2"
    | activity_regularizer="l2" | kernel_constraint="non_neg" | bias_constraint="non_neg"
made(L.Conv3D(2, 1, ?), S5) | strides=(1, 2, 1) | padding="same" | dilation_rate=2 | activation="relu" | use_bias=False
    | kernel_initializer="ones" | bias_initializer="ones" | kernel_regularizer="l2" | bias_regularizer="l2"
    | activity_regularizer="l2" | kernel_constraint="non_neg" | bias_constraint="non_neg"
made(L.Conv2DTranspose(2, 2, ?), S4) | strides=2 | padding="same" | output_padding=1, strides=2 | output_padding=2
    | activation="relu" | use_bias=False | kernel_initializer="ones" | bias_initializer="ones"
    | kernel_regularizer="l2" | bias_regularizer="l2" | activity_regularizer="l2" | kernel_constraint="non_neg"
    | bias_constraint="non_neg"
made(L.Conv3DTranspose(2, 1, ?), S5) | strides=2 | padding="same" | output_padding=1, strides=2 | activation="relu"
    | use_bias=False | kernel_initializer="ones" | bias_initializer="ones" | kernel_regularizer="l2"
    | bias_regularizer="l2" | activity_regularizer="l2" | kernel_constraint="non_neg" | bias_constraint="non_neg"
made(L.SeparableConv1D(2, 2, ?), S) | strides=2 | padding="same" | dilation_rate=2 | depth_multiplier=2
    | depthwise_initializer="ones" | pointwise_initializer="ones" | depthwise_regularizer="l2"
    | pointwise_regularizer="l2" | depthwise_constraint="non_neg" | pointwise_constraint="non_neg"
    | bias_constraint="non_neg"
made(L.SeparableConv2D(2, 2, ?), S4) | strides=2 | padding="same" | dilation_rate=2 | depth_multiplier=2
    | depthwise_initializer="ones" | pointwise_initializer="ones" | depthwise_regularizer="l2"
    | pointwise_regularizer="l2" | depthwise_constraint="non_neg" | pointwise_constraint="non_neg"
    | bias_constraint="non_neg"
made(L.DepthwiseConv2D(2, ?), S4) | strides=2 | padding="same" | depth_multiplier=2 | activation="relu"
    | use_bias=False | depthwise_initializer="ones" | bias_initializer="ones" | depthwise_regularizer="l2"
    | bias_regularizer="l2" | activity_regularizer="l2" | depthwise_constraint="non_neg" | bias_constraint="non_neg"
made(L.LocallyConnected1D(2, 2, ?), S) | strides=2 | padding="same", implementation=2 | activation="relu"
    | use_bias=False | kernel_initializer="ones" | bias_initializer="ones" | kernel_regularizer="l2"
    | bias_regularizer="l2" | activity_regularizer="l2" | kernel_constraint="non_neg" | bias_constraint="non_neg"
    | implementation=2 | implementation=3
made(L.LocallyConnected2D(2, 2, ?), S4) | strides=2 | padding="same", implementation=2 | activation="relu"
    | use_bias=False | kernel_initializer="ones" | bias_initializer="ones" | kernel_regularizer="l2"
    | bias_regularizer="l2" | activity_regularizer="l2" | kernel_constraint="non_neg" | bias_constraint="non_neg"
    | implementation=2 | data_format="channels_first"
made(L.BatchNormalization(?), S4) | axis=1 | momentum=0.5 | epsilon=0.5 | center=False | scale=False
    | beta_initializer="ones" | gamma_initializer="zeros" | moving_mean_initializer="ones"
    | moving_variance_initializer="zeros" | beta_regularizer="l2" | gamma_regularizer="l2" | beta_constraint="non_neg"
    | gamma_constraint="non_neg" | renorm=True | renorm=True, renorm_momentum=0.5
    | renorm=True, renorm_clipping={"rmax": 2.0} | fused=False | virtual_batch_size=1 | trainable=False
made(L.LayerNormalization(?), S4) | axis=1 | axis=[1, 2] | epsilon=0.5 | center=False | scale=False
    | beta_initializer="ones" | gamma_initializer="zeros" | beta_regularizer="l2" | gamma_regularizer="l2"
    | beta_constraint="non_neg" | gamma_constraint="non_neg" | axis=7 | axis=[1, 1]
made(L.PReLU(?), X) | alpha_initializer="ones" | alpha_regularizer="l2" | alpha_constraint="non_neg" | shared_axes=[1]
made(L.?, X) | ReLU(0.5) | ReLU(None, 0.5) | ReLU(None, 0.2, 0.3) | ReLU(-1.0) | LeakyReLU(0.7) | ELU(0.5)
    | ThresholdedReLU(0.2) | Softmax(0) | GaussianNoise(0.3) | GaussianDropout(0.3) | AlphaDropout(0.3, seed=1)
    | Dropout(0.3, [1, 3], 2) | Dropout(1.5) | SpatialDropout1D(0.5) | ActivityRegularization(0.1, 0.0) | Masking()
    | Lambda(lambda x: x * 2, None, None, {}) | Lambda(lambda x, by: x * by, arguments={"by": 3}) | Activation("relu")
    | Flatten("channels_first") | RepeatVector(0) | Reshape([3, 1]) | Reshape([2]) | Permute([1])
made(L.?, S4) | MaxPool2D(2, 1, "same") | MaxPool2D((1, 2)) | MaxPool2D(0) | AveragePooling2D(2, (1, 2), "same")
    | AveragePooling2D(2, data_format="channels_first", padding="same") | GlobalAveragePooling2D("channels_first")
    | GlobalMaxPooling2D("channels_first") | SpatialDropout2D(0.5, "channels_first") | SpatialDropout2D(0.5)
    | ZeroPadding2D(3) | ZeroPadding2D((1, 2, 3)) | ZeroPadding2D(data_format="channels_first")
    | Cropping2D(1, "channels_first") | UpSampling2D(3, "channels_first") | UpSampling2D(interpolation="bilinear")
    | Cropping2D((1, 2, 3))
made(L.?, S5) | MaxPool3D(1, 2, "same") | AveragePooling3D(1, (1, 2, 1)) | GlobalMaxPooling3D("channels_first")
    | GlobalAveragePooling3D("channels_first") | ZeroPadding3D(1, "channels_first")
    | ZeroPadding3D(((0, 1), (1, 0), (0, 0))) | Cropping3D(((0, 1), (1, 0), (0, 0))) | UpSampling3D((1, 2, 1))
    | UpSampling3D(2, "channels_first") | SpatialDropout3D(0.5) | ZeroPadding3D(3) | Cropping3D((1, 2))
made(L.?, S) | MaxPool1D(2, 1, "same") | MaxPool1D(2, 1, data_format="channels_first") | AveragePooling1D(3, 2, "same")
    | AveragePooling1D(2, 1, data_format="channels_first") | GlobalMaxPooling1D("channels_first")
    | GlobalAveragePooling1D("channels_first") | ZeroPadding1D(2) | Cropping1D(1) | UpSampling1D(2)
    | TimeDistributed(L.Dense(2, kernel_initializer="ones")) | Softmax(1) | Masking(0.5)
L.?([A(X), A(X + 1)]) | Dot(1) | Dot(1, True) | Dot((1, 1)) | Concatenate(1) | Concatenate(0) | Add() | Subtract()
    | Multiply() | Average() | Maximum() | Minimum()
L.Attention(?)([A(S), A(S)], mask=[tf.constant([[True, False, True]] * 2)] * 2) | use_scale=True | causal=True
L.AdditiveAttention(?)([A(S), A(S)], mask=[tf.constant([[True, False, True]] * 2)] * 2) | use_scale=False | causal=True
L.Input(?) | [3] | [3], 2 | batch_shape=[2, 3] | [3], dtype="int32" | [3], name="n" | tensor=A(X)
    | [3], batch_shape=[2, 3] | [3], other=1 | batch_size=2 | shape=None
L.InputLayer(?).output | [3] | [3], 2 | input_tensor=A(X) | [3], dtype="int32" | [3], name="n"
    | [3], batch_size=2, other=1
"""
PARTS = """
K.optimizers.?.get_config() | SGD(0.1, 0.2, True) | RMSprop(0.1, 0.2, 0.3, 0.4, True) | Adam(0.1, 0.2, 0.3, 0.4, True)
    | Adamax(0.1, 0.2, 0.3, 0.4) | Nadam(0.1, 0.2, 0.3, 0.4) | Adagrad(0.1, 0.2, 0.3) | Adadelta(0.1, 0.2, 0.3)
    | Ftrl(0.1, -0.4, 0.2, 0.3, 0.4, l2_shrinkage_regularization_strength=0.1) | SGD(decay=0.1)
    | SGD(clipnorm=1.0, clipvalue=2.0) | SGD(clipnorm=-1.0) | SGD(other=3) | Ftrl(learning_rate_power=1.0)
    | SGD(lr=0.7) | SGD(-1.0) | SGD(momentum=2.0)
stepped(K.optimizers.?) | SGD(0.1, 0.2, True) | SGD(0.1, 0.9) | SGD(decay=0.5) | SGD(clipnorm=0.5) | SGD(clipvalue=0.5)
    | RMSprop(0.1, 0.2, 0.3, 0.4, True) | RMSprop(0.1, centered=True) | Adam(0.1, 0.2, 0.3, 0.4, True)
    | Adam(beta_1=0.5) | Adam(beta_2=0.5) | Adam(epsilon=0.5) | Adamax(0.1, 0.2, 0.3, 0.4) | Nadam(0.1, 0.2, 0.3, 0.4)
    | Adagrad(0.1, 0.2, 0.3) | Adadelta(0.1, 0.2, 0.3)
    | Ftrl(0.1, -0.4, 0.2, 0.3, 0.4, l2_shrinkage_regularization_strength=0.1)
K.optimizers.schedules.?(tf.constant(5)) | ExponentialDecay(0.1, 2, 0.5) | ExponentialDecay(0.1, 2, 0.5, True)
    | ExponentialDecay(0.1, 2, 0.5, name="n") | PiecewiseConstantDecay([1, 4], [1.0, 2.0, 3.0], "n")
    | PolynomialDecay(0.1, 3, 0.02) | PolynomialDecay(0.1, 3, power=2.0) | PolynomialDecay(0.1, 3, cycle=True)
    | PolynomialDecay(0.1, 9, end_learning_rate=0.05, power=0.5, name="n") | InverseTimeDecay(0.1, 2, 0.5)
    | InverseTimeDecay(0.1, 2, 0.5, True, "n") | PiecewiseConstantDecay([1, 4], [1.0, 2.0])
K.experimental.?(tf.constant(5)) | CosineDecay(0.1, 9) | CosineDecay(0.1, 9, 0.5, "n") | CosineDecayRestarts(0.1, 3)
    | CosineDecayRestarts(0.1, 3, t_mul=1.0) | CosineDecayRestarts(0.1, 2, m_mul=0.5)
    | CosineDecayRestarts(0.1, 2, 1.5, 0.5, 0.1, "n") | LinearCosineDecay(0.1, 9, 0.7, 0.1, 0.2, "n")
    | NoisyLinearCosineDecay(0.1, 9, initial_variance=0.5, variance_decay=0.3)
    | NoisyLinearCosineDecay(0.1, 9, num_periods=0.7, alpha=0.1, beta=0.2, name="n")
K.constraints.?(A(X - 0.5)) | MinMaxNorm() | MinMaxNorm(min_value=0.4) | MinMaxNorm(max_value=0.2)
    | MinMaxNorm(rate=0.5) | MinMaxNorm(axis=1) | MaxNorm(0.2) | MaxNorm(0.2, 1) | UnitNorm() | UnitNorm([0, 1])
    | RadialConstraint()
K.constraints.?.get_config() | MinMaxNorm(0.1, 0.2, 0.3, 1) | MaxNorm(0.2, 1) | UnitNorm(1) | NonNeg()
K.regularizers.?(A(X - 0.5)) | l1() | l2() | l1(0.3) | l2(0.3) | l1_l2() | l1_l2(0.1) | l1_l2(l2=0.2) | L1L2()
    | L1L2(0.1) | L1L2(l2=0.3)
K.initializers.?([3, 3], tf.float32) | Zeros() | Ones() | Constant(2) | Constant([1.0] * 9) | RandomNormal(1.0, 0.5, 3)
    | RandomUniform(0.1, 0.2, 3) | TruncatedNormal(1.0, 0.5, 3) | VarianceScaling(2.0, seed=1)
    | VarianceScaling(mode="fan_out", seed=1) | VarianceScaling(distribution="untruncated_normal", seed=1)
    | VarianceScaling(distribution="uniform", seed=1) | Orthogonal(2.0, 3) | Identity(3.0) | Constant([1.0, 2.0])
    | VarianceScaling(-1.0)
U.? | to_categorical([0, 2]) | to_categorical([0, 2], 5) | to_categorical([0, 2], dtype="int64") | normalize(X)
    | normalize(X, 0) | normalize(X, -1, 1) | to_categorical([3], 2)
progress(?) | 5 | 5, verbose=2 | 5, verbose=0 | 5, width=10 | 5, stateful_metrics=["a"] | 5, unit_name="thing"
    | 5, interval=0.0 | None
P.sequence.pad_sequences([[1, 2, 3], [4]], ?) | 2 | dtype="float32" | padding="post" | truncating="post", maxlen=2
    | value=7 | maxlen=5 | truncating="some", maxlen=2
P.sequence.make_sampling_table(5, ?) | 0.01 | sampling_factor=1.0
P.sequence.skipgrams([1, 2, 3, 4], 5, ?) | 1, 0.0, shuffle=False | 2, negative_samples=0.0, shuffle=False
    | 1, 0.0, shuffle=False, categorical=True | 1, 0.0, False, sampling_table=np.zeros(5) | 1, 0.0, False, seed=3
    | 0, 0.0, False
P.sequence.skipgrams([1, 2, 3, 4], 5, 1, negative_samples=0.5, shuffle=False, seed=2)
batches(P.sequence.TimeseriesGenerator(X, X[:, 0], 1, ?)) | sampling_rate=1 | stride=2 | start_index=1 | end_index=2
    | reverse=True | batch_size=1 | shuffle=False | start_index=3, end_index=2
P.sequence.TimeseriesGenerator(X, X[:, 0], 2, 1, 1, 0, 3, False, True, 2).get_config()
tokens(P.text.Tokenizer(?)) | num_words=3 | filters="a" | lower=False | split="," | char_level=True | oov_token="?"
    | document_count=5
P.text.? | text_to_word_sequence("A b, c.") | text_to_word_sequence("A b", "b")
    | text_to_word_sequence("A b", lower=False) | text_to_word_sequence("A,b", split=",")
    | hashing_trick("a b", 9, "md5") | hashing_trick("A b", 9, "md5", filters="b")
    | hashing_trick("A b", 9, "md5", lower=False) | hashing_trick("A,b", 9, "md5", split=",")
    | one_hot("A b", 9, lower=False) and 0
P.text.tokenizer_from_json(P.text.Tokenizer(5).to_json()).get_config()
I.? | random_brightness(PICTURE, 3) | apply_channel_shift(PICTURE, 2.0) | apply_channel_shift(PICTURE, 2.0, 0)
    | img_to_array(3)
seeded(lambda: I.random_channel_shift(PICTURE, 3.0, ?)) | 0 | 2
I.ImageDataGenerator(?) | zoom_range=[1, 2, 3] | validation_split=1.5 | data_format="some"
seeded(lambda: fitted(I.ImageDataGenerator(?))) | featurewise_center=True | featurewise_std_normalization=True
I.ImageDataGenerator(validation_split=0.5).flow(SET, ?) | subset="some" | y=[1, 2] | sample_weight=[5, 6]
"""
BACKEND = """
B.? | floatx() | epsilon() | image_data_format() | is_keras_tensor(A(X)) | int_shape(A(X)) | ndim(A(X)) | dtype(A(X))
    | is_sparse(A(X)) | count_params(B.variable(X)) | eval(A(X)) | set_learning_phase(2) | set_floatx("some")
    | set_image_data_format("some")
B.?(A(X), ?) | sum
B.sum(A(X), ?) | 0 | axis=1, keepdims=True | axis=[0, 1] | axis=5
B.prod(A(X), ?) | 0 | axis=1, keepdims=True
B.max(A(X), ?) | 0 | axis=1, keepdims=True
B.min(A(X), ?) | 0 | axis=1, keepdims=True
B.mean(A(X), ?) | 0 | axis=1, keepdims=True
B.std(A(X), ?) | 0 | axis=1, keepdims=True
B.var(A(X), ?) | 0 | axis=1, keepdims=True
B.any(A(X), ?) | 0 | axis=1, keepdims=True
B.all(A(X), ?) | 0 | axis=1, keepdims=True
B.logsumexp(A(X), ?) | 0 | axis=1, keepdims=True
B.argmax(A(X), ?) | 0 | axis=1
B.argmin(A(X), ?) | 0 | axis=1
B.cumsum(A(X), ?) | 0 | axis=1
B.cumprod(A(X), ?) | 0 | axis=1
B.? | relu(A(X - 0.5), 0.1) | relu(A(X), max_value=0.5) | relu(A(X), threshold=0.5) | elu(A(X - 0.5), 0.3)
    | softmax(A(X), 0) | dropout(A(X), 0.5, seed=1) | dropout(A(X), 0.5, [1, 3], 1) | l2_normalize(A(X), 0)
    | batch_flatten(A(S)) | expand_dims(A(X), 1) | squeeze(A(X[:, :1]), 1) | stack([A(X), A(X)], 1)
    | concatenate([A(X), A(X)], 0) | reverse(A(X), 1) | repeat(A(X), 2) | tile(A(X), [1, 2]) | one_hot([1], 3)
    | eye(3, "float64", "n") | ones([2], "int32", "n") | zeros([2], "int32", "n") | ones_like(A(X), "int32", "n")
    | zeros_like(A(X), "int32", "n") | constant(3, "float64", [2], "n") | variable(X, "float64", "n")
    | variable(X, constraint=lambda x: x) | placeholder([2], dtype="int32", name="n") | placeholder(ndim=2)
    | random_uniform([2], 1.0, 2.0, seed=1) | random_normal([2], 1.0, 2.0, seed=1)
    | truncated_normal([2], 1.0, 2.0, seed=1) | random_binomial([2], 0.9, seed=1)
    | random_normal_variable([2], 1.0, 2.0, "float64", "n", 1)
    | random_uniform_variable([2], 1.0, 2.0, "float64", "n", 1) | arange(3, dtype="float32") | arange(1, 7, 2)
    | arange(3.0) | batch_dot(A(S), A(S), 2) | batch_dot(A(S), A(S), (2, 2)) | dot(A(X), A(X.T))
    | clip(A(X), 0.2, None) | clip(A(X), 0.9, 0.1) | sparse_categorical_crossentropy([0, 1, 2, 0], A(X), axis=0)
    | categorical_crossentropy(A(X), A(X), axis=0) | categorical_crossentropy(A(X), A(X), True)
    | binary_crossentropy(A(X), A(X), True) | in_top_k(A(X), [0, 1, 2, 0], 0)
    | bias_add(A(S4), A(S4[0, 0, 0]), "channels_last") | bias_add(A(S4), A(X)) | temporal_padding(A(S), (2, 0))
    | spatial_2d_padding(A(S4), ((0, 1), (2, 0))) | spatial_2d_padding(A(S4), data_format="channels_first")
    | spatial_3d_padding(A(S5), ((0, 1), (1, 0), (0, 0))) | spatial_3d_padding(A(S5), data_format="channels_first")
    | resize_images(A(S4), 2, 3, "channels_first") | resize_images(A(S4), 2, 3, "some")
    | resize_images(A(S4), 2, 1, "channels_last", "some") | resize_volumes(A(S5), 1, 2, 1, "channels_last")
    | resize_volumes(A(S5), 1, 2, 1, "some") | switch(tf.constant([True, False, True, False]), A(X), A(X + 1))
    | foldl(lambda a, x: a + x, A(X), A(X[0])) | foldr(lambda a, x: a - x, A(X), A(X[0]), "n")
    | map_fn(lambda x: x * 2, A(X), "n", "float32") | moving_average_update(B.variable(X), A(X), 0.5)
    | gradients(A(X), [A(X)]) | ctc_decode(A(S), [3, 3])[1] | ctc_decode(A(S), [3, 3], False, 2, 1)[1]
    | ctc_batch_cost([[0], [1]], A(abs(S)), [[3], [3]], [[1], [1]]) | get_uid("a") and B.get_uid("a")
    | learning_phase() | name_scope("n").__enter__() | update_add(B.variable(X), A(X))
    | update_sub(B.variable(X), A(X)) | print_tensor(A(X), "m") | cast_to_floatx(np.array([1]))
    | manual_variable_initialization(False) | permute_dimensions(A(X), (1, 0)) | pow(A(X), 2) | hard_sigmoid(A(X))
    | softsign(A(X)) | softplus(A(X)) | sign(A(X)) | not_equal(A(X), 1.0)
B.conv1d(A(S), A(np.ones([2, 4, 3], "f")), ?) | strides=2 | padding="same" | padding="causal" | dilation_rate=2
    | padding="some"
B.conv2d(A(S4), A(np.ones([2, 2, 4, 3], "f")), ?) | strides=(2, 1) | padding="same" | dilation_rate=(2, 1)
    | data_format="some"
B.conv3d(A(S5), A(np.ones([1, 1, 1, 4, 3], "f")), ?) | strides=(2, 1, 1) | padding="same" | dilation_rate=(2, 1, 1)
B.conv2d_transpose(A(S4), A(np.ones([2, 2, 3, 4], "f")), (2, 4, 4, 3), ?) | padding="same" | padding="valid"
B.depthwise_conv2d(A(S4), A(np.ones([2, 2, 4, 1], "f")), ?) | strides=(2, 2) | padding="same" | dilation_rate=(2, 2)
B.separable_conv2d(A(S4), A(np.ones([2, 2, 4, 1], "f")), A(np.ones([1, 1, 4, 2], "f")), ?) | strides=(2, 2)
    | padding="same" | dilation_rate=(2, 2) | strides=3
B.pool2d(A(S4), (2, 2), ?) | strides=(1, 2) | padding="same" | pool_mode="avg" | padding="some" | data_format="some"
B.pool3d(A(S5), (1, 2, 1), ?) | strides=(1, 2, 1) | padding="same" | pool_mode="avg" | pool_mode="some"
B.local_conv1d(A(S), A(np.ones([2, 8, 3], "f")), (2,), (1,), ?) | "channels_last" | "some"
B.rnn(lambda x, s: (x + s[0], [s[0] + 1]), A(S), [A(S[:, 0])], ?) | go_backwards=True
    | mask=tf.constant([[True, False, True]] * 2)
    | mask=tf.constant([[True, False, True]] * 2), zero_output_for_mask=True | unroll=True | input_length=3
    | unroll=True, mask=tf.constant([[True, False, True]] * 2), zero_output_for_mask=True
    | unroll=True, mask=tf.constant([[True, False, True]] * 2) | unroll=True, go_backwards=True
B.rnn(lambda x, s: (x + s[0], [s[0] + 1]), A(S), [A(S[0])], time_major=True)
"""


def programs(tf):
    K = tf.keras
    random = np.random.RandomState(3)

    def made(layer, value):
        """What a layer gives, its losses, its variables after a step of training, and what it says of itself."""
        config = {
            k: str(v)
            for k, v in layer.get_config().items()
            if k not in ("name", "layer", "function", "backward_layer")
        }
        said = tf.constant(json.dumps(config, sort_keys=True, default=str))
        if value is None:
            return said
        given = layer(tf.constant(value))
        parts = [tf.cast(tf.reduce_sum(part), tf.float32) for part in tf.nest.flatten(given)]
        if not layer.trainable_weights:
            return [said, given, layer.losses]
        loss = tf.add_n([*parts, *(tf.cast(each, tf.float32) for each in layer.losses)])
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
            after = [variable.read_value() for variable in layer.trainable_weights]
        return [said, after]

    def stepped(optimizer):
        w = K.backend.variable([1.0, 2.0])
        step = optimizer.get_updates(K.backend.sum(w * w), [w])
        session = K.backend.get_session()
        session.run(step)
        session.run(step)
        return [
            session.run([w, *optimizer.weights]),
            {k: str(v) for k, v in optimizer.get_config().items()},
        ]

    def seeded(call):
        np.random.seed(5)
        return call()

    def progress(*args, **options):
        bar = K.utils.Progbar(*args, **options)
        bar.update(1, [("a", 2.0)])
        bar.add(1, [("a", 4.0)])
        return [
            bar.target,
            bar.width,
            bar.verbose,
            bar.interval,
            bar.unit_name,
            sorted(bar.stateful_metrics),
            str(bar._values),
        ]

    def batches(sequence):
        return [sequence[i] for i in range(len(sequence))]

    def tokens(tokenizer):
        tokenizer.fit_on_texts(["A b,a c", "b a d"])
        return [
            tokenizer.texts_to_sequences(["a,b e"]),
            tokenizer.texts_to_matrix(["a,b e"], "count"),
            tokenizer.document_count,
            tokenizer.word_index,
        ]

    def fitted(generator, **options):
        generator.fit(pictures, **options)
        return [generator.mean, generator.std, generator.principal_components]

    picture = (np.arange(48).reshape(4, 4, 3) * 5).astype("f")
    pictures = np.stack([picture, picture + 1, picture * 2, picture[::-1]])
    arrays = {"X": random.rand(4, 3).astype("f"), "S": random.randn(2, 3, 4).astype("f")}
    arrays.update(
        S4=random.randn(2, 3, 3, 4).astype("f"),
        S5=random.randn(2, 2, 3, 3, 4).astype("f"),
        PICTURE=picture,
        SET=pictures,
    )
    return rows(
        LAYERS + PARTS + BACKEND,
        tf=tf, np=np, os=os, K=K, L=K.layers, B=K.backend, U=K.utils, P=K.preprocessing, I=K.preprocessing.image,
        A=tf.constant,
        made=made, stepped=stepped, seeded=seeded, progress=progress, batches=batches, tokens=tokens, fitted=fitted,
        **arrays,
    )  # fmt: skip
