# The messages of TensorFlow 1.15.5, of which `tfmini._src.base.proto` makes classes: by ci/generate proto_stubs.

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from google.protobuf import any_pb2
from google.protobuf.internal.containers import (
    MessageMap,
    RepeatedCompositeFieldContainer,
    RepeatedScalarFieldContainer,
    ScalarMap,
)
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import DecodeError as DecodeError
from google.protobuf.message import Message

class AdviceProto(Message):
    class Checker(Message):
        @property
        def reports(self) -> RepeatedScalarFieldContainer[str]: ...
        def __init__(self, *, reports: Iterable[str] | None = ...) -> None: ...
    @property
    def checkers(self) -> MessageMap[str, AdviceProto.Checker]: ...
    def __init__(self, *, checkers: Mapping[str, AdviceProto.Checker] | None = ...) -> None: ...

class AdvisorOptionsProto(Message):
    class CheckerOption(Message):
        @property
        def options(self) -> ScalarMap[str, str]: ...
        def __init__(self, *, options: Mapping[str, str] | None = ...) -> None: ...
    @property
    def checkers(self) -> MessageMap[str, AdvisorOptionsProto.CheckerOption]: ...
    def __init__(self, *, checkers: Mapping[str, AdvisorOptionsProto.CheckerOption] | None = ...) -> None: ...

class AllocationDescription(Message):
    requested_bytes: int
    allocated_bytes: int
    allocator_name: str
    allocation_id: int
    has_single_reference: bool
    ptr: int
    def __init__(self, *, requested_bytes: int | None = ..., allocated_bytes: int | None = ..., allocator_name: str | None = ..., allocation_id: int | None = ..., has_single_reference: bool | None = ..., ptr: int | None = ...) -> None: ...

class AllocationRecord(Message):
    alloc_micros: int
    alloc_bytes: int
    def __init__(self, *, alloc_micros: int | None = ..., alloc_bytes: int | None = ...) -> None: ...

class AllocatorMemoryUsed(Message):
    allocator_name: str
    total_bytes: int
    peak_bytes: int
    live_bytes: int
    @property
    def allocation_records(self) -> RepeatedCompositeFieldContainer[AllocationRecord]: ...
    allocator_bytes_in_use: int
    def __init__(self, *, allocator_name: str | None = ..., total_bytes: int | None = ..., peak_bytes: int | None = ..., live_bytes: int | None = ..., allocation_records: Iterable[AllocationRecord] | None = ..., allocator_bytes_in_use: int | None = ...) -> None: ...

