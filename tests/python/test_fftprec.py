"""The Python package: the numbers of the program, on NumPy arrays of any layout."""

import gzip
import random
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

import fftprec as fp
from fftprec import _core


def test_fft_has_the_bits_of_the_row():
    choose = random.Random(1)
    names = {"algorithm": ["radix2-dit", "stockham-r4", "dft-gemm", "bluestein", "mixed-radix"],
             "mode": ["fp32", "bf16", "ozaki", "fp64", "doubleword", "bf16_refined", "slices:3x3"],
             "machine": ["trn", "trn-rz", "nv-hopper", "ieee"], "tables": ["exact", "fp32-angle"],
             "rounding_points": ["op", "op", "pass:3"], "scale": ["none", "input:2^-3"],
             "transform": ["fft", "ifft", "rfft", "irfft", "fft2", "ihfft", "dct2", "stft"],
             "n": [16, 64], "batch": [1, 3], "seed": [1, 2]}
    compared = 0
    for _ in range(200):
        case = {axis: choose.choice(values) for axis, values in names.items()}
        row = fp.run(**case)[0]
        x = fp.input("gaussian", case["n"], case["batch"], case["seed"], case["transform"])
        how = {key: case[key] for key in ("algorithm", "mode", "machine", "tables", "rounding_points",
                                        "scale")}
        if row["status"] == "skipped":
            with pytest.raises(ValueError):
                fp.compute(x, case["transform"], case["n"], **how)
            continue
        given = fp.axes.as_complex(x)
        assert _core.run(given, case["transform"], case["n"], how)[1]() == row["output_hash"]
        y = fp.compute(x, case["transform"], case["n"], **how)
        found = fp.measure(y, x, case["transform"], case["n"])
        if "doubleword" not in case["mode"]:
            assert found["err_l2_rel"] == row["err_l2_rel"]
        compared += 1
    assert compared > 100


def test_round_takes_number_systems():
    x = np.array([1 / 3, -1 / 3, 1e30, 1e-30, 0, 300])
    assert np.array_equal(fp.round(x, "posit16"),
                          [2731 / 8192, -2731 / 8192, 2.0**56, 2.0**-56, 0, 300])
    assert np.array_equal(fp.round(x, "takum16"),
                          [1365 / 4096, -1365 / 4096, 1.5625 * 2.0**99, 1.28125 * 2.0**-100, 0, 300])
    assert np.array_equal(fp.round(x, "binary8p3se"), [0.3125, -0.3125, np.inf, 0, 0, 320])
    with pytest.raises(ValueError, match="posits have 3 to 32 bits"):
        fp.round(x, "posit64")


def test_round_takes_a_list_of_values(tmp_path):
    (tmp_path / "own.csv").write_text("value\n-2\n0\n0.3\n1\n")
    own = f"file:{tmp_path / 'own.csv'}"
    assert np.array_equal(fp.round(np.array([-5, -1.5, 0.1, 0.2, 0.64, 0.66]), own),
                          [-2, -2, 0, fp.round(0.3, own), fp.round(0.3, own), 1])
    y = fp.fft(np.ones(4), mode=own, machine="ieee")
    assert np.array_equal(y, [1, 0, 0, 0])
    (tmp_path / "own.csv").write_text("0\nthree\n")
    with pytest.raises(ValueError, match="own.csv:2: 'three' is no number"):
        fp.round(1.0, own)


def test_a_format_may_be_given_by_its_parameters():
    x = np.random.default_rng(2).standard_normal(10000)
    own = fp.Format(precision=8, emin=-126, emax=127)
    assert np.array_equal(fp.round(x, own), fp.round(x, "bf16"))


@pytest.mark.parametrize("dtype", [int, np.uint8, np.int16, np.uint64, bool])
def test_integers_are_taken_exactly(dtype):
    x = np.array([1, 0, 1, 1]).astype(dtype)
    assert np.array_equal(fp.fft(x), fp.fft(x.astype(float)))
    assert np.array_equal(fp.round([2**53 - 1, -3], "fp64"), [2.0**53 - 1, -3])
    with pytest.raises(ValueError, match="9007199254740993 is not below"):
        fp.round([1, 2**53 + 1], "fp64")


