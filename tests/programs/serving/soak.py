"""Soak test of `tfmini serve`: good clients, alternately alone and with hostile ones.

It fails if a good request fails, an attack gets an unexpected answer, memory grows, or a process outlives the server.
Versions are replaced continuously. One of several workers is killed halfway, and SIGHUP replaces all after each
attack. The final SIGTERM arrives during good requests, which must still be answered.
"""

import argparse
import asyncio
import collections
import contextlib
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.programs.serving import served
from tests.programs.serving.attacks import Target, head, response
from tests.support import waiting

CLIENTS = 8  # good ones
ROWS = (1, 1, 1, 20, 1000)  # per request
SLOPE = 3
HOSTILE = 1 / 9  # quick attacks per good request
MAX_GROWTH = 1.1


class GoodClients:
    """Clients on persistent connections; `latencies` of the current window's requests."""

    def __init__(self, target):
        self.target, self.latencies, self.failures = target, [], []
        self.asked = self.lost = 0
        self.end = float("inf")  # when the server was told to stop
        self.kills, self.killed = (
            0,
            -1e9,
        )  # kills of workers, and the time of the last: their connections end then

    async def ask(self, chooser):
        """Asks until it is cancelled."""
        while True:
            try:
                async with self.target.connected() as (reader, writer):
                    while await self._one(reader, writer, chooser):
                        pass
            except ConnectionError as error:
                if time.monotonic() > self.end:
                    return
                self._failed(time.monotonic(), repr(error))
                await asyncio.sleep(0.1)

    async def _one(self, reader, writer, chooser):
        """A request; whether the connection stays open."""
        rows = [
            [chooser.randrange(100), chooser.randrange(100)] for _ in range(chooser.choice(ROWS))
        ]
        by_row = chooser.random() < 0.5
        body = json.dumps({"instances": rows} if by_row else {"inputs": rows}).encode()
        begin = time.monotonic()
        with contextlib.suppress(ConnectionError):
            writer.write(head("line:predict", len(body)) + body)
        status, answer, stays = await response(reader)
        end = time.monotonic()
        self.asked += 1
        if status != 200:
            self._failed(begin, (status, answer[:200].decode(errors="replace")))
        else:
            values = json.loads(answer)
            result = (
                [row["y"] for row in values["predictions"]] if by_row else values["outputs"]["y"]
            )
            if result != [[SLOPE * a + b] for a, b in rows]:
                self.failures.append("a wrong answer")
            self.latencies.append(end - begin)
        return stays and status == 200

    def _failed(self, begin, failure):
        """Counts a failure; a killed worker may cause one per connection."""
        if begin > self.end:
            return
        if begin - 1 < self.killed < time.monotonic():
            self.lost += 1
        else:
            self.failures.append(failure)


def processes(parent):
    """A process and its descendants."""
    try:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    except OSError:
        return []
    return [parent, *(each for child in children for each in processes(int(child)))]


def resident(parent):
    """Resident megabytes of a process and its descendants."""
    total = 0
    for each in processes(parent):
        with contextlib.suppress(OSError):
            total += int(Path(f"/proc/{each}/statm").read_text().split()[1]) * os.sysconf(
                "SC_PAGESIZE"
            )
    return total / 1e6


