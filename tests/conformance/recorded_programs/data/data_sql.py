"""tf.data: rows that queries of SQLite give, as every dtype."""

import os
import sqlite3

from tests.conformance.recorded_programs.data.data_basic import read_all

PATH = "/tmp/tfmini_data_sql.sqlite"  # as the record has it


def build(tf):
    if os.path.exists(PATH):
        os.remove(PATH)
    with sqlite3.connect(PATH) as connection:
        connection.execute("CREATE TABLE things (name TEXT, n INTEGER, x REAL, flag INTEGER)")
        connection.executemany(
            "INSERT INTO things VALUES (?, ?, ?, ?)",
            [
                ("one", 1, 1.5, 1),
                ("two", -200, 2e10, 0),
                (None, None, None, None),
                ("4x", 70000, -0.25, 7),
            ],
        )
    connection.close()
    sql = tf.data.experimental.SqlDataset
    every = "SELECT * FROM things ORDER BY rowid"
    types = [
        (tf.string, tf.int32, tf.float64, tf.bool),
        (tf.string, tf.int64, tf.float64, tf.int8),
        (tf.string, tf.int16, tf.string, tf.uint8),
        (tf.string, tf.uint16, tf.float64, tf.string),
        (tf.int32, tf.string, tf.int32, tf.float64),
    ]
    datasets = [sql("sqlite", PATH, every, given) for given in types]
    datasets += [
        sql("sqlite", tf.constant(PATH), "SELECT n FROM things WHERE n > 0", (tf.int64,)).repeat(2),
        sql("sqlite", PATH, "SELECT name, n FROM things WHERE n > 1e9", (tf.string, tf.int32)),
    ]
    return {"steps": read_all(tf, datasets), "facts": {"repr": repr(datasets[0])}}
