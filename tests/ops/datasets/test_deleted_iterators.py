"""Handles of iterators that have been deleted: they name nothing, as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf

raw = tf.raw_ops
TYPES = {"output_types": [tf.int64], "output_shapes": [[]]}


def anonymous():
    return raw.AnonymousIteratorV2(**TYPES)[0], "AnonymousIterator/AnonymousIterator[0-9]+"


def of_a_session():
    handle = raw.IteratorV2(shared_name="", container="", **TYPES)
    return handle, "localhost/_[0-9]+_IteratorV2"


def delete(handle):
    return raw.DeleteIterator(handle=handle, deleter=raw.AnonymousIteratorV2(**TYPES)[1])


def destroy(handle):
    return raw.DestroyResourceOp(resource=handle, ignore_lookup_error=False)


USES = {
    "next": lambda handle: raw.IteratorGetNext(iterator=handle, **TYPES),
    "optional": lambda handle: raw.IteratorGetNextAsOptional(iterator=handle, **TYPES),
    "string": lambda handle: raw.IteratorToStringHandle(resource_handle=handle),
    "save": lambda handle: raw.SerializeIterator(resource_handle=handle),
    "make": lambda handle: made(handle),
}


def made(handle):
    return raw.MakeIterator(dataset=tf.data.Dataset.range(3)._variant_tensor, iterator=handle)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("end", [delete, destroy])
@pytest.mark.parametrize("kind", [anonymous, of_a_session])
def test_a_deleted_iterator_is_not_found(session, kind, end, use):
    handle, path = kind()
    with tf.control_dependencies([made(handle)]):
        ended = end(handle)
    with tf.control_dependencies([ended]):
        used = USES[use](handle)
    text = f"Resource {path}/N10tensorflow4data16IteratorResourceE does not exist"
    with pytest.raises(tf.errors.NotFoundError, match=text):
        session.run(used)


def test_deleting_twice(session):
    handle, _ = anonymous()
    with tf.control_dependencies([delete(handle)]):
        again = delete(handle)
    with tf.control_dependencies([again]):
        destroyed = destroy(handle)
    with pytest.raises(tf.errors.NotFoundError, match="AnonymousIterator[0-9]+/<unknown> does"):
        session.run(destroyed)


def test_a_deleted_iterator_of_several_devices_is_not_found(session):
    handle = raw.MultiDeviceIterator(devices=["/cpu:0"], shared_name="", container="", **TYPES)
    session.run(destroy(handle))
    numbers = tf.data.Dataset.range(3)._variant_tensor
    start = raw.MultiDeviceIteratorInit(
        dataset=numbers, multi_device_iterator=handle, max_buffer_size=1
    )
    with pytest.raises(tf.errors.NotFoundError, match="localhost/_[0-9]+_MultiDeviceIterator/N10"):
        session.run(start)


def test_a_handle_is_a_scalar():
    several = tf.placeholder(tf.resource, [2])
    with pytest.raises(ValueError, match="^Shape must be rank 0 but is rank 1 for 'IteratorGetN"):
        USES["next"](several)
    assert USES["optional"](several).shape == []
