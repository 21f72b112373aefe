"""Times of calls."""
import time


def best(work, times=3):
    """The least seconds of so many calls."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)
