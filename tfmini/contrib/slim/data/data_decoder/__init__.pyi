from tfmini._src.contrib.slim.data.data_decoder import DataDecoder as DataDecoder
