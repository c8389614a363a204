from tfmini.contrib.learn.datasets.base import Dataset as Dataset
from tfmini._src.contrib.learn.datasets.synthetic import circles as circles
from tfmini._src.contrib.learn.datasets.synthetic import spirals as spirals