class ApiDef(Message):
    class Endpoint(Message):
        name: str
        deprecated: bool
        deprecation_version: int
        def __init__(self, *, name: str | None = ..., deprecated: bool | None = ..., deprecation_version: int | None = ...) -> None: ...
    class Arg(Message):
        name: str
        rename_to: str
        description: str
        def __init__(self, *, name: str | None = ..., rename_to: str | None = ..., description: str | None = ...) -> None: ...
    class Attr(Message):
        name: str
        rename_to: str
        @property
        def default_value(self) -> AttrValue: ...
        description: str
        def __init__(self, *, name: str | None = ..., rename_to: str | None = ..., default_value: AttrValue | Mapping[str, Any] | None = ..., description: str | None = ...) -> None: ...
    Visibility: ClassVar[EnumTypeWrapper]
    DEFAULT_VISIBILITY: ClassVar[int]
    VISIBLE: ClassVar[int]
    SKIP: ClassVar[int]
    HIDDEN: ClassVar[int]
    graph_op_name: str
    deprecation_message: str
    deprecation_version: int
    visibility: int
    @property
    def endpoint(self) -> RepeatedCompositeFieldContainer[ApiDef.Endpoint]: ...
    @property
    def in_arg(self) -> RepeatedCompositeFieldContainer[ApiDef.Arg]: ...
    @property
    def out_arg(self) -> RepeatedCompositeFieldContainer[ApiDef.Arg]: ...
    @property
    def arg_order(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def attr(self) -> RepeatedCompositeFieldContainer[ApiDef.Attr]: ...
    summary: str
    description: str
    description_prefix: str
    description_suffix: str
    def __init__(self, *, graph_op_name: str | None = ..., deprecation_message: str | None = ..., deprecation_version: int | None = ..., visibility: int | None = ..., endpoint: Iterable[ApiDef.Endpoint] | None = ..., in_arg: Iterable[ApiDef.Arg] | None = ..., out_arg: Iterable[ApiDef.Arg] | None = ..., arg_order: Iterable[str] | None = ..., attr: Iterable[ApiDef.Attr] | None = ..., summary: str | None = ..., description: str | None = ..., description_prefix: str | None = ..., description_suffix: str | None = ...) -> None: ...

class ApiDefs(Message):
    @property
    def op(self) -> RepeatedCompositeFieldContainer[ApiDef]: ...
    def __init__(self, *, op: Iterable[ApiDef] | None = ...) -> None: ...

class AssetFile(Message):
    @property
    def tensor_binding(self) -> TensorBinding: ...
    filename: str
    def __init__(self, *, tensor_binding: TensorBinding | Mapping[str, Any] | None = ..., filename: str | None = ...) -> None: ...

class AssetFileDef(Message):
    @property
    def tensor_info(self) -> TensorInfo: ...
    filename: str
    def __init__(self, *, tensor_info: TensorInfo | Mapping[str, Any] | None = ..., filename: str | None = ...) -> None: ...

class AttrValue(Message):
    class ListValue(Message):
        @property
        def s(self) -> RepeatedScalarFieldContainer[bytes]: ...
        @property
        def i(self) -> RepeatedScalarFieldContainer[int]: ...
        @property
        def f(self) -> RepeatedScalarFieldContainer[float]: ...
        @property
        def b(self) -> RepeatedScalarFieldContainer[bool]: ...
        @property
        def type(self) -> RepeatedScalarFieldContainer[int]: ...
        @property
        def shape(self) -> RepeatedCompositeFieldContainer[TensorShapeProto]: ...
        @property
        def tensor(self) -> RepeatedCompositeFieldContainer[TensorProto]: ...
        @property
        def func(self) -> RepeatedCompositeFieldContainer[NameAttrList]: ...
        def __init__(self, *, s: Iterable[bytes] | None = ..., i: Iterable[int] | None = ..., f: Iterable[float] | None = ..., b: Iterable[bool] | None = ..., type: Iterable[int] | None = ..., shape: Iterable[TensorShapeProto] | None = ..., tensor: Iterable[TensorProto] | None = ..., func: Iterable[NameAttrList] | None = ...) -> None: ...
    s: bytes
    i: int
    f: float
    b: bool
    type: int
    @property
    def shape(self) -> TensorShapeProto: ...
    @property
    def tensor(self) -> TensorProto: ...
    @property
    def list(self) -> AttrValue.ListValue: ...
    @property
    def func(self) -> NameAttrList: ...
    placeholder: str
    def __init__(self, *, s: bytes | None = ..., i: int | None = ..., f: float | None = ..., b: bool | None = ..., type: int | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ..., tensor: TensorProto | Mapping[str, Any] | None = ..., list: AttrValue.ListValue | Mapping[str, Any] | None = ..., func: NameAttrList | Mapping[str, Any] | None = ..., placeholder: str | None = ...) -> None: ...

class AutoParallelOptions(Message):
    enable: bool
    num_replicas: int
    def __init__(self, *, enable: bool | None = ..., num_replicas: int | None = ...) -> None: ...

class AvailableDeviceInfo(Message):
    name: str
    type: str
    memory_limit: int
    physical_description: str
    def __init__(self, *, name: str | None = ..., type: str | None = ..., memory_limit: int | None = ..., physical_description: str | None = ...) -> None: ...

class BenchmarkEntries(Message):
    @property
    def entry(self) -> RepeatedCompositeFieldContainer[BenchmarkEntry]: ...
    def __init__(self, *, entry: Iterable[BenchmarkEntry] | None = ...) -> None: ...

class BenchmarkEntry(Message):
    name: str
    iters: int
    cpu_time: float
    wall_time: float
    throughput: float
    @property
    def extras(self) -> MessageMap[str, EntryValue]: ...
    @property
    def metrics(self) -> RepeatedCompositeFieldContainer[MetricEntry]: ...
    def __init__(self, *, name: str | None = ..., iters: int | None = ..., cpu_time: float | None = ..., wall_time: float | None = ..., throughput: float | None = ..., extras: Mapping[str, EntryValue] | None = ..., metrics: Iterable[MetricEntry] | None = ...) -> None: ...

class BucketizedSplit(Message):
    feature_id: int
    threshold: int
    dimension_id: int
    default_direction: int
    left_id: int
    right_id: int
    def __init__(self, *, feature_id: int | None = ..., threshold: int | None = ..., dimension_id: int | None = ..., default_direction: int | None = ..., left_id: int | None = ..., right_id: int | None = ...) -> None: ...

class BuildConfiguration(Message):
    mode: str
    @property
    def cc_flags(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def opts(self) -> RepeatedScalarFieldContainer[str]: ...
    def __init__(self, *, mode: str | None = ..., cc_flags: Iterable[str] | None = ..., opts: Iterable[str] | None = ...) -> None: ...

class BundleEntryProto(Message):
    dtype: int
    @property
    def shape(self) -> TensorShapeProto: ...
    shard_id: int
    offset: int
    size: int
    crc32c: int
    @property
    def slices(self) -> RepeatedCompositeFieldContainer[TensorSliceProto]: ...
    def __init__(self, *, dtype: int | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ..., shard_id: int | None = ..., offset: int | None = ..., size: int | None = ..., crc32c: int | None = ..., slices: Iterable[TensorSliceProto] | None = ...) -> None: ...

class BundleHeaderProto(Message):
    Endianness: ClassVar[EnumTypeWrapper]
    LITTLE: ClassVar[int]
    BIG: ClassVar[int]
    num_shards: int
    endianness: int
    @property
    def version(self) -> VersionDef: ...
    def __init__(self, *, num_shards: int | None = ..., endianness: int | None = ..., version: VersionDef | Mapping[str, Any] | None = ...) -> None: ...

class BytesList(Message):
    @property
    def value(self) -> RepeatedScalarFieldContainer[bytes]: ...
    def __init__(self, *, value: Iterable[bytes] | None = ...) -> None: ...

class CPUInfo(Message):
    num_cores: int
    num_cores_allowed: int
    mhz_per_cpu: float
    cpu_info: str
    cpu_governor: str
    @property
    def cache_size(self) -> ScalarMap[str, int]: ...
    def __init__(self, *, num_cores: int | None = ..., num_cores_allowed: int | None = ..., mhz_per_cpu: float | None = ..., cpu_info: str | None = ..., cpu_governor: str | None = ..., cache_size: Mapping[str, int] | None = ...) -> None: ...

class CallableOptions(Message):
    @property
    def feed(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def fetch(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def target(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def run_options(self) -> RunOptions: ...
    @property
    def tensor_connection(self) -> RepeatedCompositeFieldContainer[TensorConnection]: ...
    @property
    def feed_devices(self) -> ScalarMap[str, str]: ...
    @property
    def fetch_devices(self) -> ScalarMap[str, str]: ...
    fetch_skip_sync: bool
    def __init__(self, *, feed: Iterable[str] | None = ..., fetch: Iterable[str] | None = ..., target: Iterable[str] | None = ..., run_options: RunOptions | Mapping[str, Any] | None = ..., tensor_connection: Iterable[TensorConnection] | None = ..., feed_devices: Mapping[str, str] | None = ..., fetch_devices: Mapping[str, str] | None = ..., fetch_skip_sync: bool | None = ...) -> None: ...

class CategoricalSplit(Message):
    feature_id: int
    value: int
    dimension_id: int
    left_id: int
    right_id: int
    def __init__(self, *, feature_id: int | None = ..., value: int | None = ..., dimension_id: int | None = ..., left_id: int | None = ..., right_id: int | None = ...) -> None: ...

class CheckpointState(Message):
    model_checkpoint_path: str
    @property
    def all_model_checkpoint_paths(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def all_model_checkpoint_timestamps(self) -> RepeatedScalarFieldContainer[float]: ...
    last_preserved_timestamp: float
    def __init__(self, *, model_checkpoint_path: str | None = ..., all_model_checkpoint_paths: Iterable[str] | None = ..., all_model_checkpoint_timestamps: Iterable[float] | None = ..., last_preserved_timestamp: float | None = ...) -> None: ...

class ClassificationSignature(Message):
    @property
    def input(self) -> TensorBinding: ...
    @property
    def classes(self) -> TensorBinding: ...
    @property
    def scores(self) -> TensorBinding: ...
    def __init__(self, *, input: TensorBinding | Mapping[str, Any] | None = ..., classes: TensorBinding | Mapping[str, Any] | None = ..., scores: TensorBinding | Mapping[str, Any] | None = ...) -> None: ...

class CleanupAllRequest(Message):
    @property
    def container(self) -> RepeatedScalarFieldContainer[str]: ...
    def __init__(self, *, container: Iterable[str] | None = ...) -> None: ...

class CleanupAllResponse(Message): ...

class CleanupGraphRequest(Message):
    step_id: int
    def __init__(self, *, step_id: int | None = ...) -> None: ...

class CleanupGraphResponse(Message): ...

class CloseSessionRequest(Message):
    session_handle: str
    def __init__(self, *, session_handle: str | None = ...) -> None: ...

class CloseSessionResponse(Message): ...

class ClusterDef(Message):
    @property
    def job(self) -> RepeatedCompositeFieldContainer[JobDef]: ...
    def __init__(self, *, job: Iterable[JobDef] | None = ...) -> None: ...

Code: EnumTypeWrapper

class CodeDef(Message):
    class Trace(Message):
        file: str
        file_id: int
        lineno: int
        function: str
        function_id: int
        line: str
        line_id: int
        func_start_line: int
        def __init__(self, *, file: str | None = ..., file_id: int | None = ..., lineno: int | None = ..., function: str | None = ..., function_id: int | None = ..., line: str | None = ..., line_id: int | None = ..., func_start_line: int | None = ...) -> None: ...
    @property
    def traces(self) -> RepeatedCompositeFieldContainer[CodeDef.Trace]: ...
    def __init__(self, *, traces: Iterable[CodeDef.Trace] | None = ...) -> None: ...

class CollectionDef(Message):
    class NodeList(Message):
        @property
        def value(self) -> RepeatedScalarFieldContainer[str]: ...
        def __init__(self, *, value: Iterable[str] | None = ...) -> None: ...
    class BytesList(Message):
        @property
        def value(self) -> RepeatedScalarFieldContainer[bytes]: ...
        def __init__(self, *, value: Iterable[bytes] | None = ...) -> None: ...
    class Int64List(Message):
        @property
        def value(self) -> RepeatedScalarFieldContainer[int]: ...
        def __init__(self, *, value: Iterable[int] | None = ...) -> None: ...
    class FloatList(Message):
        @property
        def value(self) -> RepeatedScalarFieldContainer[float]: ...
        def __init__(self, *, value: Iterable[float] | None = ...) -> None: ...
    class AnyList(Message):
        @property
        def value(self) -> RepeatedCompositeFieldContainer[any_pb2.Any]: ...
        def __init__(self, *, value: Iterable[any_pb2.Any] | None = ...) -> None: ...
    @property
    def node_list(self) -> CollectionDef.NodeList: ...
    @property
    def bytes_list(self) -> CollectionDef.BytesList: ...
    @property
    def int64_list(self) -> CollectionDef.Int64List: ...
    @property
    def float_list(self) -> CollectionDef.FloatList: ...
    @property
    def any_list(self) -> CollectionDef.AnyList: ...
    def __init__(self, *, node_list: CollectionDef.NodeList | Mapping[str, Any] | None = ..., bytes_list: CollectionDef.BytesList | Mapping[str, Any] | None = ..., int64_list: CollectionDef.Int64List | Mapping[str, Any] | None = ..., float_list: CollectionDef.FloatList | Mapping[str, Any] | None = ..., any_list: CollectionDef.AnyList | Mapping[str, Any] | None = ...) -> None: ...

class CommitId(Message):
    changelist: int
    hash: str
    snapshot: str
    pending_changelist: int
    def __init__(self, *, changelist: int | None = ..., hash: str | None = ..., snapshot: str | None = ..., pending_changelist: int | None = ...) -> None: ...

class CompleteGroupRequest(Message):
    group_key: int
    group_size: int
    device_type: str
    @property
    def device_name(self) -> RepeatedScalarFieldContainer[str]: ...
    collective_type: int
    def __init__(self, *, group_key: int | None = ..., group_size: int | None = ..., device_type: str | None = ..., device_name: Iterable[str] | None = ..., collective_type: int | None = ...) -> None: ...

class CompleteGroupResponse(Message):
    group_key: int
    group_size: int
    device_type: str
    num_tasks: int
    @property
    def device_name(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def task_name(self) -> RepeatedScalarFieldContainer[str]: ...
    communicator_key: bytes
    def __init__(self, *, group_key: int | None = ..., group_size: int | None = ..., device_type: str | None = ..., num_tasks: int | None = ..., device_name: Iterable[str] | None = ..., task_name: Iterable[str] | None = ..., communicator_key: bytes | None = ...) -> None: ...

class CompleteInstanceRequest(Message):
    name: str
    type: int
    data_type: int
    @property
    def shape(self) -> TensorShapeProto: ...
    group_key: int
    group_size: int
    instance_key: int
    device_type: str
    @property
    def subdiv_offset(self) -> RepeatedScalarFieldContainer[int]: ...
    device: str
    is_source: bool
    def __init__(self, *, name: str | None = ..., type: int | None = ..., data_type: int | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ..., group_key: int | None = ..., group_size: int | None = ..., instance_key: int | None = ..., device_type: str | None = ..., subdiv_offset: Iterable[int] | None = ..., device: str | None = ..., is_source: bool | None = ...) -> None: ...

class CompleteInstanceResponse(Message):
    instance_key: int
    source_rank: int
    def __init__(self, *, instance_key: int | None = ..., source_rank: int | None = ...) -> None: ...

class CondContextDef(Message):
    context_name: str
    pred_name: str
    pivot_name: str
    branch: int
    @property
    def values_def(self) -> ValuesDef: ...
    @property
    def nested_contexts(self) -> RepeatedCompositeFieldContainer[ControlFlowContextDef]: ...
    def __init__(self, *, context_name: str | None = ..., pred_name: str | None = ..., pivot_name: str | None = ..., branch: int | None = ..., values_def: ValuesDef | Mapping[str, Any] | None = ..., nested_contexts: Iterable[ControlFlowContextDef] | None = ...) -> None: ...

class ConfigProto(Message):
    class Experimental(Message):
        collective_group_leader: str
        executor_type: str
        recv_buf_max_chunk: int
        use_numa_affinity: bool
        collective_deterministic_sequential_execution: bool
        collective_nccl: bool
        share_session_state_in_clusterspec_propagation: bool
        disable_thread_spinning: bool
        share_cluster_devices_in_session: bool
        @property
        def session_metadata(self) -> SessionMetadata: ...
        optimize_for_static_graph: bool
        def __init__(self, *, collective_group_leader: str | None = ..., executor_type: str | None = ..., recv_buf_max_chunk: int | None = ..., use_numa_affinity: bool | None = ..., collective_deterministic_sequential_execution: bool | None = ..., collective_nccl: bool | None = ..., share_session_state_in_clusterspec_propagation: bool | None = ..., disable_thread_spinning: bool | None = ..., share_cluster_devices_in_session: bool | None = ..., session_metadata: SessionMetadata | Mapping[str, Any] | None = ..., optimize_for_static_graph: bool | None = ...) -> None: ...
    @property
    def device_count(self) -> ScalarMap[str, int]: ...
    intra_op_parallelism_threads: int
    inter_op_parallelism_threads: int
    use_per_session_threads: bool
    @property
    def session_inter_op_thread_pool(self) -> RepeatedCompositeFieldContainer[ThreadPoolOptionProto]: ...
    placement_period: int
    @property
    def device_filters(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def gpu_options(self) -> GPUOptions: ...
    allow_soft_placement: bool
    log_device_placement: bool
    @property
    def graph_options(self) -> GraphOptions: ...
    operation_timeout_in_ms: int
    @property
    def rpc_options(self) -> RPCOptions: ...
    @property
    def cluster_def(self) -> ClusterDef: ...
    isolate_session_state: bool
    @property
    def experimental(self) -> ConfigProto.Experimental: ...
    def __init__(self, *, device_count: Mapping[str, int] | None = ..., intra_op_parallelism_threads: int | None = ..., inter_op_parallelism_threads: int | None = ..., use_per_session_threads: bool | None = ..., session_inter_op_thread_pool: Iterable[ThreadPoolOptionProto] | None = ..., placement_period: int | None = ..., device_filters: Iterable[str] | None = ..., gpu_options: GPUOptions | Mapping[str, Any] | None = ..., allow_soft_placement: bool | None = ..., log_device_placement: bool | None = ..., graph_options: GraphOptions | Mapping[str, Any] | None = ..., operation_timeout_in_ms: int | None = ..., rpc_options: RPCOptions | Mapping[str, Any] | None = ..., cluster_def: ClusterDef | Mapping[str, Any] | None = ..., isolate_session_state: bool | None = ..., experimental: ConfigProto.Experimental | Mapping[str, Any] | None = ...) -> None: ...

class ControlFlowContextDef(Message):
    @property
    def cond_ctxt(self) -> CondContextDef: ...
    @property
    def while_ctxt(self) -> WhileContextDef: ...
    def __init__(self, *, cond_ctxt: CondContextDef | Mapping[str, Any] | None = ..., while_ctxt: WhileContextDef | Mapping[str, Any] | None = ...) -> None: ...

class CostGraphDef(Message):
    class Node(Message):
        class InputInfo(Message):
            preceding_node: int
            preceding_port: int
            def __init__(self, *, preceding_node: int | None = ..., preceding_port: int | None = ...) -> None: ...
        class OutputInfo(Message):
            size: int
            alias_input_port: int
            @property
            def shape(self) -> TensorShapeProto: ...
            dtype: int
            def __init__(self, *, size: int | None = ..., alias_input_port: int | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ..., dtype: int | None = ...) -> None: ...
        name: str
        device: str
        id: int
        @property
        def input_info(self) -> RepeatedCompositeFieldContainer[CostGraphDef.Node.InputInfo]: ...
        @property
        def output_info(self) -> RepeatedCompositeFieldContainer[CostGraphDef.Node.OutputInfo]: ...
        temporary_memory_size: int
        persistent_memory_size: int
        host_temp_memory_size: int
        device_temp_memory_size: int
        device_persistent_memory_size: int
        compute_cost: int
        compute_time: int
        memory_time: int
        is_final: bool
        @property
        def control_input(self) -> RepeatedScalarFieldContainer[int]: ...
        inaccurate: bool
        def __init__(self, *, name: str | None = ..., device: str | None = ..., id: int | None = ..., input_info: Iterable[CostGraphDef.Node.InputInfo] | None = ..., output_info: Iterable[CostGraphDef.Node.OutputInfo] | None = ..., temporary_memory_size: int | None = ..., persistent_memory_size: int | None = ..., host_temp_memory_size: int | None = ..., device_temp_memory_size: int | None = ..., device_persistent_memory_size: int | None = ..., compute_cost: int | None = ..., compute_time: int | None = ..., memory_time: int | None = ..., is_final: bool | None = ..., control_input: Iterable[int] | None = ..., inaccurate: bool | None = ...) -> None: ...
    @property
    def node(self) -> RepeatedCompositeFieldContainer[CostGraphDef.Node]: ...
    def __init__(self, *, node: Iterable[CostGraphDef.Node] | None = ...) -> None: ...

class CppShapeInferenceInputsNeeded(Message):
    @property
    def input_tensors_needed(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def input_tensors_as_shapes_needed(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, input_tensors_needed: Iterable[int] | None = ..., input_tensors_as_shapes_needed: Iterable[int] | None = ...) -> None: ...

class CppShapeInferenceResult(Message):
    class HandleShapeAndType(Message):
        @property
        def shape(self) -> TensorShapeProto: ...
        dtype: int
        def __init__(self, *, shape: TensorShapeProto | Mapping[str, Any] | None = ..., dtype: int | None = ...) -> None: ...
    class HandleData(Message):
        is_set: bool
        @property
        def shape_and_type(self) -> RepeatedCompositeFieldContainer[CppShapeInferenceResult.HandleShapeAndType]: ...
        def __init__(self, *, is_set: bool | None = ..., shape_and_type: Iterable[CppShapeInferenceResult.HandleShapeAndType] | None = ...) -> None: ...
    @property
    def shape(self) -> TensorShapeProto: ...
    @property
    def handle_data(self) -> CppShapeInferenceResult.HandleData: ...
    def __init__(self, *, shape: TensorShapeProto | Mapping[str, Any] | None = ..., handle_data: CppShapeInferenceResult.HandleData | Mapping[str, Any] | None = ...) -> None: ...

class CreateSessionRequest(Message):
    @property
    def graph_def(self) -> GraphDef: ...
    @property
    def config(self) -> ConfigProto: ...
    target: str
    def __init__(self, *, graph_def: GraphDef | Mapping[str, Any] | None = ..., config: ConfigProto | Mapping[str, Any] | None = ..., target: str | None = ...) -> None: ...

class CreateSessionResponse(Message):
    session_handle: str
    graph_version: int
    def __init__(self, *, session_handle: str | None = ..., graph_version: int | None = ...) -> None: ...

class CreateWorkerSessionRequest(Message):
    session_handle: str
    @property
    def server_def(self) -> ServerDef: ...
    isolate_session_state: bool
    @property
    def cluster_device_attributes(self) -> RepeatedCompositeFieldContainer[DeviceAttributes]: ...
    def __init__(self, *, session_handle: str | None = ..., server_def: ServerDef | Mapping[str, Any] | None = ..., isolate_session_state: bool | None = ..., cluster_device_attributes: Iterable[DeviceAttributes] | None = ...) -> None: ...

class CreateWorkerSessionResponse(Message): ...

DataType: EnumTypeWrapper

class DebugOptions(Message):
    @property
    def debug_tensor_watch_opts(self) -> RepeatedCompositeFieldContainer[DebugTensorWatch]: ...
    global_step: int
    reset_disk_byte_usage: bool
    def __init__(self, *, debug_tensor_watch_opts: Iterable[DebugTensorWatch] | None = ..., global_step: int | None = ..., reset_disk_byte_usage: bool | None = ...) -> None: ...

class DebugOutput(Message):
    @property
    def feature_ids(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def logits_path(self) -> RepeatedScalarFieldContainer[float]: ...
    def __init__(self, *, feature_ids: Iterable[int] | None = ..., logits_path: Iterable[float] | None = ...) -> None: ...

class DebugTensorWatch(Message):
    node_name: str
    output_slot: int
    @property
    def debug_ops(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def debug_urls(self) -> RepeatedScalarFieldContainer[str]: ...
    tolerate_debug_op_creation_failures: bool
    def __init__(self, *, node_name: str | None = ..., output_slot: int | None = ..., debug_ops: Iterable[str] | None = ..., debug_urls: Iterable[str] | None = ..., tolerate_debug_op_creation_failures: bool | None = ...) -> None: ...

class DebuggedSourceFile(Message):
    host: str
    file_path: str
    last_modified: int
    bytes: int
    @property
    def lines(self) -> RepeatedScalarFieldContainer[str]: ...
    def __init__(self, *, host: str | None = ..., file_path: str | None = ..., last_modified: int | None = ..., bytes: int | None = ..., lines: Iterable[str] | None = ...) -> None: ...

class DebuggedSourceFiles(Message):
    @property
    def source_files(self) -> RepeatedCompositeFieldContainer[DebuggedSourceFile]: ...
    def __init__(self, *, source_files: Iterable[DebuggedSourceFile] | None = ...) -> None: ...

DefaultDirection: EnumTypeWrapper

class DeleteWorkerSessionRequest(Message):
    session_handle: str
    def __init__(self, *, session_handle: str | None = ...) -> None: ...

class DeleteWorkerSessionResponse(Message): ...

class DenseSplit(Message):
    feature_id: int
    threshold: float
    left_id: int
    right_id: int
    def __init__(self, *, feature_id: int | None = ..., threshold: float | None = ..., left_id: int | None = ..., right_id: int | None = ...) -> None: ...

class DeregisterGraphRequest(Message):
    session_handle: str
    create_worker_session_called: bool
    graph_handle: str
    def __init__(self, *, session_handle: str | None = ..., create_worker_session_called: bool | None = ..., graph_handle: str | None = ...) -> None: ...

class DeregisterGraphResponse(Message): ...

class Device(Message):
    name: str
    device_id: int
    @property
    def resources(self) -> MessageMap[int, Resource]: ...
    def __init__(self, *, name: str | None = ..., device_id: int | None = ..., resources: Mapping[int, Resource] | None = ...) -> None: ...

class DeviceAttributes(Message):
    name: str
    device_type: str
    memory_limit: int
    @property
    def locality(self) -> DeviceLocality: ...
    incarnation: int
    physical_device_desc: str
    def __init__(self, *, name: str | None = ..., device_type: str | None = ..., memory_limit: int | None = ..., locality: DeviceLocality | Mapping[str, Any] | None = ..., incarnation: int | None = ..., physical_device_desc: str | None = ...) -> None: ...

class DeviceLocality(Message):
    bus_id: int
    numa_node: int
    @property
    def links(self) -> LocalLinks: ...
    def __init__(self, *, bus_id: int | None = ..., numa_node: int | None = ..., links: LocalLinks | Mapping[str, Any] | None = ...) -> None: ...

class DeviceProperties(Message):
    type: str
    vendor: str
    model: str
    frequency: int
    num_cores: int
    @property
    def environment(self) -> ScalarMap[str, str]: ...
    num_registers: int
    l1_cache_size: int
    l2_cache_size: int
    l3_cache_size: int
    shared_memory_size_per_multiprocessor: int
    memory_size: int
    bandwidth: int
    def __init__(self, *, type: str | None = ..., vendor: str | None = ..., model: str | None = ..., frequency: int | None = ..., num_cores: int | None = ..., environment: Mapping[str, str] | None = ..., num_registers: int | None = ..., l1_cache_size: int | None = ..., l2_cache_size: int | None = ..., l3_cache_size: int | None = ..., shared_memory_size_per_multiprocessor: int | None = ..., memory_size: int | None = ..., bandwidth: int | None = ...) -> None: ...

class DeviceStepStats(Message):
    device: str
    @property
    def node_stats(self) -> RepeatedCompositeFieldContainer[NodeExecStats]: ...
    @property
    def thread_names(self) -> ScalarMap[int, str]: ...
    def __init__(self, *, device: str | None = ..., node_stats: Iterable[NodeExecStats] | None = ..., thread_names: Mapping[int, str] | None = ...) -> None: ...

class DictValue(Message):
    @property
    def fields(self) -> MessageMap[str, StructuredValue]: ...
    def __init__(self, *, fields: Mapping[str, StructuredValue] | None = ...) -> None: ...

class EmbeddingInfo(Message):
    tensor_name: str
    metadata_path: str
    bookmarks_path: str
    @property
    def tensor_shape(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def sprite(self) -> SpriteMetadata: ...
    tensor_path: str
    def __init__(self, *, tensor_name: str | None = ..., metadata_path: str | None = ..., bookmarks_path: str | None = ..., tensor_shape: Iterable[int] | None = ..., sprite: SpriteMetadata | Mapping[str, Any] | None = ..., tensor_path: str | None = ...) -> None: ...

class EntryValue(Message):
    double_value: float
    string_value: str
    def __init__(self, *, double_value: float | None = ..., string_value: str | None = ...) -> None: ...

class Event(Message):
    wall_time: float
    step: int
    file_version: str
    graph_def: bytes
    @property
    def summary(self) -> Summary: ...
    @property
    def log_message(self) -> LogMessage: ...
    @property
    def session_log(self) -> SessionLog: ...
    @property
    def tagged_run_metadata(self) -> TaggedRunMetadata: ...
    meta_graph_def: bytes
    def __init__(self, *, wall_time: float | None = ..., step: int | None = ..., file_version: str | None = ..., graph_def: bytes | None = ..., summary: Summary | Mapping[str, Any] | None = ..., log_message: LogMessage | Mapping[str, Any] | None = ..., session_log: SessionLog | Mapping[str, Any] | None = ..., tagged_run_metadata: TaggedRunMetadata | Mapping[str, Any] | None = ..., meta_graph_def: bytes | None = ...) -> None: ...

class Example(Message):
    @property
    def features(self) -> Features: ...
    def __init__(self, *, features: Features | Mapping[str, Any] | None = ...) -> None: ...

class ExampleParserConfiguration(Message):
    @property
    def feature_map(self) -> MessageMap[str, FeatureConfiguration]: ...
    def __init__(self, *, feature_map: Mapping[str, FeatureConfiguration] | None = ...) -> None: ...

class ExecMemory(Message):
    memory_micros: int
    host_temp_bytes: int
    host_persistent_bytes: int
    accelerator_temp_bytes: int
    accelerator_persistent_bytes: int
    requested_bytes: int
    peak_bytes: int
    residual_bytes: int
    output_bytes: int
    allocator_bytes_in_use: int
    @property
    def output_memory(self) -> MessageMap[int, Memory]: ...
    def __init__(self, *, memory_micros: int | None = ..., host_temp_bytes: int | None = ..., host_persistent_bytes: int | None = ..., accelerator_temp_bytes: int | None = ..., accelerator_persistent_bytes: int | None = ..., requested_bytes: int | None = ..., peak_bytes: int | None = ..., residual_bytes: int | None = ..., output_bytes: int | None = ..., allocator_bytes_in_use: int | None = ..., output_memory: Mapping[int, Memory] | None = ...) -> None: ...

class ExecProfile(Message):
    run_count: int
    all_start_micros: int
    latest_end_micros: int
    @property
    def accelerator_execs(self) -> MessageMap[str, ExecTime]: ...
    @property
    def cpu_execs(self) -> MessageMap[str, ExecTime]: ...
    @property
    def memory_execs(self) -> RepeatedCompositeFieldContainer[ExecMemory]: ...
    @property
    def allocations(self) -> RepeatedCompositeFieldContainer[AllocationRecord]: ...
    @property
    def devices(self) -> RepeatedScalarFieldContainer[str]: ...
    def __init__(self, *, run_count: int | None = ..., all_start_micros: int | None = ..., latest_end_micros: int | None = ..., accelerator_execs: Mapping[str, ExecTime] | None = ..., cpu_execs: Mapping[str, ExecTime] | None = ..., memory_execs: Iterable[ExecMemory] | None = ..., allocations: Iterable[AllocationRecord] | None = ..., devices: Iterable[str] | None = ...) -> None: ...

class ExecTime(Message):
    @property
    def times(self) -> RepeatedCompositeFieldContainer[Tuple]: ...
    def __init__(self, *, times: Iterable[Tuple] | None = ...) -> None: ...

class ExecutorOpts(Message):
    record_costs: bool
    record_timeline: bool
    record_partition_graphs: bool
    report_tensor_allocations_upon_oom: bool
    def __init__(self, *, record_costs: bool | None = ..., record_timeline: bool | None = ..., record_partition_graphs: bool | None = ..., report_tensor_allocations_upon_oom: bool | None = ...) -> None: ...

class ExtendSessionRequest(Message):
    session_handle: str
    @property
    def graph_def(self) -> GraphDef: ...
    current_graph_version: int
    def __init__(self, *, session_handle: str | None = ..., graph_def: GraphDef | Mapping[str, Any] | None = ..., current_graph_version: int | None = ...) -> None: ...

class ExtendSessionResponse(Message):
    new_graph_version: int
    def __init__(self, *, new_graph_version: int | None = ...) -> None: ...

class Feature(Message):
    @property
    def bytes_list(self) -> BytesList: ...
    @property
    def float_list(self) -> FloatList: ...
    @property
    def int64_list(self) -> Int64List: ...
    def __init__(self, *, bytes_list: BytesList | Mapping[str, Any] | None = ..., float_list: FloatList | Mapping[str, Any] | None = ..., int64_list: Int64List | Mapping[str, Any] | None = ...) -> None: ...

class FeatureConfiguration(Message):
    @property
    def fixed_len_feature(self) -> FixedLenFeatureProto: ...
    @property
    def var_len_feature(self) -> VarLenFeatureProto: ...
    def __init__(self, *, fixed_len_feature: FixedLenFeatureProto | Mapping[str, Any] | None = ..., var_len_feature: VarLenFeatureProto | Mapping[str, Any] | None = ...) -> None: ...

class FeatureList(Message):
    @property
    def feature(self) -> RepeatedCompositeFieldContainer[Feature]: ...
    def __init__(self, *, feature: Iterable[Feature] | None = ...) -> None: ...

class FeatureLists(Message):
    @property
    def feature_list(self) -> MessageMap[str, FeatureList]: ...
    def __init__(self, *, feature_list: Mapping[str, FeatureList] | None = ...) -> None: ...

class Features(Message):
    @property
    def feature(self) -> MessageMap[str, Feature]: ...
    def __init__(self, *, feature: Mapping[str, Feature] | None = ...) -> None: ...

class FixedLenFeatureProto(Message):
    dtype: int
    @property
    def shape(self) -> TensorShapeProto: ...
    @property
    def default_value(self) -> TensorProto: ...
    values_output_tensor_name: str
    def __init__(self, *, dtype: int | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ..., default_value: TensorProto | Mapping[str, Any] | None = ..., values_output_tensor_name: str | None = ...) -> None: ...

class FloatList(Message):
    @property
    def value(self) -> RepeatedScalarFieldContainer[float]: ...
    def __init__(self, *, value: Iterable[float] | None = ...) -> None: ...

class FunctionDef(Message):
    class ArgAttrs(Message):
        @property
        def attr(self) -> MessageMap[str, AttrValue]: ...
        def __init__(self, *, attr: Mapping[str, AttrValue] | None = ...) -> None: ...
    @property
    def signature(self) -> OpDef: ...
    @property
    def attr(self) -> MessageMap[str, AttrValue]: ...
    @property
    def arg_attr(self) -> MessageMap[int, FunctionDef.ArgAttrs]: ...
    @property
    def node_def(self) -> RepeatedCompositeFieldContainer[NodeDef]: ...
    @property
    def ret(self) -> ScalarMap[str, str]: ...
    @property
    def control_ret(self) -> ScalarMap[str, str]: ...
    def __init__(self, *, signature: OpDef | Mapping[str, Any] | None = ..., attr: Mapping[str, AttrValue] | None = ..., arg_attr: Mapping[int, FunctionDef.ArgAttrs] | None = ..., node_def: Iterable[NodeDef] | None = ..., ret: Mapping[str, str] | None = ..., control_ret: Mapping[str, str] | None = ...) -> None: ...

class FunctionDefLibrary(Message):
    @property
    def function(self) -> RepeatedCompositeFieldContainer[FunctionDef]: ...
    @property
    def gradient(self) -> RepeatedCompositeFieldContainer[GradientDef]: ...
    def __init__(self, *, function: Iterable[FunctionDef] | None = ..., gradient: Iterable[GradientDef] | None = ...) -> None: ...

class FunctionSpec(Message):
    @property
    def fullargspec(self) -> StructuredValue: ...
    is_method: bool
    @property
    def input_signature(self) -> StructuredValue: ...
    def __init__(self, *, fullargspec: StructuredValue | Mapping[str, Any] | None = ..., is_method: bool | None = ..., input_signature: StructuredValue | Mapping[str, Any] | None = ...) -> None: ...

class GPUInfo(Message):
    model: str
    uuid: str
    bus_id: str
    def __init__(self, *, model: str | None = ..., uuid: str | None = ..., bus_id: str | None = ...) -> None: ...

class GPUOptions(Message):
    class Experimental(Message):
        class VirtualDevices(Message):
            @property
            def memory_limit_mb(self) -> RepeatedScalarFieldContainer[float]: ...
            def __init__(self, *, memory_limit_mb: Iterable[float] | None = ...) -> None: ...
        @property
        def virtual_devices(self) -> RepeatedCompositeFieldContainer[GPUOptions.Experimental.VirtualDevices]: ...
        use_unified_memory: bool
        num_dev_to_dev_copy_streams: int
        collective_ring_order: str
        timestamped_allocator: bool
        kernel_tracker_max_interval: int
        kernel_tracker_max_bytes: int
        kernel_tracker_max_pending: int
        def __init__(self, *, virtual_devices: Iterable[GPUOptions.Experimental.VirtualDevices] | None = ..., use_unified_memory: bool | None = ..., num_dev_to_dev_copy_streams: int | None = ..., collective_ring_order: str | None = ..., timestamped_allocator: bool | None = ..., kernel_tracker_max_interval: int | None = ..., kernel_tracker_max_bytes: int | None = ..., kernel_tracker_max_pending: int | None = ...) -> None: ...
    per_process_gpu_memory_fraction: float
    allow_growth: bool
    allocator_type: str
    deferred_deletion_bytes: int
    visible_device_list: str
    polling_active_delay_usecs: int
    polling_inactive_delay_msecs: int
    force_gpu_compatible: bool
    @property
    def experimental(self) -> GPUOptions.Experimental: ...
    def __init__(self, *, per_process_gpu_memory_fraction: float | None = ..., allow_growth: bool | None = ..., allocator_type: str | None = ..., deferred_deletion_bytes: int | None = ..., visible_device_list: str | None = ..., polling_active_delay_usecs: int | None = ..., polling_inactive_delay_msecs: int | None = ..., force_gpu_compatible: bool | None = ..., experimental: GPUOptions.Experimental | Mapping[str, Any] | None = ...) -> None: ...

class GenericSignature(Message):
    @property
    def map(self) -> MessageMap[str, TensorBinding]: ...
    def __init__(self, *, map: Mapping[str, TensorBinding] | None = ...) -> None: ...

class GetStatusRequest(Message): ...

class GetStatusResponse(Message):
    @property
    def device_attributes(self) -> RepeatedCompositeFieldContainer[DeviceAttributes]: ...
    def __init__(self, *, device_attributes: Iterable[DeviceAttributes] | None = ...) -> None: ...

class GetStepSequenceRequest(Message):
    @property
    def graph_key(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, graph_key: Iterable[int] | None = ...) -> None: ...

class GetStepSequenceResponse(Message):
    @property
    def step_sequence(self) -> RepeatedCompositeFieldContainer[StepSequence]: ...
    def __init__(self, *, step_sequence: Iterable[StepSequence] | None = ...) -> None: ...

class GradientDef(Message):
    function_name: str
    gradient_func: str
    def __init__(self, *, function_name: str | None = ..., gradient_func: str | None = ...) -> None: ...

class GraphDebugInfo(Message):
    class FileLineCol(Message):
        file_index: int
        line: int
        col: int
        func: str
        code: str
        def __init__(self, *, file_index: int | None = ..., line: int | None = ..., col: int | None = ..., func: str | None = ..., code: str | None = ...) -> None: ...
    class StackTrace(Message):
        @property
        def file_line_cols(self) -> RepeatedCompositeFieldContainer[GraphDebugInfo.FileLineCol]: ...
        def __init__(self, *, file_line_cols: Iterable[GraphDebugInfo.FileLineCol] | None = ...) -> None: ...
    @property
    def files(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def traces(self) -> MessageMap[str, GraphDebugInfo.StackTrace]: ...
    def __init__(self, *, files: Iterable[str] | None = ..., traces: Mapping[str, GraphDebugInfo.StackTrace] | None = ...) -> None: ...

class GraphDef(Message):
    @property
    def node(self) -> RepeatedCompositeFieldContainer[NodeDef]: ...
    @property
    def versions(self) -> VersionDef: ...
    version: int
    @property
    def library(self) -> FunctionDefLibrary: ...
    def __init__(self, *, node: Iterable[NodeDef] | None = ..., versions: VersionDef | Mapping[str, Any] | None = ..., version: int | None = ..., library: FunctionDefLibrary | Mapping[str, Any] | None = ...) -> None: ...

class GraphNodeProto(Message):
    name: str
    @property
    def tensor_value(self) -> TFProfTensorProto: ...
    run_count: int
    exec_micros: int
    accelerator_exec_micros: int
    cpu_exec_micros: int
    requested_bytes: int
    peak_bytes: int
    residual_bytes: int
    output_bytes: int
    parameters: int
    float_ops: int
    @property
    def devices(self) -> RepeatedScalarFieldContainer[str]: ...
    total_definition_count: int
    total_run_count: int
    total_exec_micros: int
    total_accelerator_exec_micros: int
    total_cpu_exec_micros: int
    total_requested_bytes: int
    total_peak_bytes: int
    total_residual_bytes: int
    total_output_bytes: int
    total_parameters: int
    total_float_ops: int
    @property
    def shapes(self) -> RepeatedCompositeFieldContainer[TensorShapeProto]: ...
    @property
    def input_shapes(self) -> MessageMap[int, TensorShapeProto]: ...
    @property
    def children(self) -> RepeatedCompositeFieldContainer[GraphNodeProto]: ...
    def __init__(self, *, name: str | None = ..., tensor_value: TFProfTensorProto | Mapping[str, Any] | None = ..., run_count: int | None = ..., exec_micros: int | None = ..., accelerator_exec_micros: int | None = ..., cpu_exec_micros: int | None = ..., requested_bytes: int | None = ..., peak_bytes: int | None = ..., residual_bytes: int | None = ..., output_bytes: int | None = ..., parameters: int | None = ..., float_ops: int | None = ..., devices: Iterable[str] | None = ..., total_definition_count: int | None = ..., total_run_count: int | None = ..., total_exec_micros: int | None = ..., total_accelerator_exec_micros: int | None = ..., total_cpu_exec_micros: int | None = ..., total_requested_bytes: int | None = ..., total_peak_bytes: int | None = ..., total_residual_bytes: int | None = ..., total_output_bytes: int | None = ..., total_parameters: int | None = ..., total_float_ops: int | None = ..., shapes: Iterable[TensorShapeProto] | None = ..., input_shapes: Mapping[int, TensorShapeProto] | None = ..., children: Iterable[GraphNodeProto] | None = ...) -> None: ...

class GraphOptions(Message):
    enable_recv_scheduling: bool
    @property
    def optimizer_options(self) -> OptimizerOptions: ...
    build_cost_model: int
    build_cost_model_after: int
    infer_shapes: bool
    place_pruned_graph: bool
    enable_bfloat16_sendrecv: bool
    timeline_step: int
    @property
    def rewrite_options(self) -> RewriterConfig: ...
    def __init__(self, *, enable_recv_scheduling: bool | None = ..., optimizer_options: OptimizerOptions | Mapping[str, Any] | None = ..., build_cost_model: int | None = ..., build_cost_model_after: int | None = ..., infer_shapes: bool | None = ..., place_pruned_graph: bool | None = ..., enable_bfloat16_sendrecv: bool | None = ..., timeline_step: int | None = ..., rewrite_options: RewriterConfig | Mapping[str, Any] | None = ...) -> None: ...

class GraphTransferConstNodeInfo(Message):
    name: str
    node_id: int
    @property
    def shape(self) -> RepeatedScalarFieldContainer[int]: ...
    data: bytes
    dtype: int
    def __init__(self, *, name: str | None = ..., node_id: int | None = ..., shape: Iterable[int] | None = ..., data: bytes | None = ..., dtype: int | None = ...) -> None: ...

class GraphTransferGraphInputNodeInfo(Message):
    name: str
    @property
    def shape(self) -> RepeatedScalarFieldContainer[int]: ...
    dtype: int
    def __init__(self, *, name: str | None = ..., shape: Iterable[int] | None = ..., dtype: int | None = ...) -> None: ...

class GraphTransferGraphOutputNodeInfo(Message):
    name: str
    @property
    def shape(self) -> RepeatedScalarFieldContainer[int]: ...
    dtype: int
    def __init__(self, *, name: str | None = ..., shape: Iterable[int] | None = ..., dtype: int | None = ...) -> None: ...

class GraphTransferInfo(Message):
    Destination: ClassVar[EnumTypeWrapper]
    NOP: ClassVar[int]
    HEXAGON: ClassVar[int]
    @property
    def node_info(self) -> RepeatedCompositeFieldContainer[GraphTransferNodeInfo]: ...
    @property
    def const_node_info(self) -> RepeatedCompositeFieldContainer[GraphTransferConstNodeInfo]: ...
    @property
    def node_input_info(self) -> RepeatedCompositeFieldContainer[GraphTransferNodeInputInfo]: ...
    @property
    def node_output_info(self) -> RepeatedCompositeFieldContainer[GraphTransferNodeOutputInfo]: ...
    @property
    def graph_input_node_info(self) -> RepeatedCompositeFieldContainer[GraphTransferGraphInputNodeInfo]: ...
    @property
    def graph_output_node_info(self) -> RepeatedCompositeFieldContainer[GraphTransferGraphOutputNodeInfo]: ...
    destination: int
    def __init__(self, *, node_info: Iterable[GraphTransferNodeInfo] | None = ..., const_node_info: Iterable[GraphTransferConstNodeInfo] | None = ..., node_input_info: Iterable[GraphTransferNodeInputInfo] | None = ..., node_output_info: Iterable[GraphTransferNodeOutputInfo] | None = ..., graph_input_node_info: Iterable[GraphTransferGraphInputNodeInfo] | None = ..., graph_output_node_info: Iterable[GraphTransferGraphOutputNodeInfo] | None = ..., destination: int | None = ...) -> None: ...

class GraphTransferNodeInfo(Message):
    name: str
    node_id: int
    type_name: str
    soc_op_id: int
    padding_id: int
    input_count: int
    output_count: int
    def __init__(self, *, name: str | None = ..., node_id: int | None = ..., type_name: str | None = ..., soc_op_id: int | None = ..., padding_id: int | None = ..., input_count: int | None = ..., output_count: int | None = ...) -> None: ...

class GraphTransferNodeInput(Message):
    node_id: int
    output_port: int
    def __init__(self, *, node_id: int | None = ..., output_port: int | None = ...) -> None: ...

class GraphTransferNodeInputInfo(Message):
    node_id: int
    @property
    def node_input(self) -> RepeatedCompositeFieldContainer[GraphTransferNodeInput]: ...
    def __init__(self, *, node_id: int | None = ..., node_input: Iterable[GraphTransferNodeInput] | None = ...) -> None: ...

class GraphTransferNodeOutputInfo(Message):
    node_id: int
    @property
    def max_byte_size(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, node_id: int | None = ..., max_byte_size: Iterable[int] | None = ...) -> None: ...

class GrowingMetadata(Message):
    num_trees_attempted: int
    num_layers_attempted: int
    last_layer_node_start: int
    last_layer_node_end: int
    def __init__(self, *, num_trees_attempted: int | None = ..., num_layers_attempted: int | None = ..., last_layer_node_start: int | None = ..., last_layer_node_end: int | None = ...) -> None: ...

class HParamDef(Message):
    class BytesList(Message):
        @property
        def value(self) -> RepeatedScalarFieldContainer[bytes]: ...
        def __init__(self, *, value: Iterable[bytes] | None = ...) -> None: ...
    class FloatList(Message):
        @property
        def value(self) -> RepeatedScalarFieldContainer[float]: ...
        def __init__(self, *, value: Iterable[float] | None = ...) -> None: ...
    class Int64List(Message):
        @property
        def value(self) -> RepeatedScalarFieldContainer[int]: ...
        def __init__(self, *, value: Iterable[int] | None = ...) -> None: ...
    class BoolList(Message):
        @property
        def value(self) -> RepeatedScalarFieldContainer[bool]: ...
        def __init__(self, *, value: Iterable[bool] | None = ...) -> None: ...
    class HParamType(Message):
        int64_value: int
        float_value: float
        bytes_value: bytes
        bool_value: bool
        @property
        def int64_list(self) -> HParamDef.Int64List: ...
        @property
        def float_list(self) -> HParamDef.FloatList: ...
        @property
        def bytes_list(self) -> HParamDef.BytesList: ...
        @property
        def bool_list(self) -> HParamDef.BoolList: ...
        def __init__(self, *, int64_value: int | None = ..., float_value: float | None = ..., bytes_value: bytes | None = ..., bool_value: bool | None = ..., int64_list: HParamDef.Int64List | Mapping[str, Any] | None = ..., float_list: HParamDef.FloatList | Mapping[str, Any] | None = ..., bytes_list: HParamDef.BytesList | Mapping[str, Any] | None = ..., bool_list: HParamDef.BoolList | Mapping[str, Any] | None = ...) -> None: ...
    @property
    def hparam(self) -> MessageMap[str, HParamDef.HParamType]: ...
    def __init__(self, *, hparam: Mapping[str, HParamDef.HParamType] | None = ...) -> None: ...

class HistogramProto(Message):
    min: float
    max: float
    num: float
    sum: float
    sum_squares: float
    @property
    def bucket_limit(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def bucket(self) -> RepeatedScalarFieldContainer[float]: ...
    def __init__(self, *, min: float | None = ..., max: float | None = ..., num: float | None = ..., sum: float | None = ..., sum_squares: float | None = ..., bucket_limit: Iterable[float] | None = ..., bucket: Iterable[float] | None = ...) -> None: ...

class Int64List(Message):
    @property
    def value(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, value: Iterable[int] | None = ...) -> None: ...

class InterconnectLink(Message):
    device_id: int
    type: str
    strength: int
    def __init__(self, *, device_id: int | None = ..., type: str | None = ..., strength: int | None = ...) -> None: ...

class JobDef(Message):
    name: str
    @property
    def tasks(self) -> ScalarMap[int, str]: ...
    def __init__(self, *, name: str | None = ..., tasks: Mapping[int, str] | None = ...) -> None: ...

class KernelDef(Message):
    class AttrConstraint(Message):
        name: str
        @property
        def allowed_values(self) -> AttrValue: ...
        def __init__(self, *, name: str | None = ..., allowed_values: AttrValue | Mapping[str, Any] | None = ...) -> None: ...
    op: str
    device_type: str
    @property
    def constraint(self) -> RepeatedCompositeFieldContainer[KernelDef.AttrConstraint]: ...
    @property
    def host_memory_arg(self) -> RepeatedScalarFieldContainer[str]: ...
    label: str
    priority: int
    def __init__(self, *, op: str | None = ..., device_type: str | None = ..., constraint: Iterable[KernelDef.AttrConstraint] | None = ..., host_memory_arg: Iterable[str] | None = ..., label: str | None = ..., priority: int | None = ...) -> None: ...

class KernelList(Message):
    @property
    def kernel(self) -> RepeatedCompositeFieldContainer[KernelDef]: ...
    def __init__(self, *, kernel: Iterable[KernelDef] | None = ...) -> None: ...

class LabeledStepStats(Message):
    step_id: int
    @property
    def step_stats(self) -> StepStats: ...
    def __init__(self, *, step_id: int | None = ..., step_stats: StepStats | Mapping[str, Any] | None = ...) -> None: ...

class Leaf(Message):
    @property
    def vector(self) -> Vector: ...
    @property
    def sparse_vector(self) -> SparseVector: ...
    scalar: float
    def __init__(self, *, vector: Vector | Mapping[str, Any] | None = ..., sparse_vector: SparseVector | Mapping[str, Any] | None = ..., scalar: float | None = ...) -> None: ...

class ListDevicesRequest(Message):
    session_handle: str
    def __init__(self, *, session_handle: str | None = ...) -> None: ...

class ListDevicesResponse(Message):
    @property
    def local_device(self) -> RepeatedCompositeFieldContainer[DeviceAttributes]: ...
    @property
    def remote_device(self) -> RepeatedCompositeFieldContainer[DeviceAttributes]: ...
    def __init__(self, *, local_device: Iterable[DeviceAttributes] | None = ..., remote_device: Iterable[DeviceAttributes] | None = ...) -> None: ...

class ListValue(Message):
    @property
    def values(self) -> RepeatedCompositeFieldContainer[StructuredValue]: ...
    def __init__(self, *, values: Iterable[StructuredValue] | None = ...) -> None: ...

class LocalLinks(Message):
    @property
    def link(self) -> RepeatedCompositeFieldContainer[InterconnectLink]: ...
    def __init__(self, *, link: Iterable[InterconnectLink] | None = ...) -> None: ...

class LogMessage(Message):
    Level: ClassVar[EnumTypeWrapper]
    UNKNOWN: ClassVar[int]
    DEBUGGING: ClassVar[int]
    INFO: ClassVar[int]
    WARN: ClassVar[int]
    ERROR: ClassVar[int]
    FATAL: ClassVar[int]
    level: int
    message: str
    def __init__(self, *, level: int | None = ..., message: str | None = ...) -> None: ...

class LoggingRequest(Message):
    enable_rpc_logging: bool
    disable_rpc_logging: bool
    clear: bool
    @property
    def fetch_step_id(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, enable_rpc_logging: bool | None = ..., disable_rpc_logging: bool | None = ..., clear: bool | None = ..., fetch_step_id: Iterable[int] | None = ...) -> None: ...

class LoggingResponse(Message):
    @property
    def step(self) -> RepeatedCompositeFieldContainer[LabeledStepStats]: ...
    def __init__(self, *, step: Iterable[LabeledStepStats] | None = ...) -> None: ...

class MachineConfiguration(Message):
    hostname: str
    serial_identifier: str
    @property
    def platform_info(self) -> PlatformInfo: ...
    @property
    def cpu_info(self) -> CPUInfo: ...
    @property
    def device_info(self) -> RepeatedCompositeFieldContainer[any_pb2.Any]: ...
    @property
    def available_device_info(self) -> RepeatedCompositeFieldContainer[AvailableDeviceInfo]: ...
    @property
    def memory_info(self) -> MemoryInfo: ...
    def __init__(self, *, hostname: str | None = ..., serial_identifier: str | None = ..., platform_info: PlatformInfo | Mapping[str, Any] | None = ..., cpu_info: CPUInfo | Mapping[str, Any] | None = ..., device_info: Iterable[any_pb2.Any] | None = ..., available_device_info: Iterable[AvailableDeviceInfo] | None = ..., memory_info: MemoryInfo | Mapping[str, Any] | None = ...) -> None: ...

class MakeCallableRequest(Message):
    session_handle: str
    @property
    def options(self) -> CallableOptions: ...
    request_id: int
    def __init__(self, *, session_handle: str | None = ..., options: CallableOptions | Mapping[str, Any] | None = ..., request_id: int | None = ...) -> None: ...

class MakeCallableResponse(Message):
    handle: int
    def __init__(self, *, handle: int | None = ...) -> None: ...

class MarkRecvFinishedRequest(Message):
    request_id: int
    def __init__(self, *, request_id: int | None = ...) -> None: ...

class MarkRecvFinishedResponse(Message): ...

class MemmappedFileSystemDirectory(Message):
    @property
    def element(self) -> RepeatedCompositeFieldContainer[MemmappedFileSystemDirectoryElement]: ...
    def __init__(self, *, element: Iterable[MemmappedFileSystemDirectoryElement] | None = ...) -> None: ...

class MemmappedFileSystemDirectoryElement(Message):
    offset: int
    name: str
    length: int
    def __init__(self, *, offset: int | None = ..., name: str | None = ..., length: int | None = ...) -> None: ...

class Memory(Message):
    bytes: int
    ptr: int
    def __init__(self, *, bytes: int | None = ..., ptr: int | None = ...) -> None: ...

class MemoryInfo(Message):
    total: int
    available: int
    def __init__(self, *, total: int | None = ..., available: int | None = ...) -> None: ...

class MemoryLogRawAllocation(Message):
    step_id: int
    operation: str
    num_bytes: int
    ptr: int
    allocation_id: int
    allocator_name: str
    def __init__(self, *, step_id: int | None = ..., operation: str | None = ..., num_bytes: int | None = ..., ptr: int | None = ..., allocation_id: int | None = ..., allocator_name: str | None = ...) -> None: ...

class MemoryLogRawDeallocation(Message):
    step_id: int
    operation: str
    allocation_id: int
    allocator_name: str
    deferred: bool
    def __init__(self, *, step_id: int | None = ..., operation: str | None = ..., allocation_id: int | None = ..., allocator_name: str | None = ..., deferred: bool | None = ...) -> None: ...

class MemoryLogStep(Message):
    step_id: int
    handle: str
    def __init__(self, *, step_id: int | None = ..., handle: str | None = ...) -> None: ...

class MemoryLogTensorAllocation(Message):
    step_id: int
    kernel_name: str
    @property
    def tensor(self) -> TensorDescription: ...
    def __init__(self, *, step_id: int | None = ..., kernel_name: str | None = ..., tensor: TensorDescription | Mapping[str, Any] | None = ...) -> None: ...

class MemoryLogTensorDeallocation(Message):
    allocation_id: int
    allocator_name: str
    def __init__(self, *, allocation_id: int | None = ..., allocator_name: str | None = ...) -> None: ...

class MemoryLogTensorOutput(Message):
    step_id: int
    kernel_name: str
    index: int
    @property
    def tensor(self) -> TensorDescription: ...
    def __init__(self, *, step_id: int | None = ..., kernel_name: str | None = ..., index: int | None = ..., tensor: TensorDescription | Mapping[str, Any] | None = ...) -> None: ...

class MemoryStats(Message):
    temp_memory_size: int
    persistent_memory_size: int
    @property
    def persistent_tensor_alloc_ids(self) -> RepeatedScalarFieldContainer[int]: ...
    device_temp_memory_size: int
    device_persistent_memory_size: int
    @property
    def device_persistent_tensor_alloc_ids(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, temp_memory_size: int | None = ..., persistent_memory_size: int | None = ..., persistent_tensor_alloc_ids: Iterable[int] | None = ..., device_temp_memory_size: int | None = ..., device_persistent_memory_size: int | None = ..., device_persistent_tensor_alloc_ids: Iterable[int] | None = ...) -> None: ...

class MetaGraphDef(Message):
    class MetaInfoDef(Message):
        meta_graph_version: str
        @property
        def stripped_op_list(self) -> OpList: ...
        @property
        def any_info(self) -> any_pb2.Any: ...
        @property
        def tags(self) -> RepeatedScalarFieldContainer[str]: ...
        tensorflow_version: str
        tensorflow_git_version: str
        stripped_default_attrs: bool
        def __init__(self, *, meta_graph_version: str | None = ..., stripped_op_list: OpList | Mapping[str, Any] | None = ..., any_info: any_pb2.Any | Mapping[str, Any] | None = ..., tags: Iterable[str] | None = ..., tensorflow_version: str | None = ..., tensorflow_git_version: str | None = ..., stripped_default_attrs: bool | None = ...) -> None: ...
    @property
    def meta_info_def(self) -> MetaGraphDef.MetaInfoDef: ...
    @property
    def graph_def(self) -> GraphDef: ...
    @property
    def saver_def(self) -> SaverDef: ...
    @property
    def collection_def(self) -> MessageMap[str, CollectionDef]: ...
    @property
    def signature_def(self) -> MessageMap[str, SignatureDef]: ...
    @property
    def asset_file_def(self) -> RepeatedCompositeFieldContainer[AssetFileDef]: ...
    @property
    def object_graph_def(self) -> SavedObjectGraph: ...
    def __init__(self, *, meta_info_def: MetaGraphDef.MetaInfoDef | Mapping[str, Any] | None = ..., graph_def: GraphDef | Mapping[str, Any] | None = ..., saver_def: SaverDef | Mapping[str, Any] | None = ..., collection_def: Mapping[str, CollectionDef] | None = ..., signature_def: Mapping[str, SignatureDef] | None = ..., asset_file_def: Iterable[AssetFileDef] | None = ..., object_graph_def: SavedObjectGraph | Mapping[str, Any] | None = ...) -> None: ...

class MetricEntry(Message):
    name: str
    value: float
    @property
    def min_value(self) -> any_pb2.Any: ...
    @property
    def max_value(self) -> any_pb2.Any: ...
    def __init__(self, *, name: str | None = ..., value: float | None = ..., min_value: any_pb2.Any | Mapping[str, Any] | None = ..., max_value: any_pb2.Any | Mapping[str, Any] | None = ...) -> None: ...

class MultiGraphNodeProto(Message):
    name: str
    exec_micros: int
    accelerator_exec_micros: int
    cpu_exec_micros: int
    requested_bytes: int
    peak_bytes: int
    residual_bytes: int
    output_bytes: int
    parameters: int
    float_ops: int
    total_exec_micros: int
    total_accelerator_exec_micros: int
    total_cpu_exec_micros: int
    total_requested_bytes: int
    total_peak_bytes: int
    total_residual_bytes: int
    total_output_bytes: int
    total_parameters: int
    total_float_ops: int
    @property
    def graph_nodes(self) -> RepeatedCompositeFieldContainer[GraphNodeProto]: ...
    @property
    def children(self) -> RepeatedCompositeFieldContainer[MultiGraphNodeProto]: ...
    def __init__(self, *, name: str | None = ..., exec_micros: int | None = ..., accelerator_exec_micros: int | None = ..., cpu_exec_micros: int | None = ..., requested_bytes: int | None = ..., peak_bytes: int | None = ..., residual_bytes: int | None = ..., output_bytes: int | None = ..., parameters: int | None = ..., float_ops: int | None = ..., total_exec_micros: int | None = ..., total_accelerator_exec_micros: int | None = ..., total_cpu_exec_micros: int | None = ..., total_requested_bytes: int | None = ..., total_peak_bytes: int | None = ..., total_residual_bytes: int | None = ..., total_output_bytes: int | None = ..., total_parameters: int | None = ..., total_float_ops: int | None = ..., graph_nodes: Iterable[GraphNodeProto] | None = ..., children: Iterable[MultiGraphNodeProto] | None = ...) -> None: ...

class NameAttrList(Message):
    name: str
    @property
    def attr(self) -> MessageMap[str, AttrValue]: ...
    def __init__(self, *, name: str | None = ..., attr: Mapping[str, AttrValue] | None = ...) -> None: ...

class NamedDevice(Message):
    name: str
    @property
    def properties(self) -> DeviceProperties: ...
    def __init__(self, *, name: str | None = ..., properties: DeviceProperties | Mapping[str, Any] | None = ...) -> None: ...

class NamedTensorProto(Message):
    name: str
    @property
    def tensor(self) -> TensorProto: ...
    def __init__(self, *, name: str | None = ..., tensor: TensorProto | Mapping[str, Any] | None = ...) -> None: ...

class NamedTupleValue(Message):
    name: str
    @property
    def values(self) -> RepeatedCompositeFieldContainer[PairValue]: ...
    def __init__(self, *, name: str | None = ..., values: Iterable[PairValue] | None = ...) -> None: ...

class Node(Message):
    @property
    def leaf(self) -> Leaf: ...
    @property
    def bucketized_split(self) -> BucketizedSplit: ...
    @property
    def categorical_split(self) -> CategoricalSplit: ...
    @property
    def dense_split(self) -> DenseSplit: ...
    @property
    def metadata(self) -> NodeMetadata: ...
    def __init__(self, *, leaf: Leaf | Mapping[str, Any] | None = ..., bucketized_split: BucketizedSplit | Mapping[str, Any] | None = ..., categorical_split: CategoricalSplit | Mapping[str, Any] | None = ..., dense_split: DenseSplit | Mapping[str, Any] | None = ..., metadata: NodeMetadata | Mapping[str, Any] | None = ...) -> None: ...

class NodeDef(Message):
    class ExperimentalDebugInfo(Message):
        @property
        def original_node_names(self) -> RepeatedScalarFieldContainer[str]: ...
        @property
        def original_func_names(self) -> RepeatedScalarFieldContainer[str]: ...
        def __init__(self, *, original_node_names: Iterable[str] | None = ..., original_func_names: Iterable[str] | None = ...) -> None: ...
    name: str
    op: str
    @property
    def input(self) -> RepeatedScalarFieldContainer[str]: ...
    device: str
    @property
    def attr(self) -> MessageMap[str, AttrValue]: ...
    @property
    def experimental_debug_info(self) -> NodeDef.ExperimentalDebugInfo: ...
    def __init__(self, *, name: str | None = ..., op: str | None = ..., input: Iterable[str] | None = ..., device: str | None = ..., attr: Mapping[str, AttrValue] | None = ..., experimental_debug_info: NodeDef.ExperimentalDebugInfo | Mapping[str, Any] | None = ...) -> None: ...

class NodeExecStats(Message):
    node_name: str
    all_start_micros: int
    op_start_rel_micros: int
    op_end_rel_micros: int
    all_end_rel_micros: int
    @property
    def memory(self) -> RepeatedCompositeFieldContainer[AllocatorMemoryUsed]: ...
    @property
    def output(self) -> RepeatedCompositeFieldContainer[NodeOutput]: ...
    timeline_label: str
    scheduled_micros: int
    thread_id: int
    @property
    def referenced_tensor(self) -> RepeatedCompositeFieldContainer[AllocationDescription]: ...
    @property
    def memory_stats(self) -> MemoryStats: ...
    all_start_nanos: int
    op_start_rel_nanos: int
    op_end_rel_nanos: int
    all_end_rel_nanos: int
    scheduled_nanos: int
    def __init__(self, *, node_name: str | None = ..., all_start_micros: int | None = ..., op_start_rel_micros: int | None = ..., op_end_rel_micros: int | None = ..., all_end_rel_micros: int | None = ..., memory: Iterable[AllocatorMemoryUsed] | None = ..., output: Iterable[NodeOutput] | None = ..., timeline_label: str | None = ..., scheduled_micros: int | None = ..., thread_id: int | None = ..., referenced_tensor: Iterable[AllocationDescription] | None = ..., memory_stats: MemoryStats | Mapping[str, Any] | None = ..., all_start_nanos: int | None = ..., op_start_rel_nanos: int | None = ..., op_end_rel_nanos: int | None = ..., all_end_rel_nanos: int | None = ..., scheduled_nanos: int | None = ...) -> None: ...

class NodeMetadata(Message):
    gain: float
    @property
    def original_leaf(self) -> Leaf: ...
    def __init__(self, *, gain: float | None = ..., original_leaf: Leaf | Mapping[str, Any] | None = ...) -> None: ...

class NodeOutput(Message):
    slot: int
    @property
    def tensor_description(self) -> TensorDescription: ...
    def __init__(self, *, slot: int | None = ..., tensor_description: TensorDescription | Mapping[str, Any] | None = ...) -> None: ...

class NoneValue(Message): ...

class OpDef(Message):
    class ArgDef(Message):
        name: str
        description: str
        type: int
        type_attr: str
        number_attr: str
        type_list_attr: str
        is_ref: bool
        def __init__(self, *, name: str | None = ..., description: str | None = ..., type: int | None = ..., type_attr: str | None = ..., number_attr: str | None = ..., type_list_attr: str | None = ..., is_ref: bool | None = ...) -> None: ...
    class AttrDef(Message):
        name: str
        type: str
        @property
        def default_value(self) -> AttrValue: ...
        description: str
        has_minimum: bool
        minimum: int
        @property
        def allowed_values(self) -> AttrValue: ...
        def __init__(self, *, name: str | None = ..., type: str | None = ..., default_value: AttrValue | Mapping[str, Any] | None = ..., description: str | None = ..., has_minimum: bool | None = ..., minimum: int | None = ..., allowed_values: AttrValue | Mapping[str, Any] | None = ...) -> None: ...
    name: str
    @property
    def input_arg(self) -> RepeatedCompositeFieldContainer[OpDef.ArgDef]: ...
    @property
    def output_arg(self) -> RepeatedCompositeFieldContainer[OpDef.ArgDef]: ...
    @property
    def control_output(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def attr(self) -> RepeatedCompositeFieldContainer[OpDef.AttrDef]: ...
    @property
    def deprecation(self) -> OpDeprecation: ...
    summary: str
    description: str
    is_commutative: bool
    is_aggregate: bool
    is_stateful: bool
    allows_uninitialized_input: bool
    def __init__(self, *, name: str | None = ..., input_arg: Iterable[OpDef.ArgDef] | None = ..., output_arg: Iterable[OpDef.ArgDef] | None = ..., control_output: Iterable[str] | None = ..., attr: Iterable[OpDef.AttrDef] | None = ..., deprecation: OpDeprecation | Mapping[str, Any] | None = ..., summary: str | None = ..., description: str | None = ..., is_commutative: bool | None = ..., is_aggregate: bool | None = ..., is_stateful: bool | None = ..., allows_uninitialized_input: bool | None = ...) -> None: ...

class OpDeprecation(Message):
    version: int
    explanation: str
    def __init__(self, *, version: int | None = ..., explanation: str | None = ...) -> None: ...

class OpList(Message):
    @property
    def op(self) -> RepeatedCompositeFieldContainer[OpDef]: ...
    def __init__(self, *, op: Iterable[OpDef] | None = ...) -> None: ...

class OpLogEntry(Message):
    name: str
    float_ops: int
    @property
    def types(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def code_def(self) -> CodeDef: ...
    def __init__(self, *, name: str | None = ..., float_ops: int | None = ..., types: Iterable[str] | None = ..., code_def: CodeDef | Mapping[str, Any] | None = ...) -> None: ...

class OpLogProto(Message):
    @property
    def log_entries(self) -> RepeatedCompositeFieldContainer[OpLogEntry]: ...
    @property
    def id_to_string(self) -> ScalarMap[int, str]: ...
    def __init__(self, *, log_entries: Iterable[OpLogEntry] | None = ..., id_to_string: Mapping[int, str] | None = ...) -> None: ...

class OptimizerOptions(Message):
    Level: ClassVar[EnumTypeWrapper]
    L1: ClassVar[int]
    L0: ClassVar[int]
    GlobalJitLevel: ClassVar[EnumTypeWrapper]
    DEFAULT: ClassVar[int]
    OFF: ClassVar[int]
    ON_1: ClassVar[int]
    ON_2: ClassVar[int]
    do_common_subexpression_elimination: bool
    do_constant_folding: bool
    max_folded_constant_in_bytes: int
    do_function_inlining: bool
    opt_level: int
    global_jit_level: int
    def __init__(self, *, do_common_subexpression_elimination: bool | None = ..., do_constant_folding: bool | None = ..., max_folded_constant_in_bytes: int | None = ..., do_function_inlining: bool | None = ..., opt_level: int | None = ..., global_jit_level: int | None = ...) -> None: ...

class OptionsProto(Message):
    max_depth: int
    min_bytes: int
    min_peak_bytes: int
    min_residual_bytes: int
    min_output_bytes: int
    min_micros: int
    min_accelerator_micros: int
    min_cpu_micros: int
    min_params: int
    min_float_ops: int
    min_occurrence: int
    step: int
    order_by: str
    @property
    def account_type_regexes(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def start_name_regexes(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def trim_name_regexes(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def show_name_regexes(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def hide_name_regexes(self) -> RepeatedScalarFieldContainer[str]: ...
    account_displayed_op_only: bool
    @property
    def select(self) -> RepeatedScalarFieldContainer[str]: ...
    output: str
    dump_to_file: str
    def __init__(self, *, max_depth: int | None = ..., min_bytes: int | None = ..., min_peak_bytes: int | None = ..., min_residual_bytes: int | None = ..., min_output_bytes: int | None = ..., min_micros: int | None = ..., min_accelerator_micros: int | None = ..., min_cpu_micros: int | None = ..., min_params: int | None = ..., min_float_ops: int | None = ..., min_occurrence: int | None = ..., step: int | None = ..., order_by: str | None = ..., account_type_regexes: Iterable[str] | None = ..., start_name_regexes: Iterable[str] | None = ..., trim_name_regexes: Iterable[str] | None = ..., show_name_regexes: Iterable[str] | None = ..., hide_name_regexes: Iterable[str] | None = ..., account_displayed_op_only: bool | None = ..., select: Iterable[str] | None = ..., output: str | None = ..., dump_to_file: str | None = ...) -> None: ...

class PairValue(Message):
    key: str
    @property
    def value(self) -> StructuredValue: ...
    def __init__(self, *, key: str | None = ..., value: StructuredValue | Mapping[str, Any] | None = ...) -> None: ...

class PartialRunSetupRequest(Message):
    session_handle: str
    @property
    def feed(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def fetch(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def target(self) -> RepeatedScalarFieldContainer[str]: ...
    request_id: int
    def __init__(self, *, session_handle: str | None = ..., feed: Iterable[str] | None = ..., fetch: Iterable[str] | None = ..., target: Iterable[str] | None = ..., request_id: int | None = ...) -> None: ...

class PartialRunSetupResponse(Message):
    partial_run_handle: str
    def __init__(self, *, partial_run_handle: str | None = ...) -> None: ...

class PlatformInfo(Message):
    bits: str
    linkage: str
    machine: str
    release: str
    system: str
    version: str
    def __init__(self, *, bits: str | None = ..., linkage: str | None = ..., machine: str | None = ..., release: str | None = ..., system: str | None = ..., version: str | None = ...) -> None: ...

class ProfileNode(Message):
    name: str
    op: str
    id: int
    @property
    def inputs(self) -> ScalarMap[int, int]: ...
    @property
    def input_shapes(self) -> MessageMap[int, Tuple]: ...
    @property
    def outputs(self) -> ScalarMap[int, int]: ...
    @property
    def output_shapes(self) -> MessageMap[int, Tuple]: ...
    @property
    def src_output_index(self) -> ScalarMap[int, int]: ...
    @property
    def shape(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def op_types(self) -> RepeatedScalarFieldContainer[str]: ...
    canonical_device: str
    host_device: str
    float_ops: int
    @property
    def trace(self) -> CodeDef: ...
    @property
    def attrs(self) -> MessageMap[str, AttrValue]: ...
    @property
    def execs(self) -> MessageMap[int, ExecProfile]: ...
    def __init__(self, *, name: str | None = ..., op: str | None = ..., id: int | None = ..., inputs: Mapping[int, int] | None = ..., input_shapes: Mapping[int, Tuple] | None = ..., outputs: Mapping[int, int] | None = ..., output_shapes: Mapping[int, Tuple] | None = ..., src_output_index: Mapping[int, int] | None = ..., shape: Iterable[int] | None = ..., op_types: Iterable[str] | None = ..., canonical_device: str | None = ..., host_device: str | None = ..., float_ops: int | None = ..., trace: CodeDef | Mapping[str, Any] | None = ..., attrs: Mapping[str, AttrValue] | None = ..., execs: Mapping[int, ExecProfile] | None = ...) -> None: ...

class ProfileProto(Message):
    @property
    def nodes(self) -> MessageMap[int, ProfileNode]: ...
    has_trace: bool
    miss_accelerator_stream: bool
    @property
    def steps(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def id_to_string(self) -> ScalarMap[int, str]: ...
    def __init__(self, *, nodes: Mapping[int, ProfileNode] | None = ..., has_trace: bool | None = ..., miss_accelerator_stream: bool | None = ..., steps: Iterable[int] | None = ..., id_to_string: Mapping[int, str] | None = ...) -> None: ...

class ProjectorConfig(Message):
    model_checkpoint_path: str
    @property
    def embeddings(self) -> RepeatedCompositeFieldContainer[EmbeddingInfo]: ...
    model_checkpoint_dir: str
    def __init__(self, *, model_checkpoint_path: str | None = ..., embeddings: Iterable[EmbeddingInfo] | None = ..., model_checkpoint_dir: str | None = ...) -> None: ...

class QueueRunnerDef(Message):
    queue_name: str
    @property
    def enqueue_op_name(self) -> RepeatedScalarFieldContainer[str]: ...
    close_op_name: str
    cancel_op_name: str
    @property
    def queue_closed_exception_types(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, queue_name: str | None = ..., enqueue_op_name: Iterable[str] | None = ..., close_op_name: str | None = ..., cancel_op_name: str | None = ..., queue_closed_exception_types: Iterable[int] | None = ...) -> None: ...

class RPCOptions(Message):
    use_rpc_for_inprocess_master: bool
    compression_algorithm: str
    compression_level: int
    cache_rpc_response: bool
    disable_session_connection_sharing: bool
    def __init__(self, *, use_rpc_for_inprocess_master: bool | None = ..., compression_algorithm: str | None = ..., compression_level: int | None = ..., cache_rpc_response: bool | None = ..., disable_session_connection_sharing: bool | None = ...) -> None: ...

class ReaderBaseState(Message):
    work_started: int
    work_finished: int
    num_records_produced: int
    current_work: bytes
    def __init__(self, *, work_started: int | None = ..., work_finished: int | None = ..., num_records_produced: int | None = ..., current_work: bytes | None = ...) -> None: ...

class RecvBufRequest(Message):
    step_id: int
    buf_rendezvous_key: str
    num_bytes: int
    buf_ptr: int
    @property
    def client_locality(self) -> DeviceLocality: ...
    @property
    def server_locality(self) -> DeviceLocality: ...
    @property
    def transport_options(self) -> any_pb2.Any: ...
    src_device: str
    dst_device: str
    request_id: int
    src_incarnation: int
    def __init__(self, *, step_id: int | None = ..., buf_rendezvous_key: str | None = ..., num_bytes: int | None = ..., buf_ptr: int | None = ..., client_locality: DeviceLocality | Mapping[str, Any] | None = ..., server_locality: DeviceLocality | Mapping[str, Any] | None = ..., transport_options: any_pb2.Any | Mapping[str, Any] | None = ..., src_device: str | None = ..., dst_device: str | None = ..., request_id: int | None = ..., src_incarnation: int | None = ...) -> None: ...

class RecvBufRespExtra(Message):
    @property
    def tensor_content(self) -> RepeatedScalarFieldContainer[bytes]: ...
    def __init__(self, *, tensor_content: Iterable[bytes] | None = ...) -> None: ...

class RecvBufResponse(Message):
    buf_ptr: int
    num_bytes: int
    is_dead: bool
    @property
    def transport_options(self) -> any_pb2.Any: ...
    send_start_micros: int
    require_ack: bool
    def __init__(self, *, buf_ptr: int | None = ..., num_bytes: int | None = ..., is_dead: bool | None = ..., transport_options: any_pb2.Any | Mapping[str, Any] | None = ..., send_start_micros: int | None = ..., require_ack: bool | None = ...) -> None: ...

class RecvTensorRequest(Message):
    step_id: int
    rendezvous_key: str
    dma_ok: bool
    @property
    def client_locality(self) -> DeviceLocality: ...
    @property
    def server_locality(self) -> DeviceLocality: ...
    @property
    def transport_options(self) -> any_pb2.Any: ...
    request_id: int
    def __init__(self, *, step_id: int | None = ..., rendezvous_key: str | None = ..., dma_ok: bool | None = ..., client_locality: DeviceLocality | Mapping[str, Any] | None = ..., server_locality: DeviceLocality | Mapping[str, Any] | None = ..., transport_options: any_pb2.Any | Mapping[str, Any] | None = ..., request_id: int | None = ...) -> None: ...

class RecvTensorResponse(Message):
    @property
    def tensor(self) -> TensorProto: ...
    is_dead: bool
    send_start_micros: int
    @property
    def transport_options(self) -> any_pb2.Any: ...
    require_ack: bool
    def __init__(self, *, tensor: TensorProto | Mapping[str, Any] | None = ..., is_dead: bool | None = ..., send_start_micros: int | None = ..., transport_options: any_pb2.Any | Mapping[str, Any] | None = ..., require_ack: bool | None = ...) -> None: ...

class RegisterGraphRequest(Message):
    session_handle: str
    create_worker_session_called: bool
    @property
    def graph_def(self) -> GraphDef: ...
    has_control_flow: bool
    @property
    def graph_options(self) -> GraphOptions: ...
    @property
    def debug_options(self) -> DebugOptions: ...
    collective_graph_key: int
    def __init__(self, *, session_handle: str | None = ..., create_worker_session_called: bool | None = ..., graph_def: GraphDef | Mapping[str, Any] | None = ..., has_control_flow: bool | None = ..., graph_options: GraphOptions | Mapping[str, Any] | None = ..., debug_options: DebugOptions | Mapping[str, Any] | None = ..., collective_graph_key: int | None = ...) -> None: ...

class RegisterGraphResponse(Message):
    graph_handle: str
    def __init__(self, *, graph_handle: str | None = ...) -> None: ...

class RegressionSignature(Message):
    @property
    def input(self) -> TensorBinding: ...
    @property
    def output(self) -> TensorBinding: ...
    def __init__(self, *, input: TensorBinding | Mapping[str, Any] | None = ..., output: TensorBinding | Mapping[str, Any] | None = ...) -> None: ...

class ReleaseCallableRequest(Message):
    session_handle: str
    handle: int
    def __init__(self, *, session_handle: str | None = ..., handle: int | None = ...) -> None: ...

class ReleaseCallableResponse(Message): ...

class RemoteFusedGraphExecuteInfo(Message):
    class TensorShapeTypeProto(Message):
        dtype: int
        @property
        def shape(self) -> TensorShapeProto: ...
        def __init__(self, *, dtype: int | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ...) -> None: ...
    @property
    def remote_graph(self) -> GraphDef: ...
    @property
    def graph_input_node_name(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def graph_output_node_name(self) -> RepeatedScalarFieldContainer[str]: ...
    executor_name: str
    serialized_executor_parameters: bytes
    @property
    def default_graph_input_tensor_shape(self) -> RepeatedCompositeFieldContainer[RemoteFusedGraphExecuteInfo.TensorShapeTypeProto]: ...
    @property
    def default_graph_output_tensor_shape(self) -> RepeatedCompositeFieldContainer[RemoteFusedGraphExecuteInfo.TensorShapeTypeProto]: ...
    def __init__(self, *, remote_graph: GraphDef | Mapping[str, Any] | None = ..., graph_input_node_name: Iterable[str] | None = ..., graph_output_node_name: Iterable[str] | None = ..., executor_name: str | None = ..., serialized_executor_parameters: bytes | None = ..., default_graph_input_tensor_shape: Iterable[RemoteFusedGraphExecuteInfo.TensorShapeTypeProto] | None = ..., default_graph_output_tensor_shape: Iterable[RemoteFusedGraphExecuteInfo.TensorShapeTypeProto] | None = ...) -> None: ...

class ResetRequest(Message):
    @property
    def container(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def device_filters(self) -> RepeatedScalarFieldContainer[str]: ...
    def __init__(self, *, container: Iterable[str] | None = ..., device_filters: Iterable[str] | None = ...) -> None: ...

class ResetResponse(Message): ...

class Resource(Message):
    name: str
    resource_id: int
    def __init__(self, *, name: str | None = ..., resource_id: int | None = ...) -> None: ...

class ResourceHandleProto(Message):
    class DtypeAndShape(Message):
        dtype: int
        @property
        def shape(self) -> TensorShapeProto: ...
        def __init__(self, *, dtype: int | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ...) -> None: ...
    device: str
    container: str
    name: str
    hash_code: int
    maybe_type_name: str
    @property
    def dtypes_and_shapes(self) -> RepeatedCompositeFieldContainer[ResourceHandleProto.DtypeAndShape]: ...
    def __init__(self, *, device: str | None = ..., container: str | None = ..., name: str | None = ..., hash_code: int | None = ..., maybe_type_name: str | None = ..., dtypes_and_shapes: Iterable[ResourceHandleProto.DtypeAndShape] | None = ...) -> None: ...

class RewriterConfig(Message):
    class CustomGraphOptimizer(Message):
        name: str
        @property
        def parameter_map(self) -> MessageMap[str, AttrValue]: ...
        def __init__(self, *, name: str | None = ..., parameter_map: Mapping[str, AttrValue] | None = ...) -> None: ...
    Toggle: ClassVar[EnumTypeWrapper]
    DEFAULT: ClassVar[int]
    ON: ClassVar[int]
    OFF: ClassVar[int]
    AGGRESSIVE: ClassVar[int]
    NumIterationsType: ClassVar[EnumTypeWrapper]
    DEFAULT_NUM_ITERS: ClassVar[int]
    ONE: ClassVar[int]
    TWO: ClassVar[int]
    MemOptType: ClassVar[EnumTypeWrapper]
    DEFAULT_MEM_OPT: ClassVar[int]
    NO_MEM_OPT: ClassVar[int]
    MANUAL: ClassVar[int]
    SWAPPING_HEURISTICS: ClassVar[int]
    RECOMPUTATION_HEURISTICS: ClassVar[int]
    SCHEDULING_HEURISTICS: ClassVar[int]
    HEURISTICS: ClassVar[int]
    layout_optimizer: int
    constant_folding: int
    shape_optimization: int
    remapping: int
    arithmetic_optimization: int
    dependency_optimization: int
    loop_optimization: int
    function_optimization: int
    debug_stripper: int
    disable_model_pruning: bool
    scoped_allocator_optimization: int
    pin_to_host_optimization: int
    implementation_selector: int
    auto_mixed_precision: int
    disable_meta_optimizer: bool
    meta_optimizer_iterations: int
    min_graph_nodes: int
    memory_optimization: int
    memory_optimizer_target_node_name_scope: str
    meta_optimizer_timeout_ms: int
    @property
    def auto_parallel(self) -> AutoParallelOptions: ...
    fail_on_optimizer_errors: bool
    @property
    def scoped_allocator_opts(self) -> ScopedAllocatorOptions: ...
    @property
    def optimizers(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def custom_optimizers(self) -> RepeatedCompositeFieldContainer[RewriterConfig.CustomGraphOptimizer]: ...
    @property
    def inter_optimizer_verifier_config(self) -> VerifierConfig: ...
    @property
    def post_optimization_verifier_config(self) -> VerifierConfig: ...
    def __init__(self, *, layout_optimizer: int | None = ..., constant_folding: int | None = ..., shape_optimization: int | None = ..., remapping: int | None = ..., arithmetic_optimization: int | None = ..., dependency_optimization: int | None = ..., loop_optimization: int | None = ..., function_optimization: int | None = ..., debug_stripper: int | None = ..., disable_model_pruning: bool | None = ..., scoped_allocator_optimization: int | None = ..., pin_to_host_optimization: int | None = ..., implementation_selector: int | None = ..., auto_mixed_precision: int | None = ..., disable_meta_optimizer: bool | None = ..., meta_optimizer_iterations: int | None = ..., min_graph_nodes: int | None = ..., memory_optimization: int | None = ..., memory_optimizer_target_node_name_scope: str | None = ..., meta_optimizer_timeout_ms: int | None = ..., auto_parallel: AutoParallelOptions | Mapping[str, Any] | None = ..., fail_on_optimizer_errors: bool | None = ..., scoped_allocator_opts: ScopedAllocatorOptions | Mapping[str, Any] | None = ..., optimizers: Iterable[str] | None = ..., custom_optimizers: Iterable[RewriterConfig.CustomGraphOptimizer] | None = ..., inter_optimizer_verifier_config: VerifierConfig | Mapping[str, Any] | None = ..., post_optimization_verifier_config: VerifierConfig | Mapping[str, Any] | None = ...) -> None: ...

class RunCallableRequest(Message):
    session_handle: str
    handle: int
    @property
    def feed(self) -> RepeatedCompositeFieldContainer[TensorProto]: ...
    request_id: int
    def __init__(self, *, session_handle: str | None = ..., handle: int | None = ..., feed: Iterable[TensorProto] | None = ..., request_id: int | None = ...) -> None: ...

class RunCallableResponse(Message):
    @property
    def fetch(self) -> RepeatedCompositeFieldContainer[TensorProto]: ...
    @property
    def metadata(self) -> RunMetadata: ...
    def __init__(self, *, fetch: Iterable[TensorProto] | None = ..., metadata: RunMetadata | Mapping[str, Any] | None = ...) -> None: ...

class RunConfiguration(Message):
    @property
    def argument(self) -> RepeatedScalarFieldContainer[str]: ...
    def __init__(self, *, argument: Iterable[str] | None = ...) -> None: ...

class RunGraphRequest(Message):
    session_handle: str
    create_worker_session_called: bool
    graph_handle: str
    step_id: int
    @property
    def exec_opts(self) -> ExecutorOpts: ...
    @property
    def send(self) -> RepeatedCompositeFieldContainer[NamedTensorProto]: ...
    @property
    def recv_key(self) -> RepeatedScalarFieldContainer[str]: ...
    is_partial: bool
    is_last_partial_run: bool
    store_errors_in_response_body: bool
    request_id: int
    def __init__(self, *, session_handle: str | None = ..., create_worker_session_called: bool | None = ..., graph_handle: str | None = ..., step_id: int | None = ..., exec_opts: ExecutorOpts | Mapping[str, Any] | None = ..., send: Iterable[NamedTensorProto] | None = ..., recv_key: Iterable[str] | None = ..., is_partial: bool | None = ..., is_last_partial_run: bool | None = ..., store_errors_in_response_body: bool | None = ..., request_id: int | None = ...) -> None: ...

class RunGraphResponse(Message):
    @property
    def recv(self) -> RepeatedCompositeFieldContainer[NamedTensorProto]: ...
    @property
    def step_stats(self) -> StepStats: ...
    @property
    def cost_graph(self) -> CostGraphDef: ...
    @property
    def partition_graph(self) -> RepeatedCompositeFieldContainer[GraphDef]: ...
    status_code: int
    status_error_message: str
    def __init__(self, *, recv: Iterable[NamedTensorProto] | None = ..., step_stats: StepStats | Mapping[str, Any] | None = ..., cost_graph: CostGraphDef | Mapping[str, Any] | None = ..., partition_graph: Iterable[GraphDef] | None = ..., status_code: int | None = ..., status_error_message: str | None = ...) -> None: ...

class RunMetadata(Message):
    class FunctionGraphs(Message):
        @property
        def partition_graphs(self) -> RepeatedCompositeFieldContainer[GraphDef]: ...
        @property
        def pre_optimization_graph(self) -> GraphDef: ...
        @property
        def post_optimization_graph(self) -> GraphDef: ...
        def __init__(self, *, partition_graphs: Iterable[GraphDef] | None = ..., pre_optimization_graph: GraphDef | Mapping[str, Any] | None = ..., post_optimization_graph: GraphDef | Mapping[str, Any] | None = ...) -> None: ...
    @property
    def step_stats(self) -> StepStats: ...
    @property
    def cost_graph(self) -> CostGraphDef: ...
    @property
    def partition_graphs(self) -> RepeatedCompositeFieldContainer[GraphDef]: ...
    @property
    def function_graphs(self) -> RepeatedCompositeFieldContainer[RunMetadata.FunctionGraphs]: ...
    def __init__(self, *, step_stats: StepStats | Mapping[str, Any] | None = ..., cost_graph: CostGraphDef | Mapping[str, Any] | None = ..., partition_graphs: Iterable[GraphDef] | None = ..., function_graphs: Iterable[RunMetadata.FunctionGraphs] | None = ...) -> None: ...

class RunOptions(Message):
    class Experimental(Message):
        collective_graph_key: int
        use_run_handler_pool: bool
        def __init__(self, *, collective_graph_key: int | None = ..., use_run_handler_pool: bool | None = ...) -> None: ...
    TraceLevel: ClassVar[EnumTypeWrapper]
    NO_TRACE: ClassVar[int]
    SOFTWARE_TRACE: ClassVar[int]
    HARDWARE_TRACE: ClassVar[int]
    FULL_TRACE: ClassVar[int]
    trace_level: int
    timeout_in_ms: int
    inter_op_thread_pool: int
    output_partition_graphs: bool
    @property
    def debug_options(self) -> DebugOptions: ...
    report_tensor_allocations_upon_oom: bool
    @property
    def experimental(self) -> RunOptions.Experimental: ...
    def __init__(self, *, trace_level: int | None = ..., timeout_in_ms: int | None = ..., inter_op_thread_pool: int | None = ..., output_partition_graphs: bool | None = ..., debug_options: DebugOptions | Mapping[str, Any] | None = ..., report_tensor_allocations_upon_oom: bool | None = ..., experimental: RunOptions.Experimental | Mapping[str, Any] | None = ...) -> None: ...

class RunStepRequest(Message):
    session_handle: str
    @property
    def feed(self) -> RepeatedCompositeFieldContainer[NamedTensorProto]: ...
    @property
    def fetch(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def target(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def options(self) -> RunOptions: ...
    partial_run_handle: str
    store_errors_in_response_body: bool
    request_id: int
    def __init__(self, *, session_handle: str | None = ..., feed: Iterable[NamedTensorProto] | None = ..., fetch: Iterable[str] | None = ..., target: Iterable[str] | None = ..., options: RunOptions | Mapping[str, Any] | None = ..., partial_run_handle: str | None = ..., store_errors_in_response_body: bool | None = ..., request_id: int | None = ...) -> None: ...

class RunStepResponse(Message):
    @property
    def tensor(self) -> RepeatedCompositeFieldContainer[NamedTensorProto]: ...
    @property
    def metadata(self) -> RunMetadata: ...
    status_code: int
    status_error_message: str
    def __init__(self, *, tensor: Iterable[NamedTensorProto] | None = ..., metadata: RunMetadata | Mapping[str, Any] | None = ..., status_code: int | None = ..., status_error_message: str | None = ...) -> None: ...

class SaveSliceInfoDef(Message):
    full_name: str
    @property
    def full_shape(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def var_offset(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def var_shape(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, full_name: str | None = ..., full_shape: Iterable[int] | None = ..., var_offset: Iterable[int] | None = ..., var_shape: Iterable[int] | None = ...) -> None: ...

class SavedAsset(Message):
    asset_file_def_index: int
    def __init__(self, *, asset_file_def_index: int | None = ...) -> None: ...

class SavedBareConcreteFunction(Message):
    concrete_function_name: str
    @property
    def argument_keywords(self) -> RepeatedScalarFieldContainer[str]: ...
    allowed_positional_arguments: int
    def __init__(self, *, concrete_function_name: str | None = ..., argument_keywords: Iterable[str] | None = ..., allowed_positional_arguments: int | None = ...) -> None: ...

class SavedConcreteFunction(Message):
    @property
    def bound_inputs(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def canonicalized_input_signature(self) -> StructuredValue: ...
    @property
    def output_signature(self) -> StructuredValue: ...
    def __init__(self, *, bound_inputs: Iterable[int] | None = ..., canonicalized_input_signature: StructuredValue | Mapping[str, Any] | None = ..., output_signature: StructuredValue | Mapping[str, Any] | None = ...) -> None: ...

class SavedConstant(Message):
    operation: str
    def __init__(self, *, operation: str | None = ...) -> None: ...

class SavedFunction(Message):
    @property
    def concrete_functions(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def function_spec(self) -> FunctionSpec: ...
    def __init__(self, *, concrete_functions: Iterable[str] | None = ..., function_spec: FunctionSpec | Mapping[str, Any] | None = ...) -> None: ...

class SavedModel(Message):
    saved_model_schema_version: int
    @property
    def meta_graphs(self) -> RepeatedCompositeFieldContainer[MetaGraphDef]: ...
    def __init__(self, *, saved_model_schema_version: int | None = ..., meta_graphs: Iterable[MetaGraphDef] | None = ...) -> None: ...

class SavedObject(Message):
    @property
    def children(self) -> RepeatedCompositeFieldContainer[TrackableObjectGraph.TrackableObject.ObjectReference]: ...
    @property
    def slot_variables(self) -> RepeatedCompositeFieldContainer[TrackableObjectGraph.TrackableObject.SlotVariableReference]: ...
    @property
    def user_object(self) -> SavedUserObject: ...
    @property
    def asset(self) -> SavedAsset: ...
    @property
    def function(self) -> SavedFunction: ...
    @property
    def variable(self) -> SavedVariable: ...
    @property
    def bare_concrete_function(self) -> SavedBareConcreteFunction: ...
    @property
    def constant(self) -> SavedConstant: ...
    @property
    def resource(self) -> SavedResource: ...
    def __init__(self, *, children: Iterable[TrackableObjectGraph.TrackableObject.ObjectReference] | None = ..., slot_variables: Iterable[TrackableObjectGraph.TrackableObject.SlotVariableReference] | None = ..., user_object: SavedUserObject | Mapping[str, Any] | None = ..., asset: SavedAsset | Mapping[str, Any] | None = ..., function: SavedFunction | Mapping[str, Any] | None = ..., variable: SavedVariable | Mapping[str, Any] | None = ..., bare_concrete_function: SavedBareConcreteFunction | Mapping[str, Any] | None = ..., constant: SavedConstant | Mapping[str, Any] | None = ..., resource: SavedResource | Mapping[str, Any] | None = ...) -> None: ...

class SavedObjectGraph(Message):
    @property
    def nodes(self) -> RepeatedCompositeFieldContainer[SavedObject]: ...
    @property
    def concrete_functions(self) -> MessageMap[str, SavedConcreteFunction]: ...
    def __init__(self, *, nodes: Iterable[SavedObject] | None = ..., concrete_functions: Mapping[str, SavedConcreteFunction] | None = ...) -> None: ...

class SavedResource(Message):
    device: str
    def __init__(self, *, device: str | None = ...) -> None: ...

class SavedSlice(Message):
    name: str
    @property
    def slice(self) -> TensorSliceProto: ...
    @property
    def data(self) -> TensorProto: ...
    def __init__(self, *, name: str | None = ..., slice: TensorSliceProto | Mapping[str, Any] | None = ..., data: TensorProto | Mapping[str, Any] | None = ...) -> None: ...

class SavedSliceMeta(Message):
    name: str
    @property
    def shape(self) -> TensorShapeProto: ...
    type: int
    @property
    def slice(self) -> RepeatedCompositeFieldContainer[TensorSliceProto]: ...
    def __init__(self, *, name: str | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ..., type: int | None = ..., slice: Iterable[TensorSliceProto] | None = ...) -> None: ...

class SavedTensorSliceMeta(Message):
    @property
    def tensor(self) -> RepeatedCompositeFieldContainer[SavedSliceMeta]: ...
    @property
    def versions(self) -> VersionDef: ...
    def __init__(self, *, tensor: Iterable[SavedSliceMeta] | None = ..., versions: VersionDef | Mapping[str, Any] | None = ...) -> None: ...

class SavedTensorSlices(Message):
    @property
    def meta(self) -> SavedTensorSliceMeta: ...
    @property
    def data(self) -> SavedSlice: ...
    def __init__(self, *, meta: SavedTensorSliceMeta | Mapping[str, Any] | None = ..., data: SavedSlice | Mapping[str, Any] | None = ...) -> None: ...

class SavedUserObject(Message):
    identifier: str
    @property
    def version(self) -> VersionDef: ...
    metadata: str
    def __init__(self, *, identifier: str | None = ..., version: VersionDef | Mapping[str, Any] | None = ..., metadata: str | None = ...) -> None: ...

class SavedVariable(Message):
    dtype: int
    @property
    def shape(self) -> TensorShapeProto: ...
    trainable: bool
    synchronization: int
    aggregation: int
    name: str
    def __init__(self, *, dtype: int | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ..., trainable: bool | None = ..., synchronization: int | None = ..., aggregation: int | None = ..., name: str | None = ...) -> None: ...

class SaverDef(Message):
    CheckpointFormatVersion: ClassVar[EnumTypeWrapper]
    LEGACY: ClassVar[int]
    V1: ClassVar[int]
    V2: ClassVar[int]
    filename_tensor_name: str
    save_tensor_name: str
    restore_op_name: str
    max_to_keep: int
    sharded: bool
    keep_checkpoint_every_n_hours: float
    version: int
    def __init__(self, *, filename_tensor_name: str | None = ..., save_tensor_name: str | None = ..., restore_op_name: str | None = ..., max_to_keep: int | None = ..., sharded: bool | None = ..., keep_checkpoint_every_n_hours: float | None = ..., version: int | None = ...) -> None: ...

class ScopedAllocatorOptions(Message):
    @property
    def enable_op(self) -> RepeatedScalarFieldContainer[str]: ...
    def __init__(self, *, enable_op: Iterable[str] | None = ...) -> None: ...

class SequenceExample(Message):
    @property
    def context(self) -> Features: ...
    @property
    def feature_lists(self) -> FeatureLists: ...
    def __init__(self, *, context: Features | Mapping[str, Any] | None = ..., feature_lists: FeatureLists | Mapping[str, Any] | None = ...) -> None: ...

class ServerDef(Message):
    @property
    def cluster(self) -> ClusterDef: ...
    job_name: str
    task_index: int
    @property
    def default_session_config(self) -> ConfigProto: ...
    protocol: str
    def __init__(self, *, cluster: ClusterDef | Mapping[str, Any] | None = ..., job_name: str | None = ..., task_index: int | None = ..., default_session_config: ConfigProto | Mapping[str, Any] | None = ..., protocol: str | None = ...) -> None: ...

class SessionLog(Message):
    SessionStatus: ClassVar[EnumTypeWrapper]
    STATUS_UNSPECIFIED: ClassVar[int]
    START: ClassVar[int]
    STOP: ClassVar[int]
    CHECKPOINT: ClassVar[int]
    status: int
    checkpoint_path: str
    msg: str
    def __init__(self, *, status: int | None = ..., checkpoint_path: str | None = ..., msg: str | None = ...) -> None: ...

class SessionMetadata(Message):
    name: str
    version: int
    def __init__(self, *, name: str | None = ..., version: int | None = ...) -> None: ...

class Signature(Message):
    @property
    def regression_signature(self) -> RegressionSignature: ...
    @property
    def classification_signature(self) -> ClassificationSignature: ...
    @property
    def generic_signature(self) -> GenericSignature: ...
    def __init__(self, *, regression_signature: RegressionSignature | Mapping[str, Any] | None = ..., classification_signature: ClassificationSignature | Mapping[str, Any] | None = ..., generic_signature: GenericSignature | Mapping[str, Any] | None = ...) -> None: ...

class SignatureDef(Message):
    @property
    def inputs(self) -> MessageMap[str, TensorInfo]: ...
    @property
    def outputs(self) -> MessageMap[str, TensorInfo]: ...
    method_name: str
    def __init__(self, *, inputs: Mapping[str, TensorInfo] | None = ..., outputs: Mapping[str, TensorInfo] | None = ..., method_name: str | None = ...) -> None: ...

class Signatures(Message):
    @property
    def default_signature(self) -> Signature: ...
    @property
    def named_signatures(self) -> MessageMap[str, Signature]: ...
    def __init__(self, *, default_signature: Signature | Mapping[str, Any] | None = ..., named_signatures: Mapping[str, Signature] | None = ...) -> None: ...

class SparseVector(Message):
    @property
    def index(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def value(self) -> RepeatedScalarFieldContainer[float]: ...
    def __init__(self, *, index: Iterable[int] | None = ..., value: Iterable[float] | None = ...) -> None: ...

SplitTypeWithDefault: EnumTypeWrapper

class SpriteMetadata(Message):
    image_path: str
    @property
    def single_image_dim(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, image_path: str | None = ..., single_image_dim: Iterable[int] | None = ...) -> None: ...

class StepSequence(Message):
    graph_key: int
    next_step_id: int
    def __init__(self, *, graph_key: int | None = ..., next_step_id: int | None = ...) -> None: ...

class StepStats(Message):
    @property
    def dev_stats(self) -> RepeatedCompositeFieldContainer[DeviceStepStats]: ...
    def __init__(self, *, dev_stats: Iterable[DeviceStepStats] | None = ...) -> None: ...

class StructuredValue(Message):
    @property
    def none_value(self) -> NoneValue: ...
    float64_value: float
    int64_value: int
    string_value: str
    bool_value: bool
    @property
    def tensor_shape_value(self) -> TensorShapeProto: ...
    tensor_dtype_value: int
    @property
    def tensor_spec_value(self) -> TensorSpecProto: ...
    @property
    def type_spec_value(self) -> TypeSpecProto: ...
    @property
    def list_value(self) -> ListValue: ...
    @property
    def tuple_value(self) -> TupleValue: ...
    @property
    def dict_value(self) -> DictValue: ...
    @property
    def named_tuple_value(self) -> NamedTupleValue: ...
    def __init__(self, *, none_value: NoneValue | Mapping[str, Any] | None = ..., float64_value: float | None = ..., int64_value: int | None = ..., string_value: str | None = ..., bool_value: bool | None = ..., tensor_shape_value: TensorShapeProto | Mapping[str, Any] | None = ..., tensor_dtype_value: int | None = ..., tensor_spec_value: TensorSpecProto | Mapping[str, Any] | None = ..., type_spec_value: TypeSpecProto | Mapping[str, Any] | None = ..., list_value: ListValue | Mapping[str, Any] | None = ..., tuple_value: TupleValue | Mapping[str, Any] | None = ..., dict_value: DictValue | Mapping[str, Any] | None = ..., named_tuple_value: NamedTupleValue | Mapping[str, Any] | None = ...) -> None: ...

class Summary(Message):
    class Image(Message):
        height: int
        width: int
        colorspace: int
        encoded_image_string: bytes
        def __init__(self, *, height: int | None = ..., width: int | None = ..., colorspace: int | None = ..., encoded_image_string: bytes | None = ...) -> None: ...
    class Audio(Message):
        sample_rate: float
        num_channels: int
        length_frames: int
        encoded_audio_string: bytes
        content_type: str
        def __init__(self, *, sample_rate: float | None = ..., num_channels: int | None = ..., length_frames: int | None = ..., encoded_audio_string: bytes | None = ..., content_type: str | None = ...) -> None: ...
    class Value(Message):
        node_name: str
        tag: str
        @property
        def metadata(self) -> SummaryMetadata: ...
        simple_value: float
        obsolete_old_style_histogram: bytes
        @property
        def image(self) -> Summary.Image: ...
        @property
        def histo(self) -> HistogramProto: ...
        @property
        def audio(self) -> Summary.Audio: ...
        @property
        def tensor(self) -> TensorProto: ...
        def __init__(self, *, node_name: str | None = ..., tag: str | None = ..., metadata: SummaryMetadata | Mapping[str, Any] | None = ..., simple_value: float | None = ..., obsolete_old_style_histogram: bytes | None = ..., image: Summary.Image | Mapping[str, Any] | None = ..., histo: HistogramProto | Mapping[str, Any] | None = ..., audio: Summary.Audio | Mapping[str, Any] | None = ..., tensor: TensorProto | Mapping[str, Any] | None = ...) -> None: ...
    @property
    def value(self) -> RepeatedCompositeFieldContainer[Summary.Value]: ...
    def __init__(self, *, value: Iterable[Summary.Value] | None = ...) -> None: ...

class SummaryDescription(Message):
    type_hint: str
    def __init__(self, *, type_hint: str | None = ...) -> None: ...

class SummaryMetadata(Message):
    class PluginData(Message):
        plugin_name: str
        content: bytes
        def __init__(self, *, plugin_name: str | None = ..., content: bytes | None = ...) -> None: ...
    @property
    def plugin_data(self) -> SummaryMetadata.PluginData: ...
    display_name: str
    summary_description: str
    def __init__(self, *, plugin_data: SummaryMetadata.PluginData | Mapping[str, Any] | None = ..., display_name: str | None = ..., summary_description: str | None = ...) -> None: ...

class TFProfTensorProto(Message):
    dtype: int
    @property
    def value_double(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def value_int64(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def value_str(self) -> RepeatedScalarFieldContainer[str]: ...
    def __init__(self, *, dtype: int | None = ..., value_double: Iterable[float] | None = ..., value_int64: Iterable[int] | None = ..., value_str: Iterable[str] | None = ...) -> None: ...

class TaggedRunMetadata(Message):
    tag: str
    run_metadata: bytes
    def __init__(self, *, tag: str | None = ..., run_metadata: bytes | None = ...) -> None: ...

class TensorBinding(Message):
    tensor_name: str
    def __init__(self, *, tensor_name: str | None = ...) -> None: ...

class TensorConnection(Message):
    from_tensor: str
    to_tensor: str
    def __init__(self, *, from_tensor: str | None = ..., to_tensor: str | None = ...) -> None: ...

class TensorDescription(Message):
    dtype: int
    @property
    def shape(self) -> TensorShapeProto: ...
    @property
    def allocation_description(self) -> AllocationDescription: ...
    def __init__(self, *, dtype: int | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ..., allocation_description: AllocationDescription | Mapping[str, Any] | None = ...) -> None: ...

class TensorInfo(Message):
    class CooSparse(Message):
        values_tensor_name: str
        indices_tensor_name: str
        dense_shape_tensor_name: str
        def __init__(self, *, values_tensor_name: str | None = ..., indices_tensor_name: str | None = ..., dense_shape_tensor_name: str | None = ...) -> None: ...
    class CompositeTensor(Message):
        @property
        def type_spec(self) -> TypeSpecProto: ...
        @property
        def components(self) -> RepeatedCompositeFieldContainer[TensorInfo]: ...
        def __init__(self, *, type_spec: TypeSpecProto | Mapping[str, Any] | None = ..., components: Iterable[TensorInfo] | None = ...) -> None: ...
    name: str
    @property
    def coo_sparse(self) -> TensorInfo.CooSparse: ...
    @property
    def composite_tensor(self) -> TensorInfo.CompositeTensor: ...
    dtype: int
    @property
    def tensor_shape(self) -> TensorShapeProto: ...
    def __init__(self, *, name: str | None = ..., coo_sparse: TensorInfo.CooSparse | Mapping[str, Any] | None = ..., composite_tensor: TensorInfo.CompositeTensor | Mapping[str, Any] | None = ..., dtype: int | None = ..., tensor_shape: TensorShapeProto | Mapping[str, Any] | None = ...) -> None: ...

class TensorProto(Message):
    dtype: int
    @property
    def tensor_shape(self) -> TensorShapeProto: ...
    version_number: int
    tensor_content: bytes
    @property
    def half_val(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def float_val(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def double_val(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def int_val(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def string_val(self) -> RepeatedScalarFieldContainer[bytes]: ...
    @property
    def scomplex_val(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def int64_val(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def bool_val(self) -> RepeatedScalarFieldContainer[bool]: ...
    @property
    def dcomplex_val(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def resource_handle_val(self) -> RepeatedCompositeFieldContainer[ResourceHandleProto]: ...
    @property
    def variant_val(self) -> RepeatedCompositeFieldContainer[VariantTensorDataProto]: ...
    @property
    def uint32_val(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def uint64_val(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, dtype: int | None = ..., tensor_shape: TensorShapeProto | Mapping[str, Any] | None = ..., version_number: int | None = ..., tensor_content: bytes | None = ..., half_val: Iterable[int] | None = ..., float_val: Iterable[float] | None = ..., double_val: Iterable[float] | None = ..., int_val: Iterable[int] | None = ..., string_val: Iterable[bytes] | None = ..., scomplex_val: Iterable[float] | None = ..., int64_val: Iterable[int] | None = ..., bool_val: Iterable[bool] | None = ..., dcomplex_val: Iterable[float] | None = ..., resource_handle_val: Iterable[ResourceHandleProto] | None = ..., variant_val: Iterable[VariantTensorDataProto] | None = ..., uint32_val: Iterable[int] | None = ..., uint64_val: Iterable[int] | None = ...) -> None: ...

class TensorShapeProto(Message):
    class Dim(Message):
        size: int
        name: str
        def __init__(self, *, size: int | None = ..., name: str | None = ...) -> None: ...
    @property
    def dim(self) -> RepeatedCompositeFieldContainer[TensorShapeProto.Dim]: ...
    unknown_rank: bool
    def __init__(self, *, dim: Iterable[TensorShapeProto.Dim] | None = ..., unknown_rank: bool | None = ...) -> None: ...

class TensorSliceProto(Message):
    class Extent(Message):
        start: int
        length: int
        def __init__(self, *, start: int | None = ..., length: int | None = ...) -> None: ...
    @property
    def extent(self) -> RepeatedCompositeFieldContainer[TensorSliceProto.Extent]: ...
    def __init__(self, *, extent: Iterable[TensorSliceProto.Extent] | None = ...) -> None: ...

class TensorSpecProto(Message):
    name: str
    @property
    def shape(self) -> TensorShapeProto: ...
    dtype: int
    def __init__(self, *, name: str | None = ..., shape: TensorShapeProto | Mapping[str, Any] | None = ..., dtype: int | None = ...) -> None: ...

class TestResults(Message):
    BenchmarkType: ClassVar[EnumTypeWrapper]
    UNKNOWN: ClassVar[int]
    CPP_MICROBENCHMARK: ClassVar[int]
    PYTHON_BENCHMARK: ClassVar[int]
    ANDROID_BENCHMARK: ClassVar[int]
    target: str
    @property
    def entries(self) -> BenchmarkEntries: ...
    @property
    def build_configuration(self) -> BuildConfiguration: ...
    @property
    def commit_id(self) -> CommitId: ...
    start_time: int
    run_time: float
    @property
    def machine_configuration(self) -> MachineConfiguration: ...
    @property
    def run_configuration(self) -> RunConfiguration: ...
    name: str
    benchmark_type: int
    run_mode: str
    tf_version: str
    def __init__(self, *, target: str | None = ..., entries: BenchmarkEntries | Mapping[str, Any] | None = ..., build_configuration: BuildConfiguration | Mapping[str, Any] | None = ..., commit_id: CommitId | Mapping[str, Any] | None = ..., start_time: int | None = ..., run_time: float | None = ..., machine_configuration: MachineConfiguration | Mapping[str, Any] | None = ..., run_configuration: RunConfiguration | Mapping[str, Any] | None = ..., name: str | None = ..., benchmark_type: int | None = ..., run_mode: str | None = ..., tf_version: str | None = ...) -> None: ...

class ThreadPoolOptionProto(Message):
    num_threads: int
    global_name: str
    def __init__(self, *, num_threads: int | None = ..., global_name: str | None = ...) -> None: ...

class Trace(Message):
    @property
    def devices(self) -> MessageMap[int, Device]: ...
    @property
    def trace_events(self) -> RepeatedCompositeFieldContainer[TraceEvent]: ...
    def __init__(self, *, devices: Mapping[int, Device] | None = ..., trace_events: Iterable[TraceEvent] | None = ...) -> None: ...

class TraceEvent(Message):
    device_id: int
    resource_id: int
    name: str
    timestamp_ps: int
    duration_ps: int
    @property
    def args(self) -> ScalarMap[str, str]: ...
    def __init__(self, *, device_id: int | None = ..., resource_id: int | None = ..., name: str | None = ..., timestamp_ps: int | None = ..., duration_ps: int | None = ..., args: Mapping[str, str] | None = ...) -> None: ...

class TraceOpts(Message):
    duration: float
    use_step_profiler: bool
    use_kernel_profiler: bool
    use_extended_profiler: bool
    use_gpu_profiler: bool
    use_sample_profiler: bool
    def __init__(self, *, duration: float | None = ..., use_step_profiler: bool | None = ..., use_kernel_profiler: bool | None = ..., use_extended_profiler: bool | None = ..., use_gpu_profiler: bool | None = ..., use_sample_profiler: bool | None = ...) -> None: ...

class TracingRequest(Message):
    @property
    def options(self) -> TraceOpts: ...
    def __init__(self, *, options: TraceOpts | Mapping[str, Any] | None = ...) -> None: ...

class TracingResponse(Message): ...

class TrackableObjectGraph(Message):
    class TrackableObject(Message):
        class ObjectReference(Message):
            node_id: int
            local_name: str
            def __init__(self, *, node_id: int | None = ..., local_name: str | None = ...) -> None: ...
        class SerializedTensor(Message):
            name: str
            full_name: str
            checkpoint_key: str
            optional_restore: bool
            def __init__(self, *, name: str | None = ..., full_name: str | None = ..., checkpoint_key: str | None = ..., optional_restore: bool | None = ...) -> None: ...
        class SlotVariableReference(Message):
            original_variable_node_id: int
            slot_name: str
            slot_variable_node_id: int
            def __init__(self, *, original_variable_node_id: int | None = ..., slot_name: str | None = ..., slot_variable_node_id: int | None = ...) -> None: ...
        @property
        def children(self) -> RepeatedCompositeFieldContainer[TrackableObjectGraph.TrackableObject.ObjectReference]: ...
        @property
        def attributes(self) -> RepeatedCompositeFieldContainer[TrackableObjectGraph.TrackableObject.SerializedTensor]: ...
        @property
        def slot_variables(self) -> RepeatedCompositeFieldContainer[TrackableObjectGraph.TrackableObject.SlotVariableReference]: ...
        def __init__(self, *, children: Iterable[TrackableObjectGraph.TrackableObject.ObjectReference] | None = ..., attributes: Iterable[TrackableObjectGraph.TrackableObject.SerializedTensor] | None = ..., slot_variables: Iterable[TrackableObjectGraph.TrackableObject.SlotVariableReference] | None = ...) -> None: ...
    @property
    def nodes(self) -> RepeatedCompositeFieldContainer[TrackableObjectGraph.TrackableObject]: ...
    def __init__(self, *, nodes: Iterable[TrackableObjectGraph.TrackableObject] | None = ...) -> None: ...

class Tree(Message):
    @property
    def nodes(self) -> RepeatedCompositeFieldContainer[Node]: ...
    def __init__(self, *, nodes: Iterable[Node] | None = ...) -> None: ...

class TreeEnsemble(Message):
    @property
    def trees(self) -> RepeatedCompositeFieldContainer[Tree]: ...
    @property
    def tree_weights(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def tree_metadata(self) -> RepeatedCompositeFieldContainer[TreeMetadata]: ...
    @property
    def growing_metadata(self) -> GrowingMetadata: ...
    def __init__(self, *, trees: Iterable[Tree] | None = ..., tree_weights: Iterable[float] | None = ..., tree_metadata: Iterable[TreeMetadata] | None = ..., growing_metadata: GrowingMetadata | Mapping[str, Any] | None = ...) -> None: ...

class TreeMetadata(Message):
    class PostPruneNodeUpdate(Message):
        new_node_id: int
        @property
        def logit_change(self) -> RepeatedScalarFieldContainer[float]: ...
        def __init__(self, *, new_node_id: int | None = ..., logit_change: Iterable[float] | None = ...) -> None: ...
    num_layers_grown: int
    is_finalized: bool
    @property
    def post_pruned_nodes_meta(self) -> RepeatedCompositeFieldContainer[TreeMetadata.PostPruneNodeUpdate]: ...
    def __init__(self, *, num_layers_grown: int | None = ..., is_finalized: bool | None = ..., post_pruned_nodes_meta: Iterable[TreeMetadata.PostPruneNodeUpdate] | None = ...) -> None: ...

class Tuple(Message):
    @property
    def int64_values(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, int64_values: Iterable[int] | None = ...) -> None: ...

class TupleValue(Message):
    @property
    def values(self) -> RepeatedCompositeFieldContainer[StructuredValue]: ...
    def __init__(self, *, values: Iterable[StructuredValue] | None = ...) -> None: ...

class TypeSpecProto(Message):
    TypeSpecClass: ClassVar[EnumTypeWrapper]
    UNKNOWN: ClassVar[int]
    SPARSE_TENSOR_SPEC: ClassVar[int]
    INDEXED_SLICES_SPEC: ClassVar[int]
    RAGGED_TENSOR_SPEC: ClassVar[int]
    TENSOR_ARRAY_SPEC: ClassVar[int]
    DATA_DATASET_SPEC: ClassVar[int]
    DATA_ITERATOR_SPEC: ClassVar[int]
    OPTIONAL_SPEC: ClassVar[int]
    PER_REPLICA_SPEC: ClassVar[int]
    type_spec_class: int
    @property
    def type_state(self) -> StructuredValue: ...
    type_spec_class_name: str
    def __init__(self, *, type_spec_class: int | None = ..., type_state: StructuredValue | Mapping[str, Any] | None = ..., type_spec_class_name: str | None = ...) -> None: ...

class ValuesDef(Message):
    @property
    def values(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def external_values(self) -> ScalarMap[str, str]: ...
    def __init__(self, *, values: Iterable[str] | None = ..., external_values: Mapping[str, str] | None = ...) -> None: ...

class VarLenFeatureProto(Message):
    dtype: int
    values_output_tensor_name: str
    indices_output_tensor_name: str
    shapes_output_tensor_name: str
    def __init__(self, *, dtype: int | None = ..., values_output_tensor_name: str | None = ..., indices_output_tensor_name: str | None = ..., shapes_output_tensor_name: str | None = ...) -> None: ...

VariableAggregation: EnumTypeWrapper

class VariableDef(Message):
    variable_name: str
    initial_value_name: str
    initializer_name: str
    snapshot_name: str
    @property
    def save_slice_info_def(self) -> SaveSliceInfoDef: ...
    is_resource: bool
    trainable: bool
    synchronization: int
    aggregation: int
    def __init__(self, *, variable_name: str | None = ..., initial_value_name: str | None = ..., initializer_name: str | None = ..., snapshot_name: str | None = ..., save_slice_info_def: SaveSliceInfoDef | Mapping[str, Any] | None = ..., is_resource: bool | None = ..., trainable: bool | None = ..., synchronization: int | None = ..., aggregation: int | None = ...) -> None: ...

VariableSynchronization: EnumTypeWrapper

class VariantTensorDataProto(Message):
    type_name: str
    metadata: bytes
    @property
    def tensors(self) -> RepeatedCompositeFieldContainer[TensorProto]: ...
    def __init__(self, *, type_name: str | None = ..., metadata: bytes | None = ..., tensors: Iterable[TensorProto] | None = ...) -> None: ...

class Vector(Message):
    @property
    def value(self) -> RepeatedScalarFieldContainer[float]: ...
    def __init__(self, *, value: Iterable[float] | None = ...) -> None: ...

class VerifierConfig(Message):
    Toggle: ClassVar[EnumTypeWrapper]
    DEFAULT: ClassVar[int]
    ON: ClassVar[int]
    OFF: ClassVar[int]
    verification_timeout_in_ms: int
    structure_verifier: int
    def __init__(self, *, verification_timeout_in_ms: int | None = ..., structure_verifier: int | None = ...) -> None: ...

class VersionDef(Message):
    producer: int
    min_consumer: int
    @property
    def bad_consumers(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(self, *, producer: int | None = ..., min_consumer: int | None = ..., bad_consumers: Iterable[int] | None = ...) -> None: ...

class WatchdogConfig(Message):
    timeout_ms: int
    def __init__(self, *, timeout_ms: int | None = ...) -> None: ...

class WhileContextDef(Message):
    context_name: str
    parallel_iterations: int
    back_prop: bool
    swap_memory: bool
    pivot_name: str
    pivot_for_pred_name: str
    pivot_for_body_name: str
    @property
    def loop_exit_names(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def loop_enter_names(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def values_def(self) -> ValuesDef: ...
    maximum_iterations_name: str
    @property
    def nested_contexts(self) -> RepeatedCompositeFieldContainer[ControlFlowContextDef]: ...
    def __init__(self, *, context_name: str | None = ..., parallel_iterations: int | None = ..., back_prop: bool | None = ..., swap_memory: bool | None = ..., pivot_name: str | None = ..., pivot_for_pred_name: str | None = ..., pivot_for_body_name: str | None = ..., loop_exit_names: Iterable[str] | None = ..., loop_enter_names: Iterable[str] | None = ..., values_def: ValuesDef | Mapping[str, Any] | None = ..., maximum_iterations_name: str | None = ..., nested_contexts: Iterable[ControlFlowContextDef] | None = ...) -> None: ...

WorkerHealth: EnumTypeWrapper

class WorkerHeartbeatRequest(Message):
    shutdown_mode: int
    @property
    def watchdog_config(self) -> WatchdogConfig: ...
    def __init__(self, *, shutdown_mode: int | None = ..., watchdog_config: WatchdogConfig | Mapping[str, Any] | None = ...) -> None: ...

class WorkerHeartbeatResponse(Message):
    health_status: int
    @property
    def worker_log(self) -> RepeatedCompositeFieldContainer[Event]: ...
    hostname: str
    def __init__(self, *, health_status: int | None = ..., worker_log: Iterable[Event] | None = ..., hostname: str | None = ...) -> None: ...

WorkerShutdownMode: EnumTypeWrapper

ABORTED: int
ALREADY_EXISTS: int
CANCELLED: int
DATA_LOSS: int
DEADLINE_EXCEEDED: int
DEFAULT: int
DEFAULT_LEFT: int
DEFAULT_RIGHT: int
DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_: int
DT_BFLOAT16: int
DT_BFLOAT16_REF: int
DT_BOOL: int
DT_BOOL_REF: int
DT_COMPLEX128: int
DT_COMPLEX128_REF: int
DT_COMPLEX64: int
DT_COMPLEX64_REF: int
DT_DOUBLE: int
DT_DOUBLE_REF: int
DT_FLOAT: int
DT_FLOAT_REF: int
DT_HALF: int
DT_HALF_REF: int
DT_INT16: int
DT_INT16_REF: int
DT_INT32: int
DT_INT32_REF: int
DT_INT64: int
DT_INT64_REF: int
DT_INT8: int
DT_INT8_REF: int
DT_INVALID: int
DT_QINT16: int
DT_QINT16_REF: int
DT_QINT32: int
DT_QINT32_REF: int
DT_QINT8: int
DT_QINT8_REF: int
DT_QUINT16: int
DT_QUINT16_REF: int
DT_QUINT8: int
DT_QUINT8_REF: int
DT_RESOURCE: int
DT_RESOURCE_REF: int
DT_STRING: int
DT_STRING_REF: int
DT_UINT16: int
DT_UINT16_REF: int
DT_UINT32: int
DT_UINT32_REF: int
DT_UINT64: int
DT_UINT64_REF: int
DT_UINT8: int
DT_UINT8_REF: int
DT_VARIANT: int
DT_VARIANT_REF: int
EQUALITY_DEFAULT_RIGHT: int
FAILED_PRECONDITION: int
INEQUALITY_DEFAULT_LEFT: int
INEQUALITY_DEFAULT_RIGHT: int
INTERNAL: int
INTERNAL_ERROR: int
INVALID_ARGUMENT: int
NOT_CONFIGURED: int
NOT_FOUND: int
OK: int
OUT_OF_RANGE: int
PERMISSION_DENIED: int
RECEIVED_SHUTDOWN_SIGNAL: int
RESOURCE_EXHAUSTED: int
SHUTDOWN_AFTER_TIMEOUT: int
SHUTTING_DOWN: int
UNAUTHENTICATED: int
UNAVAILABLE: int
UNIMPLEMENTED: int
UNKNOWN: int
VARIABLE_AGGREGATION_MEAN: int
VARIABLE_AGGREGATION_NONE: int
VARIABLE_AGGREGATION_ONLY_FIRST_REPLICA: int
VARIABLE_AGGREGATION_SUM: int
VARIABLE_SYNCHRONIZATION_AUTO: int
VARIABLE_SYNCHRONIZATION_NONE: int
VARIABLE_SYNCHRONIZATION_ON_READ: int
VARIABLE_SYNCHRONIZATION_ON_WRITE: int
WAIT_FOR_COORDINATOR: int
