"""The protocol of docs/programs.md for adapters in Python: what to compute, by transform and format."""

import sys

import numpy as np

REALS = {"fp16": "<f2", "fp32": "<f4", "fp64": "<f8"}
COMPLEX = {"fp32": "<c8", "fp64": "<c16"}


REAL_TRANSFORMS = ("dct", "dst", "hartley", "mdct", "imdct")


class Refusal(Exception):
    """What a library does not offer."""


def has_real_input(transform, inverse):
    return transform.startswith(REAL_TRANSFORMS) or (transform, inverse) in [("rfft", False), ("hfft", True)]


def has_real_output(transform, inverse):
    return transform.startswith(REAL_TRANSFORMS) or (transform, inverse) in [("rfft", True), ("hfft", False)]


def serve(version, compute, formats=("fp32", "fp64")):
    """Answers requests. compute(transform, inverse, x, lengths): x is one item; returns its result, or
    raises Refusal."""
    out = sys.stdout.buffer

    def say(text, values=b""):
        out.write(text.encode() + b"\n" + values)
        out.flush()

    say(f"fftprec-program 1 {version}")
    for line in sys.stdin.buffer:
        transform, lengths, direction, number, batch, size = line.decode().split()
        data = sys.stdin.buffer.read(int(size))
        inverse, lengths = direction == "inverse", [int(n) for n in lengths.split("x")]
        try:
            if number not in formats or number not in COMPLEX:
                raise Refusal(f"only {' and '.join(formats)}")
            types = REALS if has_real_input(transform, inverse) else COMPLEX
            items = np.frombuffer(data, types[number]).reshape(int(batch), *lengths[:-1], -1)
            types = REALS if has_real_output(transform, inverse) else COMPLEX
            say_type = np.dtype(types[number])
            results = [np.asarray(compute(transform, inverse, item, lengths)) for item in items]
            values = np.array(results).astype(say_type).tobytes()
            say(f"ok {len(values)}", values)
        except Refusal as reason:
            say(f"no {reason}")


def by_numpy_names(module):
    """compute() of a module with NumPy's functions of n axes: fftn, ifftn, rfftn, irfftn, hfft, ihfft, dct, dst."""
    def compute(transform, inverse, x, lengths):
        axes = tuple(range(len(lengths)))
        if transform in ("fft", "rfft"):
            return getattr(module, "i" * inverse + transform + "n")(x, s=lengths, axes=axes)
        if transform == "hfft":
            return getattr(module, "i" * inverse + "hfft")(x, n=lengths[-1])
        if transform[:3] in ("dct", "dst") and hasattr(module, "dct"):
            return getattr(module, transform[:3])(x, type=int(transform[3:]))
        raise Refusal(f"no {transform}")
    return compute
