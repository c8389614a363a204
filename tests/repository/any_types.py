"""Where signatures have `Any`, of the rooms of `test_types.py`: by reason, the functions of each file."""

REASONS = {
    "a value as a program gives it, or an array of numpy or CuPy": {
        "graph/eager/eager_constant": (
            "_literal _numbers _owned _plain _refused _filled_constant _with_values eager_constant"
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
        "session/eager/execute": "_bound_and_run _constants_of _inputs_of _kind execute",
        "session/eager/execution_callbacks": (
            "InfOrNanError.__init__ _number add_execution_callback inf_callback inf_nan_callback nan_callback"
        ),
        "session/eager/inputs": "_checked_list _converted _tensor as_tensors inferred_attrs symbolic_among",
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
        "graph/attributes": "_func _int _shape _type check",
        "graph/nodedef": "_element _plain attr_value public_value python_value",
        "graph/op_def_summary": "_value_text",
        "graph/opdef": "OpDef.attrs_in_use",
        "graph/operation": "Operation.get_attr",
        "session/eager/compiled_op": "CompiledOp.__init__",
        "session/eager/execute": "_attrs_key _compile _exact_key call_function run_compiled",
        "graph/scope_stacks": "ScopeStacks._attr_scope _AttrBlock.__init__",
        "graph/signature": "Attr.__init__",
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
        "graph/literals": "_array_of_numbers _from_python _is_array_like _leaves _nested_leaves _plain make_literal",
        "graph/op_selection": "check_graphs is_iterable",
        "graph/references": "Reference.deref",
        "graph/scope_stacks": (
            "_ColocationBlock.__init__ ScopeStacks._apply_device_functions ScopeStacks._colocate_with_for_gradient "
            "ScopeStacks.colocate_with ScopeStacks.control_dependencies"
        ),
        "graph/tensor": "Tensor._override_operator",
    },
    "the function that stands behind a call: its arguments, or what it gives": {
        "graph/signature": "bind",
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
        "graph/composite_values": ("CompositeValue._fed_parts CompositeValue._session_value"),
        "graph/tensor": "evaluate",
        "session/batched_steps": (
            "_Blocks.__init__ _maker _maker.results_of _maker.rows_of _owned _rows repeated"
        ),
        "session/callables": (
            "OptionsCallable.__call__ step_callable step_callable.step "
            "step_callable.plain_step step_callable.step_with_options"
        ),
        "session/device_feeds": "OnDevice.__init__ is_on_device on_host split",
        "session/feeds": "_array _handle_value as_fed feed_pairs",
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
        "graph/tensor_proto": "_items has_shape",
    },
    "the parts of a value, each kind of spec its own": {
        "graph/composite_values": (
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
            "_actual_dims _forwarded_array _out_of_memory _refused_view _rejection failing_line "
            "failing_lines translate"
        ),
        "compiler/kernel_context": "Cell.read",
        "compiler/passes/fuse_optimizer_updates": "GroupedUpdate.__call__",
        "compiler/passes/partial_constants": (
            "PartialShapes._crossed_rows PartialShapes.add PartialShapes.value _nonnegative repeats_once "
            "target_shape"
        ),
        "compiler/passes/simplify": "_constants _fold",
        "compiler/passes/stream_restores": "_read _restore",
        "compiler/program/program": "Node.constant",
        "devices/cuda/capture/replay": (
            "CapturedSegment.__call__ CapturedSegment._measure_memory CapturedSegment._record "
            "CapturedSegment._key CapturedSegment._replay CapturedSegment._reserve"
        ),
        "devices/cuda/capture/segment_graph": (
            "CudaGraph._delivering CudaGraph._stage CudaGraph.prepare CudaGraph.record.work "
            "CudaGraph.replay CudaGraph.results"
        ),
        "executor/deadlines": "within",
        "executor/inline/function_plans": "FunctionPlan.mismatch FunctionPlan.callable_for",
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
        "executor/schedule": "guard_holds",
        "executor/state/resources": (
            "VariableCell._initialized_array VariableCell.assign VariableCell.put VariableCell.read "
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
        "compiler/fusion/epilogues": "_fused fuse_chains",
        "compiler/program/fused_node": "fused_node",
        "compiler/passes/fuse_native": "NativeGroup._places_of",
        "devices/cuda/capture/emit_segments": "SegmentParts.create",
        "executor/plan": "_Text.failing _loop_functions",
    },
    "a size that is a number or a symbol": {
        "compiler/analysis/symbolic_shapes": "Symbols._follow_offsets Symbols._follow_slice",
    },
    "what a session keeps, each thing under its key": {
        "executor/inline/function_plans": "FunctionPlan._compiled FunctionPlan._plan_of",
        "executor/state/resources": "NodeStates.__getattr__ Resources.destroy Resources.lookup Resources.remove",
    },
    "what rooms above hand to a device: nodes, ops, configurations, feeds": {
        "devices/capture": "Capture.emit Capture.leave_out Capture.segments",
        "devices/concat": "concatenate stack",
        "devices/device": (
            "Device.all_reduce Device.callers_stream Device.capture Device.copy_from "
            "Device.formula Device.holds Device.host_arguments Device.kernel Device.passes "
            "Device.prepare Device.receive Device.send Device.since Device.timed_mark "
            "Device.upload Device.working_on"
        ),
        "devices/device_contexts": "_working_on_kinds callers_streams working_on",
        "devices/kind": "DeviceKind.attributes DeviceKind.adopt DeviceKind.discover DeviceKind.facts DeviceKind.holds",
        "devices/registry": "kind_holding listed session_devices",
    },
    "objects of CuPy and of CUDA's libraries, which have no types: streams, events, pools, handles, kernels, arrays": {
        "devices/cuda/active_gpus": (
            "ActiveGpus.__exit__ ActiveGpus.__init__ _allocate _wait_for current_stream "
            "streams_beside"
        ),
        "devices/cuda/capture/plan_capture": "PlanCapture.segments",
        "devices/cuda/collectives": (
            "AllReduce.__call__ AllReduce._by_copies AllReduce._by_nccl "
            "AllReduce._communicators dtype_code nccl_library"
        ),
        "devices/cuda/cublas": (
            "Cublas._call Cublas._create_product Cublas._scalar Cublas.product Cublas.run Cublas.supports"
        ),
        "devices/cuda/cublas_lt": (
            "CublasLt._create_plan CublasLt.product CublasLt.supports _Descriptor.__init__ "
            "_Descriptor.set _accepted _call"
        ),
        "devices/cuda/cuda_graph": (
            "Memory.__init__ Memory.allocate _Lease.__init__ described record"
        ),
        "devices/cuda/cudnn/algorithm_cache": "AlgorithmFile.__init__ AlgorithmFile._read",
        "devices/cuda/cudnn/algorithm_choice": (
            "Choices.__init__ Choices._arrays Choices._choice Choices._computed "
            "Choices._fastest Choices._measured Choices.order_of Choices.run _milliseconds"
        ),
        "devices/cuda/cudnn/algorithms": (
            "Candidates._some_workspace Candidates.measured Candidates.run"
        ),
        "devices/cuda/cudnn/conv_forward_backward": "convolved filter_gradient input_gradient",
        "devices/cuda/cudnn/convolution": "_loadable filter_view",
        "devices/cuda/cudnn/descriptors": "_ints",
        "devices/cuda/cudnn/library": "Cudnn.call Cudnn.plain",
        "devices/cuda/cudnn/rnn": (
            "RecurrentNet.__init__ RecurrentNet._lengths RecurrentNet._temporary "
            "RecurrentNet.backward RecurrentNet.forward _address _dropout"
        ),
        "devices/cuda/cudnn/weight_spaces": "WeightSpace.__init__ WeightSpace._parts_of",
        "devices/cuda/device": (
            "LogicalGpu._copying LogicalGpu._keep_alive LogicalGpu._row_major "
            "LogicalGpu._upload_piece LogicalGpu.all_reduce LogicalGpu.allocate "
            "LogicalGpu.array_over LogicalGpu.callers_stream LogicalGpu.capture "
            "LogicalGpu.copy_from LogicalGpu.fixed LogicalGpu.fixed_if_seen "
            "LogicalGpu.formula LogicalGpu.host_arguments LogicalGpu.host_copy "
            "LogicalGpu.kernel LogicalGpu.launch LogicalGpu.mark LogicalGpu.passes "
            "LogicalGpu.prepare LogicalGpu.receive LogicalGpu.send LogicalGpu.since "
            "LogicalGpu.timed_mark LogicalGpu.upload LogicalGpu.working_on"
        ),
        "devices/cuda/device_constants": "fixed seen_before",
        "devices/cuda/discovery": "_card _cupy",
        "devices/cuda/elementwise": "gpu_formula",
        "devices/cuda/errors": "fault_behind solvers_raise",
        "devices/cuda/fusion": (
            "FusedKernel.__call__ FusedKernel.__init__ FusedKernel._create_launch "
            "FusedKernel._launch FusedKernel._reduction_arguments FusedKernel._shape_error "
            "FusedKernel.launch_for FusedKernel.reduced FusedKernel.run _function "
            "_types reduction_source source supports"
        ),
        "devices/cuda/gather_scatter": "reduce_segments",
        "devices/cuda/gpu_kernels": "gpu_facts host_arguments",
        "devices/cuda/gpu_kind": "GpuKind.attributes GpuKind.adopt GpuKind.discover GpuKind.facts GpuKind.holds",
        "devices/cuda/gpu_options": "_check_virtual check_fraction shares",
        "devices/cuda/growth_pool": "GrowingPool.__init__.from_card GrowingPool.malloc",
        "devices/cuda/host_copies": "host_copy",
        "devices/cuda/kernel_sources": (
            "_load compile_all.load function function_of load_ahead.load"
        ),
        "devices/cuda/launch": "per_element run supports",
        "devices/cuda/libraries": "_is_installed _missing",
        "devices/cuda/matmul": "finished_matmul matmul",
        "devices/cuda/nccl_communicator": (
            "RankCommunicator.broadcast RankCommunicator.gather RankCommunicator.sum"
        ),
        "devices/cuda/nvml": "_cards _parts _processes",
        "devices/cuda/passes/fused_kernels": "GroupKernel.__call__",
        "devices/cuda/pinned": "PinnedRing.__init__ pinned_bytes",
        "devices/cuda/pooling": "_each max_pooled",
        "devices/cuda/process_gpus": "_asks_for_another _gpu session_gpus",
        "devices/cuda/products": (
            "Products.__init__ Products.multiply Products.multiply_with_epilogue _row_major "
            "_transposed"
        ),
        "devices/cuda/random_numbers": "_draw uniform",
        "devices/cuda/reductions": "extremes",
        "devices/cuda/reports/gpu_report": "GpuReport.wait",
        "devices/cuda/row_fusion": (
            "RowKernel.__call__ RowKernel.__init__ RowKernel._argument RowKernel._shape "
            "_Source.__init__"
        ),
    },
    "an array or a number of numpy or CuPy, as kernels compute with either": {
        "devices/numpy/blas": "finished_product product",
        "devices/numpy/candidate_sampler": "_too_low _uniform_below sample",
        "devices/numpy/channel_statistics": (
            "_column_sums _inverse combined_columns normalized_columns scaled_columns"
        ),
        "devices/numpy/farmhash": "_mixed_ends _round _two_to_one",
        "devices/numpy/gamma_poisson": (
            "_in_parts _poisson_by_products _poisson_by_ratio _rejection_sampled"
        ),
        "devices/numpy/image_resample": "_flattened _interpolate_into _interpolated _summed",
        "devices/numpy/min_max": "_of_middle _of_wide_columns _small of_columns of_rows over_axes",
        "devices/numpy/non_max_suppression": "_selected_softly overlap_of.similarity suppressed",
        "devices/numpy/parameterized_truncated_normal": (
            "_of_exponentials _of_normals _of_uniforms _proposal bounded_normals"
        ),
        "devices/numpy/philox": "_scalar",
        "devices/numpy/random_distributions": "_fill _first_inside _normals_at uniform",
        "devices/numpy/rgb_hsv": "_converted saturation_scaled",
        "devices/numpy/scipy": "__getattr__ _part",
        "devices/numpy/segment_reduce": "reduce_rows",
        "devices/numpy/siphash_murmur": "_compress _full_words _sip_round",
        "devices/numpy/windows/convolution": "_add_elements finished finished_input_gradient",
        "devices/numpy/windows/dilation": "_add_lost",
        "devices/numpy/windows/pooling": "_by_images _lowest _reduced max_pooled",
    },
    "arrays, numbers and texts as a caller has them, and handles of native libraries": {
        "devices/host/codecs/pillow": (
            "_library brighter jpeg_of library loaded opened pixels unpacked"
        ),
        "devices/host/codecs/png": "_paeth",
        "devices/host/denormals": "_functions_of_c.switch",
        "devices/host/example_json": (
            "_bytes _check_message _example _feature _features _flat _float _int _invalid _members"
        ),
        "devices/host/host_kind": "HostKind.attributes HostKind.discover HostKind.facts",
        "devices/host/memory": "_function",
        "devices/host/native/channel_statistics": "_call combined gradient_sums normalized",
        "devices/host/native/colours": "contrasted converted",
        "devices/host/native/convolution": "_called",
        "devices/host/native/crop_and_resize": "_is_supported box_gradients cropped spread_back",
        "devices/host/native/depthwise_conv": "_call _kernel",
        "devices/host/native/elementwise_program": ("NativeProgram.__init__ _kernel"),
        "devices/host/native/example_features": "_object_array",
        "devices/host/native/image_resample": "spread_back",
        "devices/host/native/library": "_Address.from_param _open float_kernel function library typed",
        "devices/host/native/linear_systems": "_solved",
        "devices/host/native/matmul": "_Prepared.__init__ _blas _multiplication",
        "devices/host/native/non_max_suppression": "_called selected selected_by_overlap",
        "devices/host/native/optimizers": "_kernel _values row_updates_of.update updates_of.update",
        "devices/host/native/packed_matmul": "packed product",
        "devices/host/native/pooling": "_gradient _kernel _pooled max_pooled",
        "devices/host/native/python_calls": "_builtin_maker builtin describe",
        "devices/host/native/random_numbers": (
            "_log_uniform _reference by_rejection fill log_uniform"
        ),
        "devices/host/native/rows": "_adding _kernel_adding _kernel_taking extremes",
        "devices/host/native/sets": "_kernel",
        "devices/host/native/softmax": "_kernel _of_dtype",
        "devices/host/native/sparse_matmul": "sparse_times",
        "devices/host/native/sparse_rows": "_distinct_kernel _sums_kernel fill_empty_rows",
        "devices/host/native/strings": (
            "_kernel joined matches numbers_of replaced rows_joined sliced"
        ),
        "devices/host/onednn/batch_normalization": "_Normalization.backward _Normalization.forward",
        "devices/host/onednn/convolution": (
            "_Convolution._backward _WithWeights.__init__ convolution"
        ),
        "devices/host/onednn/library": "Library.check Library.described Library.create numbers",
        "devices/host/onednn/matmul": "product",
        "devices/host/onednn/pooling": (
            "_pooling average_gradient average_pooled max_gradient max_pooled"
        ),
        "devices/host/regular_expressions": (
            "Expression._matches Expression.matches_of Expression.replaced_in _compiled "
            "_completed _filled"
        ),
    },
}
