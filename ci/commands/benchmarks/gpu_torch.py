"""PyTorch on a GPU: eager steps, steps captured as a CUDA graph, compiled steps."""

import importlib

from ci.commands.benchmarks import gpu_networks
from ci.commands.benchmarks.timing import host_and_wall

DEVICE = "cuda"
WARM_UP = 11  # steps before a capture


def load(tf32):
    """The torch module; "on" enables TF32 for float32 products."""
    torch = importlib.import_module("torch")
    torch.backends.cuda.matmul.allow_tf32 = tf32 == "on"
    torch.backends.cudnn.allow_tf32 = tf32 == "on"
    torch.backends.cudnn.benchmark = True  # as tfmini measures convolutions
    return torch


def training_step(loss, optimizer):
    def step():
        optimizer.zero_grad(set_to_none=True)
        loss().backward()
        optimizer.step()

    return step


def eager(torch, step, **options):
    return host_and_wall(step, torch.cuda.synchronize, **options)


def time_replays(torch, step):
    """The times of graph replays."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(WARM_UP):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return host_and_wall(graph.replay, torch.cuda.synchronize)


def measured_network(name, layout, tf32, mode):
    """The times of a network's training step; mode: eager, graph, compiled."""
    torch = load(tf32)
    loss, optimizer = gpu_networks.torch_network(torch, name, layout, DEVICE)
    if mode == "compiled":
        loss = torch.compile(loss)
    step = training_step(loss, optimizer)
    return time_replays(torch, step) if mode == "graph" else eager(torch, step)
