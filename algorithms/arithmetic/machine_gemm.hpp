/// The complex matrix products of a resolved arithmetic, and the inner loops that carry them out.
#pragma once

#include <cstdint>
#include <span>

#include "algorithms/arithmetic/factor_table.hpp"
#include "algorithms/arithmetic/tensor_product.hpp"
#include "algorithms/arithmetic/words.hpp"

namespace fftprec {

/// The inner loops that an arithmetic calls, chosen once.
template <class Real>
struct KernelSet {
  ComplexKernels<Real> scheme;  ///< in the storage format and product scheme
  ComplexKernels<Real> wide;    ///< in the carrier's own format: sums of terms, residuals
  FixedKernels<Real> fixed{};   ///< of fixed-point data, in the place of `scheme`
  TensorUnit tensor{};          ///< one real matmul into PSUM
  HostMatmul host = nullptr;    ///< the same in fp64
  /// Why there are no elementwise operations, or an empty string: algorithms that need none run all
  /// the same.
  std::string no_elements{};
  Isa isa = Isa::baseline;  ///< for the loops that round arrays beside these
};

/// The loops of the arithmetic, compiled for `isa`.
template <class Real>
KernelSet<Real> kernel_set(const ResolvedArithmetic& arithmetic, Isa isa);
template <>
KernelSet<Quad> kernel_set(const ResolvedArithmetic& arithmetic, Isa isa);

/// Products of data with a matrix, on the engine and in the words that the arithmetic says: on a
/// tensor engine as TensorProduct does them, each term (and K-tile, where the scheme evicts those)
/// leaving PSUM to be summed outside.
template <class Real>
class MachineGemm {
 public:
  using Table = FactorTable<Real>;

  MachineGemm(const ResolvedArithmetic& arithmetic, const KernelSet<Real>& kernels)
      : arithmetic_(arithmetic), kernels_(kernels) {}

  /// Values, row-major depth x N, as the engine wants them. Not for the vector engine, which takes
  /// the factors of elementwise products. Throws NotApplicable if the machine cannot do what the
  /// mode asks.
  Table matrix(ComplexArray<Real> values, std::size_t depth) const;

  /// out (B x N) <- x (B x K) w, or, where `data_moves`, out (N x C) <- w^T x (K x C): the same
  /// sums. `step` counts the uses of random bits.
  void multiply(View<Real> out, View<Real> x, const Table& w, bool data_moves,
                std::uint64_t& step) const;

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

  /// What a step of a term's slices is worth, for every row and column of out; else empty.
  struct Units {
    std::vector<double> rows;
    std::vector<double> cols;
  };
  /// out <- out + term, or term, in the arithmetic of the scheme's sums.
  void add_term(View<Real> out, View<float> term, const Units& units, bool is_first) const;

 private:
  void on_vector(View<Real> out, View<Real> x, const Table& w, bool data_moves) const;
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

  ResolvedArithmetic arithmetic_;
  KernelSet<Real> kernels_;
};

extern template class MachineGemm<float>;
extern template class MachineGemm<double>;
extern template class MachineGemm<FloatPair>;

}  // namespace fftprec
