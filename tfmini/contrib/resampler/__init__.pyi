from tfmini._src.contrib.resampler import resampler as resampler
