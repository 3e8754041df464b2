"""Axes of arrays: n, s, axis and axes mean what they mean in NumPy."""

import inspect
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fftprec as fp
from fftprec.testing import check

pytestmark = pytest.mark.filterwarnings("ignore")
settings.register_profile("axes", derandomize=True, deadline=None, database=None,
                          max_examples=int(os.environ.get("FFTPREC_EXAMPLES", 20)),
                          suppress_health_check=list(HealthCheck))
settings.load_profile("axes")

EXACT = {"mode": "fp64", "algorithm": "mixed-radix", "machine": "ieee"}
SHAPES = st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple)
NORMS = st.sampled_from(["backward", "ortho", "forward", None])

def data_of(shape, name):
    x = np.random.default_rng(sum(shape) + len(shape)).standard_normal((*shape, 2))
    return x[..., 0] if name in ("rfft", "ihfft", "rfft2", "rfftn", "dct2", "dct3") else \
        x.view(np.complex128)[..., 0]

def by_numpy(name, x, **how):
    """NumPy's result, or None for what it refuses."""
    try:
        return getattr(np.fft, name)(x, **how)
    except (ValueError, IndexError):
        return None

def assert_same(name, x, how, norm):
    expected = by_numpy(name, x, norm=norm, **how)
    if expected is None or 0 in expected.shape:
        with pytest.raises(ValueError):
            getattr(fp, name)(x, norm=norm, **how, **EXACT)
        return
    found = getattr(fp, name)(x, norm=norm, **how, **EXACT)
    assert found.shape == expected.shape, (name, x.shape, how)
    assert np.iscomplexobj(found) == np.iscomplexobj(expected)
    size = np.abs(expected).max()
    assert np.abs(found - expected).max() <= 1e-13 * size, (name, x.shape, how)
    exact = fp.truth(x, name, **how)
    scale = np.abs(exact.value).max() / size if size else 1
    assert exact.value.shape == expected.shape
    assert np.abs(exact.value - expected * scale).max() <= 1e-13 * size * scale
    assert fp.measure(expected, x, name, norm=norm, **how)["err_l2_rel"] < 1e-14
    check(expected, x, transform=name, norm=norm, **how)
    np.testing.assert_allclose(expected, found, **fp.tolerance(x, "float64", name, norm=norm,
                                                               within="expected*4", **how))

@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@given(shape=SHAPES, n=st.none() | st.integers(-1, 9), norm=NORMS, axis=st.integers(-5, 4))
def test_one_axis_is_that_of_numpy(name, shape, n, norm, axis):
    x = data_of(shape, name)
    if -len(shape) <= axis < len(shape) and name in ("irfft", "hfft"):
        x = np.moveaxis(np.fft.rfft(np.moveaxis(x.real, axis, -1)), -1, axis)
        n = n or 2 * x.shape[axis] - 1  # of one value NumPy would make none
    assert_same(name, x, {"n": n, "axis": axis}, norm)

@pytest.mark.parametrize("name", ["fft2", "ifft2", "rfft2", "fftn", "ifftn", "rfftn"])
@given(data=st.data(), shape=SHAPES, norm=NORMS)
def test_several_axes_are_those_of_numpy(name, data, shape, norm):
    x = data_of(shape, name)
    axes = data.draw(st.none() | st.permutations(range(-len(shape), 0)).flatmap(
        lambda order: st.integers(1, len(order)).map(lambda count: order[:count])))
    if name.endswith("2") and (axes is None or len(axes) != 2):
        axes = (-2, -1) if len(shape) < 2 else tuple(axes or (0, 1))[:1] + (len(shape) - 1,)
    count = len(axes) if axes is not None else data.draw(st.integers(1, len(shape)))
    s = data.draw(st.none() | st.lists(st.integers(1, 7), min_size=count, max_size=count))
    if len(set(axis % len(shape) for axis in axes or ())) < len(axes or ()):
        with pytest.raises(ValueError):
            getattr(fp, name)(x, s=s, axes=axes)
        return
    assert_same(name, x, {"s": s, "axes": axes}, norm)

