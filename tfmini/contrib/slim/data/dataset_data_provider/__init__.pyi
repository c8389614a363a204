from tfmini._src.contrib.slim.data.dataset_data_provider import DatasetDataProvider as DatasetDataProvider
