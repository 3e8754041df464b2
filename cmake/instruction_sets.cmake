# The inner loops, compiled once per instruction set. All sets give the same bits; a program takes the
# fastest that its processor runs.
set(FFTPREC_INSTRUCTION_SETS all CACHE STRING
    "What the inner loops are compiled for: all, or a list of baseline, avx2, avx512, native (the fastest here) and here (all that run here)")

set(all baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND all avx2 avx512)
endif()
set(FFTPREC_FLAGS_baseline)
set(FFTPREC_FLAGS_avx2 -mavx2 -mfma)
set(FFTPREC_FLAGS_avx512 -mfma -mavx512f -mavx512vl -mavx512dq -mavx512bw -mprefer-vector-width=512)

# Whether this processor has what the flags -mNAME of an instruction set ask for.
include(CheckCXXSourceRuns)
function(fftprec_runs_here isa result)
  set(features true)
  foreach(flag IN LISTS FFTPREC_FLAGS_${isa})
    if(flag MATCHES "^-m([a-z0-9]+)$")
      string(APPEND features " && __builtin_cpu_supports(\"${CMAKE_MATCH_1}\")")
    endif()
  endforeach()
  check_cxx_source_runs("int main() { return ${features} ? 0 : 1; }" FFTPREC_RUNS_${isa})
  set(${result} ${FFTPREC_RUNS_${isa}} PARENT_SCOPE)
endfunction()

if(FFTPREC_INSTRUCTION_SETS MATCHES "here|native")
  set(here)
  foreach(candidate IN LISTS all)
    fftprec_runs_here(${candidate} runs)
    if(runs)
      list(APPEND here ${candidate})
    endif()
  endforeach()
  list(GET here -1 native)
endif()

set(FFTPREC_ISAS)
foreach(isa IN LISTS FFTPREC_INSTRUCTION_SETS)
  if(isa MATCHES "^(all|here|native)$")
    list(APPEND FFTPREC_ISAS ${${isa}})
  elseif(isa IN_LIST all)
    list(APPEND FFTPREC_ISAS ${isa})
  else()
    list(JOIN all ", " known)
    message(FATAL_ERROR "FFTPREC_INSTRUCTION_SETS: '${isa}' is none of all, here, native, ${known}")
  endif()
endforeach()
list(REMOVE_DUPLICATES FFTPREC_ISAS)
if(NOT FFTPREC_ISAS)
  message(FATAL_ERROR "FFTPREC_INSTRUCTION_SETS is empty")
endif()
if(FFTPREC_TESTS AND NOT "baseline" IN_LIST FFTPREC_ISAS)
  message(FATAL_ERROR "FFTPREC_TESTS=ON: tests compare with baseline, which FFTPREC_INSTRUCTION_SETS lacks")
endif()

# For arith/support/isa_tables.hpp, below FFTPREC_BUILT.
set(FFTPREC_BUILT ${PROJECT_BINARY_DIR}/built)
set(built "#pragma once\n")
foreach(isa IN LISTS FFTPREC_ISAS)
  string(APPEND built "#define FFTPREC_BUILT_${isa}\n")
endforeach()
file(CONFIGURE OUTPUT ${FFTPREC_BUILT}/arith/support/built_isas.hpp CONTENT "${built}")

# Compiles `sources` once per instruction set and adds them to `target`. The sources are the same;
# each defines its own tag type (arith/support/isa.hpp), so no two instruction sets share a symbol.
function(fftprec_loops_per_isa target)
  foreach(isa IN LISTS FFTPREC_ISAS)
    set(loops ${target}_${isa})
    add_library(${loops} OBJECT ${ARGN})
    set_target_properties(${loops} PROPERTIES UNITY_BUILD OFF)
    target_include_directories(${loops} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_features(${loops} PRIVATE cxx_std_20)
    target_compile_definitions(${loops} PRIVATE FFTPREC_ISA=${isa})
    # No floating-point trap is ever enabled: without the flag g++ 12 leaves selects scalar.
    # Beside the native ones those of the baseline serve comparisons alone: -O3 compiles three times as long.
    set(level -O3)
    if(isa STREQUAL "baseline" AND FFTPREC_INSTRUCTION_SETS STREQUAL "baseline;native")
      set(level -O1)
    endif()
    target_compile_options(${loops} PRIVATE $<$<CONFIG:Release>:${level}> -ffp-contract=off
                           -fno-trapping-math -fno-math-errno ${FFTPREC_FLAGS_${isa}})
    # What is left over after the last whole vector goes one by one: in shorter vectors it compiles for
    # a fifth longer and is no faster.
    target_compile_options(${loops} PRIVATE
                           $<$<CXX_COMPILER_ID:GNU>:--param=vect-epilogues-nomask=0>)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${loops}>)
  endforeach()
endfunction()
