from tfmini._src.models.keras.export.model_to_estimator import model_to_estimator as model_to_estimator
