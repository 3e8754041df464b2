"""fp.diverge names planted faults, and none in healthy FFTs. The whole study: fault_location.py."""

import re

import fault_location
import fftprec as fp
import numpy as np
import planted
import pytest


def located(seed, count, alone=False):
    rng = np.random.default_rng(seed)
    return [fault_location.run_fault(rng, alone) for _ in range(count)]


def test_nearly_every_stage_and_most_culprits_are_named():
    rows = located(seed=7, count=40)
    assert sum(row["stage_right"] for row in rows) >= 0.95 * len(rows)
    assert sum(row["culprit_right"] for row in rows) >= 0.8 * len(rows)


def test_results_alone_name_faults_that_are_no_roundings():
    hidden = ("element-lost-bits", "narrow-store", "truncating-store", "table-narrow",
              "angle-not-reduced", *planted.BITS_KINDS)
    rows = [row for row in located(seed=7, count=40, alone=True) if row["kind"] not in hidden]
    assert len(rows) > 15
    assert sum(row["stage_right"] for row in rows) >= 0.9 * len(rows)


def other_bits(algorithm, format, n, kind):
    """What is said of a stage that forms products or sums in another way."""
    x = planted.probes(format, n)
    stage = len(planted.stages_of(algorithm, n)) // 2 + 1  # no stage of trivial twiddles
    fault = planted.make_fault(algorithm, format, n, kind, stage)
    y, stages = planted.transcribe(algorithm, format, x, fault)
    text = fault_location.judged(algorithm, format, x, y, stages)
    assert text.passed
    return " ".join(text.split())


@pytest.mark.parametrize("algorithm", ["radix2-dit", "radix2-dif", "stockham-r4", "four-step"])
@pytest.mark.parametrize("format", ["bf16", "fp16", "fp32"])
def test_fused_products_are_told_from_rounded_ones(algorithm, format):
    assert ("all its bits agree if products are fused: with twiddle a + b i and data c + d i, "
            "re = fma(a, c, -b d), im = fma(a, d, b c)"
            in other_bits(algorithm, format, 256, "other-product"))


def test_rounded_products_of_fixed_point_are_told_from_sums_rounded_once():
    assert ("all its bits agree if every real product is rounded before it is added"
            in other_bits("radix2-dit", "q1.15", 64, "other-product"))


@pytest.mark.parametrize("algorithm, format, order", [
    ("stockham-r4", "bf16", "its sums of several elements are formed in pairs of neighbours"),
    ("stockham-r4", "fp32", "its sums of several elements are formed in pairs of neighbours"),
    ("dft-gemm", "bf16", "its sums of products are formed from the last term to the first"),
    ("dft-gemm", "fp32", "its sums of products are formed from the last term to the first"),
    ("four-step", "fp16", "its sums of products are formed from the last term to the first")])
def test_another_order_of_sums_is_named(algorithm, format, order):
    assert f"all its bits agree if {order}" in other_bits(algorithm, format, 64 if
                                                          algorithm == "dft-gemm" else 256,
                                                          "other-order")


def test_an_order_that_is_not_known_is_not_named():
    x = planted.probes("bf16", 256)
    y, stages = planted.transcribe("radix2-dit", "bf16", x)
    spoilt = [values.copy() for _, values in stages]
    last = spoilt[-1].view(np.float32)
    last[..., ::3] = (last[..., ::3].view(np.uint32) ^ 0x10000).view(np.float32)  # last bits of bf16
    text = fp.diverge(x, spoilt, algorithm="radix2-dit", mode="bf16", machine="ieee")
    assert text.passed
    assert "no way that fftprec tries" in " ".join(text.split())


@pytest.mark.parametrize("alone", [False, True])
def test_no_fault_is_named_in_healthy_runs(alone):
    rng = np.random.default_rng(8)
    assert all(fault_location.run_healthy(rng, alone) for _ in range(40))


@pytest.fixture
def four_step():
    """A four-step FFT of 4096 points in bf16 with a twiddle 100 steps off, and its data."""
    fault = planted.make_fault("four-step", "bf16", 4096, "entry-of-another-place", 2,
                               table="twiddles", entry=22 * 64 + 17, steps=100)
    x = fp.input("gaussian", 4096)
    y, stages = planted.transcribe("four-step", "bf16", x, fault)
    return x, y, [values for _, values in stages]