def test_inputs_have_the_shapes_of_their_transform():
    assert fp.input("gaussian", 4, transform="fft2:rows=8").shape == (8, 4)
    assert fp.input("gaussian", 4, 2, transform="irfft2").shape == (2, 4, 3)


def test_matmul_adds_in_the_order_of_the_machine():
    rng = np.random.default_rng(5)
    a, b = rng.standard_normal((2, 3, 64)), rng.standard_normal((64, 5))
    x, w = fp.round(a, "bf16").astype(np.float32), fp.round(b, "bf16").astype(np.float32)
    by_hand = np.zeros((2, 3, 5), np.float32)
    for k in range(64):
        by_hand += x[..., k:k + 1] * w[k]
    assert np.array_equal(fp.matmul(a, b, mode="bf16"), by_hand)
    assert not np.array_equal(fp.matmul(a, b, mode="bf16", machine="trn{accumulate.rounding=rz}"),
                              by_hand)
    exact = fp.matmul(a + 1j, b, mode="fp64")
    assert exact.dtype == np.complex128 and np.allclose(exact, (a + 1j) @ b, rtol=1e-14)
    values = fp.input("gaussian", 16, 4, transform="cgemm:out=8").reshape(-1)
    assert np.array_equal(fp.matmul(values[:64].reshape(4, 16), values[64:].reshape(8, 16).T),
                          fp.compute(values, "cgemm:out=8", 16, algorithm="gemm").reshape(4, 8))


def test_the_carrier_is_the_type_of_the_result():
    x = fp.input("gaussian", 16)
    assert fp.fft(x, mode="bf16").dtype == np.complex64
    assert fp.fft(x, mode="fp64").dtype == np.complex128
    assert fp.irfft(fp.rfft(x.real)).dtype == np.float32
    assert fp.round(np.float16([1.5]), "bf16").dtype == np.float32


def test_a_truth_is_nearer_than_its_radius():
    x = np.random.default_rng(4).standard_normal((3, 64)) + 0j
    found = fp.truth(x)
    assert found.value.shape == (3, 64) and found.radius.shape == (3,)
    assert np.allclose(found.value, np.fft.fft(x), rtol=0, atol=1e-13)
    assert found.bits > 90 and (found.radius < 1e-25).all() and (abs(found.lo) < 1e-14).all()


def test_measure_sees_errors_and_says_what_they_look_like():
    x = fp.input("gaussian", 1000, 2)
    exact = np.fft.fft(x.astype(np.complex128))
    assert fp.measure(exact, x)["err_l2_rel"] < 1e-15
    assert '1/sqrt(N) of the truth: norm="ortho"?' in fp.measure(exact / np.sqrt(1000), x)["suspicion"]
    assert fp.measure(exact / np.sqrt(1000), x, norm="ortho")["err_l2_rel"] < 1e-15
    one_off = exact.copy()
    one_off[1, 7] *= 1.5
    errors = abs(fp.measure(one_off, x, per_bin=True)["error"])
    assert np.unravel_index(errors.argmax(), errors.shape) == (1, 7)
    scaled = fp.measure(exact / np.sqrt(1000), x, norm="ortho", per_bin=True)["error"]
    assert abs(scaled).max() < 1e-14
    broken = exact.copy()
    broken[0, 3] = np.nan
    found = fp.measure(broken, x)
    assert "index 3" in found["not_finite"]
    assert all(np.isnan(value) for name, value in found.items() if name.startswith("err_"))


