from tfmini._src.contrib.slim.data.data_provider import DataProvider as DataProvider
