"""Cluster resolvers: TensorFlow 1.15.5's results for the same environments."""

import json
import os
import sys
from types import SimpleNamespace

import pytest

import tfmini as tf

CLUSTER = {"ps": ["a:1"], "worker": ["b:1", "c:1"]}


def resolvers():
    return tf.distribute.cluster_resolver


def test_simple():
    simple = resolvers().SimpleClusterResolver(
        tf.train.ClusterSpec(CLUSTER),
        "m:1",
        "worker",
        1,
        num_accelerators={"GPU": 2},
        rpc_layer="grpc",
    )
    assert simple.cluster_spec().as_dict() == CLUSTER
    assert simple.master() == "grpc://m:1" and simple.master("worker", 0) == "grpc://b:1"
    assert (simple.task_type, simple.task_id, simple.rpc_layer) == ("worker", 1, "grpc")
    assert simple.num_accelerators() == {"GPU": 2} and simple.environment == ""
    with pytest.raises(TypeError, match="cluster_spec must be a ClusterSpec"):
        resolvers().SimpleClusterResolver(CLUSTER)


def test_union():
    module = resolvers()
    one = module.SimpleClusterResolver(
        tf.train.ClusterSpec(CLUSTER), "m:1", task_type="ps", task_id=3
    )
    other = module.SimpleClusterResolver(tf.train.ClusterSpec({"worker": ["d:1"]}))
    both = module.UnionResolver(one, other, rpc_layer="grpc")
    assert both.cluster_spec().as_dict() == {"ps": ["a:1"], "worker": ["b:1", "c:1", "d:1"]}
    assert both.master("worker", 2) == "grpc://d:1" and (both.task_type, both.task_id) == ("ps", 3)
    one.rpc_layer = "grpc"  # a union has it, and prepends it to no task of its own
    union = module.UnionResolver(one, other)
    assert (union.rpc_layer, union.master("worker", 2), union.master()) == (
        "grpc",
        "d:1",
        "grpc://m:1",
    )
    one.task_id, union.task_type = 4, "worker"
    assert (union.task_type, union.task_id) == ("worker", 4)
    sparse = module.SimpleClusterResolver(tf.train.ClusterSpec({"worker": {5: "e:1"}}))
    merged = module.UnionResolver(one, sparse).cluster_spec().as_dict()
    assert merged["worker"] == {0: "b:1", 1: "c:1", 5: "e:1"}
    clash = module.SimpleClusterResolver(tf.train.ClusterSpec({"worker": {1: "x:1"}}))
    with pytest.raises(KeyError, match="Duplicate keys"):
        module.UnionResolver(one, clash).cluster_spec()
    with pytest.raises(ValueError, match="At least one"):
        module.UnionResolver()
    with pytest.raises(TypeError, match="sub-class"):
        module.UnionResolver(3)


