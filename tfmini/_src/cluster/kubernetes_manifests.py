"""Kubernetes manifests that run a script's tasks: a TFJob, or plain Services, StatefulSets and Jobs.

Parameter servers, which never end, become a StatefulSet, the tasks of any other job an indexed Job. Both give pods
stable names, which a headless Service resolves. A TFJob leaves this, and setting TF_CONFIG, to Kubeflow's training
operator.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tfmini._src.cluster.launcher import cluster_environment, fill_command

PORT = 2222
_INDEX = "TASK_INDEX"
_UNQUOTED_TEXT = re.compile(r"[A-Za-z/][\w./-]*(:[\w./-]+)?")
_WORDS = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
_STATEFUL_SET_INDEX_FIELD = "metadata.labels['apps.kubernetes.io/pod-index']"
_JOB_INDEX_FIELD = "metadata.annotations['batch.kubernetes.io/job-completion-index']"


@dataclass(frozen=True)
class Manifests:
    """Kubernetes objects that run the tasks of a script.

    name: the cluster's name, and the prefix of object names.
    image: the container image with the script and tfmini.
    jobs: number of tasks per job.
    command: the script and its arguments.
    token: shared by all tasks (TFMINI_TOKEN).
    restarts: maximum number of restarts of a failed task.
    cpus, gpus: number per task; parameter servers get no GPUs.
    """

    name: str
    image: str
    jobs: Mapping[str, int]
    command: Sequence[str]
    token: str
    restarts: int = 3
    cpus: float = 1.0
    gpus: float = 0.0

    def plain_objects(self) -> str:
        """Returns the YAML of a Secret, and of a Service and a StatefulSet or Job for each job."""
        objects = [self._secret()]
        for job, count in self.jobs.items():
            objects += [self._service(job), self._tasks(job, count)]
        return _documents(objects)

    def tf_job(self) -> str:
        """Returns the YAML of a Secret and a TFJob."""
        replica_types = {"chief": "Chief", "ps": "PS", "worker": "Worker", "evaluator": "Evaluator"}
        replicas = {
            replica_types[job]: {
                "replicas": count,
                "restartPolicy": "OnFailure",
                "template": {"spec": {"containers": [self._container(job, [], self.command)]}},
            }
            for job, count in self.jobs.items()
        }
        limits = {"backoffLimit": self.restarts, "cleanPodPolicy": "Running"}
        spec = {"runPolicy": limits, "tfReplicaSpecs": replicas}
        results = {"apiVersion": "kubeflow.org/v1", "kind": "TFJob", **self._metadata(self.name)}
        return _documents([self._secret(), {**results, "spec": spec}])

    def _metadata(self, name: str) -> dict[str, Any]:
        return {"metadata": {"name": name, "labels": {"app": self.name}}}

    def _secret(self) -> dict[str, Any]:
        results = {"apiVersion": "v1", "kind": "Secret", **self._metadata(f"{self.name}-token")}
        return {**results, "stringData": {"token": self.token}}

    def _service(self, job: str) -> dict[str, Any]:
        """Returns a headless Service, which gives each pod of a job a DNS name."""
        spec = {
            "clusterIP": "None",
            "publishNotReadyAddresses": True,
            "selector": self._labels(job),
            "ports": [{"name": "tasks", "port": PORT}],
        }
        name = self._metadata(f"{self.name}-{job}")
        return {"apiVersion": "v1", "kind": "Service", **name, "spec": spec}

    def _labels(self, job: str) -> dict[str, str]:
        return {"app": self.name, "task-of": job}

    def _tasks(self, job: str, count: int) -> dict[str, Any]:
        """Returns the StatefulSet or Job with a job's pods."""
        name = f"{self.name}-{job}"
        addresses = {
            other: [
                f"{self.name}-{other}-{n}.{self.name}-{other}:{PORT}" for n in range(task_count)
            ]
            for other, task_count in self.jobs.items()
        }
        index = f"$({_INDEX})"  # replaced by Kubernetes
        source = _STATEFUL_SET_INDEX_FIELD if job == "ps" else _JOB_INDEX_FIELD
        variables = [{"name": _INDEX, "valueFrom": {"fieldRef": {"fieldPath": source}}}]
        for key, text in cluster_environment(job, index, addresses).items():
            variables.append({"name": key, "value": text.replace(f'"{index}"', index)})
        escaped = [part.replace("$(", "$$(") for part in self.command]
        container = self._container(job, variables, fill_command(escaped, job, index, addresses))
        pods: dict[str, Any] = {"containers": [container]}
        template = {"metadata": {"labels": self._labels(job)}, "spec": pods}
        if job == "ps":
            kind, version = "StatefulSet", "apps/v1"
            spec: dict[str, Any] = {
                "serviceName": name,
                "replicas": count,
                "podManagementPolicy": "Parallel",
                "selector": {"matchLabels": self._labels(job)},
            }
        else:
            kind, version = "Job", "batch/v1"
            pods.update(subdomain=name, restartPolicy="OnFailure")
            spec = {
                "completionMode": "Indexed",
                "completions": count,
                "parallelism": count,
                "backoffLimit": self.restarts * count,
            }
        spec["template"] = template
        return {"apiVersion": version, "kind": kind, **self._metadata(name), "spec": spec}

    def _container(
        self, job: str, variables: Sequence[dict[str, Any]], command: Sequence[str]
    ) -> dict[str, Any]:
        token = {"secretKeyRef": {"name": f"{self.name}-token", "key": "token"}}
        gpus = {"nvidia.com/gpu": f"{self.gpus:g}"} if self.gpus and job != "ps" else {}
        return {
            "name": "tensorflow",
            "image": self.image,
            "command": ["tfmini", "run", *command],
            "env": [
                *variables,
                {"name": "TFMINI_BIND", "value": "0.0.0.0"},
                {"name": "TFMINI_TOKEN", "valueFrom": token},
            ],
            "ports": [{"name": "tfjob-port", "containerPort": PORT}],
            "resources": {"requests": {"cpu": f"{self.cpus:g}"}, "limits": gpus},
        }


def _documents(objects: Sequence[Mapping[str, Any]]) -> str:
    return "---\n".join("\n".join(_yaml_lines(item)) + "\n" for item in objects)


def _yaml_lines(value: Any) -> Iterator[str]:
    """Returns the lines of a value in YAML."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            first, *rest = _yaml_lines(item)
            is_block = isinstance(item, Mapping | list) and item
            yield f"{_yaml_scalar(key)}:" if is_block else f"{_yaml_scalar(key)}: {first}"
            if is_block:
                yield from (f"  {line}" for line in (first, *rest))
    elif isinstance(value, list) and value:
        for item in value:
            first, *rest = _yaml_lines(item)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
    else:
        yield _yaml_scalar(value)


def _yaml_scalar(value: Any) -> str:
    """Returns a YAML scalar: plain if it is unambiguous, else as JSON, which is valid YAML."""
    if isinstance(value, str) and _UNQUOTED_TEXT.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value)
