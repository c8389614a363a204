"""Where signatures have `Any`, of the rooms of `test_types.py`: by reason, the functions of each file."""

REASONS = {
    "a value as a program gives it, or an array of numpy or CuPy": {
        "graph/eager/eager_constant": (
            "_literal _numbers _owned _plain _refused _spread _with_values eager_constant"
        ),
        "graph/eager/python_sequences": (
            "_array_of_leaves _bools _check _complex_numbers _dims_and_first _element _floats _floats.convert "
            "_gather _integers _texts array_of is_sequence"
        ),
        "graph/eager/eager_tensor": (
            "EagerTensor.__array__ EagerTensor.__deepcopy__ EagerTensor.__dlpack__ "
            "EagerTensor.__init__ EagerTensor.__reduce__ "
            "EagerTensor._contiguous EagerTensor._numpy EagerTensor._scalar EagerTensor._text EagerTensor.eval "
            "EagerTensor.numpy _converted _restored"
        ),
        "graph/eager/symbolic": "is_symbolic",
        "graph/op_traits/handle_checks": (
            "_is_destroyed checked checked.with_handle checked.with_handles checked_when_bound "
            "checked_when_bound.bound_to needs_no_check"
        ),
        "graph/op_traits/handle_kinds": (
            "Resource.__init_subclass__ ResourceKind.__call__ _ReadVariable.__call__ "
            "_ForwardArray.__call__ _TrainedVariable.__call__ _names_in any_resource _first_of VariantKind.__call__ "
            "variant_text"
        ),
        "session/eager/compiled_op": "_on_variable _on_variable.checked",
        "session/eager/execute": "_bound_and_run _kind execute",
        "session/eager/execution_callbacks": (
            "InfOrNanError.__init__ _number add_execution_callback inf_callback inf_nan_callback nan_callback"
        ),
        "session/eager/inputs": "_converted _several _tensor as_tensors inferred_attrs symbolic_among",
        "session/eager/py_function": (
            "_Taped.__init__ _Taped._converted _Taped._gradients _Taped.gradient py_function"
        ),
    },
    "an op that has run or is added to a graph, which rules read alike; a variable, which is above": {
        "graph/eager/execution_mode": "eager_mode install",
        "graph/eager/tapes": (
            "Executed.__init__ Executed.get_attr Recorder.record Recorder.variable_accessed record "
            "record_more_outputs variable_accessed"
        ),
        "graph/scopes": "control_dependencies",
    },
    "an attr's value: what its kind says": {
        "graph/attributes": "_func _int check",
        "graph/nodedef": "_element _plain attr_value public_value python_value",
        "graph/op_def_summary": "_one",
        "graph/opdef": "Attr.__init__ OpDef._attrs_in_use",
        "graph/operation": "Operation.get_attr",
        "session/eager/compiled_op": "CompiledOp.__init__",
        "session/eager/execute": "_attrs_key _compile _exact_key call_function run_compiled",
        "graph/scope_stacks": "ScopeStacks._attr_scope",
        "executor/inline/inline_nodes": "Nodes.add",
    },
    "a program's own objects, of which those that do not fit raise": {
        "graph/autograph_status": "_as_it_is _as_it_is.call convert_by converted",
        "graph/collections": "get_collection get_collection_ref",
        "graph/collections_of_graph": ("Collections.get_collection Collections.get_collection_ref"),
        "graph/convert_to_tensor": "convert_to_tensor_or_sparse_tensor",
        "graph/element_lookup": "op_to_colocate_with",
        "graph/graphdef/collection_defs": "CollectionReader._item CollectionReader._plain _write",
        "graph/graphdef/collection_protos": "ProtoFunctions.proto_type register_proto_function",
        "graph/graphdef/import_graph_def": "_checked_input_map _converted",
        "graph/literals": "_from_python _is_array_like _leaves _nested_leaves _plain make_literal",
        "graph/op_selection": "check_graphs is_iterable",
        "graph/references": "Reference.deref",
        "graph/scope_stacks": (
            "ScopeStacks._apply_device_functions ScopeStacks._colocate_with_for_gradient "
            "ScopeStacks.colocate_with ScopeStacks.control_dependencies"
        ),
        "graph/tensor": "Tensor._override_operator",
    },
    "the function that stands behind a call: its arguments, or what it gives": {
        "graph/arguments": "bind",
        "graph/function_library": "_called gradient_of_call symbolic_gradient",
        "graph/node_builder": "apply as_declared results",
        "graph/opdef": (
            "OpDef.__call__ OpDef.__getattr__ OpDef.output_tuple OpDef.take_device_arrays op"
        ),
        "graph/public_functions": (
            "PublicOps.__getattr__ dispatched dispatched.asking override.register.take public "
            "public.register take_over"
        ),
        "graph/replica_modes": "across_replicas replica_here strategy_here",
        "graph/tensor": "read_only",
    },
    "one of several types, as another argument says": {
        "graph/convert_to_tensor": "internal_convert_to_tensor",
    },
    "what a session is given and gives: nested structures of arrays": {
        "graph/default_stack": "DefaultSession.run",
        "graph/indexed_slices_and_sparse_tensor": (
            "CompositeValue._fed_parts CompositeValue._session_value"
        ),
        "graph/tensor": "evaluate",
        "session/batched_steps": (
            "_Blocks.__init__ _maker _maker.results_of _maker.rows_of _owned _rows repeated"
        ),
        "session/callables": (
            "OptionsCallable.__call__ step_callable step_callable.step "
            "step_callable.plain_step step_callable.step_with_options"
        ),
        "session/device_arrays": "OnDevice.__init__ is_on_device on_host split",
        "session/feeds": "_array _kept as_fed feed_pairs",
        "session/fetch_handler": "FetchHandler._value FetchHandler.build_results",
        "session/fetches": (
            "Fetches._resolve Fetches._resolve.build_mapping _slices_value as_fetched"
        ),
        "session/partial_runs": "step",
        "session/run_hooks": "_watched_run",
        "session/run_options": "_noted execute",
        "session/base_session": (
            "BaseSession._observed_run BaseSession._prepare BaseSession.make_callable "
            "BaseSession.partial_run BaseSession.run"
        ),
        "session/session": "Session.__exit__",
        "session/tensor_handles": "TensorHandle.eval resolve_handles.with_handles unwrapped",
    },
    "an array or a number, as numpy has them": {
        "graph/graph": "_summary",
        "graph/static_values": "_computed _shape_value _stacked _value get_static_value",
        "graph/tensor_proto": "_items",
    },
    "the parts of a value, each kind of spec its own": {
        "graph/indexed_slices_and_sparse_tensor": (
            "IndexedSlicesSpec._from_components IndexedSlicesSpec._serialize "
            "SparseTensorSpec._from_components SparseTensorSpec._serialize"
        ),
        "graph/type_spec": (
            "TensorSpec._from_components TensorSpec._serialize TensorSpec.most_specific_compatible_type "
            "TypeSpec.__eq__ TypeSpec.__reduce__ TypeSpec._deserialize "
            "TypeSpec._from_compatible_tensor_list TypeSpec._from_components "
            "TypeSpec._serialize TypeSpec._to_components TypeSpec._to_legacy_output_classes "
            "TypeSpec._to_tensor_list TypeSpec.most_specific_compatible_type _common _compatible "
            "register_type_spec_from_value_converter"
        ),
    },
    "what a slot holds in a run: an array, a number, bytes, a variable's cell, a queue": {
        "compiler/codegen/intrinsics": "copy current",
        "compiler/codegen/shared_memory": "View.__init__ View.read shared_result shared_results",
        "compiler/error_translation": (
            "_misfit _actual_dims _moved _out_of_memory failing_line failing_lines translate"
        ),
        "compiler/kernel_context": "Cell.read",
        "compiler/passes/fuse_optimizer_updates": "GroupedUpdate.__call__",
        "compiler/passes/simplify": "_constants _fold",
        "compiler/passes/stream_restores": "_read _restore",
        "compiler/program/program": "Node.constant",
        "devices/cuda/capture/replay": (
            "CapturedSegment.__call__ CapturedSegment._measure_memory CapturedSegment._record "
            "CapturedSegment._replay CapturedSegment._reserve _key"
        ),
        "devices/cuda/capture/segment_graph": (
            "CudaGraph._delivering CudaGraph._stage CudaGraph.prepare CudaGraph.record.work "
            "CudaGraph.replay CudaGraph.results"
        ),
        "executor/deadlines": "within",
        "executor/inline/function_plans": "FunctionPlan.mismatch FunctionPlan.of",
        "executor/inline/inline_calls": "_no_gradient",
        "executor/inline/inline_later": "CalledPlan.run CalledPlan._run _in_new_thread _run_later",
        "executor/inline/inline_loops": "_goes_on",
        "executor/inline/inline_nodes": "_is_true",
        "executor/inline/parse_many": (
            "_by_record _vector parsing_at_once.columns_of parsing_at_once.results_of "
            "parsing_at_once.rows_of"
        ),
        "executor/part_boundaries": (
            "BetweenParts._brought BetweenParts.argument BetweenParts.result"
        ),
        "executor/partial": "PartialRun.step",
        "executor/plan": "Plan._run Plan.run _handling_of_errors",
        "executor/schedule": "holds",
        "executor/state/resources": (
            "VariableCell._present VariableCell.assign VariableCell.put VariableCell.read "
            "VariableCell.take VariableCell.update"
        ),
        "executor/tracing/recorder": "Recorder.note Recorder.note_on_card _result",
        "executor/unattended_run": "UnattendedRun.__init__ attended",
        "executor/waiting_plan": (
            "WaitingPlan._begin_loop.begin WaitingPlan._begin_op.begin WaitingPlan._begin_op.begin_on_device "
            "WaitingPlan._in_thread WaitingPlan._in_thread.begin WaitingPlan.run Run.__init__ "
            "Run.fetched Run._keep Run._take Run.results Run.values_at_end _WaitingLoop.run _copied"
        ),
    },
    "a function of a plan's text, and the array module of a device": {
        "compiler/codegen/value_expressions": "Values.module Values.ufunc",
        "compiler/passes/epilogues": "_fused fuse_chains",
        "compiler/program/fused_node": "fused_node",
        "compiler/passes/fuse_native": "NativeGroup._places_of",
        "devices/cuda/capture/emit_segments": "SegmentParts.made",
        "executor/plan": "_Text.failing _loop_functions",
    },
    "a size that is a number or a symbol": {
        "compiler/analysis/symbolic_shapes": "Symbols._follow_offsets Symbols._follow_slice",
    },
    "what a session keeps, each thing under its key": {
        "executor/inline/function_plans": "FunctionPlan._compiled FunctionPlan._plan_of",
        "executor/state/resources": "NodeStates.__getattr__ Resources.destroy Resources.found Resources.remove",
    },
    "an event of CuPy's": {
        "devices/cuda/reports/gpu_report": "GpuReport.wait",
    },
}
