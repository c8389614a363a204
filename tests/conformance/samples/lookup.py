"""Lookup tables: created, initialized, read, modified."""

import os
import tempfile

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

KEYS = np.array([b"a", b"b"], object)
VALUES = np.array([7, 8])
ASKED = np.array([[b"b", b"?"]], object)
FOUND = np.array([[8, -1]])


def found(table):
    return raw.LookupTableFindV2(table, ASKED, np.int64(-1))


def table(tf, kind="HashTableV2", **attrs):
    return getattr(raw, kind)(key_dtype=tf.string, value_dtype=tf.int64, **attrs)


def filled(op, kind="HashTableV2"):
    """A table filled by `op`, and its lookup results."""

    def build(tf):
        made = table(tf, kind)
        return [getattr(raw, op)(made, KEYS, VALUES), found(made)]

    return build


def shared(tf):
    first, second = (table(tf, shared_name="both") for _ in range(2))
    return [raw.LookupTableImportV2(first, KEYS, VALUES), found(second)]


def of_rows(tf):
    made = table(tf, "MutableHashTableOfTensorsV2", value_shape=[2])
    rows = np.array([[1, 2], [3, 4]])
    return [
        raw.LookupTableInsertV2(made, KEYS, rows),
        raw.LookupTableFindV2(made, ASKED, np.array([0, -1])),
    ]


def removed(tf):
    made = table(tf, "MutableHashTableV2")
    return [
        raw.LookupTableInsertV2(made, KEYS, VALUES),
        raw.LookupTableRemoveV2(made, KEYS[:1]),
        raw.LookupTableExportV2(made, tf.string, tf.int64),
    ]


def counted(tf):
    made = table(tf)
    return [raw.LookupTableImportV2(made, KEYS, VALUES), raw.LookupTableSizeV2(made)]


def exported(tf):
    made = table(tf)
    return [
        raw.LookupTableImportV2(made, KEYS[:1], VALUES[:1]),
        raw.LookupTableExportV2(made, tf.string, tf.int64),
    ]


def from_file(tf):
    path = os.path.join(tempfile.mkdtemp(), "words")
    with open(path, "w", encoding="utf-8") as file:
        file.write("a 7\nb 8\n")
    made = table(tf)
    fill = raw.InitializeTableFromTextFileV2(made, path, 0, 1, delimiter=" ")
    return [fill, found(made)]


def of_buckets(tf):
    made = raw.MutableDenseHashTableV2(
        np.array(b"", object), np.array(b"$", object), value_dtype=tf.int64
    )
    return [
        raw.LookupTableInsertV2(made, KEYS, VALUES),
        raw.LookupTableFindV2(made, ASKED[0], np.int64(-1)),
    ]


SAMPLES = [
    Sample("MutableDenseHashTableV2", expect=FOUND[0], build=of_buckets),
    Sample("HashTableV2", expect=FOUND, build=shared),
    Sample("InitializeTableV2", expect=FOUND, build=filled("InitializeTableV2")),
    Sample("LookupTableImportV2", expect=FOUND, build=filled("LookupTableImportV2")),
    Sample(
        "MutableHashTableV2",
        expect=FOUND,
        build=filled("LookupTableInsertV2", "MutableHashTableV2"),
    ),
    Sample(
        "LookupTableInsertV2",
        expect=FOUND,
        build=filled("LookupTableInsertV2", "MutableHashTableV2"),
    ),
    Sample("MutableHashTableOfTensorsV2", expect=np.array([[[3, 4], [0, -1]]]), build=of_rows),
    Sample("LookupTableFindV2", expect=FOUND, build=filled("LookupTableImportV2")),
    Sample("LookupTableRemoveV2", expect=(KEYS[1:], VALUES[1:]), build=removed),
    Sample("LookupTableSizeV2", expect=np.int64(2), build=counted),
    Sample("LookupTableExportV2", expect=(KEYS[:1], VALUES[:1]), build=exported),
    Sample("InitializeTableFromTextFileV2", expect=FOUND, build=from_file),
]
