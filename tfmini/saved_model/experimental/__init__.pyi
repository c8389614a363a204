from tfmini.saved_model import save as save
