from fftprec.testing import assert_fft  # the fixture, also where no plugin is installed