def test_a_wrong_twiddle_is_named_by_the_result_alone(four_step):
    x, y, _ = four_step
    text = fp.diverge(x, result=y, algorithm="four-step", mode="bf16")
    assert not text.passed
    assert "W[17][23] = W_4096^391" in text
    assert "of 4096 values, all 17 mod 64" in text
    assert re.search(r"100 steps further|9\d steps further|10\d steps further", text)


def test_one_wrong_product_is_no_copy_of_another_element():
    n, rng = 4096, np.random.default_rng(3)
    for draw in range(12):
        x = planted.probe("bf16", n, seed=draw)
        stage_1 = planted.transcribe("four-step", "bf16", x)[1][0][1]
        fault = planted.make_fault("four-step", "bf16", n, "entry-of-another-place", 2, table="twiddles",
                                   entry=int(rng.integers(63 * 64)), steps=int(rng.integers(50, 500)))
        twiddled = planted.after_twiddles("four-step", "bf16", stage_1, 2, fault)
        text = fp.diverge(x, [stage_1, twiddled], algorithm="four-step", mode="bf16")
        assert "twiddle W[" in text and "holds the value" not in text, text


def test_a_copied_element_is_named():
    x = planted.probe("bf16", 4096)
    stage_1 = planted.transcribe("four-step", "bf16", x)[1][0][1].copy()
    stage_1[1111] = stage_1[2441]
    text = fp.diverge(x, [stage_1], algorithm="four-step", mode="bf16")
    assert "element 1111 holds the value of element 2441" in text
    stages = [values.copy() for _, values in planted.transcribe("radix2-dit", "fp32", x)[1][:5]]
    stages[4][22] = stages[4][6]
    text = fp.diverge(x, stages, algorithm="radix2-dit", mode="fp32")
    assert "element 22 holds the value of element 6, its partner in the butterfly" in text


@pytest.mark.parametrize("algorithm, format, n", [("radix2-dit", "bf16", 64), ("four-step", "fp32", 256),
                                                  ("stockham-r4", "q1.15", 64), ("radix2-dif", "fp16", 64)])
