#include "algorithms/arithmetic/modes.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "arith/formats/format.hpp"
#include "arith/formats/number_families.hpp"
#include "arith/formats/round.hpp"
#include "arith/splitting/residues.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// The pieces of a name between its colons.
std::vector<std::string_view> pieces(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(':');
    result.push_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return result;
}

[[noreturn]] void refuse(std::string_view mode, const std::string& why) {
  throw InputError("mode '" + std::string(mode) + "': " + why);
}

/// A whole number from 1 to `largest`.
std::size_t number(std::string_view mode, std::string_view piece, std::size_t largest,
                   const std::string& what) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
  if (error != std::errc() || end != piece.data() + piece.size() || value < 1 || value > largest)
    refuse(mode, "'" + std::string(piece) + "' is no number of " + what + ", 1.." +
                     std::to_string(largest));
  return value;
}

Mode stored_as(const std::string& name, const Format& format) {
  return {.name = name,
          .summary = name +
                     " data and tables; matrix products into an fp32 PSUM with an fp32 "
                     "result; vector operations round to " +
                     name + " on store",
          .scheme = PlainScheme{.storage = format}};
}

Mode custom_mode(std::string_view text, const Format& format) {
  if (!fits<float>(format))
    refuse(text, "data are held as fp32: p <= 24, -126 <= emin <= 103, emax <= 127");
  if (format.emax < 0) refuse(text, "parts of roots of unity reach 1");
  return stored_as(to_string(format), format);
}

constexpr std::string_view in_quire = ":quire";

/// The number system of "SYSTEM:quire" if it has a quire, else null.
const NumberSystem* system_with_quire(std::string_view text) {
  if (!text.ends_with(in_quire)) return nullptr;
  text.remove_suffix(in_quire.size());
  const NumberSystem* system = number_system_named(text);
  const NumberFamily* family = system ? family_of(*system) : nullptr;
  return family && family->has_quire ? system : nullptr;
}

/// No tensor engine takes number systems.
Mode system_mode(const NumberSystem& system, bool quire) {
  const Format format = format_of_system(system);
  const std::string& name = system.name;
  require(system.ends.is_signed, "mode '", name, "': the results of an FFT have signs");
  require(format.emax >= 0, "mode '", name, "': parts of roots of unity reach 1");
  require(!system.beyond_fp64, "mode '", name,
          "': its products and sums are beyond fp64, which emulates them; the format rounds inputs "
          "(rounded:to=",
          name, ")");
  return {.name = name + (quire ? std::string(in_quire) : ""),
          .summary = name + " data and tables; every operation rounds to " + name +
                     (quire ? ", sums of products in matrix products once, from a quire"
                            : ", in matrix products too"),
          .scheme = PlainScheme{.storage = format, .quire = quire}};
}

Mode split_into(const std::string& name, const SplitSpec& split, const std::string& summary) {
  return {.name = name, .summary = summary, .scheme = SplitScheme{split}};
}

std::string split_summary(const std::string& word, const SplitSpec& split) {
  return "fp32 split into " + std::to_string(split.data_words) + " " + word + " words each" +
         (split.scale > 0 ? ", the low one times 2^" + std::to_string(split.scale) : "") + "; " +
         std::to_string(split.count) + " products, each evicted, summed in fp32";
}

/// WORDxP or WORDxP:Q.
Mode residual_mode(std::string_view text, const std::string& word, const Format& format) {
  const auto parts = pieces(text);
  const std::string base(parts[0]);
  const std::size_t words = base.back() == '2' ? 2 : 3;
  const std::size_t all = words * words;
  const std::size_t least = words * (words + 1) / 2;
  if (parts.size() > 2) refuse(text, "after the number of products nothing follows");
  const std::size_t products = parts.size() == 1 ? least : number(text, parts[1], all, "products");
  if (products != least && products != all)
    refuse(text, "keeps " + std::to_string(least) + " or " + std::to_string(all) +
                     " products, not " + std::to_string(products));
  const SplitSpec split = residual_split(format, words, products, format == fp16 ? 11 : 0);
  return split_into(base + ":" + std::to_string(products), split, split_summary(word, split));
}

