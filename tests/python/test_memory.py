"""Twenty-five thousand calls, a fifth of them wrong, leave no memory behind."""

import os
import resource
import subprocess
import sys

import numpy as np
import pytest

import fftprec as fp


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def fails(call):
    try:
        call()
    except ValueError:
        return
    raise AssertionError("no ValueError")


def main():
    x = fp.input("gaussian", 64)
    own = x.real.astype(">f8")[::2]
    table = np.exp(-2j * np.pi * np.arange(64) / 64).astype(np.complex64)
    y = fp.fft(x)

    def ten_calls():
        fp.round(x, "bf16")
        fp.round(own, fp.Format(5, -9, 9), "sr", seed=3)
        fp.fft(x, mode="bf16")
        fp.fft(x, mode="fp64")
        fp.irfft(x[:33])
        fp.input("wide", 64, 2)
        fp.truth(x)
        fp.measure(y, x)
        fails(lambda: fp.round(x, "bf61"))
        fails(lambda: fp.fft(x[:48]))

    def repeat(times):
        for _ in range(times):
            ten_calls()
        for _ in range(times // 50):
            fp.show("mode:bf16")
        for _ in range(times // 10):
            fp.fft(x, tables=table)
    rounds = 2500
    repeat(500)  # fills what is kept, such as the tables of the last 128 arrays
    before = resident_bytes()
    repeat(rounds)

    grown = resident_bytes() - before
    assert grown < 100 * rounds, f"{grown} bytes more after {10 * rounds} calls"


@pytest.mark.nightly
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="it holds freed memory back")
def test_calls_leave_no_memory_behind():
    # In a process of its own: in this one the heap is full of the holes that other tests left.
    subprocess.run([sys.executable, __file__], check=True)


if __name__ == "__main__":
    main()
