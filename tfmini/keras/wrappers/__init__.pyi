from tfmini.keras.wrappers import scikit_learn as scikit_learn
