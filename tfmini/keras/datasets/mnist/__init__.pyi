from tfmini._src.models.keras.datasets.mnist import load_data as load_data