@pytest.mark.parametrize("name", ["irfft2", "irfftn"])
@pytest.mark.parametrize("shape, axes", [((4, 6), None), ((3, 4, 5), (0, 1)), ((3, 4, 5), (2, 0)),
                                         ((2, 3, 4, 5), (1, 3))])
def test_spectra_of_real_data_go_back_over_any_axes(name, shape, axes):
    if name == "irfft2" and axes is None:
        axes = (-2, -1)
    x = np.random.default_rng(1).standard_normal(shape)
    chosen = axes or range(-len(shape), 0)
    spectrum = np.fft.rfftn(x, axes=axes)
    for s in (None, [x.shape[axis] for axis in chosen]):
        assert_same(name, spectrum, {"s": s, "axes": axes}, "ortho")

def test_a_cosine_transform_has_the_axes_of_scipy():
    scipy_fft = pytest.importorskip("scipy.fft")
    x = np.random.default_rng(2).standard_normal((4, 5, 6))
    for kind in (2, 3):
        for how in ({}, {"axis": 0}, {"axis": 1, "n": 3}, {"axis": -2, "n": 8, "norm": "ortho"}):
            expected = scipy_fft.dct(x, kind, **how)
            assert np.allclose(fp.dct(x, kind, **how, **EXACT), expected, rtol=1e-13, atol=1e-13)
            place = {key: value for key, value in how.items() if key != "norm"}
            name = f"dct{kind}" + (":norm=ortho" if "norm" in how else "")
            check(expected, x, transform=name, **place)

def test_cosine_and_sine_transforms_of_all_types_are_those_of_scipy():
    scipy_fft = pytest.importorskip("scipy.fft")
    x = np.random.default_rng(6).standard_normal((3, 8, 2))
    for name in ("dct", "dst"):
        for kind in (1, 2, 3, 4):
            for how in ({"axis": 1}, {"axis": 1, "n": 6}, {"axis": 0, "n": 4}):
                expected = getattr(scipy_fft, name)(x, kind, **how)
                computed = getattr(fp, name)(x, kind, **how, **EXACT)
                assert np.allclose(computed, expected, rtol=1e-13, atol=1e-13)
                assert fp.measure(expected, x, f"{name}{kind}", **how)["err_l2_rel"] < 1e-14
                if f"{name}{kind}" not in ("dct2", "dct3"):
                    with pytest.raises(ValueError, match="give a number"):
                        check(expected, x, transform=f"{name}{kind}", **how)

def by_definition(transform, x):
    """The Hartley transform, or the lapped ones without a window."""
    n = x.shape[-1] // (2 if transform == "mdct" else 1)
    if transform == "hartley":
        angles = 2 * np.pi * np.outer(range(n), range(n)) / n
        return x @ (np.cos(angles) + np.sin(angles))
    lapped = np.cos(np.pi * np.outer(2 * np.arange(2 * n) + 1 + n, 2 * np.arange(n) + 1) / (4 * n))
    return x @ (lapped if transform == "mdct" else lapped.T)

def test_hartley_and_lapped_transforms_are_those_of_their_definition():
    x = np.random.default_rng(7).standard_normal((3, 16))
    window = np.sin(np.pi * (2 * np.arange(16) + 1) / 32)
    for transform, how, expected in (
            ("hartley", {}, by_definition("hartley", x)),
            ("mdct", {}, by_definition("mdct", x * window)),
            ("mdct", {"window": "none"}, by_definition("mdct", x)),
            ("imdct", {}, by_definition("imdct", x[:, :8]) * window),
            ("imdct", {"window": "none"}, by_definition("imdct", x))):
        data = x[:, :8] if transform == "imdct" and not how else x
        computed = getattr(fp, transform)(data, **how, **EXACT)
        assert np.allclose(computed, expected, rtol=1e-13, atol=1e-13)
        key = "".join(f":{name}={value}" for name, value in how.items())
        assert fp.measure(expected, data, transform + key)["err_l2_rel"] < 1e-14

