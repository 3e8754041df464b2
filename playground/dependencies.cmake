# What the project finds when emscripten compiles it: headers that Debian has for every processor, linked
# into one folder by scripts/playground, since those of /usr/include beside them are not emscripten's; and C
# libraries, of which the same script has the sources. The preset wasm includes this file twice.

# Before the languages: what find_package answers.
macro(fftprec_playground_package method package)
  if("${package}" MATCHES "^(Threads|Eigen3|fmt|tomlplusplus|CLI11|nlohmann_json)$")
    set(${package}_FOUND TRUE)
  endif()
endmacro()
if(NOT CMAKE_CXX_COMPILER_LOADED)
  cmake_language(SET_DEPENDENCY_PROVIDER fftprec_playground_package SUPPORTED_METHODS FIND_PACKAGE)
  return()
endif()

# After them: the libraries.
set(playground ${CMAKE_CURRENT_LIST_DIR}/../build/playground)
set(installed ${playground}/installed)
function(fftprec_playground_library name)
  cmake_parse_arguments(PARSE_ARGV 1 of "" "" "DEFINES;LINKS;INCLUDE")
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${name} SYSTEM INTERFACE ${of_INCLUDE})
  target_compile_definitions(${name} INTERFACE ${of_DEFINES})
  target_link_libraries(${name} INTERFACE ${of_LINKS})
endfunction()

enable_language(C)
file(GLOB zlib_sources ${playground}/sources/zlib-*/*.c)
file(GLOB zstd_sources ${playground}/sources/libzstd-*/lib/common/*.c
     ${playground}/sources/libzstd-*/lib/compress/*.c ${playground}/sources/libzstd-*/lib/decompress/*.c)
foreach(library zlib zstd)
  add_library(fftprec_${library} STATIC ${${library}_sources})
  set_target_properties(fftprec_${library} PROPERTIES UNITY_BUILD OFF)
  file(GLOB folder ${playground}/sources/${library}-* ${playground}/sources/lib${library}-*/lib)
  list(FILTER folder EXCLUDE REGEX "[.](dsc|xz|asc|bz2|gz)$")
  fftprec_playground_library(fftprec_external::${library} INCLUDE ${folder} LINKS fftprec_${library})
endforeach()
target_compile_options(fftprec_zlib PRIVATE -w)  # of Z_HAVE_UNISTD_H

fftprec_playground_library(Eigen3::Eigen INCLUDE ${playground}/include/eigen3)
fftprec_playground_library(fmt::fmt DEFINES FMT_HEADER_ONLY)
file(CONFIGURE OUTPUT xxhash.c CONTENT "#define XXH_STATIC_LINKING_ONLY\n#define XXH_IMPLEMENTATION\n#include <xxhash.h>\n")
add_library(fftprec_xxhash STATIC ${CMAKE_CURRENT_BINARY_DIR}/xxhash.c)
target_include_directories(fftprec_xxhash PUBLIC ${playground}/include)
fftprec_playground_library(fftprec_external::xxhash LINKS fftprec_xxhash)
fftprec_playground_library(fftprec_external::gmp INCLUDE ${installed}/include LINKS ${installed}/lib/libgmp.a)
fftprec_playground_library(fftprec_external::mpfr INCLUDE ${installed}/include
                           LINKS ${installed}/lib/libmpfr.a ${installed}/lib/libgmp.a)
foreach(headers Threads::Threads tomlplusplus::tomlplusplus CLI11::CLI11 nlohmann_json::nlohmann_json
        fftprec_external::boost fftprec_external::sndfile)
  fftprec_playground_library(${headers})
endforeach()
