from tfmini._src.contrib.slim.data.parallel_reader import ParallelReader as ParallelReader
from tfmini._src.contrib.slim.data.parallel_reader import get_data_files as get_data_files
from tfmini._src.contrib.slim.data.parallel_reader import parallel_read as parallel_read
from tfmini._src.contrib.slim.data.parallel_reader import single_pass_read as single_pass_read