@pytest.mark.parametrize("call, text", [
    (lambda: fp.round([1.5], "bf61"), "did you mean 'bf16'"),
    (lambda: fp.round([1.5], "bf16", "up"), "unknown rounding"),
    (lambda: fp.fft(np.ones(12)), "needs n = 2^k"),
    (lambda: fp.fft(np.ones(16), mode="bf61"), "did you mean 'bf16'"),
    (lambda: fp.fft(np.array([])), "no values"),
    (lambda: fp.rfft(np.array([1, 2, 3j, 4])), "rfft: the imaginary part of element 2 is not zero"),
    (lambda: fp.compute(np.ones((2, 3, 8)), "fftn:dims=2"), "items of shape (8, 8)"),
    (lambda: fp.matmul(np.ones((2, 3)), np.ones((4, 2))), "(..., k) and (k, m)"),
    (lambda: fp.fft(np.float64(3)), "a single number"),
    (lambda: fp.fft([1, np.inf, 2, 3.0]), "index (1,)"),
    (lambda: fp.fft(np.array(["a", "b"])), "dtype"),
    (lambda: fp.measure(np.ones(4), np.ones(8)), "gives 8 values"),
    (lambda: fp.input("gauss", 8), "unknown input"),
    (lambda: fp.run(mode="bf61"), "did you mean 'bf16'"),
    (lambda: fp.run("nosweep"), "nosweep"),
    (lambda: fp.run(n=8, filter="n=9"), "no case matches"),
    (lambda: fp.show("machine:trm"), "did you mean 'trn'"),
])
def test_bad_input_is_a_value_error(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text in str(error.value)


def test_rows_that_are_all_skipped_are_rows(tmp_path):
    for out in [None, tmp_path / "run"]:
        assert [row["status"] for row in fp.run(n=1000, out=out)] == ["skipped"]


def test_rows_go_to_pandas_plots_gates_and_a_page(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = fp.run(algorithm=["radix2-dit", "dft-gemm"], mode=["fp32", "bf16"], n=[64, 256],
                  seed=range(1, 4))
    assert len(rows) == 24 and rows[0]["status"] == "ok"
    table = rows.to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert list(table["err_l2_rel"]) == [row["err_l2_rel"] for row in rows]
    assert "<svg" in rows.plot("err_l2_rel", x="n", series="mode").svg
    gates = tmp_path / "gates.toml"
    rule = '[[gate]]\nname = "g"\nkind = "max"\nreason = "r"\nmetric = "err_l2_rel"\nlimit = '
    gates.write_text(rule + "1e-1\n")
    assert rows.gate(gates).passed
    gates.write_text(rule + "1e-9\n")
    assert not rows.gate(gates).passed and "FAIL" in rows.gate(gates)
    rows.report(tmp_path / "page.html", gates=[gates])
    assert "radix2-dit" in (tmp_path / "page.html").read_text()


def test_rows_show_themselves():
    rows = fp.run(algorithm=["radix2-dit", "dft-gemm"], mode="bf16", n=[16, 64], seed=range(1, 4))
    lines = repr(rows).splitlines()
    assert lines[0].split() == ["algorithm", "mode", "n", "seed", "err_l2_rel"]
    assert lines[1].split()[:4] == [str(rows[0][name]) for name in ("algorithm", "mode", "n", "seed")]
    assert lines[-2:] == ["...", f"12 rows of {len(rows.columns)} columns"] and len(lines) == 11
    assert float(lines[1].split()[4]) == pytest.approx(rows[0]["err_l2_rel"], 1e-2)
    skipped = repr(fp.run(n=[12, 16]))
    assert "skipped" in skipped and skipped.splitlines()[-1].startswith("2 rows of ")
    assert repr(fp.run(n=16)).splitlines()[-1].startswith("1 row of ") and repr(fp.Rows("")) == "0 rows"


def test_a_figure_is_what_the_name_of_its_file_says(tmp_path, monkeypatch):
    figure = fp.attribute(mode="bf16", n=16).figure
    figure.save(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text() == figure.svg
    for name in ("x.jpg", "x", "png"):
        with pytest.raises(ValueError, match="must end in .svg, .png or .pdf"):
            figure.save(tmp_path / name)
        assert not (tmp_path / name).exists()
    if shutil.which("rsvg-convert"):
        figure.save(tmp_path / "x.png")
        figure.save(str(tmp_path / "x.pdf"))
        assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG\r\n")
        assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF-")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="rsvg-convert.*librsvg2-bin"):
        figure.save(tmp_path / "y.png")
    assert sorted(path.suffix for path in tmp_path.iterdir() if path.stem == "y") == []


def test_an_interrupted_run_may_have_no_rows():
    assert list(fp.Rows("")) == [] and len(fp.Interrupted(fp.Rows("")).rows) == 0


def test_rows_are_read_one_at_a_time_compressed_or_not(tmp_path):
    axes = dict(mode=["bf16", "fp32"], algorithm=["radix2-dit", "dft-gemm"], n=[8, 12], seed=[1, 2])
    rows = fp.run(out=tmp_path / "run", **axes)
    plain = (tmp_path / "run" / "results.csv").read_bytes()
    (tmp_path / "rows.csv.gz").write_bytes(gzip.compress(plain))
    for path in (tmp_path / "run", tmp_path / "run" / "results.csv", str(tmp_path / "rows.csv.gz")):
        assert list(fp.read_rows(path)) == list(rows)
    first = next(fp.read_rows(tmp_path / "run"))
    assert first["mac_count"] == first["real_multiplications"]

    cut = tmp_path / "cut.csv.gz"
    cut.write_bytes(gzip.compress(plain)[:-100])
    reading = fp.read_rows(cut)
    assert next(reading) == first
    with pytest.raises(ValueError, match="cut.csv.gz: .*cut off"):
        list(reading)
    with pytest.raises(ValueError, match="cannot be read"):
        fp.read_rows(tmp_path / "none.csv")


def test_a_hash_of_digits_is_no_number():
    pytest.importorskip("pandas")
    rows = fp.Rows("n,output_hash\n8,12345e6789012345\n16,0123456789012345\n")
    assert [row["output_hash"] for row in rows] == ["12345e6789012345", "0123456789012345"]
    assert list(rows.to_pandas()["output_hash"]) == ["12345e6789012345", "0123456789012345"]


def test_commands_give_their_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "psum" in fp.show("machine:trn")
    assert "expected" in fp.show(mode="bf16", n=64)
    assert "accumulation" in fp.attribute(algorithm="dft-gemm", mode="bf16", n=64)
    found = fp.search(mode="bf16", n=16, tables="exact")
    worst = fp.measure(fp.fft(found.input, mode="bf16"), found.input)["err_l2_rel"]
    assert f"worst found: err_l2_rel = {worst!r}" in found and "kept" not in found
    assert not list(Path().glob("worst*"))
    assert "err_l2_rel" in fp.recommend(64, {"err_l2_rel": 1e-5})


def test_exact_says_how_many_bits_digits_may_have():
    text = fp.exact(transform="product:negacyclic:half", mode="fp64", n=64, runs=2)
    assert "proven for all digits, bound" in text and "right in 2 runs" in text
    judged = fp.exact(transform="product:half", mode="fp64", n=64, given="bits=30", runs=2)
    assert "least n and work that is proven: product:half:parts=2" in judged
    with pytest.raises(ValueError, match="no product of whole numbers"):
        fp.exact(transform="fft", n=64)


def test_design_finds_the_smallest_widths():
    case = {"mode": "bf16", "n": 64, "seed": range(1, 4)}
    found = fp.design("data.bits", min={"snr_db": 60}, max={"overflows": 0}, **case)
    assert found.passed and "max_overflows" in found
    bits = int(found.partition("least sum: data.bits=")[2].split()[0])
    for width, holds in (bits, True), (bits - 1, False):
        rows = fp.run(**{**case, "mode": f"custom(p={width},emin=-126,emax=127)"})
        assert (min(row["snr_db"] for row in rows) >= 60) == holds
    never = fp.design(["data.bits=2..5"], min={"snr_db": 60}, **case)
    assert not never.passed and "do not meet the goal" in never
    with pytest.raises(ValueError, match="no meaning"):
        fp.design("data.bits=2..9", min={"snr_db": 60}, algorithm="dft-gemm", **case)
    with pytest.raises(ValueError, match="no goal"):
        fp.design("data.bits", **case)


def test_a_table_may_be_an_array():
    x = fp.input("gaussian", 64)
    w = np.exp(-2j * np.pi * np.arange(64) / 64).astype(np.complex64)
    assert np.array_equal(fp.fft(x, tables=w), fp.fft(x))
    assert fp.tables_error(w).passed
    w[3] *= 1.001
    assert fp.measure(fp.fft(x, tables=w), x)["err_l2_rel"] > 1e-5
    found = fp.tables_error(w)
    assert not found.passed and "FAIL" in found
    with pytest.raises(ValueError, match="no table of roots"):
        fp.fft(x, tables=np.ones(64, complex))


def test_threads_give_the_same_bits():
    x = fp.input("gaussian", 1024, 4)
    alone = fp.fft(x, mode="ozaki")
    results = [None] * 4

    def work(place):
        results[place] = fp.fft(x, mode="ozaki")
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(result, alone) for result in results)
