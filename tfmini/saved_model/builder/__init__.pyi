from tfmini._src.saved_model.builder import SavedModelBuilder as SavedModelBuilder