Mode sliced_mode(std::string_view text) {
  const auto parts = pieces(text);
  SlicedScheme slices;
  if (parts.size() > 1) {
    const std::size_t cross = parts[1].find('x');
    if (cross == std::string_view::npos) refuse(text, "expected slices:SxT, as slices:3x3");
    constexpr std::size_t most = 12;
    slices.factor_slices = number(text, parts[1].substr(0, cross), most, "slices of the table");
    slices.data_slices = number(text, parts[1].substr(cross + 1), most, "slices of the data");
  }
  std::string sums = "fp64";
  for (std::size_t i = 2; i < parts.size(); ++i) {
    if (parts[i] == "pair" || parts[i] == "fp32") {
      if (slices.sum != TermSum::in_fp64) refuse(text, "names two kinds of sums");
      slices.sum = parts[i] == "pair" ? TermSum::in_pairs : TermSum::in_fp32;
      sums = parts[i] == "pair" ? "fp32 pairs" : "plain fp32";
    } else if (parts[i] == "tiles") {
      slices.evict_tiles = true;
    } else if (parts[i] == "check") {
      slices.checked = true;
    } else if (parts[i] == "fp16") {
      slices.word = fp16;
    } else if (!parts[i].empty() && parts[i][0] >= '0' && parts[i][0] <= '9') {
      if (slices.bits > 0) refuse(text, "names bits twice");
      slices.bits = static_cast<int>(number(text, parts[i], 11, "bits of a slice"));
    } else {
      throw unknown_name("part of a slices mode", parts[i],
                         {"BITS", "fp16", "pair", "fp32", "tiles", "check"});
    }
  }
  if (slices.bits > slices.word.precision)
    refuse(text, std::to_string(slices.bits) + " bits do not fit a word of " +
                     std::to_string(slices.word.precision));
  const bool pair = slices.sum == TermSum::in_pairs;
  std::string name =
      "slices:" + std::to_string(slices.factor_slices) + "x" + std::to_string(slices.data_slices);
  if (slices.bits > 0) name += ":" + std::to_string(slices.bits);
  if (slices.word == fp16) name += ":fp16";
  if (pair) name += ":pair";
  if (slices.sum == TermSum::in_fp32) name += ":fp32";
  if (slices.evict_tiles) name += ":tiles";
  if (slices.checked) name += ":check";
  return {.name = name,
          .summary = "error-free slices, " + std::to_string(slices.factor_slices) +
                     " of the table, " + std::to_string(slices.data_slices) +
                     " of the data, every PSUM exact, summed in " + sums +
                     "; elementwise operations in " + (pair ? "fp32 pairs" : "fp64"),
          .scheme = slices};
}

Mode residue_mode(std::string_view text) {
  const auto parts = pieces(text);
  if (parts.size() > 2) refuse(text, "expected ozaki2:M");
  constexpr std::size_t usual = 14;
  const std::size_t moduli =
      parts.size() == 1 ? usual : number(text, parts[1], most_moduli, "moduli");
  return {.name = "ozaki2:" + std::to_string(moduli),
          .summary = "Ozaki II: " + std::to_string(moduli) +
                     " moduli, 8-bit residues on an integer accumulator; elementwise operations "
                     "in fp64",
          .scheme = ResidueScheme{moduli}};
}

Mode double_word_mode(std::string_view text) {
  const auto parts = pieces(text);
  const bool narrow = parts.size() == 2 && parts[1] == "fp32";
  if (parts.size() > 1 && !narrow) refuse(text, "expected doubleword or doubleword:fp32");
  return {.name = std::string(text),
          .summary = std::string("pairs of fp32 throughout, on the vector engine; the result is ") +
                     (narrow ? "rounded to fp32" : "a pair"),
          .scheme = DoubleWordScheme{narrow}};
}

Mode refined_mode(std::string_view text) {
  const auto parts = pieces(text);
  if (parts.size() > 2) refuse(text, "expected refined_fp32:S");
  Mode mode = stored_as("bf16", bf16);
  const std::size_t steps = parts.size() == 1 ? 1 : number(text, parts[1], 8, "steps");
  mode.name = "refined_fp32:" + std::to_string(steps);
  mode.summary = "bf16, then " + std::to_string(steps) +
                 " steps X <- X + F(x - G(X)) with the inverse G in fp32";
  mode.refinement = {.steps = static_cast<int>(steps), .accurate_residual = true};
  return mode;
}

/// Whether the name of format_spelling is qI.F or uI.F.
bool is_fixed_name(std::string_view name) {
  return name.size() > 1 && (name[0] == 'q' || name[0] == 'u') && name[1] >= '0' &&
         name[1] <= '9' && name.find('.') != name.npos;
}

