from tfmini._src.models.keras.preprocessing.sequence import TimeseriesGenerator as TimeseriesGenerator
from tfmini._src.models.keras.preprocessing.sequence import make_sampling_table as make_sampling_table
from tfmini._src.models.keras.preprocessing.sequence import pad_sequences as pad_sequences
from tfmini._src.models.keras.preprocessing.sequence import skipgrams as skipgrams
