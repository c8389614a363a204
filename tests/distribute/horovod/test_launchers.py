"""Launchers, detected by their environment variables: a rank never trains alone silently."""

import sys
from types import SimpleNamespace

import pytest

import tfmini as tf
from tests.distribute.horovod.fake_mpi import FakeMpi, World
from tfmini._src.distribute.horovod import tensorflow as hvd
from tfmini._src.distribute.horovod.launchers import LAUNCHERS, check_connected, current_job

# The variables that each launcher sets in the second of four processes.
ENVIRONMENTS = {
    "Open MPI's mpirun": {
        "OMPI_COMM_WORLD_RANK": "1",
        "OMPI_COMM_WORLD_SIZE": "4",
        "PMIX_RANK": "1",
    },
    "MVAPICH's mpirun": {"MV2_COMM_WORLD_RANK": "1", "MV2_COMM_WORLD_SIZE": "4"},
    "mpiexec": {"PMI_RANK": "1", "PMI_SIZE": "4"},
    "srun": {"SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "4", "SLURM_NTASKS": "4"},
    "a launcher with PMIx": {"PMIX_RANK": "1"},
    "jsrun": {"JSM_NAMESPACE_RANK": "1", "JSM_NAMESPACE_SIZE": "4"},
    "flux run": {"FLUX_TASK_RANK": "1", "FLUX_JOB_SIZE": "4"},
    "horovodrun": {"HOROVOD_RANK": "1", "HOROVOD_SIZE": "4"},
}


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    for launcher in LAUNCHERS:
        for name in (launcher.rank, launcher.size, "TFMINI_RANKS", "SLURM_NTASKS"):
            if name:
                monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_launchers_are_recognized(name, monkeypatch):
    for variable, value in ENVIRONMENTS[name].items():
        monkeypatch.setenv(variable, value)
    job = current_job()
    assert job.launcher.name == name
    assert job.size == (0 if name == "a launcher with PMIx" else 4)


@pytest.mark.parametrize(
    "alone",
    [
        {},
        {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1", "PMIX_RANK": "0"},
        {"PMI_RANK": "0", "PMI_SIZE": "1"},
        {"SLURM_PROCID": "0", "SLURM_NTASKS": "4"},  # a batch script not started by srun
    ],
)
def test_single_process_is_not_a_job(alone, monkeypatch):
    for variable, value in alone.items():
        monkeypatch.setenv(variable, value)
    assert current_job() is None


@pytest.mark.parametrize(
    "environment, text",
    [
        ({"OMPI_COMM_WORLD_RANK": "x", "OMPI_COMM_WORLD_SIZE": "y"}, "OMPI_COMM_WORLD_RANK='x'"),
        ({"HOROVOD_RANK": "1", "HOROVOD_SIZE": "x"}, "HOROVOD_SIZE='x' is neither a number"),
        (
            {"PMI_RANK": "1"},
            "PMI_RANK=1 indicates that mpiexec .* but PMI_SIZE does not specify how many",
        ),
        ({"MV2_COMM_WORLD_RANK": "2"}, "MV2_COMM_WORLD_RANK=2 indicates"),
        ({"HOROVOD_RANK": "1"}, "HOROVOD_RANK=1 indicates that horovodrun"),
        ({"SLURM_PROCID": "3", "SLURM_NTASKS": "4"}, "SLURM_PROCID=3 indicates that srun"),
        (
            {"SLURM_PROCID": "3", "SLURM_STEP_NUM_TASKS": ""},
            "SLURM_STEP_NUM_TASKS does not specify",
        ),
    ],
)
def test_invalid_environment_is_rejected(environment, text, monkeypatch):
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        hvd.init()
    assert not hvd.is_initialized()


def test_stale_horovodrun_variables_do_not_hide_mpirun(monkeypatch):
    for variable, value in {"HOROVOD_SIZE": "1", **ENVIRONMENTS["Open MPI's mpirun"]}.items():
        monkeypatch.setenv(variable, value)
    assert current_job().launcher.name == "Open MPI's mpirun"


def test_horovodrun_without_store_is_rejected(monkeypatch):
    for variable, value in ENVIRONMENTS["horovodrun"].items():
        monkeypatch.setenv(variable, value)
    with pytest.raises(tf.errors.UnimplementedError, match="horovodrun started 4 processes"):
        hvd.init()
    assert not hvd.is_initialized()


@pytest.mark.parametrize("name", ["srun", "a launcher with PMIx"])
def test_disconnected_mpi_is_rejected(name, monkeypatch):
    """As with an mpi4py wheel for another MPI than the machine's: each process is alone in its world."""
    for variable, value in ENVIRONMENTS[name].items():
        monkeypatch.setenv(variable, value)
    world = FakeMpi(World(1), 0)
    world.COMM_WORLD.Get_size = lambda: 1
    monkeypatch.setitem(sys.modules, "mpi4py", SimpleNamespace(MPI=world))
    expected = "4 processes" if name == "srun" else "several processes"
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match=f"{name} started {expected}, but MPI connects 1",
    ):
        hvd.init()
    assert not hvd.is_initialized()


def test_connected_mpi_is_accepted(monkeypatch):
    for variable, value in ENVIRONMENTS["srun"].items():
        monkeypatch.setenv(variable, value)
    check_connected(current_job(), 4)
    monkeypatch.setenv("SLURM_STEP_NUM_TASKS", "1")
    assert current_job() is None
