"""A session's memory options, on two GPUs of 16 GiB with 10 GiB free."""

import pytest

import tfmini as tf
from tfmini._src.devices.cuda.discovery import PhysicalGpu
from tfmini._src.devices.cuda.gpu_options import Share, logical_gpus

GIB = 1 << 30
PHYSICAL_GPUS = tuple(PhysicalGpu(n, "card", f"0000:0{n}:00.0", "9.0", 16 * GIB) for n in range(2))


def shared(config=None, free=10 * GIB, physical_gpus=PHYSICAL_GPUS):
    return logical_gpus(config, physical_gpus, lambda physical: free)


def options(**fields):
    return tf.ConfigProto(gpu_options=tf.GPUOptions(**fields))


def virtual(*splits, **fields):
    config = options(**fields)
    for limits in splits:
        config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=limits)
    return config


def test_default_limit_is_95_percent_of_free_memory():
    limit = 10 * GIB - int(0.05 * 10 * GIB)
    assert shared() == [Share(physical, limit, False) for physical in PHYSICAL_GPUS]


def test_small_gpu_reserves_225_mib():
    assert shared(free=GIB)[0].limit_bytes == GIB - (225 << 20)


def test_medium_gpu_reserves_300_mib():
    assert shared(free=4 * GIB)[0].limit_bytes == 4 * GIB - (300 << 20)


def test_fraction_is_relative_to_total_memory():
    config = options(per_process_gpu_memory_fraction=0.25, allow_growth=True)
    assert shared(config) == [Share(physical, 4 * GIB, True) for physical in PHYSICAL_GPUS]


@pytest.mark.parametrize("forced, asked, grows", [("true", False, True), ("false", True, False)])
def test_environment_overrides_allow_growth(monkeypatch, forced, asked, grows):
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", forced)
    assert shared(options(allow_growth=asked))[0].grows is grows


def test_device_count_selects_first_gpus():
    assert [s.physical for s in shared(tf.ConfigProto(device_count={"GPU": 1}))] == [
        PHYSICAL_GPUS[0]
    ]
    assert shared(tf.ConfigProto(device_count={"GPU": 0})) == []
    assert [s.physical for s in shared(tf.ConfigProto(device_count={"GPU": -1}))] == [
        *PHYSICAL_GPUS
    ]


def test_visible_device_list_reorders_gpus():
    assert [s.physical.ordinal for s in shared(options(visible_device_list="1,0"))] == [1, 0]
    assert [s.physical.ordinal for s in shared(options(visible_device_list="1"))] == [1]


def test_virtual_devices_split_a_gpu():
    config = virtual([1024, 2048.75], [512])
    assert [(s.physical.ordinal, s.limit_bytes >> 20) for s in shared(config)] == [
        (0, 1024),
        (0, 2048),
        (1, 512),
    ]


def test_virtual_device_without_limits_uses_whole_gpu():
    assert [s.physical.ordinal for s in shared(virtual([], []))] == [0, 1]


@pytest.mark.parametrize(
    "config, error, text",
    [
        (
            options(per_process_gpu_memory_fraction=-0.5),
            tf.errors.InvalidArgumentError,
            "must not be negative, but it is -0.5",
        ),
        (
            options(per_process_gpu_memory_fraction=float("nan")),
            tf.errors.InvalidArgumentError,
            "must not be negative",
        ),
        (
            options(per_process_gpu_memory_fraction=1.5),
            tf.errors.UnimplementedError,
            "unified memory",
        ),
        (
            options(visible_device_list="0,x"),
            tf.errors.InvalidArgumentError,
            "Could not parse entry in 'visible_device_list': 'x'. visible_device_list = 0,x",
        ),
        (
            options(visible_device_list="1_0"),
            tf.errors.InvalidArgumentError,
            "Could not parse entry in 'visible_device_list': '1_0'. visible_device_list = 1_0",
        ),
        (
            virtual([-5.0]),
            tf.errors.InvalidArgumentError,
            "memory_limit_mb of a virtual device must not be negative: [-5.0]",
        ),
        (
            options(visible_device_list="2"),
            tf.errors.InvalidArgumentError,
            "'visible_device_list' listed an invalid GPU id '2' but visible device count is 2",
        ),
        (
            options(visible_device_list="1,1"),
            tf.errors.InvalidArgumentError,
            "visible_device_list contained a duplicate entry: 1,1",
        ),
        (
            virtual([1], per_process_gpu_memory_fraction=0.5),
            tf.errors.InvalidArgumentError,
            "It's invalid to set per_process_gpu_memory_fraction when virtual_devices is set.",
        ),
        (
            virtual([1], [1], [1]),
            tf.errors.UnknownError,
            "Not enough GPUs to create virtual devices. num_gpus_to_use: 2 #virtual_devices: 3",
        ),
        (
            virtual([1], visible_device_list="0,1"),
            tf.errors.InvalidArgumentError,
            "#GPUs in visible_device_list: 2 virtual_devices.size(): 1",
        ),
        (
            virtual([1], [1], visible_device_list="0"),
            tf.errors.UnknownError,
            "Not enough GPUs to create virtual devices. num_gpus_to_use: 1 #virtual_devices: 2",
        ),
        (virtual([1]), tf.errors.UnknownError, "#valid GPUs: 2 virtual_devices.size(): 1"),
    ],
)
def test_invalid_options(config, error, text):
    with pytest.raises(error) as caught:
        shared(config)
    assert text in caught.value.message


def test_invalid_options_are_ignored_without_gpus():
    fields = {"per_process_gpu_memory_fraction": 2.0, "visible_device_list": "0,x"}
    with tf.Session(config=options(**fields)) as session:
        assert session.run(tf.constant(3.0)) == 3.0
