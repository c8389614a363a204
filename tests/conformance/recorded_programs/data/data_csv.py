"""tf.data: CSV records: defaults, columns, quotes, headers; files with inferred columns."""

import gzip
import os

from tests.conformance.recorded_programs.data.data_basic import read_all

FOLDER = "/tmp/tfmini_data_csv"  # as recorded
FILES = {
    "plain.csv": "1,2.5,x\n,,\n3,-1e3,\r\n4,0.5,z",
    "quoted.csv": 'a,"b"\n1,"two, ""words"""\r\n2,"three\nlines"\n3,NA\n,"",\n',
    "first.csv": "n,price,word,big\n1,0.5,a,1\n2,1.5,,3000000000\n,2.5,c,5\n",
    "second.csv": "n,price,word,big\n7,NA,d,6\n8,8.25,e,7\n",
}


def build(tf):
    os.makedirs(FOLDER, exist_ok=True)
    for name, text in FILES.items():
        with open(os.path.join(FOLDER, name), "w", newline="") as file:
            file.write(text)
    with gzip.open(os.path.join(FOLDER, "packed.csv.gz"), "wb") as file:
        file.write(FILES["first.csv"].encode())
    plain, quoted, first, second = (os.path.join(FOLDER, name) for name in FILES)
    packed = os.path.join(FOLDER, "packed.csv.gz")
    E = tf.data.experimental
    columns = {"column_names": ["n", "price", "word", "big"], "shuffle": False, "num_epochs": 1}
    datasets = [
        E.CsvDataset(plain, [[7], [0.25], ["none"]]),
        E.CsvDataset(
            [plain, plain], [tf.constant([0], tf.int64), [1.0], [""]], select_cols=[0, 1, 2]
        ),
        E.CsvDataset(plain, [tf.constant([1.5], tf.float64), tf.string], select_cols=[1, 2]).apply(
            E.ignore_errors()
        ),
        E.CsvDataset(quoted, [[-1], ["default"]], header=True, na_value="NA", buffer_size=64).apply(
            E.ignore_errors()
        ),
        E.CsvDataset(first, [[0], [""], [0.0], [0.0]], header=True, use_quote_delim=False).apply(
            E.ignore_errors()
        ),
        E.CsvDataset(packed, [[0], [0.0], [""], tf.int64], header=True, compression_type="GZIP"),
        E.CsvDataset(first, [tf.string] * 1, field_delim=";"),
        E.make_csv_dataset(first, 2, shuffle=False, num_epochs=1),
        E.make_csv_dataset(
            os.path.join(FOLDER, "[fs]*d.csv"), 2, na_value="NA", num_epochs=2, shuffle_seed=3
        ).take(0),
        E.make_csv_dataset(
            [first, second], 3, label_name="n", na_value="NA", shuffle=False, num_parallel_reads=2
        ).take(4),
        E.make_csv_dataset(
            [first, second],
            2,
            select_columns=["word", 0],
            na_value="NA",
            shuffle_seed=3,
            num_epochs=1,
            label_name="word",
        ),
        E.make_csv_dataset(
            first,
            2,
            column_defaults=[[0], [0.0], ["none"], tf.int64],
            prefetch_buffer_size=1,
            **columns,
        ),
        E.make_csv_dataset(
            [first, plain],
            2,
            column_defaults=[tf.int32, [0.0], [""], tf.int64],
            ignore_errors=True,
            **columns,
        ),
    ]
    return {"steps": read_all(tf, datasets), "facts": {"reprs": [repr(d) for d in datasets]}}
