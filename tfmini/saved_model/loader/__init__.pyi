from tfmini.saved_model import load as load
from tfmini.saved_model import maybe_saved_model_directory as maybe_saved_model_directory
