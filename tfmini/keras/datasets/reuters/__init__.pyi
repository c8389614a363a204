from tfmini._src.models.keras.datasets.reuters import get_word_index as get_word_index
from tfmini._src.models.keras.datasets.reuters import load_data as load_data
