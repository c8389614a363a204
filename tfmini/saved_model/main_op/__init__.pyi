from tfmini._src.saved_model.main_op import main_op as main_op
from tfmini.saved_model import main_op_with_restore as main_op_with_restore
