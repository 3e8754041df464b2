"""Arrays of any shape, layout, byte order and type: a call sees their values alone, and a batch is its
items. The arrays are made up by hypothesis, the same in every run."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import fftprec as fp

EXAMPLES = int(os.environ.get("FFTPREC_EXAMPLES", 20))
settings.register_profile("same", derandomize=True, deadline=None, database=None, max_examples=EXAMPLES,
                          suppress_health_check=list(HealthCheck))
settings.load_profile("same")

FLOATS = ["f2", "f4", "f8"]
DTYPES = FLOATS + ["c8", "c16"]
CARRIERS = {"f2": "f4", "f4": "f4", "f8": "f8", "c8": "c8", "c16": "c16"}
FORMATS = st.sampled_from(["bf16", "fp16", "fp8_e4m3fn", "custom(p=3,emin=-4,emax=5)"])


def values(dtype, finite):
    """Numbers of moderate size where they are transformed, any where they are rounded."""
    if dtype[0] == "c":
        part = values("f4" if dtype == "c8" else "f8", finite)
        return st.builds(complex, part, part)
    width = 8 * int(dtype[1])
    return st.floats(-1024, 1024, width=width) if finite else st.floats(width=width)


@st.composite
def arrays(draw, shapes=hnp.array_shapes(min_dims=0, min_side=0, max_side=6), dtypes=DTYPES,
           finite=False):
    dtype = draw(st.sampled_from(dtypes))
    return draw(hnp.arrays(dtype, draw(shapes), elements=values(dtype, finite)))


@st.composite
def layouts(draw, x):
    """The same values as in Fortran, between others, backwards, in the other byte order, read-only."""
    order = draw(st.permutations(range(x.ndim)))
    steps = draw(st.tuples(*[st.sampled_from([1, 1, 2, -1, -3])] * x.ndim))
    memory = np.zeros([x.shape[axis] * abs(steps[axis]) for axis in order],
                      x.dtype.newbyteorder(draw(st.sampled_from("<>"))))
    view = memory.transpose(np.argsort(order))[(..., *(slice(None, None, step) for step in steps))]
    view[...] = x
    view.flags.writeable = draw(st.booleans())
    return view


def bits_of(x):
    return x.shape, x.dtype, np.ascontiguousarray(x).tobytes()


@given(st.data())
def test_round_sees_the_values_alone(data):
    x = data.draw(arrays())
    how = (data.draw(FORMATS), data.draw(st.sampled_from(list(fp.roundings()))))
    found = fp.round(data.draw(layouts(x)), *how)
    assert found.dtype == CARRIERS[x.dtype.str[1:]] and found.shape == x.shape
    assert bits_of(found) == bits_of(fp.round(x.copy(), *how))


@given(arrays(dtypes=FLOATS), FORMATS, st.sampled_from(list(fp.roundings())))
def test_rounding_twice_is_rounding_once(x, to, rounding):
    once = fp.round(x, to, rounding)
    assert bits_of(fp.round(once, to, rounding)) == bits_of(once)
    assert bits_of(fp.round(once, to)) == bits_of(once)
    assert np.array_equal(np.isnan(once), np.isnan(x)) or to == "fp8_e4m3fn"


@given(arrays(dtypes=FLOATS, shapes=hnp.array_shapes(max_dims=1, max_side=40)), FORMATS,
       st.sampled_from(["rne", "rna", "rz", "ru", "rd"]))
def test_rounding_keeps_the_order(x, to, rounding):
    found = fp.round(np.sort(x[~np.isnan(x)]), to, rounding)
    found = found[~np.isnan(found)]  # what overflows in a format without infinities
    assert (found[1:] >= found[:-1]).all()


@given(arrays(dtypes=FLOATS), FORMATS)
def test_rounding_does_not_depend_on_the_sign(x, to):
    for rounding, opposite in [("rne", "rne"), ("rna", "rna"), ("rz", "rz"), ("odd", "odd"),
                               ("sr", "sr"), ("ru", "rd")]:
        assert bits_of(fp.round(-x, to, rounding)) == bits_of(-fp.round(x, to, opposite))


def batches(axes, least=1):
    sides = st.sampled_from([n for n in (1, 2, 4, 8) if n >= least])
    return st.tuples(st.lists(st.integers(1, 3), max_size=2), st.tuples(*[sides] * axes)).map(
        lambda shape: (*shape[0], *shape[1]))


def items_of(x, axes):
    return x.reshape(-1, *x.shape[x.ndim - axes:])


@pytest.mark.parametrize("name, axes", [("fft", 1), ("ifft", 1), ("rfft", 1), ("irfft", 1),
                                        ("fft2", 2)])
@given(data=st.data())
def test_a_batch_is_its_items_in_any_layout(name, axes, data):
    shapes = batches(axes, least=2 if name == "irfft" else 1)
    x = data.draw(arrays(shapes, FLOATS if name == "rfft" else DTYPES, finite=True))
    if name == "irfft":
        x = np.fft.rfft(x.real).astype(np.complex64 if x.dtype.itemsize < 8 else np.complex128)
    mode = data.draw(st.sampled_from(["fp32", "bf16", "fp64"]))
    transform = getattr(fp, name)
    found = transform(data.draw(layouts(x)), mode=mode)
    assert bits_of(found) == bits_of(transform(x.copy(), mode=mode))
    assert found.shape == getattr(np.fft, name)(x).shape
    for item, of_batch in zip(items_of(x, axes), items_of(found, axes)):
        assert bits_of(transform(item, mode=mode)) == bits_of(of_batch)


@settings(max_examples=min(EXAMPLES, 30))
@given(st.data())
def test_truth_and_measure_see_the_values_alone(data):
    x = data.draw(arrays(batches(1), finite=True))
    exact, y = fp.truth(x.copy()), fp.fft(x, mode="bf16")
    found = fp.truth(data.draw(layouts(x)))
    assert bits_of(found.value) == bits_of(exact.value) and bits_of(found.lo) == bits_of(exact.lo)
    for item, value in zip(items_of(x, 1), items_of(exact.value, 1)):
        assert bits_of(fp.truth(item).value) == bits_of(value)
    assert repr(fp.measure(data.draw(layouts(y)), data.draw(layouts(x)))) == repr(fp.measure(y, x))


KINDS = st.sampled_from([*DTYPES, "?", "i4", "u1", "g", "U3", "O", "M8[s]"])
ANY_ARRAYS = KINDS.flatmap(lambda kind: hnp.arrays(
    kind, hnp.array_shapes(min_dims=0, min_side=0, max_side=4), elements=(
        st.none() if kind == "O" else None)))
WORDS = st.one_of(st.text(alphabet="abf0123456789:{}=,()_-. ", max_size=12), st.sampled_from(
    [name for names in (fp.formats, fp.modes, fp.transforms, fp.inputs) for name in names()]))
WHOLE = st.one_of(st.integers(), st.integers(-2, 20), st.sampled_from([2**31, 2**32, 2**63, 2**64]))
CALLS = {
    "round": lambda x, y, word, n: fp.round(x, "bf16", "sr", bits=n, seed=len(word)),
    "round of a seed": lambda x, y, word, n: fp.round(x, "bf16", "sr", seed=n),
    "round to a name": lambda x, y, word, n: fp.round(x, word),
    "round by a name": lambda x, y, word, n: fp.round(x, "bf16", word),
    "round to a format": lambda x, y, word, n: fp.round(x, fp.Format(n, -n, n, False, "nan")),
    "fft": lambda x, y, word, n: fp.fft(x),
    "fft of n": lambda x, y, word, n: fp.fft(x, n, algorithm="mixed-radix"),
    "fft along an axis": lambda x, y, word, n: fp.fft(x, axis=n),
    "fftn of s": lambda x, y, word, n: fp.fftn(x, (n, 2)),
    "fft2 along axes": lambda x, y, word, n: fp.fft2(x, axes=(n, 0)),
    "fft in a mode": lambda x, y, word, n: fp.fft(x, mode=word),
    "fft with a table": lambda x, y, word, n: fp.fft(x, tables=y),
    "irfft": lambda x, y, word, n: fp.irfft(x, n),
    "fft2": lambda x, y, word, n: fp.fft2(x),
    "rfftn": lambda x, y, word, n: fp.rfftn(x),
    "stft": lambda x, y, word, n: fp.stft(x),
    "compute": lambda x, y, word, n: fp.compute(x, word),
    "truth": lambda x, y, word, n: fp.truth(x, "ifft", n if n < 2**16 else 2**31 + n),
    "tolerance": lambda x, y, word, n: fp.tolerance(x, y.dtype, axis=n),
    "tolerance within": lambda x, y, word, n: fp.tolerance(x, "float32", within=word),
    "measure": lambda x, y, word, n: fp.measure(y, x, per_bin=True),
    "measure to a name": lambda x, y, word, n: fp.measure(y, x, format=word),
    "input of a name": lambda x, y, word, n: fp.input(word, 4),
    "input": lambda x, y, word, n: fp.input("gaussian", min(n, 99), min(n, 9), seed=n),
    "run": lambda x, y, word, n: fp.run(mode=word, n=min(n, 64)),
    "show": lambda x, y, word, n: fp.show(word),
    "design": lambda x, y, word, n: fp.design(word, min={"snr_db": n}, mode=word, n=16),
    "recommend": lambda x, y, word, n: fp.recommend(n, {word: 1}),
}


@pytest.mark.parametrize("name", list(CALLS))
@given(x=ANY_ARRAYS, y=ANY_ARRAYS, word=WORDS, n=WHOLE)
def test_what_is_wrong_is_a_value_error(name, x, y, word, n):
    try:
        CALLS[name](x, y, word, n)
    except ValueError as error:
        assert str(error)
