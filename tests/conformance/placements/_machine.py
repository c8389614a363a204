"""A simulated machine with GPUs, on which TensorFlow places graphs.

A cluster worker that reports its devices and runs nothing: TensorFlow's master, in this process, requests its devices,
places the graph and logs the placement, then fails to run it. tensorflow-gpu 1.15.5 knows the GPU kernels without
having a GPU.
"""

import socket
from concurrent import futures

import grpc

JOB, TASK = (
    "a",
    "/job:a/replica:0/task:0",
)  # sorts before the master's name, and is therefore the default


class Worker(grpc.GenericRpcHandler):
    """Answers TensorFlow's WorkerService."""

    def __init__(self, attributes):
        self.status = b"".join(field(1, message.SerializeToString()) for message in attributes)

    def service(self, details):
        method = details.method.rsplit("/", 1)[1]

        def answer(request, context):
            if method in ("RegisterGraph", "RunGraph"):
                context.abort(grpc.StatusCode.UNIMPLEMENTED, "placed")
            return self.status if method == "GetStatus" else b""

        return grpc.unary_unary_rpc_method_handler(answer)


def field(number, data):
    """A bytes field in protobuf encoding."""
    size, length = b"", len(data)
    while length > 127:
        size += bytes([length & 127 | 128])
        length >>= 7
    return bytes([number << 3 | 2]) + size + bytes([length]) + data


def start(tf, counts):
    """Starts a machine with these numbers of devices per type, and a master; returns the objects to keep alive, and the
    master's target."""
    from tensorflow.core.framework import device_attributes_pb2  # noqa: PLC0415

    attributes = [
        device_attributes_pb2.DeviceAttributes(
            name=f"{TASK}/device:{kind}:{i}",
            device_type=kind,
            memory_limit=1 << 30,
            incarnation=1 + i,
        )
        for kind, count in sorted(counts.items())
        for i in range(count)
    ]
    worker = grpc.server(futures.ThreadPoolExecutor(4))
    worker.add_generic_rpc_handlers([Worker(attributes)])
    port = worker.add_insecure_port("localhost:0")
    worker.start()
    with socket.socket() as free:
        free.bind(("localhost", 0))
        own = free.getsockname()[1]
    cluster = tf.train.ClusterSpec({JOB: [f"localhost:{port}"], "z": [f"localhost:{own}"]})
    server = tf.train.Server(cluster, job_name="z", task_index=0)
    return (worker, server), server.target
