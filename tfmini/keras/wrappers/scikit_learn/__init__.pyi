from tfmini._src.models.keras.wrappers.scikit_learn import KerasClassifier as KerasClassifier
from tfmini._src.models.keras.wrappers.scikit_learn import KerasRegressor as KerasRegressor
