from tfmini._src.contrib.learn.rnn_model import bidirectional_rnn as bidirectional_rnn
from tfmini._src.contrib.learn.rnn_model import get_rnn_model as get_rnn_model
from tfmini._src.contrib.learn.regression_models import linear_regression as linear_regression
from tfmini._src.contrib.learn.regression_models import linear_regression_zero_init as linear_regression_zero_init
from tfmini._src.contrib.learn.regression_models import logistic_regression as logistic_regression
from tfmini._src.contrib.learn.regression_models import logistic_regression_zero_init as logistic_regression_zero_init
