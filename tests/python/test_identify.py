"""fp.identify on functions of NumPy."""

import functools
import re

import numpy as np
import pytest

import fftprec as fp


def in_order(a, b):
    d = np.zeros((a.shape[0], b.shape[1]), np.float32)
    with np.errstate(all="ignore"):
        for k in range(a.shape[1]):
            d += a[:, k:k + 1] * b[k]
    return d


def test_a_loop_of_fp32_sums_is_the_machine_ieee():
    text = fp.identify(in_order, operands="fp32", k=[16])

    assert text.passed
    assert "Agrees in every bit: ieee\n" in text
    assert "machine.toml" not in text


def test_the_products_of_this_package_are_the_machine_they_name():
    """Infinities and NaNs among them; the imaginary zeros that it adds make -0 a +0."""
    as_hopper = functools.partial(fp.matmul, mode="bf16", machine="nv-hopper")

    for text, machine in ((fp.identify(as_hopper, m=8, n=8, k=[16]), "nv-hopper"),
                          (fp.identify(fp.matmul, operands="fp32", m=8, n=8, k=[64]), "trn")):
        agrees = re.search(r"^Agrees [\w ]*: (.*)$|^(\S+) agrees but for \d+ signs of zeros", text, re.M)
        assert machine in (agrees.group(1) or agrees.group(2)).split(", "), text


def test_sums_in_fp64_fit_no_machine():
    def wide(a, b):
        with np.errstate(all="ignore"):
            return a.astype(float) @ b.astype(float)

    text = fp.identify(wide, operands="fp32", m=8, n=8, k=[16])

    assert not text.passed
    assert "No machine fits" in text and "exact" in text


def matrix_product(x):
    return fp.fft(x, algorithm="dft-gemm", mode="bf16", machine="nv-hopper")


def test_an_fft_is_found_with_its_mode_and_tables():
    text = fp.identify(fft=matrix_product, lengths=[8])

    assert text.passed
    assert "dft-gemm" in text and "bf16" in text and "exact" in text


def test_a_matmul_or_an_fft_is_asked_not_both():
    for arguments in ({}, {"matmul": in_order, "fft": matrix_product}):
        with pytest.raises(TypeError, match="takes a matmul or an fft"):
            fp.identify(**arguments)


def test_every_function_takes_the_machine_of_a_file(tmp_path):
    path = tmp_path / "machine.toml"
    path.write_text('preset = "trn"\n\n[parameters]\n"accumulate.format" = "bf16"\n')
    a = fp.input("gaussian", n=32).astype(np.complex64)
    calls = [lambda name: fp.fft(a, algorithm="dft-gemm", machine=name),
             lambda name: fp.matmul(a.real.reshape(4, 8), a.real.reshape(8, 4), machine=name),
             lambda name: fp.predict(32, algorithm="dft-gemm", machine=name)["bound_l2_rel"],
             lambda name: fp.run(algorithm="dft-gemm", machine=name, n=32)[0]["output_hash"]]

    for call in calls:
        given = np.asarray(call(f"file:{path}"))
        assert np.array_equal(given, call("trn{accumulate.format=bf16}"))
        assert not np.array_equal(given, call("trn"))


def test_keys_of_a_machine_file_need_no_quotes(tmp_path):
    path = tmp_path / "machine.toml"
    path.write_text('preset = "trn"\n\n[parameters]\naccumulate.format = "bf16"\naccumulate.rounding = "rz"\n')

    row, = fp.run(algorithm="dft-gemm", machine=f"file:{path}", n=32)
    assert row["machine"] == "trn-rz{accumulate.format=bf16}"

    path.write_text('preset = "trn"\n\n[parameters]\naccumulate.fromat = "bf16"\n')
    with pytest.raises(ValueError, match=r"machine.toml:4:12: unknown parameter 'accumulate.fromat'"):
        fp.fft(np.ones(4), machine=f"file:{path}")

    path.write_text('preset = "trn"\n\n[parameters]\n"accumulate.block" = 8\naccumulate.block = 4\n')
    with pytest.raises(ValueError, match="'accumulate.block' is set twice"):
        fp.fft(np.ones(4), machine=f"file:{path}")


def test_a_machine_file_with_an_unknown_name_is_an_error(tmp_path):
    path = tmp_path / "machine.toml"
    path.write_text('preset = "trm"\n')

    for call in (fp.fft, lambda x, machine: fp.predict(len(x), machine=machine)):
        with pytest.raises(ValueError, match=r"machine.toml:1:10: unknown preset 'trm'"):
            call(np.ones(4), machine=f"file:{path}")


def test_a_result_of_another_shape_is_an_error():
    with pytest.raises(ValueError, match=r"D.npy: shape \(16, 64\), not \(64, 64\)"):
        fp.identify(lambda a, b: in_order(a, b)[:16], k=[16])


def test_unknown_operands_are_an_error():
    with pytest.raises(ValueError, match="unknown format 'bf61'"):
        fp.identify(in_order, operands="bf61")