/// Tables of as many bits as the data, all but the sign's below the point.
Mode fixed_mode(std::string_view text) {
  constexpr std::string_view table = "table=";
  const auto parts = pieces(text);
  FixedScheme fixed{.storage = format_named(parts[0])};
  require(fixed.storage.grid == Grid::fixed, "mode '", text, "': ", to_string(fixed.storage),
          " has no sign, and the results of an FFT have signs: qI.F");
  fixed.table = fixed_format(1, fixed.storage.precision);
  std::string name = to_string(fixed.storage);
  if (parts.size() > 1) {
    if (parts.size() > 2 || !parts[1].starts_with(table))
      refuse(text, "after " + name + " comes table=qI.F or nothing");
    fixed.table = format_named(parts[1].substr(table.size()));
    if (fixed.table.grid != Grid::fixed) refuse(text, "tables are qI.F");
    name += ":" + std::string(table) + to_string(fixed.table);
  }
  return {.name = name,
          .summary = "fixed point: data as " + to_string(fixed.storage) + ", tables as " +
                     to_string(fixed.table) +
                     "; sums of products exact in an accumulator, rounded once",
          .scheme = fixed};
}

/// FORMAT:table=FORMAT.
Mode mixed_mode(std::string_view text, const Format& data, const Format& table) {
  if (data == table) return mode_named(to_string(data));
  if (data.is_fixed() || table.is_fixed() || data.precision + table.precision > fp32.precision)
    refuse(text, "fp32 holds no products of " + to_string(data) + " and " + to_string(table));
  if (table.emax < 0) refuse(text, "parts of roots of unity reach 1");
  if (table.system && !table.system->ends.is_signed) refuse(text, "roots of unity have signs");
  Mode mode = custom_mode(to_string(data), data);
  mode.name += ":table=" + to_string(table);
  mode.summary =
      to_string(data) + " data, " + to_string(table) + " tables; else as " + to_string(data);
  mode.scheme = PlainScheme{.storage = data, .table = table};
  return mode;
}

Mode blocks_of(const std::string& name, const std::string& summary, const BlockFormat& format) {
  return {.name = name,
          .summary = (format.is_operand() ? "fp32, operands of matrix products as "
                                          : "fp32, stored by passes as ") +
                     summary,
          .scheme = BlockScheme{format}};
}

Mode on_vector(std::string name, std::string summary, ProductScheme product) {
  return {.name = std::move(name), .summary = std::move(summary), .scheme = VectorScheme{product}};
}

std::vector<Mode> list_of_trnfft() {
  Mode bf16_mode = stored_as("bf16", bf16);
  Mode refined = bf16_mode;
  refined.name = "bf16_refined";
  refined.summary = "bf16, then one step X <- X + F(x - F^-1(X)) with the residual in fp32";
  refined.refinement = Refinement{};
  return {
      {.name = "fp32", .summary = "fp32 storage and arithmetic, fp32 PSUM; also called fast"},
      on_vector("kahan", "fp32; every real product of a complex product as a Dekker 2Prod pair",
                ProductScheme::two_prod),
      {.name = "fp64",
       .summary = "fp64 throughout, on the host; also called double",
       .scheme = HostScheme{}},
      bf16_mode,
      refined,
      split_into("ozaki", ozaki_split,
                 "fp32 split into 2 bf16 words each; 3 products, each evicted, summed in fp32"),
      split_into("ozaki_hq", ozaki_hq_split,
                 "tables in 2 bf16 words, data in 3; 6 products, each evicted, summed in fp32"),
  };
}

/// Modes whose names have no parameters.
std::vector<Mode> plain_modes() {
  std::vector<Mode> all = list_of_trnfft();
  for (const char* name : {"fp16", "tf32", "fp8_e4m3", "fp8_e4m3fn", "fp8_e5m2"})
    all.push_back(stored_as(name, format_named(name)));
  for (const NamedBlockFormat& format : named_block_formats())
    all.push_back(blocks_of(std::string(format.name), std::string(format.summary), format.format));
  all.push_back(on_vector("rounded_once",
                          "fp32; each part of a complex product exact, then rounded once",
                          ProductScheme::rounded_once));
  all.push_back(on_vector("dot2", "fp32; products and sums of products by Dot2, rounded once",
                          ProductScheme::dot2));
  all.push_back(on_vector("kahan-sum", "fp32; sums of products with Kahan's compensation",
                          ProductScheme::kahan_sum));
  all.push_back(on_vector("neumaier", "fp32; sums of products with Neumaier's compensation",
                          ProductScheme::neumaier));
  return all;
}

Mode mode_in_double(const Format& data) {
  const std::string name = to_string(data);
  if (data.is_fixed() || data.system || data == fp64)
    throw InputError("mode " + name + ":in=fp64: data are floats narrower than fp64");
  return {.name = name + ":in=fp64",
          .summary = name + " data; tables and operations in fp64, on the host, rounded to " +
                     name + " on store",
          .scheme = HostScheme{data}};
}

struct Family {
  std::string_view base;
  Mode (*make)(std::string_view text);
};

