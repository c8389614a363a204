from tfmini._src.models.keras.datasets.fashion_mnist import load_data as load_data
