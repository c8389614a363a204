from tfmini._src.models.keras.datasets.boston_housing import load_data as load_data
