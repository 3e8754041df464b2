#!/usr/bin/env python3
"""A wheel by pip, offline, and the Debian package python3-fftprec hold the files of the build's package,
and each is imported from where it was put; pytest finds the fixture in both. The Debian package fftprec holds
the program and what Debian and a newcomer look for beside it.

    python_package_test.py BUILD SOURCE
"""

import glob
import os
import subprocess
import sys
import tempfile
import zipfile

build, source = sys.argv[1:3]
failures = 0


def expect(holds, what):
    global failures
    if not holds:
        failures += 1
        print(f"FAILED: {what}")


def run(*words, **environment):
    done = subprocess.run(words, capture_output=True, text=True, cwd="/", env={
        **os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment})
    expect(done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def files_of(folder):
    return {name for name in os.listdir(f"{folder}/fftprec") if name != "__pycache__"}


USES_THE_FIXTURE = """
import numpy as np
import pytest
def test_fft(assert_fft):
    x = np.random.default_rng(1).standard_normal(64)
    assert_fft(np.fft.fft(x), x)
    with pytest.raises(AssertionError):
        assert_fft(np.fft.ifft(x), x)
"""


def expect_package(folder):
    expect(files_of(folder) == files_of(f"{build}/python"),
           f"{files_of(folder)} in {folder}, and {files_of(f'{build}/python')} in the build")
    version = run(f"{build}/bin/fftprec", "--version").split()[1]
    found = run(sys.executable, "-c", "import fftprec as fp; print(fp.__file__, fp.__version__, "
                "fp.measure(fp.fft(fp.input('gaussian', 64)), fp.input('gaussian', 64))['err_l2_rel'])",
                PYTHONPATH=folder).split()
    expect(found[:2] == [f"{folder}/fftprec/__init__.py", version] and 0 < float(found[2]) < 1e-6,
           f"{found} of version {version} in {folder}")
    with open(f"{scratch}/test_fixture.py", "w", encoding="utf-8") as file:
        file.write(USES_THE_FIXTURE)
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    run(*pytest, f"{scratch}/test_fixture.py", PYTHONPATH=folder)
    run(*pytest, "-p", "fftprec.testing", f"{scratch}/test_fixture.py", PYTHONPATH=folder)
    return version


def expect_program(deb):
    held = {line.split()[5] for line in run("dpkg-deb", "--contents", deb).splitlines()}
    for name in ("bin/fftprec", "share/man/man1/fftprec.1.gz", "share/bash-completion/completions/fftprec",
                 "share/zsh/site-functions/_fftprec", "share/fish/vendor_completions.d/fftprec.fish",
                 "share/doc/fftprec/copyright", "share/doc/fftprec/changelog.gz",
                 "share/doc/fftprec/examples/first_sweep.toml", "share/doc/fftprec/README.md",
                 "share/doc/fftprec/docs/cookbook/python.md", "share/doc/fftprec/docs/img/error_by_mode.svg"):
        expect(f"./usr/{name}" in held, f"{name} in {deb}")
    expect("@" in run("dpkg-deb", "--field", deb, "Maintainer"), "an address of the maintainer")


with tempfile.TemporaryDirectory() as scratch:
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-index", "--no-deps",
        "--wheel-dir", scratch, source, FFTPREC_BUILD=build)
    wheel, = glob.glob(f"{scratch}/*.whl")
    zipfile.ZipFile(wheel).extractall(f"{scratch}/wheel")
    version = expect_package(f"{scratch}/wheel")

    has_c = os.path.exists(f"{build}/c/libfftprec_c.so.1")
    run("cpack", "--config", f"{build}/CPackConfig.cmake", "-B", scratch, "-D",
        "CPACK_COMPONENTS_ALL=python;program" + (";library" if has_c else ""))
    ending = f"{version}_{run('dpkg', '--print-architecture')}.deb"
    expect_program(f"{scratch}/fftprec_{ending}")
    if has_c:
        run("dpkg", "-e", f"{scratch}/libfftprec-c1_{ending}", f"{scratch}/control")
        with open(f"{scratch}/control/triggers", encoding="utf-8") as file:
            expect("activate-noawait ldconfig" in file.read(), "the trigger of ldconfig")
    deb = f"{scratch}/python3-fftprec_{ending}"
    run("dpkg", "-x", deb, f"{scratch}/root")
    expect_package(f"{scratch}/root/usr/lib/python3/dist-packages")
    needs = run("dpkg-deb", "--field", deb, "Depends")
    for package in ("python3 (>= 3.", "python3 (<< 3.", "python3-numpy (>= 1:1.24)", "libmpfr6"):
        expect(package in needs, f"{package} in {needs}")
sys.exit(failures > 0)
