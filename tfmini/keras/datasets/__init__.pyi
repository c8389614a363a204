from tfmini.keras.datasets import boston_housing as boston_housing
from tfmini.keras.datasets import cifar10 as cifar10
from tfmini.keras.datasets import cifar100 as cifar100
from tfmini.keras.datasets import fashion_mnist as fashion_mnist
from tfmini.keras.datasets import imdb as imdb
from tfmini.keras.datasets import mnist as mnist
from tfmini.keras.datasets import reuters as reuters