class Attackers:
    """Hostile clients in a separate process, so that they do not delay the good ones."""

    def __init__(self, target, options, rate, seed):
        address = f"{target.host}:{target.port}"
        command = [sys.executable, "-W", "ignore", "-m", "tests.programs.serving.attacks", address]
        command += map(str, (target.grpc, target.folder, options.window + 0.5, rate))
        command += map(str, (options.slow, seed, *options.only))
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        self.process.stdout.readline()

    def start(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def seen(self):
        """Attack and failure counts by kind."""
        counts, invalid = json.loads(self.process.communicate()[0])
        return collections.Counter(counts), invalid


async def window(good, seconds):
    """Median and 99th percentile of latencies in milliseconds, and requests a second."""
    before, good.latencies = good.asked, []
    await asyncio.sleep(seconds)
    latencies = np.quantile(good.latencies, [0.5, 0.99]) * 1e3
    return *map(float, latencies), (good.asked - before) / seconds


async def soaked(server, target, options, left):
    """What was wrong; prints a line for each pair of windows, and adds the server's processes at its end to `left`."""
    chooser, good = random.Random(options.seed), GoodClients(target)
    attacks, invalid, ratios, sizes = collections.Counter(), [], [], []
    asking = [
        asyncio.create_task(good.ask(random.Random(chooser.random()))) for _ in range(CLIENTS)
    ]
    end = time.monotonic() + options.seconds
    await window(good, 3.0)
    is_left = True
    while is_left:
        alone = await window(good, options.window)
        rate = max(1.0, alone[2] * HOSTILE)
        seed = chooser.getrandbits(30)
        attackers = await asyncio.to_thread(Attackers, target, options, rate, seed)
        attackers.start()
        measured = asyncio.create_task(window(good, options.window))
        await asyncio.sleep(options.window / 2)
        workers = workers_of(server)
        if workers:
            good.kills, good.killed = good.kills + 1, time.monotonic()
            os.kill(chooser.choice(workers), signal.SIGKILL)
        beside = await measured
        seen, failed = await asyncio.to_thread(attackers.seen)
        attacks += seen
        # A killed worker has left some attacks unanswered.
        invalid += [each for each in failed if not (good.kills and "(0, b'" in each)]
        if workers:
            await replaced(server)
        await asyncio.sleep(4)  # steps beyond the limit end, versions are unloaded
        ratios.append(beside[1] / alone[1])
        sizes.append(resident(server.process.pid))
        print(
            "alone {:.1f} ms, p99 {:.1f}, {:.0f}/s; attacked {:.1f} ms, p99 {:.1f}, {:.0f}/s".format(
                *alone, *beside
            )
            + f"; p99 ratio {ratios[-1]:.1f}; {sizes[-1]:.0f} MB",
            flush=True,
        )
        is_left = time.monotonic() < end or good.asked < options.requests
    left += processes(server.process.pid)
    good.end = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    await asyncio.to_thread(server.process.wait, 30)
    for each in asking:
        each.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    print(
        f"{good.asked:,} good requests, {len(good.failures)} failed, {good.lost} with a killed worker"
    )
    print(f"{attacks.total():,} attacks: {dict(attacks)}")
    print(f"p99 ratio, median: {statistics.median(ratios):.1f}")
    if good.lost > CLIENTS * good.kills:
        invalid.append("more requests are lost than the killed workers had connections")
    # Large bodies are temporary: growth shows in the minimum.
    half = len(sizes) // 2
    if half and min(sizes[half:]) > MAX_GROWTH * min(sizes[:half]):
        invalid.append(f"memory grows: {sizes}")
    return [*map(str, good.failures), *invalid]


async def replaced(server):
    """Has all workers replaced."""
    before = set(workers_of(server))
    server.process.send_signal(signal.SIGHUP)
    end = time.monotonic() + 120
    while before & set(workers_of(server)):
        assert time.monotonic() < end, "workers are not replaced"
        await asyncio.sleep(0.1)


def workers_of(server):
    """A server's worker processes."""
    return [each for each in processes(server.process.pid)[1:] if "spawn_main" in _command(each)]


def _command(process):
    """The command line of a process, "" if it is gone."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seconds", type=float, nargs="?", default=120.0)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--requests", type=int, default=0, help="good ones, at least")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--window", type=float, default=20.0, help="seconds with attackers and without"
    )
    parser.add_argument("--slow", type=int, default=150, help="slow and silent clients")
    parser.add_argument("--only", nargs="+", default=(), help="names of the other attacks")
    options = parser.parse_args(arguments)
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("line", "counter"):
            os.mkdir(os.path.join(folder, name))
        served.line(os.path.join(folder, "line", "1"), SLOPE)
        served.counter(os.path.join(folder, "counter", "1"))
        config = Path(folder, "models.config")
        models = [
            f'config {{ name: "{n}" base_path: "{folder}/{n}" }}' for n in ("line", "counter")
        ]
        config.write_text(f"model_config_list {{ {' '.join(models)} }}")
        limits = ("--timeout", 2, "--max-connections", 400, "--workers", options.workers)
        with served.serving("--config", config, "--watch", 0.2, *limits) as server:
            waiting.until(server.is_ready)
            target = Target(server.rest, server.grpc, os.path.join(folder, "line"))
            left = []
            invalid = asyncio.run(soaked(server, target, options, left))
            if server.end() != 0:
                invalid.append(f"the server ends with {server.process.returncode}")
    end = time.monotonic() + 10
    while any(map(_command, left)) and time.monotonic() < end:
        time.sleep(0.1)
    invalid += [f"{each} ({name}) outlives the server" for each in left if (name := _command(each))]
    print("\n".join(invalid[:20]))
    return int(bool(invalid))


if __name__ == "__main__":
    sys.exit(main())
