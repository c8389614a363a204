from tfmini._src.models.keras.optimizers.cosine_decay import CosineDecay as CosineDecay
from tfmini._src.models.keras.optimizers.cosine_decay import CosineDecayRestarts as CosineDecayRestarts
from tfmini._src.models.keras.optimizers.cosine_decay import LinearCosineDecay as LinearCosineDecay
from tfmini._src.models.keras.premade.linear import LinearModel as LinearModel
from tfmini._src.models.keras.optimizers.cosine_decay import NoisyLinearCosineDecay as NoisyLinearCosineDecay
from tfmini._src.nn.layers.keras.recurrent.lstm_cell import PeepholeLSTMCell as PeepholeLSTMCell
from tfmini._src.models.feature_column.dense_features import SequenceFeatures as SequenceFeatures
from tfmini._src.models.keras.premade.wide_and_deep import WideDeepModel as WideDeepModel
from tfmini.contrib.saved_model import save_keras_model as _export_saved_model; export_saved_model = _export_saved_model
from tfmini.contrib.saved_model import load_keras_model as _load_from_saved_model; load_from_saved_model = _load_from_saved_model
from tfmini._src.models.keras.utils.worker_pool import terminate_keras_multiprocessing_pools as terminate_keras_multiprocessing_pools