def test_wrong_signs_in_products_and_strides_that_wrap_are_named(algorithm, format, n):
    case = {"algorithm": algorithm, "mode": format, "machine": "ieee"}
    if format == "q1.15":
        case["scale"] = "stage:1/2"
    x = planted.probes(format, n)
    stage = 2 if algorithm != "radix2-dit" else 5
    order = planted.stages_of(algorithm, n)[stage - 1].tables["twiddles"].order
    for kind, detail, says in [
            ("real-part", {}, "the real part of products w x is w_re x_re + w_im x_im"),
            ("imaginary-part", {}, "the imaginary part of products w x is w_re x_im - w_im x_re"),
            ("twiddles-stride", {"table": "twiddles", "times": 2, "wrap": order // 2},
             "the index wraps: W_L^(2 k mod L/2)")]:
        fault = planted.make_fault(algorithm, format, n, kind, stage, **detail)
        y, stages = planted.transcribe(algorithm, format, x, fault)
        text = fp.diverge(x, [values for _, values in stages], **case)
        assert says in text and f"stage {stage})" in text, text


def test_a_nearly_right_entry_is_told_by_how_much_it_is_off():
    x = planted.probes("fp32", 64)
    stages = [values.copy() for _, values in planted.transcribe("radix2-dit", "fp32", x)[1]]
    before = stages[4].astype(np.complex128)
    wrong = np.exp(-2j * np.pi * 5 / 64) * 2e-5 * before[:, 37]
    stages[5][:, 5] += wrong
    stages[5][:, 37] -= wrong
    text = fp.diverge(x, stages[:6], algorithm="radix2-dit", mode="fp32", machine="ieee")
    assert re.search(r"W_64\^5, .*is about .*, off by 2e-5 \(\d+ ulp\)", text), text


def test_another_algorithm_is_named_by_its_stages():
    x = planted.probes("fp32", 64)
    arrays = [values for _, values in planted.transcribe("radix2-dif", "fp32", x)[1]]
    for wrong in ("stockham-r2", "radix2-dit", "four-step"):
        with pytest.raises(ValueError, match=f"no array agrees with a stage of {wrong}: is it another "
                                             r"algorithm\? 6 of 6 agree with stages of radix2-dif$"):
            fp.diverge(x, arrays, algorithm=wrong, mode="fp32")
    arrays[0] = arrays[0][:, ::-1]  # no other algorithm's
    assert not fp.diverge(x, arrays, algorithm="radix2-dif", mode="fp32").passed


def test_a_wrong_whole_result_is_named_as_measure_names_it():
    x = planted.probes("fp32", 256)
    y = np.fft.fft(x).astype(np.complex64)
    for wrong, says in [(np.fft.ifft(x).astype(np.complex64), "perhaps .*ifft instead of fft"),
                        (y[:, planted.bit_reversal(256)], "perhaps .*bit-reversed"),
                        (np.fft.fftshift(y, axes=1), "perhaps .*shift|negated, or sums and differences are exchanged"),
                        (y / 256, "are 3.90625e-3 times what they should be"),
                        (np.fft.fft(x * np.hanning(256)).astype(np.complex64), "perhaps .*window")]:
        text = fp.diverge(x, result=wrong, algorithm="radix2-dit", mode="fp32")
        assert re.search(says, text), text


def test_an_order_may_be_an_array_of_integers(tmp_path):
    x = planted.probe("fp32", 64)
    arrays = [values for _, values in planted.transcribe("radix2-dit", "fp32", x)[1]]
    places = np.random.default_rng(1).permutation(64)
    shuffled = np.empty_like(arrays[0])
    shuffled[places] = arrays[0]
    for dtype in ("<i8", "<i4", "<u2", "<f8"):
        np.save(tmp_path / "order.npy", places.astype(dtype))
        text = fp.diverge(x, {"a": shuffled}, cuts={"a": f"1:{tmp_path / 'order.npy'}"},
                          algorithm="radix2-dit", mode="fp32")
        assert text.passed and "same values" in text, text
    np.save(tmp_path / "order.npy", places - 1)
    with pytest.raises(ValueError, match="-1 is no index below 64"):
        fp.diverge(x, {"a": shuffled}, cuts={"a": f"1:{tmp_path / 'order.npy'}"}, algorithm="radix2-dit",
                   mode="fp32")
    with pytest.raises(ValueError, match="unknown order of elements 'other'; known: .*a .npy file"):
        fp.diverge(x, {"a": shuffled}, cuts={"a": "1:other"}, algorithm="radix2-dit", mode="fp32")


def rounded_more(values, rng):
    """Errors of about 2 units of bf16's last place, alike in all elements."""
    size = np.abs(values) * 2.0**-8
    noise = (rng.standard_normal(values.shape) + 1j * rng.standard_normal(values.shape)) * size
    return planted._Floats("bf16").complex(planted._Floats("bf16").stored(values + 2 * noise))


def test_elements_that_all_err_alike_are_told_from_a_fault():
    x, rng = planted.probes("bf16", 256), np.random.default_rng(4)
    stages = [values for _, values in planted.transcribe("radix2-dit", "bf16", x)[1]]
    wide = rounded_more(stages[0], rng)
    case = {"algorithm": "radix2-dit", "mode": "bf16", "machine": "ieee"}
    text = fp.diverge(x, [wide], **case)
    said = re.search(r"all elements err about (\S+) times as much as the emulation rounds.*--factor (\d+)",
                     text)
    assert said and 2 < float(said.group(1)) < 16, text
    assert fp.diverge(x, [wide], factor=float(said.group(2)), **case).passed
    wide[:, 77] = 0
    text = fp.diverge(x, [wide], **case)
    assert re.search(r"element 77 is 0: not written, or lost;\n  all other elements err about", text), text


def test_a_fault_of_a_program_with_larger_roundings_is_named(monkeypatch):
    def matrix_product(self, w, x, last, order=1):  # every partial sum is rounded to bf16
        sums = np.zeros((2, *x.shape[1:-2], w.shape[2], x.shape[-1]), self.type)
        for part, k in planted._in_tiles(w.shape[1], 128):
            row = x[part, ..., k, None, :]
            sums[0] = self.round(sums[0] + (w[0, k, :, None] if part == 0 else -w[1, k, :, None]) * row)
            sums[1] = self.round(sums[1] + w[1 - part, k, :, None] * row)
        return sums

    monkeypatch.setattr(planted._Floats, "matrix_product", matrix_product)
    x = planted.probes("bf16", 1024)
    healthy = planted.transcribe("four-step", "bf16", x)[1]
    text = fp.diverge(x, [values for _, values in healthy], algorithm="four-step", mode="bf16")
    assert "all elements err about" in text and "none alone" in text, text
    for kind, stage, detail, says in [
            ("element-zero", 1, {"place": 77}, "element 77 is 0"),
            ("entry-negated", 2, {"table": "twiddles", "entry": 5 * 32 + 17}, "negated")]:
        fault = planted.make_fault("four-step", "bf16", 1024, kind, stage, **detail)
        stages = planted.transcribe("four-step", "bf16", x, fault)[1]
        text = fp.diverge(x, [values for _, values in stages], algorithm="four-step", mode="bf16")
        assert f"fault in stage {stage}" in text and says in text, text


@pytest.mark.parametrize("casts", ["rd", "rna", "rz"])
def test_the_rounding_that_gives_all_bits_is_named(casts):
    x = planted.probes("q1.15", 64)
    case = {"algorithm": "radix2-dit", "mode": "q1.15", "scale": "stage:1/2"}
    stages = fp.stages(x, machine=f"ieee{{casts={casts}}}", **case)
    text = fp.diverge(x, [values for _, values in stages], machine="ieee", factor=8, **case)
    assert f"all bits agree with -a 'machine=ieee{{casts={casts}}}'" in text, text


def test_a_result_rounded_after_a_stage_that_is_not_is_named():
    x = planted.probes("bf16", 256)
    y, _ = planted.transcribe("four-step", "bf16", x)
    numbers = planted._Floats("bf16")
    text = fp.diverge(x, result=numbers.complex(numbers.stored(y)), algorithm="four-step", mode="bf16",
                      machine="ieee")
    assert "only result (result) has other bits" in text
    assert "its results are rounded to 8 bits, as data have" in text, text


def test_arrays_are_found_in_other_orders(four_step):
    x, y, stages = four_step
    columns = np.ascontiguousarray(stages[0].reshape(64, 64).T)
    text = fp.diverge(x, {"my columns": columns}, result=y, algorithm="four-step", mode="bf16")
    assert "my columns, 64x64" in text
    assert "W[17][23]" in text
    with pytest.raises(ValueError, match="unknown stage of --cut 'stage 9'.*'stage 2, times twiddles', 'stage 2'"):
        fp.diverge(x, {"a": columns}, cuts={"a": "stage 9"}, algorithm="four-step", mode="bf16")
    with pytest.raises(ValueError, match="a holds 64 values; after input there are stage 1"):
        fp.diverge(x, {"a": columns[:1]}, algorithm="four-step", mode="bf16")
    with pytest.raises(ValueError, match="split-radix leaves no complete array"):
        fp.diverge(x, {"a": columns}, algorithm="split-radix", mode="bf16")
    with pytest.raises(ValueError, match="holds 4095 values"):
        fp.diverge(x, result=y[:-1], algorithm="four-step", mode="bf16")


def test_stages_are_those_of_the_transcription():
    x = planted.probe("bf16", 64)
    _, expected = planted.transcribe("stockham-r4", "bf16", x)
    stages = fp.stages(x, algorithm="stockham-r4", mode="bf16", machine="ieee")
    assert [title for title, _ in stages] == [title for title, _ in expected]
    for (_, values), (_, exact) in zip(stages, expected):
        np.testing.assert_array_equal(values, exact)
    with pytest.raises(ValueError, match="no complete array"):
        fp.stages(x, algorithm="split-radix")