def test_an_image_says_how_many_rows_it_has():
    image = np.random.default_rng(3).integers(0, 256, (32, 48)).astype(np.uint8)
    check(np.fft.fft2(image), image, transform="fft2")
    check(np.fft.rfft2(image), image, transform="rfft2")
    check(np.fft.fftn(image), image, transform="fftn")
    check(np.fft.fft2(image, (16, 64)), image, transform="fft2", s=(16, 64))
    check(np.fft.fft2(image[:16]), image, transform="fft2:rows=16", s=(16, 48))
    spectrum = np.fft.rfft2(image)
    check(np.fft.irfft2(spectrum), spectrum, transform="irfft2")
    cube = np.random.default_rng(4).standard_normal((4, 6, 5))
    check(np.fft.fftn(cube), cube, transform="fftn")
    check(np.fft.rfftn(cube), cube, transform="rfftn:dims=4x6xn")
    with pytest.raises(AssertionError, match="y is not the fftn"):
        check(np.fft.fft2(cube), cube, transform="fftn")

def test_short_time_transforms_stand_in_the_place_of_their_axis():
    x = np.random.default_rng(5).standard_normal((3, 64, 2))
    name = "stft:length=64"
    found = fp.compute(x, name, 16, axis=1, **EXACT)
    last = fp.compute(np.moveaxis(x, 1, -1), name, 16, **EXACT)
    assert found.shape == (3, 17, 9, 2) and np.array_equal(np.moveaxis(found, 3, 1), last)
    assert fp.measure(found, x, name, 16, axis=1)["err_l2_rel"] < 1e-14
    back = fp.compute(found, "istft:length=64", 16, axes=(1, 2), **EXACT)
    assert back.shape == x.shape and np.allclose(back, x)

def test_the_worst_element_is_named_as_the_array_has_it():
    x = fp.input("gaussian", 64, 4).T
    y = np.fft.fft(x, axis=0)
    y[7, 2] *= 1.5
    with pytest.raises(AssertionError, match=r"item 2 of 4(.|\n)*y\[7, 2\]"):
        check(y, x, axis=0)
    error = fp.measure(y, x, axis=0, per_bin=True)["error"]
    assert np.unravel_index(np.abs(error).argmax(), error.shape) == (7, 2)

@pytest.mark.parametrize("call, text", [
    (lambda x: fp.fft(x, axis=2), "axis 2 is none of an array of shape (4, 8)"),
    (lambda x: fp.fft2(x, axes=(0, -2)), "each once"),
    (lambda x: fp.fft2(x, axes=(0,)), "over 2 axes, not the 1"),
    (lambda x: fp.fft2(x[0]), "axis -2 is none of an array of shape (8,)"),
    (lambda x: fp.truth(x[0], "fft2"), "over 2 axes; x has shape (8,)"),
    (lambda x: fp.fftn(x, axes=()), "each once"),
    (lambda x: fp.fftn(x, s=(2,), axes=(0, 1)), "1 lengths for 2 axes"),
    (lambda x: fp.fftn(np.ones((1,) * 6)), "from 1 to 5"),
    (lambda x: fp.fft(x, 0), "n = 0"),
    (lambda x: fp.fft(x, 2**40), "zeros are added up to 16777216"),
    (lambda x: fp.compute(x, "fft2", 4, s=(4, 4)), "n and s"),
    (lambda x: fp.compute(x, "fft", axis=0, axes=(0,)), "axis and axes"),
    (lambda x: fp.compute(x, "fft2:rows=2"), "items of shape (2, 8); x has shape (4, 8)"),
    (lambda x: fp.compute(x, "fft2:rows=2", s=(4, 8)), "not over axes of s = (4, 8)"),
    (lambda x: fp.compute(x, "fftn:dims=3xn"), "items of shape (3, 8); x has shape (4, 8)"),
    (lambda x: fp.compute(x, "cmul", axis=0), "takes no axis"),
    (lambda x: fp.compute(x, "stft", 4, s=(4,), axis=0), "n and s"),
    (lambda x: fp.measure(np.fft.fft(x).T, x), "the result has shape (8, 4); fft gives (4, 8)"),
])
def test_axes_that_make_no_sense_are_a_value_error(call, text):
    with pytest.raises(ValueError) as error:
        call(np.ones((4, 8)))
    assert text in str(error.value)

