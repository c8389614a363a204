"""Kubernetes manifests: YAML with consistent names, ports, addresses and secrets."""

import json

import pytest
import yaml

from tfmini._src.programs.cli import main


def manifests(capsys, *options):
    """The objects printed by `tfmini launch --kubernetes`, by kind and name."""
    assert main(["launch", "--kubernetes", *options]) == 0
    result = list(yaml.safe_load_all(capsys.readouterr().out))
    return {(each["kind"], each["metadata"]["name"]): each for each in result}


def container_of(made):
    (container,) = made["spec"]["template"]["spec"]["containers"]
    return container


def variables_of(container, index):
    """A pod's environment variables, as Kubernetes derives them from its index."""
    values = {each["name"]: each.get("value") for each in container["env"]}
    return {
        name: text and text.replace("$(TASK_INDEX)", str(index)) for name, text in values.items()
    }


def reached(found):
    """The addresses that Services assign to the pods of StatefulSets and Jobs, with the pods' indices."""
    addresses = {}
    for (kind, name), made in found.items():
        spec = made["spec"] if "spec" in made else {}
        if kind == "StatefulSet":
            count, service = spec["replicas"], spec["serviceName"]
            assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
        elif kind == "Job":
            count, service = spec["completions"], spec["template"]["spec"]["subdomain"]
            assert spec["parallelism"] == count and spec["completionMode"] == "Indexed"
        else:
            continue
        net = found["Service", service]["spec"]
        assert net["clusterIP"] == "None" and net["publishNotReadyAddresses"] is True
        assert net["selector"] == spec["template"]["metadata"]["labels"]
        port = container_of(made)["ports"][0]["containerPort"]
        assert net["ports"][0]["port"] == port
        for index in range(count):
            addresses[f"{name}-{index}.{service}:{port}"] = (made, index)
    return addresses


def test_parameter_server_manifests(capsys, monkeypatch):
    monkeypatch.setenv("TFMINI_TOKEN", "1e5")
    options = ["--ps", "2", "--workers", "3", "--chief", "--evaluator", "--restarts", "2"]
    resources = ["--name", "mnist", "--image", "me/train:1", "--cpus", "0.5", "--gpus", "1"]
    command = ["train.py", "--task", "{job} {task}", "--ps={ps_hosts}", "$(HOME)", "yes", "a: b"]
    result = manifests(capsys, "plain", *options, *resources, *command)
    assert result["Secret", "mnist-token"]["stringData"] == {"token": "1e5"}
    kinds = {kind: [name for each, name in result if each == kind] for kind, _ in result}
    assert kinds["StatefulSet"] == ["mnist-ps"]
    assert kinds["Job"] == ["mnist-chief", "mnist-worker", "mnist-evaluator"]
    addresses = reached(result)
    assert len(addresses) == 2 + 3 + 1 + 1
    ps = [each for each in addresses if each.startswith("mnist-ps")]
    for address, (made, index) in addresses.items():
        container = container_of(made)
        variables = variables_of(container, index)
        config = json.loads(variables["TF_CONFIG"])
        job = config["task"]["type"]
        assert config["task"]["index"] == index
        assert sorted(config["cluster"]) == ["chief", "ps", "worker"]
        assert job == "evaluator" or config["cluster"][job][index] == address
        assert config["cluster"]["ps"] == ps
        assert {each for hosts in config["cluster"].values() for each in hosts} <= set(addresses)
        (source,) = (each for each in container["env"] if each["name"] == "TASK_INDEX")
        assert ("pod-index" if job == "ps" else "completion-index") in str(source["valueFrom"])
        (token,) = (each for each in container["env"] if each["name"] == "TFMINI_TOKEN")
        assert token["valueFrom"] == {"secretKeyRef": {"name": "mnist-token", "key": "token"}}
        assert variables["TFMINI_BIND"] == "0.0.0.0" and container["image"] == "me/train:1"
        limits = {} if job == "ps" else {"nvidia.com/gpu": "1"}
        assert container["resources"] == {"requests": {"cpu": "0.5"}, "limits": limits}
        filled = [f"{job} $(TASK_INDEX)", f"--ps={','.join(ps)}", "$$(HOME)", "yes", "a: b"]
        assert container["command"] == ["tfmini", "run", "train.py", "--task", *filled]
    assert result["Job", "mnist-worker"]["spec"]["backoffLimit"] == 6


def test_rank_manifests(capsys, monkeypatch):
    monkeypatch.delenv("TFMINI_TOKEN", raising=False)
    options = ["plain", "--ranks", "4", "--image", "me/train", "train.py"]
    result, other = manifests(capsys, *options), manifests(capsys, *options)
    tokens = [each["Secret", "train-token"]["stringData"]["token"] for each in (result, other)]
    assert len(tokens[0]) > 30 and tokens[0] != tokens[1]
    addresses = reached(result)
    for address, (made, index) in addresses.items():
        variables = variables_of(container_of(made), index)
        assert variables["TFMINI_RANKS"].split(",") == list(addresses)
        assert list(addresses)[int(variables["HOROVOD_RANK"])] == address


def test_kubeflow_job_manifest(capsys):
    options = ["TFJob", "--ps", "1", "--workers", "2", "--chief", "--evaluator"]
    result = manifests(capsys, *options, "--image", "me/train", "train.py")
    assert list(result) == [("Secret", "train-token"), ("TFJob", "train")]
    made = result["TFJob", "train"]
    assert made["apiVersion"] == "kubeflow.org/v1"
    replicas = made["spec"]["tfReplicaSpecs"]
    counts = {kind: each["replicas"] for kind, each in replicas.items()}
    assert counts == {"Chief": 1, "PS": 1, "Worker": 2, "Evaluator": 1}
    for each in replicas.values():
        container = container_of({"spec": each})
        assert (
            container["name"] == "tensorflow"
        )  # as requested by the operator, which sets TF_CONFIG
        assert container["ports"] == [{"name": "tfjob-port", "containerPort": 2222}]
        assert [variable["name"] for variable in container["env"]] == [
            "TFMINI_BIND",
            "TFMINI_TOKEN",
        ]


@pytest.mark.parametrize(
    "options, message",
    [
        (["plain"], "--kubernetes requires --image"),
        (["plain", "--image", "a", "--name", "Mnist"], "'Mnist' is not a valid name"),
        (["plain", "--image", "a", "--name", "a-"], "'a-' is not a valid name"),
        (["TFJob", "--image", "a", "--ranks", "2"], "a TFJob does not support ranks"),
        (["TFJob", "--image", "a", "--ps", "1"], "a TFJob supports only TF_CONFIG"),
        (["plain", "--image", "a", "--ray"], "neither elastic training nor Ray"),
        (["plain", "--image", "a", "--min-np", "1", "--max-np", "2"], "neither elastic training"),
        (["Pod", "--image", "a"], "invalid choice: 'Pod'"),
    ],
)
def test_invalid_options(options, message, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["launch", "--kubernetes", *options, "train.py", "{task}"])
    assert ended.value.code == 2 and message in capsys.readouterr().err
