#include "arith/support/error.hpp"
#include "experiments/files/sample_files.hpp"

namespace fftprec {

Samples parse_wav(std::string_view, std::string_view name, std::size_t) {
  throw InputError(std::string(name) +
                   ": this build reads no WAV files: it has no libsndfile; the installed program "
                   "reads them");
}

std::string sndfile_version() { return {}; }

}  // namespace fftprec
