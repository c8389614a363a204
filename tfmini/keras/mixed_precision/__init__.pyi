from tfmini.keras.mixed_precision import experimental as experimental
