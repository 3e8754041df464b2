/// How arrays hold scalars: as native numbers that lie on the scalar's grid.
#pragma once

namespace fftprec {

/// Carrier of a scalar: the native type that its arrays hold.
template <class T>
struct Carrier {
  using type = typename T::carrier_type;
  [[gnu::always_inline]] static constexpr T load(type x) { return T::from_carrier(x); }
  [[gnu::always_inline]] static constexpr type store(T x) { return x.carrier(); }
};
template <class Native>
struct NativeCarrier {
  using type = Native;
  [[gnu::always_inline]] static constexpr Native load(Native x) { return x; }
  [[gnu::always_inline]] static constexpr Native store(Native x) { return x; }
};
template <>
struct Carrier<float> : NativeCarrier<float> {};
template <>
struct Carrier<double> : NativeCarrier<double> {};

}  // namespace fftprec
