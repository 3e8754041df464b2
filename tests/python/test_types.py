"""mypy accepts the package and what is right in a user's script, and refuses each line that is wrong."""

import os
import subprocess
import sys

import pytest

import fftprec as fp

SCRIPT = '''
import numpy as np
import fftprec as fp

x = fp.input("gaussian", 64, batch=2)
y: np.ndarray = fp.fft(x, mode="bf16", tables=np.ones((64, 64)))
fp.round([1.5, 2.5], fp.Format(5, -14, 15), rounding="rz")
error: float = fp.measure(y, x, format="bf16")["err_l2_rel"]
np.testing.assert_allclose(y, y, **fp.tolerance(x, np.float32, mode="bf16", axis=1))
for row in fp.run(mode=["fp32", "bf16"], n=[16, 64], seed=range(3)):
    print(row["err_l2_rel"], fp.truth(x).value.shape, fp.show("machine:trn").passed)

fp.fft(x, 32, 0, "ortho", mode="bf16")
fp.fft2(x, (4, 8), axes=(0, 1), norm=None)
fp.truth(x, "rfftn", s=(2, 16), axes=[0, 1])
fp.measure(y, x, axis=-1)
fp.fft(x, mod="bf16")  # wrong
fp.fft2(x, 8)  # wrong
fp.measure(y, x, axis="last")  # wrong
fp.fft(x, n="64")  # wrong
fp.round(x)  # wrong
fp.round(x, 16)  # wrong
fp.truth(x).values  # wrong
fp.measure(y, x).err_l2_rel  # wrong
fp.run(n=2.5)  # wrong
fp.recommend(64, ["err_l2_rel"])  # wrong
fp.design("data.bits", min={"snr_db": 60}, max={"err_l2_rel": "2x"}, mode="bf16", seed=range(3))
fp.design("data.bits", snr_db=6.5)  # wrong
fp.no_such_function()  # wrong
'''


def mypy(cache, *words):
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", cache, *words],
        env={**os.environ, "MYPYPATH": os.path.dirname(os.path.dirname(fp.__file__))},
        capture_output=True, text=True)
    return done.stdout + done.stderr


@pytest.mark.nightly
def test_mypy_accepts_what_is_right_and_refuses_what_is_wrong(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)

    assert "Success" in mypy(tmp_path / "cache", "-p", "fftprec")
    said = mypy(tmp_path / "cache", script)
    refused = {int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line}
    assert refused == {number for number, line in enumerate(SCRIPT.splitlines(), 1)
                       if line.endswith("# wrong")}, said
