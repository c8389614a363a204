from tfmini._src.contrib.learn.datasets.mnist import DEFAULT_SOURCE_URL as DEFAULT_SOURCE_URL
from tfmini._src.contrib.learn.datasets.mnist import DataSet as DataSet
from tfmini._src.contrib.learn.datasets.mnist import dense_to_one_hot as dense_to_one_hot
from tfmini._src.contrib.learn.datasets.mnist import extract_images as extract_images
from tfmini._src.contrib.learn.datasets.mnist import extract_labels as extract_labels
from tfmini._src.contrib.learn.datasets.mnist import load_mnist as load_mnist
from tfmini._src.contrib.learn.datasets.mnist import read_data_sets as read_data_sets
