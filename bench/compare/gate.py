"""Runs a program while the machine is otherwise idle, and says how much of it others took."""

import json
import mmap
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, field, replace

from . import blas

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
CPUS = os.cpu_count() or 1


@dataclass(frozen=True)
class Settings:
    """When a run counts as undisturbed, and what it may use."""

    is_gated: bool = True
    foreign_limit: float = 0.08  # share of all CPUs that others may take
    gate_tries: int = 4
    gate_patience_s: float = 60.0
    memory_bytes: int = 16 << 30
    kernels: blas.Choice = blas.Choice()
    touched_bytes: int = 1 << 27  # before each run; should be more than it uses, where its first moments are measured


@dataclass(frozen=True)
class Run:
    """One finished or stopped program. `foreign` is the share of all CPUs that other processes took."""

    output: str
    error: str
    code: int | None  # None: stopped at its time limit
    wall_s: float
    foreign: float
    is_noisy: bool = False
    blas_variables: dict[str, str] = field(default_factory=dict)

    def result(self, limit_s: float) -> dict:
        """The driver's line of JSON, or why there is none."""
        if self.code is None:
            return {"status": "timeout", "message": f"stopped after {limit_s:.0f} s"}
        for line in self.output.splitlines():
            if line.startswith("{"):
                return json.loads(line)
        last = (self.error.strip().splitlines() or ["no output"])[-1]
        return {"status": "crashed", "message": f"exit {self.code}: {last[:200]}"}

    def circumstances(self) -> dict:
        """What a record keeps of the run itself."""
        return {
            "wall_s": self.wall_s,
            "foreign": round(self.foreign, 4),
            "is_noisy": self.is_noisy,
            "blas_variables": self.blas_variables,
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }


def _busy_s() -> float:
    """CPU seconds that all processes and the host's other guests have used: /proc/stat without idle and iowait."""
    with open("/proc/stat") as stat:
        user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, stat.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND


def _own_s() -> float:
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    return total


def foreign_share(seconds: float = 0.4) -> float:
    """The share of all CPUs that others take right now."""
    busy, own, begin = _busy_s(), _own_s(), time.monotonic()
    time.sleep(seconds)
    return max(0.0, (_busy_s() - busy) - (_own_s() - own)) / ((time.monotonic() - begin) * CPUS)


def wait_until_idle(limit: float, patience_s: float) -> bool:
    """True once others take less than `limit` of the CPUs; False when that did not happen in patience_s."""
    end = time.monotonic() + patience_s
    while foreign_share() > limit:
        if time.monotonic() > end:
            return False
        time.sleep(1.0)
    return True


def touch_memory(count: int) -> None:
    """Uses so many bytes once, at most half of the memory. A host takes memory back that its guest has not used for seconds, and then needs 1.5 us for each KiB
    that the guest first uses again, ten times as long as later: else each program would pay for those behind it."""
    half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    with mmap.mmap(-1, min(count, half)) as memory, memoryview(memory) as view:
        memory.madvise(mmap.MADV_HUGEPAGE)
        view[:: mmap.PAGESIZE] = bytes(len(view[:: mmap.PAGESIZE]))


def execute(command: list[str], environment: dict[str, str], timeout_s: float, memory_bytes: int) -> Run:
    """One run, alone in its process group so that a time limit ends all of its ranks."""

    def limit_memory() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))

    busy, own, begin = _busy_s(), _own_s(), time.monotonic()
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=limit_memory,
    )
    code: int | None
    try:
        output, error = process.communicate(timeout=timeout_s)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)  # mpirun passes it on to its ranks
        try:
            output, error = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, error = process.communicate()
        code = None
    wall = time.monotonic() - begin
    foreign = max(0.0, (_busy_s() - busy) - (_own_s() - own)) / (wall * CPUS)
    return Run(output, error, code, wall, foreign, blas_variables=blas.recorded(environment))


@dataclass
class Gate:
    """Runs programs one after the other, each on an idle machine, again when others disturbed it."""

    settings: Settings
    was_idle: bool = False  # during the last run: then the next one need not wait and look

    def execute(self, command: list[str], environment: dict[str, str], limit_s: float) -> Run:
        s = self.settings
        for _attempt in range(s.gate_tries if s.is_gated else 1):
            if s.is_gated and not self.was_idle:
                wait_until_idle(s.foreign_limit, s.gate_patience_s)
            touch_memory(s.touched_bytes)
            run = execute(command, environment, limit_s, s.memory_bytes)
            self.was_idle = run.foreign <= s.foreign_limit
            if self.was_idle:
                break
        return replace(run, is_noisy=not self.was_idle)
