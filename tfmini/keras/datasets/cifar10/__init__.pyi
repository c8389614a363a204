from tfmini._src.models.keras.datasets.cifar10 import load_data as load_data
