from tfmini.keras import Model as Model
from tfmini.keras import Sequential as Sequential
from tfmini._src.models.keras.models import clone_model as clone_model
from tfmini._src.models.keras.models import load_model as load_model
from tfmini._src.models.keras.models import model_from_config as model_from_config
from tfmini._src.models.keras.models import model_from_json as model_from_json
from tfmini._src.models.keras.models import model_from_yaml as model_from_yaml
from tfmini._src.models.keras.models import save_model as save_model
