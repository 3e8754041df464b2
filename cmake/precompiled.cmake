# Headers of others, parsed once per build instead of once per source. They change nothing: a source
# still includes what it uses, as scripts/check_includes.py judges. ccache keeps few objects that were
# compiled with them, so that a compiler launcher turns them off. A layer that compiles as one or two
# sources parses them itself, in less time than they take to be precompiled.
set(precompiled ${PROJECT_IS_TOP_LEVEL})
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompiled OFF)
endif()
option(FFTPREC_PCH "Precompile the headers of others" ${precompiled})

# A target that compiles the headers, with the flags that fftprec::arith gives its users.
function(fftprec_precompiled name)
  set(empty ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${empty})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE -ffp-contract=off)
  if(FFTPREC_PCH AND NOT CMAKE_UNITY_BUILD)
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
endfunction()

# The flags of `target` must be those of `headers`, but for warnings. g++ 12 takes what is precompiled
# for the project's own and warns of copies within std::string that it says nothing of elsewhere.
function(fftprec_use_precompiled target headers)
  if(FFTPREC_PCH AND NOT CMAKE_UNITY_BUILD)
    target_precompile_headers(${target} REUSE_FROM ${headers})
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow -Wno-stringop-overread>)
  endif()
endfunction()
