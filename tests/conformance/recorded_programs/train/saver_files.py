"""Files kept by a Saver, by number and by hours, and their names; the checkpoint state and meta graphs."""

import os
import shutil
import tempfile
import time

REPLAYABLE = False


class Clock:
    """A clock that advances only when told to."""

    def __init__(self):
        self.now = 1000000000.0

    def __enter__(self):
        self.real, time.time = time.time, lambda: self.now
        return self

    def __exit__(self, *raised):
        time.time = self.real


def build(tf):
    with tf.device("/cpu:0"):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        tf.add(v, 1.0, name="sum")
    step = tf.train.get_or_create_global_step()
    start, train = tf.global_variables_initializer(), tf.train

    def within(scene):
        def run(session):
            session.run(start)
            folder = tempfile.mkdtemp()
            try:
                with Clock() as clock, session.as_default():
                    found = scene(session, os.path.join(folder, "m"), clock)
                return [plain(each, folder) for each in found]
            finally:
                shutil.rmtree(folder)

        return scene.__name__, run

    def plain(value, folder):
        if isinstance(value, (list, tuple)):
            return [plain(each, folder) for each in value]
        return value.replace(folder, "FOLDER") if isinstance(value, str) else value

    def files(path):
        return sorted(os.listdir(os.path.dirname(path)))

    def state(path, latest_filename=None):
        found = train.get_checkpoint_state(os.path.dirname(path), latest_filename)
        return found and [
            found.model_checkpoint_path,
            list(found.all_model_checkpoint_paths),
            list(found.all_model_checkpoint_timestamps),
            found.last_preserved_timestamp,
        ]

    def by_hours(session, path, clock):
        """One save per half hour: keeps the last two, and one per hour of the others."""
        saver = train.Saver(max_to_keep=2, keep_checkpoint_every_n_hours=1.0)
        found = []
        for number in range(9):
            clock.now += 1800
            saver.save(session, path, number)
            found.append([os.path.basename(p) for p in saver.last_checkpoints])
        return found + [files(path), state(path)]

    def by_number(session, path, clock):
        found = []
        for most in (1, 3, 0, None):
            saver = train.Saver(max_to_keep=most)
            for number in range(4):
                clock.now += 10
                saver.save(session, f"{path}-{most}", number, write_meta_graph=False)
            found.append([list(saver.last_checkpoints), state(path)])
        return found + [files(path)]

    def by_name(session, path, clock):
        """Files under another state name, meta graphs with another suffix, none, without default attrs."""
        saver = train.Saver(max_to_keep=1)
        found = [
            saver.save(session, path, 3, latest_filename="others", meta_graph_suffix="graph"),
            saver.save(session, path, step, "others", "graph", strip_default_attrs=True),
            files(path),
            saver.save(session, path + "x", write_state=False, write_meta_graph=False),
            files(path),
            state(path),
            state(path, "others"),
            train.latest_checkpoint(os.path.dirname(path)),
            train.latest_checkpoint(os.path.dirname(path), "others"),
        ]
        train.remove_checkpoint(path + "-0", meta_graph_suffix="graph")
        return found + [files(path)]

    def of_a_graph(session, path, clock):
        """A meta graph with and without devices."""
        saver = train.Saver()
        saver.save(session, path, strip_default_attrs=True)
        found = []
        for clear in (False, True):
            with tf.Graph().as_default() as graph:
                train.import_meta_graph(path + ".meta", clear_devices=clear, import_scope="again")
                found.append([[op.name, op.device] for op in graph.get_operations()])
        return found

    def of_states(session, path, clock):
        """Handwritten checkpoint states: paths, times and name."""
        folder = os.path.dirname(path)
        made = train.generate_checkpoint_state_proto(
            folder,
            path + "-2",
            [path + "-1", path + "-2"],
            all_model_checkpoint_timestamps=[1.0, 2.0],
            last_preserved_timestamp=0.5,
        )
        train.update_checkpoint_state(
            folder,
            "m-7",
            ["m-5", "m-6"],
            latest_filename="mine",
            all_model_checkpoint_timestamps=[5.0, 6.0, 7.0],
            last_preserved_timestamp=4.0,
        )
        found = [str(made), state(path, "mine"), files(path)]
        try:
            train.update_checkpoint_state(
                folder, "m-7", ["m-6"], all_model_checkpoint_timestamps=[1.0]
            )
        except ValueError as error:
            found.append(str(error))
        return found

    def by_a_manager(session, path, clock):
        """Object-based checkpoints: the last two, one per hour, under another name; and by another manager."""
        folder = os.path.dirname(path)
        checkpoint = train.Checkpoint(v=v)
        checkpoint.restore(None).initialize_or_restore(session)
        options = {"max_to_keep": 2, "keep_checkpoint_every_n_hours": 1.0}
        manager = train.CheckpointManager(checkpoint, folder, checkpoint_name="mine", **options)
        found = []
        for number in range(6):
            clock.now += 1800
            found.append(manager.save(*([10 + number] if number > 3 else [])))
        found += [manager.latest_checkpoint, manager.checkpoints, state(path)]
        manager = train.CheckpointManager(checkpoint, folder, **options)
        clock.now += 1800
        found += [manager.checkpoints, manager.save(), manager.checkpoints, files(path)]
        return found

    def as_they_come(session, path, clock):
        """An iterator over new checkpoints; a timeout function decides whether to continue."""
        saver, found = train.Saver(), []
        folder = os.path.dirname(path)
        asked = []
        saver.save(session, path, 1)
        given = train.checkpoints_iterator(
            folder, timeout=0.01, timeout_fn=lambda: asked.append(1) or len(asked) > 2
        )
        for latest in given:
            found.append(latest)
            if len(found) < 3:
                saver.save(session, path, len(found) + 1)
        return found + [len(asked)]

    scenes = (by_hours, by_number, by_name, of_a_graph, of_states, by_a_manager, as_they_come)
    return {"steps": [within(scene) for scene in scenes]}