def test_tf_config(monkeypatch):
    resolver = resolvers().TFConfigClusterResolver(rpc_layer="grpc")
    monkeypatch.delenv("TF_CONFIG", raising=False)
    assert not resolver.cluster_spec() and resolver.master() == "" and resolver.task_type is None
    config = {"cluster": CLUSTER, "task": {"type": "worker", "index": "1"}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    assert resolver.cluster_spec().as_dict() == CLUSTER
    assert resolver.master() == "grpc://c:1" and resolver.task_id == 1
    assert resolver.master("ps", 0) == "grpc://a:1"
    monkeypatch.setenv("TF_CONFIG", json.dumps({**config, "session_master": "here"}))
    assert resolver.master() == "here"


def test_accelerators_of_server(monkeypatch):
    server = tf.train.Server.create_local_server(tf.ConfigProto(device_count={"CPU": 3}))
    monkeypatch.setenv("TF_CONFIG", json.dumps({"session_master": server.target}))
    assert dict(resolvers().TFConfigClusterResolver().num_accelerators()) == {"CPU": 3}
    server._stop()


def test_slurm(monkeypatch):
    for key in ("OMPI_COMM_WORLD_RANK", "SLURM_NTASKS_PER_NODE"):
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setenv("SLURM_PROCID", "3")
    monkeypatch.setenv("SLURM_NTASKS", "4")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    kind = resolvers().SlurmClusterResolver
    monkeypatch.setattr(kind, "_resolve_hostnames", lambda self: ["h0", "h1"])
    with pytest.raises(RuntimeError, match="Neither `tasks_per_node`"):
        kind({"worker": 4})
    slurm = kind({"worker": 3, "ps": 1}, gpus_per_node=4, gpus_per_task=2, tasks_per_node=2)
    assert slurm.master() == ""
    expected = {"ps": ["h0:8888"], "worker": ["h0:8889", "h1:8888", "h1:8889"]}
    assert slurm.cluster_spec().as_dict() == expected
    assert slurm.get_task_info() == ("worker", 2) and slurm.master() == "grpc://h1:8889"

    assert os.environ["CUDA_VISIBLE_DEVICES"] == "2,3"
    with pytest.raises(RuntimeError, match="more tasks"):
        kind({"worker": 5}, tasks_per_node=1)
    with pytest.raises(RuntimeError, match="more GPUs"):
        kind({"worker": 4}, tasks_per_node=2)


def test_compute_engine(monkeypatch):
    """With a service that returns two pages of instances."""
    requests = []

    def answer(value):
        return SimpleNamespace(execute=lambda: value)

    def page(*names):
        return answer({"items": [{"instance": f"https://x/instances/{name}"} for name in names]})

    def first(**given):
        requests.append(given)
        return page("b", "a")

    def details(**given):
        requests.append(given)
        return answer({"networkInterfaces": [{"networkIP": f"10.0.0.{ord(given['instance'])}"}]})

    pages = [page("c"), None]
    groups = SimpleNamespace(
        listInstances=first,
        listInstances_next=lambda previous_request, previous_response: pages.pop(0),
    )
    service = SimpleNamespace(
        instanceGroups=lambda: groups, instances=lambda: SimpleNamespace(get=details)
    )
    kind = resolvers().GCEClusterResolver
    assert kind is tf.contrib.cluster_resolver.GCEClusterResolver
    actual = kind("p", "z", "g", 8470, task_id=1, service=service)
    expected = ["10.0.0.97:8470", "10.0.0.98:8470", "10.0.0.99:8470"]
    assert actual.cluster_spec().as_dict() == {"worker": expected}
    body = {"body": {"instanceState": "RUNNING"}, "orderBy": "name"}
    assert requests[0] == {"project": "p", "zone": "z", "instanceGroups": "g", **body}
    assert requests[1] == {"project": "p", "zone": "z", "instance": "b"}
    pages[:] = [None]
    assert actual.master() == "grpc://10.0.0.98:8470"
    with pytest.raises(RuntimeError, match="cannot reset the task_type of the GCEClusterResolver"):
        actual.task_type = "ps"
    monkeypatch.setitem(sys.modules, "googleapiclient", None)
    with pytest.raises(ImportError, match="googleapiclient must be installed before using the GCE"):
        kind("p", "z", "g", 8470)


def test_kubernetes():
    def pod(name, address, phase="Running"):
        status = SimpleNamespace(phase=phase, host_ip=address)
        return SimpleNamespace(metadata=SimpleNamespace(name=name), status=status)

    pods = {"a": [pod("two", "10.0.0.2"), pod("one", "10.0.0.1")], "b": [pod("x", "", "Pending")]}
    client = SimpleNamespace(
        list_pod_for_all_namespaces=lambda label_selector: SimpleNamespace(
            items=pods[label_selector]
        )
    )
    kind = resolvers().KubernetesClusterResolver
    result = kind({"worker": ["a"]}, override_client=client)
    assert result.cluster_spec().as_dict() == {"worker": ["10.0.0.1:8470", "10.0.0.2:8470"]}
    assert result.master() == "" and result.master("worker", 1) == "grpc://10.0.0.2:8470"
    with pytest.raises(RuntimeError, match='Pod "x" is not running; phase: "Pending"'):
        kind({"worker": ["b"]}, override_client=client).cluster_spec()


@pytest.mark.parametrize(
    "asked, counts",
    [((), {"CPU": 1, "GPU": 2}), (("worker", 0), {"CPU": 1}), ((None, 0), {"CPU": 1})],
)
def test_accelerators_of_task(monkeypatch, asked, counts):
    """By default those of this process's task."""
    tf_config = {"cluster": CLUSTER, "task": {"type": "worker", "index": 1}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(tf_config))
    named = [(0, "CPU"), (1, "CPU"), (1, "GPU"), (1, "GPU")]

    class Session:
        def __init__(self, target, graph, config):
            assert target == CLUSTER["worker"][1 if not asked else 0] and config is None

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def list_devices(self):
            return [
                SimpleNamespace(
                    name=f"/job:worker/replica:0/task:{task}/device:{kind}:0", device_type=kind
                )
                for task, kind in named
            ]

    names = resolvers().ClusterResolver.num_accelerators.__globals__
    monkeypatch.setitem(names, "Session", Session)
    assert resolvers().TFConfigClusterResolver().num_accelerators(*asked) == counts


def test_kubernetes_default_client(monkeypatch):
    """The package's own client is used, after loading its configuration."""
    kind, calls = resolvers().KubernetesClusterResolver, []

    class Client:
        def __init__(self):
            calls.append("client")

        def list_pod_for_all_namespaces(self, label_selector):
            calls.append(label_selector)
            return SimpleNamespace(items=[])

    package = SimpleNamespace(
        client=SimpleNamespace(CoreV1Api=Client),
        config=SimpleNamespace(load_kube_config=lambda: calls.append("config")),
    )
    monkeypatch.setitem(sys.modules, "kubernetes", package)
    result = kind(rpc_layer="x")
    assert result.cluster_spec().as_dict() == {"worker": {}} and result.rpc_layer == "x"
    assert calls == ["config", "client", "job-name=tensorflow"]
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    with pytest.raises(ImportError, match="must be installed before using the Kubernetes Cluster"):
        kind()