constexpr Family families[] = {
    {"bf16x2", [](std::string_view text) { return residual_mode(text, "bf16", bf16); }},
    {"bf16x3", [](std::string_view text) { return residual_mode(text, "bf16", bf16); }},
    {"fp16x2", [](std::string_view text) { return residual_mode(text, "fp16", fp16); }},
    {"tf32x2", [](std::string_view text) { return residual_mode(text, "tf32", tf32); }},
    {"tf32x3", [](std::string_view text) { return residual_mode(text, "tf32", tf32); }},
    {"slices", sliced_mode},
    {"ozaki2", residue_mode},
    {"doubleword", double_word_mode},
    {"refined_fp32", refined_mode},
    {"q1.15", fixed_mode},
};

/// Formats whose mode trnfft calls otherwise.
struct TrnfftName {
  std::string_view format;
  std::string_view trnfft;
};

constexpr std::array<TrnfftName, 2> trnfft_names = {{{"fp32", "fast"}, {"fp64", "double"}}};

}  // namespace

std::string shown_mode(std::string_view name) {
  for (const auto& [format, trnfft] : trnfft_names)
    if (name == trnfft) return std::string(format);
  return std::string(name);
}

std::string trnfft_mode(std::string_view name) {
  for (const auto& [format, trnfft] : trnfft_names)
    if (name == format) return std::string(trnfft);
  return std::string(name);
}

Format storage_format(const Mode& mode) {
  if (const auto* plain = mode.as<PlainScheme>()) return plain->storage;
  if (const auto* host = mode.as<HostScheme>()) return host->storage;
  if (mode.as<ResidueScheme>()) return fp64;
  if (mode.as<DoubleWordScheme>()) return fp32_pair;
  if (const auto* fixed = mode.as<FixedScheme>()) return fixed->storage;
  if (const auto* slices = mode.as<SlicedScheme>())
    return slices->sum == TermSum::in_pairs ? fp32_pair : fp64;
  return fp32;
}

bool on_host(const Mode& mode) { return mode.as<HostScheme>() || storage_format(mode) == fp64; }

const std::vector<Mode>& modes() {
  static const std::vector<Mode> all = [] {
    std::vector<Mode> result = plain_modes();
    for (const Family& family : families) result.push_back(family.make(family.base));
    for (const NumberFamily& family : number_families())
      if (!family.mode.empty())
        result.push_back(system_mode(*number_system_named(family.mode), false));
    return result;
  }();
  return all;
}

Mode mode_named(std::string_view text, ListReader read) {
  static const std::vector<Mode> plain = plain_modes();
  constexpr std::string_view table = ":table=";
  const std::string_view base = text.substr(0, text.find(':'));
  if (is_fixed_name(format_spelling(base))) return fixed_mode(text);
  if (const std::size_t at = text.find(table); at != text.npos)
    return mixed_mode(text, format_named(text.substr(0, at), read),
                      format_named(text.substr(at + table.size()), read));
  if (constexpr std::string_view in = ":in=fp64"; text.ends_with(in))
    return mode_in_double(format_named(text.substr(0, text.size() - in.size()), read));
  const bool is_custom = text.starts_with("custom(");
  const std::string name =
      shown_mode(is_custom ? to_string(format_named(text)) : format_spelling(text));
  for (const Mode& mode : plain)
    if (mode.name == name) return mode;
  for (const NamedFormat& named : named_formats())
    if (named.name == name) return stored_as(name, named.format);
  if (is_custom) return custom_mode(text, format_named(text));
  if (text.starts_with("block(")) {
    const BlockFormat blocks = block_format_named(text);
    const std::string its_name = to_string(blocks);
    for (const Mode& mode : plain)
      if (mode.name == its_name) return mode;
    return blocks_of(its_name, its_name, blocks);
  }
  if (const NumberSystem* system = number_system_named(text, read))
    return system_mode(*system, false);
  if (const NumberSystem* system = system_with_quire(text)) return system_mode(*system, true);
  std::vector<std::string> known;
  for (const Mode& mode : plain) known.push_back(mode.name);
  for (const TrnfftName& each : trnfft_names) known.emplace_back(each.trnfft);
  for (const Family& family : families) {
    if (family.base == base) return family.make(text);
    known.emplace_back(family.base);
  }
  known.emplace_back("FORMAT:in=fp64");
  known.emplace_back("custom(p=...,emin=...,emax=...)");
  known.emplace_back("block(element=...,size=...)");
  for (const NumberFamily& family : number_families()) {
    known.insert(known.end(), family.examples.begin(), family.examples.end());
    known.emplace_back(family.form);
  }
  known.emplace_back("file:VALUES.csv");
  throw unknown_name("mode", text, known, format_meant(text));
}

}  // namespace fftprec
