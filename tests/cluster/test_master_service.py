"""A master's methods that only other clients call: tfmini's own runs steps by their names."""

import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.cluster.grpc_channel import MASTER, Channel
from tfmini._src.graph.tensor_proto import make_tensor_proto


@pytest.fixture
def call():
    """`call(name, request, kind)`: the reply of a server's master."""
    server = tf.train.Server.create_local_server()
    channel = Channel(server.target.removeprefix("grpc://"))

    def call(name, request, kind):
        return kind.FromString(channel.call(MASTER + name, request.SerializeToString(), 60))

    yield call
    channel.close()
    server._stop()


def test_callables(call):
    """The way of TensorFlow 1.15.5's `Session.make_callable` on a server."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2], "x")
        variable = tf.get_variable("v", initializer=[1.0, 1.0], use_resource=True)
        added = variable.assign_add(x, read_value=False)
        doubled = tf.multiply(x, 2.0, "doubled")
        read = variable.value()
    made = proto.CreateSessionRequest(graph_def=graph.as_graph_def())
    session = call("CreateSession", made, proto.CreateSessionResponse).session_handle

    def callable_of(feeds, fetches, targets):
        options = proto.CallableOptions(feed=feeds, fetch=fetches, target=targets)
        request = proto.MakeCallableRequest(session_handle=session, options=options)
        return call("MakeCallable", request, proto.MakeCallableResponse).handle

    def run(handle, *values):
        request = proto.RunCallableRequest(session_handle=session, handle=handle)
        request.feed.extend(make_tensor_proto(value, tf.float32) for value in values)
        reply = call("RunCallable", request, proto.RunCallableResponse)
        return [tf.make_ndarray(value).tolist() for value in reply.fetch]

    assert run(callable_of([], [], [variable.initializer.name])) == []
    adds = callable_of([x.name], [doubled.name], [added.name])
    assert run(adds, [3.0, 4.0]) == run(adds, [3.0, 4.0]) == [[6.0, 8.0]]
    assert run(callable_of([], [read.name], [])) == [[7.0, 9.0]]
    release = proto.ReleaseCallableRequest(session_handle=session, handle=adds)
    call("ReleaseCallable", release, proto.ReleaseCallableResponse)
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"No such callable handle: {adds}"):
        run(adds, [3.0, 4.0])
