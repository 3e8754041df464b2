from fftprec.testing import assert_fft  # the fixture, also where no plugin is installed


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: runs with scripts/test --all alone")
