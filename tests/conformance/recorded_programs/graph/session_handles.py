"""Handles: tensors that a session keeps between steps, read, fed, deleted."""

REPLAYABLE = False


def build(tf):
    a = tf.placeholder_with_default(3.0, [], name="a")
    doubled = tf.get_session_handle(a * 2.0, name="doubled")
    words = tf.get_session_handle(tf.constant([b"one", b"two"]))
    fed = tf.placeholder(tf.float32, [7], name="fed")
    tripled = tf.multiply(fed, 3.0)
    text = "doubled;0;/job:localhost/replica:0/task:0/device:CPU:0"
    holder, kept = tf.get_session_tensor(text, tf.float32, name="kept")
    gone, deletes = tf.delete_session_tensor(text.encode(), name="deletes")
    second = tf.raw_ops.GetSessionHandleV2(value=a, name="second")
    state = {}

    def make(session):
        state["handle"] = session.run(doubled)
        # A machine with GPUs has its tensors on another device.
        return str(state["handle"]).rpartition("/device:")[0]

    def several(session):
        made = session.run({"a": doubled, "b": [doubled, words]}, {a: 5.0})
        state["words"] = made["b"][1]
        return [str(made["a"]) == str(made["b"][0]), made["a"].eval(), made["b"][1].eval()]

    def use(session):
        return session.run([tripled, fed], {fed: state["handle"]})

    def read(session):
        return session.run(kept, {holder: state["handle"].handle})

    def in_parts(session):
        parts = session.partial_run_setup([tripled, doubled], [fed, a])
        first = session.partial_run(parts, tripled, {fed: state["handle"]})
        return [first, session.partial_run(parts, doubled, {a: 11.0}).eval()]

    def called(session):
        return session.make_callable(tripled, [fed])(state["handle"])

    def raw(session):
        text = session.make_callable(doubled)()
        return [text.split(b";")[0], session.run(kept, {holder: text})]

    def delete(session):
        state["words"].delete()
        return session.run(deletes, {gone: state["handle"].handle})

    steps = [make, several, use, read, in_parts, called, raw, delete]
    facts = {
        "holder": [holder.op.device, str(holder.shape)],
        "kept": [kept.op.device, str(kept.shape)],
        "doubled": [str(doubled.shape), doubled.dtype.name],
        "second": [str(second.shape), second.dtype.name],
    }
    return {"steps": [(step.__name__, step) for step in steps], "facts": facts}
