/// The complex matrix products of a mode on a machine.
#pragma once

#include <cstdint>

#include "algorithms/arithmetic/factor_table.hpp"
#include "algorithms/arithmetic/kernel_set.hpp"
#include "algorithms/arithmetic/tensor_product.hpp"

namespace fftprec {

/// Products of data with a matrix, on the engine and in the words that gemm_scheme says: on a
/// tensor engine as TensorProduct does them, each term (and K-tile, where the scheme evicts those)
/// leaving PSUM to be summed outside.
template <class Real>
class MachineGemm {
 public:
  using Table = FactorTable<Real>;

  MachineGemm(const Mode& mode, const Machine& machine, const KernelSet<Real>& kernels);

  /// Values, row-major depth x N, as the engine wants them. Not for the vector engine, which takes
  /// the factors of elementwise products. Throws NotApplicable if the machine cannot do what the
  /// mode asks.
  Table matrix(ComplexArray<Real> values, std::size_t depth) const;

  /// out (B x N) <- x (B x K) w, or, where `data_moves`, out (N x C) <- w^T x (K x C): the same
  /// sums. `step` counts the uses of random bits.
  void multiply(View<Real> out, View<Real> x, const Table& w, bool data_moves,
                std::uint64_t& step) const;

 private:
  void on_vector(View<Real> out, View<Real> x, const Table& w, bool data_moves) const;
  void on_tensor(View<Real> out, View<Real> x, const Table& w, bool data_moves,
                 std::uint64_t& step) const;
  void on_host(View<Real> out, View<Real> x, const Table& w, bool data_moves) const;
  void on_integers(View<Real> out, View<Real> x, const Table& w, bool data_moves) const;
  /// Both sides of a product, in words.
  struct Sides {
    WordPlanes data;
    WordPlanes table;
    const std::vector<int>& data_exponents;  ///< of slices; else empty
    const std::vector<int>& table_exponents;
    bool data_moves;
    std::size_t depth;

    const WordPlanes& stationary() const { return data_moves ? table : data; }
    const WordPlanes& moving() const { return data_moves ? data : table; }
  };

  /// Whether the faults of a kernel that multiplies split operands show in a term.
  bool misreads() const;
  bool demotes(std::size_t term) const;
  /// What a step of a term's slices is worth, for every row and column of out; else empty.
  struct Units {
    std::vector<double> rows;
    std::vector<double> cols;
  };
  Units units_of(const Sides& sides, SplitTerm which) const;
  /// out <- the sum of the scheme's terms, each evicted by itself.
  void sum_of_terms(View<Real> out, const Sides& sides, std::uint64_t& step) const;
  /// Throws InputError, with the place, if a PSUM value of the term is not the exact sum.
  void require_exact(View<float> term, const Sides& sides, TensorProduct::Depth depth,
                     SplitTerm which) const;
  /// out <- out + term, or term, in the arithmetic of the scheme's sums.
  void add_term(View<Real> out, View<float> term, const Units& units, bool is_first) const;

  Mode mode_;
  Machine machine_;
  GemmScheme scheme_{};  ///< unless kernels_.no_matrices says why there is none
  KernelSet<Real> kernels_;
};

extern template class MachineGemm<float>;
extern template class MachineGemm<double>;
extern template class MachineGemm<FloatPair>;

}  // namespace fftprec
