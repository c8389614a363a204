from tfmini._src.contrib.learn.datasets.base import Dataset as Dataset
from tfmini._src.contrib.learn.datasets.base import Datasets as Datasets
from tfmini.contrib.learn.datasets import load_boston as load_boston
from tfmini._src.contrib.learn.datasets.base import load_csv_with_header as load_csv_with_header
from tfmini._src.contrib.learn.datasets.base import load_csv_without_header as load_csv_without_header
from tfmini.contrib.learn.datasets import load_iris as load_iris
from tfmini._src.contrib.learn.datasets.base import maybe_download as maybe_download
from tfmini._src.contrib.learn.datasets.base import shrink_csv as shrink_csv
