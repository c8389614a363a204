from tfmini import *
