"""One task of a census cluster: `census_task.py FOLDER MAX_STEPS`.

It trains a wide and deep Estimator on rows in the format of the Adult data set.

CENSUS_REFERENCE names TensorFlow's Python for the last worker. Trainers are slowed down until the file FOLDER/hurry
exists, so that they can be killed during training.
"""

import json
import os
import sys
import time

folder, max_steps = sys.argv[1], int(sys.argv[2])
task = json.loads(os.environ["TF_CONFIG"])["task"]
reference = os.environ.pop("CENSUS_REFERENCE", "")
if reference and task == {"type": "worker", "index": 1}:
    os.environ.pop("PYTHONPATH", None)
    os.execv(reference, [reference, "-W", "ignore", os.path.abspath(__file__), *sys.argv[1:]])

import tensorflow as tf  # noqa: E402

COLUMNS = (
    ("age", 0),
    ("workclass", ""),
    ("fnlwgt", 0),
    ("education", ""),
    ("education_num", 0),
    ("marital_status", ""),
    ("occupation", ""),
    ("relationship", ""),
    ("race", ""),
    ("gender", ""),
    ("capital_gain", 0),
    ("capital_loss", 0),
    ("hours_per_week", 0),
    ("native_country", ""),
    ("income_bracket", ""),
)


def rows_of(path, batch_size, epochs):
    """An input function: features by name, and labels."""

    def parse(lines):
        values = tf.decode_csv(lines, [[default] for _, default in COLUMNS])
        features = dict(zip([name for name, _ in COLUMNS], values))
        return features, tf.equal(features.pop("income_bracket"), ">50K")

    def input_fn():
        rows = tf.data.TextLineDataset(path).shuffle(2000).repeat(epochs)
        return rows.batch(batch_size).map(parse, num_parallel_calls=2).prefetch(1)

    return input_fn


def model_columns():
    """Feature columns of the wide part and of the deep part."""
    of = tf.feature_column
    numbers = ("age", "education_num", "capital_gain", "capital_loss", "hours_per_week")
    numeric = [of.numeric_column(name) for name in numbers]
    education = of.categorical_column_with_vocabulary_list(
        "education", ["Bachelors", "HS-grad", "11th", "Masters", "Some-college", "Doctorate"]
    )
    married = of.categorical_column_with_vocabulary_list(
        "marital_status", ["Married-civ-spouse", "Divorced", "Never-married", "Widowed"]
    )
    relationship = of.categorical_column_with_vocabulary_list(
        "relationship", ["Husband", "Not-in-family", "Wife", "Own-child", "Unmarried"]
    )
    workclass = of.categorical_column_with_vocabulary_list(
        "workclass", ["Self-emp-not-inc", "Private", "State-gov", "Federal-gov", "?"]
    )
    occupation = of.categorical_column_with_hash_bucket("occupation", 1000)
    ages = of.bucketized_column(numeric[0], [18, 25, 30, 35, 40, 45, 50, 55, 60, 65])
    wide = [
        *(education, married, relationship, workclass, occupation, ages),
        of.crossed_column(["education", "occupation"], 1000),
        of.crossed_column([ages, "education", "occupation"], 1000),
    ]
    deep = [
        *numeric,
        *map(of.indicator_column, (workclass, education, married, relationship)),
        of.embedding_column(occupation, 8),
    ]
    return wide, deep


class Notes(tf.train.SessionRunHook):
    """Logs the step from which each session continues, and slows it down for a while."""

    def begin(self):
        self.step = tf.train.get_global_step()

    def after_create_session(self, session, coord):
        print("from", session.run(self.step), flush=True)

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.step)

    def after_run(self, run_context, run_values):
        if not os.path.exists(os.path.join(folder, "hurry")):
            time.sleep(0.1 if run_values.results < max_steps // 2 else 1.0)


def main():
    tf.logging.set_verbosity(tf.logging.INFO)
    print("process", os.getpid(), flush=True)
    wide, deep = model_columns()
    estimator = tf.estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=wide,
        dnn_feature_columns=deep,
        dnn_optimizer=tf.train.AdagradOptimizer(0.02),
        dnn_hidden_units=[100, 75, 50, 25],
        config=tf.estimator.RunConfig(
            os.path.join(folder, "model"),
            save_checkpoints_secs=2,
            save_summary_steps=500,
            experimental_max_worker_delay_secs=0,
        ),
    )
    spec = tf.feature_column.make_parse_example_spec([*wide, *deep])
    exporter = tf.estimator.FinalExporter(
        "census", tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    )
    train = rows_of(os.path.join(folder, "adult.data"), 40, None)
    test = rows_of(os.path.join(folder, "adult.test"), 500, 1)
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(train, max_steps=max_steps, hooks=[Notes()]),
        tf.estimator.EvalSpec(
            test, steps=None, exporters=exporter, start_delay_secs=1, throttle_secs=2
        ),
    )
    print("ended", flush=True)


if __name__ == "__main__":
    main()
