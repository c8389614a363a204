from tfmini._src.models.keras.preprocessing.text import Tokenizer as Tokenizer
from tfmini._src.models.keras.preprocessing.text import hashing_trick as hashing_trick
from tfmini._src.models.keras.preprocessing.text import one_hot as one_hot
from tfmini._src.models.keras.preprocessing.text import text_to_word_sequence as text_to_word_sequence
