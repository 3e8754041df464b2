"""What a notebook shows, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import fftprec as fp


def test_results_have_html():
    assert "<table>" in fp.predict(64)._repr_html_()
    found = fp.truth(np.arange(16.0))._repr_html_()
    assert "<td>(120+0j)</td>" in found and "bits (dd)" in found and found.count("<tr>") == 9
    budget = fp.attribute(algorithm="dft-gemm", mode="bf16", n=64)
    assert budget._repr_html_().startswith("<svg")
    assert "<pre" in fp.show("machine:trn")._repr_html_() and fp.show("machine:trn").figure is None
    assert "<svg" in fp.show(mode="bf16", n=64)._repr_html_()
    pytest.importorskip("pandas")
    assert "<table" in fp.run(n=8)._repr_html_()


def test_progress_is_shown_below_a_cell(monkeypatch, capsys):
    fp.run(n=8, seed=range(1, 30))
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    fp.run(n=8, seed=range(1, 30))
    assert "29/29 cases (100 %)" in capsys.readouterr().err


INTERRUPTED = """
import sys, fftprec as fp
try:
    fp.run(n=2048, mode="ozaki", seed=range(1, 50001), threads=1, out=OUT)
except KeyboardInterrupt as stop:
    again = fp.run(n=8)
    rows = stop.rows
try:
    print(len(rows), len(again), rows[0]["status"], flush=True)
    sys.stdin.readline()
except KeyboardInterrupt:
    print("Python's own again")
"""


@pytest.mark.parametrize("out", [pytest.param(False, marks=pytest.mark.nightly), True])
def test_ctrl_c_keeps_finished_rows(tmp_path, out):
    folder = repr(str(tmp_path / "run")) if out else "None"
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED.replace("OUT", folder)],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    timers = [threading.Timer(3, process.send_signal, [signal.SIGINT]),
              threading.Timer(60, process.kill)]
    for timer in timers:
        timer.start()
    line = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest = process.communicate()[0]
    timers[1].cancel()
    assert process.returncode == 0
    count, again, status, *_ = line.split()
    assert 0 < int(count) < 50000 and again == "1" and status == "ok"
    assert "Python's own again" in rest


def test_a_directory_is_taken_up_again(tmp_path):
    rows = fp.run(n=8, seed=[1, 2], out=tmp_path / "run")
    assert len(rows) == 2 and os.path.exists(tmp_path / "run" / "summary.md")
    assert [row["time_ns"] for row in fp.run(n=8, seed=[1, 2], out=tmp_path / "run")] == \
        [row["time_ns"] for row in rows]
