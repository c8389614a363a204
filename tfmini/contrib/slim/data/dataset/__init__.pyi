from tfmini._src.contrib.slim.data.dataset import Dataset as Dataset
