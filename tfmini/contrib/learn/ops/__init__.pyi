from tfmini._src.contrib.learn.ops.embeddings import categorical_variable as categorical_variable
from tfmini._src.contrib.learn.ops.embeddings import embedding_lookup as embedding_lookup
from tfmini._src.contrib.learn.ops.outputs import mean_squared_error_regressor as mean_squared_error_regressor
from tfmini._src.contrib.learn.ops.sequences import rnn_decoder as rnn_decoder
from tfmini._src.contrib.learn.ops.sequences import rnn_seq2seq as rnn_seq2seq
from tfmini._src.contrib.learn.ops.sequences import seq2seq_inputs as seq2seq_inputs
from tfmini._src.contrib.learn.ops.sequences import sequence_classifier as sequence_classifier
from tfmini._src.contrib.learn.ops.outputs import softmax_classifier as softmax_classifier
