from tfmini._src.models.keras.datasets.cifar100 import load_data as load_data
