"""tfmini._src.base.proto: TensorFlow's messages by name, loaded lazily, in a separate pool."""

import copy
import importlib
import pickle
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

from tests.support import cases
from tfmini._src.base import proto

NEEDED = (
    "AttrValue ClusterDef CondContextDef ConfigProto CostGraphDef DeviceAttributes DeviceProperties"
    " Event Example ExampleParserConfiguration Feature FeatureList FunctionDef FunctionDefLibrary"
    " GPUOptions GraphDebugInfo GraphDef GraphOptions HistogramProto JobDef KernelDef KernelList"
    " LogMessage MetaGraphDef NameAttrList NodeDef OpDef OpList OptimizerOptions ProjectorConfig"
    " QueueRunnerDef ResourceHandleProto RewriterConfig RunMetadata RunOptions SaveSliceInfoDef"
    " SavedModel SavedTensorSlices SaverDef SequenceExample ServerDef SessionLog SignatureDef"
    " StepStats Summary SummaryMetadata TensorInfo TensorProto TensorShapeProto TensorSliceProto"
    " VariableDef VersionDef WhileContextDef BundleEntryProto BundleHeaderProto CheckpointState"
    " TrackableObjectGraph SavedObjectGraph NamedTensorProto TensorConnection"
).split()


def descriptors():
    data = Path(proto.__file__).with_name("tensorflow.desc").read_bytes()
    return descriptor_pb2.FileDescriptorSet.FromString(data).file


@cases.in_one_test
@pytest.mark.parametrize("name", NEEDED)
def test_every_message_exists(name):
    message = getattr(proto, name)()
    assert message.DESCRIPTOR.full_name == f"tensorflow.{name}"
    home = importlib.import_module(type(message).__module__)
    assert getattr(home, name) is type(message)
    assert type(message).FromString(message.SerializeToString()) == message


def test_enums():
    assert proto.DataType.Value("DT_HALF") == proto.DT_HALF == 19
    assert proto.DataType.Name(101) == "DT_FLOAT_REF"
    assert proto.Code.Name(proto.INVALID_ARGUMENT) == "INVALID_ARGUMENT"
    assert proto.SaverDef.V2 == 2
    assert proto.GraphDef.DESCRIPTOR.full_name == "tensorflow.GraphDef"


def test_short_names_are_unambiguous():
    files = descriptors()
    names = [m.name for file in files for m in (*file.message_type, *file.enum_type)]
    values = {(e.name, v.name, v.number) for f in files for e in f.enum_type for v in e.value}
    numbers = {(value, number) for _, value, number in values}
    counts = Counter(names) + Counter(value for value, _ in numbers)
    assert [name for name, count in counts.items() if count > 1] == []
    assert set(dir(proto)) == {*counts, "DecodeError"}


def test_unknown_message_name():
    for name in ("GraphDeff", "_private"):
        with pytest.raises(AttributeError, match=name):
            getattr(proto, name)


def test_pickle_and_deepcopy():
    graph = proto.GraphDef()
    graph.node.add(name="a", op="Const").attr["value"].tensor.dtype = proto.DT_FLOAT
    nested = proto.ConfigProto.Experimental(collective_group_leader="me")
    entry = proto.Summary.Value(tag="loss", simple_value=0.5)
    for message in (graph, graph.node[0], graph.node[0].attr["value"], nested, entry):
        assert pickle.loads(pickle.dumps(message)) == message
        assert copy.deepcopy(message) == message
        assert type(pickle.loads(pickle.dumps(message))) is type(message)


def test_map_fields_print_in_key_order():
    node = proto.NodeDef(name="a")
    for key in "dbca":
        node.attr[key].i = ord(key)
    expected = 'name: "a"\n' + "".join(
        f'attr {{\n  key: "{key}"\n  value {{\n    i: {ord(key)}\n  }}\n}}\n' for key in "abcd"
    )
    assert str(node) == repr(node) == f"{node}" == expected
    nested = proto.ConfigProto.Experimental(collective_group_leader="me")
    assert str(nested) == 'collective_group_leader: "me"\n'


def test_any_fields_keep_tensorflow_type_urls():
    meta = proto.MetaGraphDef()
    meta.meta_info_def.any_info.Pack(proto.VersionDef(producer=134))
    url = meta.meta_info_def.any_info.type_url
    assert url == "type.googleapis.com/tensorflow.VersionDef"
    unpacked = proto.VersionDef()
    assert meta.meta_info_def.any_info.Unpack(unpacked)
    assert unpacked.producer == 134


@pytest.mark.parametrize(
    "before, private", (("import tfmini", True), ("import tfmini.as_tensorflow", False))
)
def test_descriptor_pool_is_private_unless_hooked(before, private):
    program = (
        f"{before}\nfrom tfmini._src.base import proto\n"
        "from google.protobuf import descriptor_pool\n"
        "pool = proto.GraphDef.DESCRIPTOR.file.pool\n"
        "assert pool is proto.ConfigProto.DESCRIPTOR.file.pool\n"
        f"assert (pool is not descriptor_pool.Default()) is {private}\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_protobuf_is_loaded_lazily():
    program = (
        "import sys; from tfmini._src.base import dtypes, errors, nest, proto, shapes\n"
        "assert not any(name.startswith('google.protobuf') for name in sys.modules)\n"
        "assert len(proto.GraphDef().node) == 0\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
