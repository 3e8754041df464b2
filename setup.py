"""How `pip install .` builds the package: CMake makes it below build/, or made it in FFTPREC_BUILD."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
BUILT = os.environ.get("FFTPREC_BUILD")
BUILD = Path(BUILT or ROOT / "build" / f"pip-{sys.implementation.cache_tag}").resolve()


def cmake(*words):
    subprocess.run(["cmake", *words], check=True)


class CMake(build_ext):
    """Every file of the wheel comes from the component "python" of CMake's installation."""

    def run(self):
        if self.inplace:
            sys.exit("fftprec has no editable install: PYTHONPATH=build/release/python serves")
        if not BUILT:
            cmake("--preset", "release", "-S", ROOT, "-B", BUILD, "-DFFTPREC_PYTHON=ON",
                  "-DFFTPREC_TESTS=OFF", f"-DFFTPREC_NUMPY_PYTHON={sys.executable}")
            cmake("--build", BUILD, "--target", "fftprec_python")
        prefix = BUILD / "wheel"
        shutil.rmtree(prefix, ignore_errors=True)
        cmake("--install", BUILD, "--component", "python", "--strip", "--prefix", prefix)
        shutil.copytree(prefix / "lib/python3/dist-packages/fftprec", f"{self.build_lib}/fftprec")


BUILD.mkdir(parents=True, exist_ok=True)
setup(
    version=re.search(r"project\(fftprec VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1],
    packages=[],
    ext_modules=[Extension("fftprec._core", [])],
    cmdclass={"build_ext": CMake},
    options={"build": {"build_base": str(BUILD / "wheel")}, "egg_info": {"egg_base": str(BUILD)}},
)
