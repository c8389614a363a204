from tfmini._src.session.eager.enable import ASYNC as ASYNC
from tfmini.train import Checkpoint as Checkpoint
from tfmini.contrib.checkpoint import Checkpointable as Checkpointable
from tfmini._src.session.eager.device_policies import DEVICE_PLACEMENT_EXPLICIT as DEVICE_PLACEMENT_EXPLICIT
from tfmini._src.session.eager.device_policies import DEVICE_PLACEMENT_SILENT as DEVICE_PLACEMENT_SILENT
from tfmini._src.session.eager.device_policies import DEVICE_PLACEMENT_SILENT_FOR_INT32 as DEVICE_PLACEMENT_SILENT_FOR_INT32
from tfmini._src.session.eager.device_policies import DEVICE_PLACEMENT_WARN as DEVICE_PLACEMENT_WARN
from tfmini._src.variables.eager_variable_store import EagerVariableStore as EagerVariableStore
from tfmini._src.session.eager.execution_callbacks import ExecutionCallback as ExecutionCallback
from tfmini import GradientTape as GradientTape
from tfmini._src.data.owned_iterator import Iterator as Iterator
from tfmini._src.contrib.eager.network import Network as Network
from tfmini._src.session.eager.enable import SYNC as SYNC
from tfmini._src.contrib.eager.saver import Saver as Saver
from tfmini._src.contrib.eager.network import Sequential as Sequential
from tfmini import TensorSpec as TensorSpec
from tfmini._src.variables.resource_variable import ResourceVariable as _Variable; Variable = _Variable
from tfmini._src.session.eager.execution_callbacks import add_execution_callback as add_execution_callback
from tfmini.compat.python.eager.context import async_clear_error as async_clear_error
from tfmini.compat.python.eager.context import async_wait as async_wait
from tfmini._src.session.eager.execution_callbacks import clear_execution_callbacks as clear_execution_callbacks
from tfmini import custom_gradient as custom_gradient
from tfmini._src.functions.tf_function import defun as defun
from tfmini import enable_eager_execution as enable_eager_execution
from tfmini._src.session.eager.execution_callbacks import errstate as errstate
from tfmini import executing_eagerly as executing_eagerly
from tfmini.compat.python.eager.context import execution_mode as execution_mode
from tfmini import function as function
from tfmini._src.contrib.eager.saver import get_optimizer_variables as get_optimizer_variables
from tfmini._src.autodiff.gradients_function import gradients_function as gradients_function
from tfmini._src.autodiff.gradients_function import implicit_gradients as implicit_gradients
from tfmini._src.autodiff.gradients_function import implicit_value_and_gradients as implicit_value_and_gradients
from tfmini import executing_eagerly as _in_eager_mode; in_eager_mode = _in_eager_mode
from tfmini._src.session.eager.execution_callbacks import inf_callback as inf_callback
from tfmini._src.session.eager.execution_callbacks import inf_nan_callback as inf_nan_callback
from tfmini._src.session.eager.context import list_devices as list_devices
from tfmini._src.contrib.eager.make_template import make_template as make_template
from tfmini.contrib.eager import metrics as metrics
from tfmini._src.session.eager.execution_callbacks import nan_callback as nan_callback
from tfmini._src.session.eager.context import num_gpus as num_gpus
from tfmini import py_function as _py_func; py_func = _py_func
from tfmini._src.contrib.eager.network_checkpoint import restore_network_checkpoint as restore_network_checkpoint
from tfmini._src.contrib.eager.saver import restore_variables_on_create as restore_variables_on_create
from tfmini._src.contrib.eager.run import run as run
from tfmini._src.models.test.decorators import run_all_in_graph_and_eager_modes as _run_all_tests_in_graph_and_eager_modes; run_all_tests_in_graph_and_eager_modes = _run_all_tests_in_graph_and_eager_modes
from tfmini._src.models.test.decorators import run_in_graph_and_eager_modes as _run_test_in_graph_and_eager_modes; run_test_in_graph_and_eager_modes = _run_test_in_graph_and_eager_modes
from tfmini._src.contrib.eager.network_checkpoint import save_network_checkpoint as save_network_checkpoint
from tfmini.compat.python.eager.context import set_execution_mode as set_execution_mode
from tfmini._src.session.eager.execution_callbacks import seterr as seterr
from tfmini._src.autodiff.gradients_function import value_and_gradients_function as value_and_gradients_function
