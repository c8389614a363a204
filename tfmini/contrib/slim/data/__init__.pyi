from tfmini.contrib.slim.data import data_decoder as data_decoder
from tfmini.contrib.slim.data import data_provider as data_provider
from tfmini.contrib.slim.data import dataset as dataset
from tfmini.contrib.slim.data import dataset_data_provider as dataset_data_provider
from tfmini.contrib.slim.data import parallel_reader as parallel_reader
from tfmini.contrib.slim.data import prefetch_queue as prefetch_queue
from tfmini.contrib.slim.data import tfexample_decoder as tfexample_decoder
