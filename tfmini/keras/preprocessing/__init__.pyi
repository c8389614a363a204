from tfmini.keras.preprocessing import image as image
from tfmini.keras.preprocessing import sequence as sequence
from tfmini.keras.preprocessing import text as text
