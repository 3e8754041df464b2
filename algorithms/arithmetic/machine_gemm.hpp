/// The complex matrix products of an arithmetic: operands are cut into the words of a tensor
/// engine, and inner loops form the products of words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "arith/accumulators/tensor_unit.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/views.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

/// Words, one plane of shape.size() elements each in the matrix's own layout. Slices are integers
/// in units of their grids; the exponent of each `free` index gives the unit.
struct CutWords {
  ComplexArray<float> planes;
  std::vector<int> exponents{};
};

/// The words of a packed matrix. Real: float for every kind, double and FloatPair for slices. Same
/// bits for every `isa`.
template <class Real>
CutWords cut_into_words(const ComplexArray<Real>& whole, const WordShape& shape,
                        const OperandWords& words, Isa isa);
template <>
CutWords cut_into_words(const ComplexArray<float>& whole, const WordShape& shape,
                        const OperandWords& words, Isa isa);

/// The words of one side of a complex matrix product: element (k, free) of word i is at
/// i * plane + k * k_step + free * free_step.
struct WordPlanes {
  const float* re;
  const float* im;
  std::size_t plane;
  std::size_t k_step;
  std::size_t free_step;
};

/// The matmuls of one complex product, in program order. Refers to the machine and the unit.
class TensorProduct {
 public:
  TensorProduct(const Machine& machine, const TensorUnit& unit, Isa isa)
      : machine_(machine), unit_(unit), isa_(isa) {}

  /// A stretch [first, first + count) of the contraction, for all data or one part of them.
  struct Depth {
    std::size_t first;
    std::size_t count;
    bool real = true;       ///< products of the data's real part
    bool imaginary = true;  ///< and of its imaginary part
    bool onto = false;      ///< PSUM starts from what `out` holds, not from zero
  };

  /// out(i, j) <- the sum over k of the products data(k, .) table(k, .) of all `terms`, whose free
  /// index is i on the stationary side and j on the moving one; `data_moves` says which is which.
  /// Order: for each PSUM tile and each K-tile: PSUM_re += Xr Wr, PSUM_re += Xi (-Wi), PSUM_im +=
  /// Xr Wi, PSUM_im += Xi Wr, each for all terms in turn. PSUM then leaves in the machine's
  /// eviction format; each call has its own `step` for stochastic roundings. Without out.im, which
  /// a real table does not need, only the first two are formed.
  void run(View<float> out, const WordPlanes& stationary, const WordPlanes& moving, bool data_moves,
           Depth depth, std::span<const SplitTerm> terms, std::uint64_t step) const;

 private:
  const Machine& machine_;
  const TensorUnit& unit_;
  Isa isa_;
};

/// The stretches of a contraction that leave PSUM at a time where each term is evicted by itself:
/// all of it, or every K-tile; of slices the parts of the data together or apart.
std::vector<TensorProduct::Depth> stretches(const ArithmeticSpec& arithmetic, std::size_t depth);

/// The inner loops that an arithmetic calls, chosen once.
template <class Real>
struct KernelSet {
  ComplexKernels<Real> scheme;  ///< in the storage format and product scheme
  ComplexKernels<Real> wide;    ///< in the type's own format: sums of terms, residuals
  std::optional<FixedKernels<Real>> fixed{};  ///< on an integer unit, in the place of `scheme`
  TensorUnit tensor{};                        ///< one real matmul into PSUM
  HostMatmul host = nullptr;                  ///< the same in fp64
  /// The reason why there are no elementwise operations, or an empty string. Algorithms without
  /// them still run.
  std::string no_elements{};
  Isa isa = Isa::baseline;  ///< for the loops that round arrays beside these
};

/// The loops of the arithmetic, compiled for `isa`.
template <class Real>
KernelSet<Real> kernel_set(const ArithmeticSpec& arithmetic, Isa isa);

/// Products of data with a matrix, on the engine and in the words of the arithmetic. A tensor
/// engine forms them as TensorProduct does. Each term (and K-tile, where the scheme evicts K-tiles)
/// leaves PSUM to be summed outside. Refers to the arithmetic and its loops.
template <class Real>
class MachineGemm {
 public:
  using Table = FactorTable<Real>;

  MachineGemm(const ArithmeticSpec& arithmetic, const KernelSet<Real>& kernels)
      : arithmetic_(arithmetic), kernels_(kernels) {}

  /// Values, row-major depth x N, in the words of the engine. Not for the vector engine, which
  /// takes the factors of elementwise products. Throws NotApplicable if the machine has no matrix
  /// products in this mode.
  Table matrix(ComplexArray<Real> values, std::size_t depth) const;

  /// out (B x N) <- x (B x K) w, or, where `data_moves`, out (N x C) <- w^T x (K x C): the same
  /// sums. `step` counts the uses of random bits.
  void multiply(View<Real> out, View<Real> x, const Table& w, bool data_moves,
                std::uint64_t& step) const;

 private:
  /// Both sides of a product on a tensor engine, in words.
  struct Sides {
    CutWords cut{};  ///< of the data, unless they are taken as they are
    WordShape shape{};
    WordPlanes data{};
    WordPlanes table{};
    std::span<const int> table_exponents{};  ///< of slices
    bool data_moves = false;

    const WordPlanes& stationary() const { return data_moves ? table : data; }
    const WordPlanes& moving() const { return data_moves ? data : table; }
  };
  Sides sides_of(View<Real> x, const Table& w, bool data_moves) const;

  /// term <- one term over a stretch of k, as it leaves PSUM, in units of the data.
  void evict(View<float> term, const Sides& sides, SplitTerm which, TensorProduct::Depth stretch,
             std::uint64_t& step) const;

  /// The unit of a term's slices, for every row and column of out; else empty.
  struct Units {
    std::vector<double> rows;
    std::vector<double> cols;
  };
  /// out <- out + term, or term, in the arithmetic of the scheme's sums.
  void add_term(View<Real> out, View<float> term, const Units& units, bool is_first) const;

  void on_tensor(View<Real> out, View<Real> x, const Table& w, bool data_moves,
                 std::uint64_t& step) const;
  void on_host(View<Real> out, View<Real> x, const Table& w, bool data_moves) const;
  void on_integers(View<Real> out, View<Real> x, const Table& w, bool data_moves) const;
  Units units_of(const Sides& sides, SplitTerm which) const;
  /// out <- the sum of the scheme's terms, each evicted by itself.
  void sum_of_terms(View<Real> out, const Sides& sides, std::uint64_t& step) const;
  /// Throws InputError, with the place, if a PSUM value of the term is not the exact sum.
  void require_exact(View<float> term, const Sides& sides, TensorProduct::Depth stretch,
                     SplitTerm which) const;

  const ArithmeticSpec& arithmetic_;
  const KernelSet<Real>& kernels_;
};

extern template class MachineGemm<float>;
extern template class MachineGemm<double>;
extern template class MachineGemm<FloatPair>;

}  // namespace fftprec
