# The C libraries that fftprec links and that bring no CMake package, as imported targets. The build
# and the installed package both include this file, so that no path of the building machine is
# exported.

# Defines fftprec_external::NAME, unless it exists: fftprec_external(NAME HEADER LIBRARY...). The
# target is not there if the header or a library is not found.
function(fftprec_external name header)
  if(TARGET fftprec_external::${name})
    return()
  endif()
  string(TOUPPER "FFTPREC_${name}" prefix)
  find_path(${prefix}_INCLUDE ${header})
  mark_as_advanced(${prefix}_INCLUDE)
  if(NOT ${prefix}_INCLUDE)
    return()
  endif()
  set(files)
  foreach(library IN LISTS ARGN)
    string(TOUPPER "FFTPREC_LIB_${library}" variable)
    find_library(${variable} ${library})
    mark_as_advanced(${variable})
    if(NOT ${variable})
      return()
    endif()
    list(APPEND files ${${variable}})
  endforeach()
  add_library(fftprec_external::${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(fftprec_external::${name} SYSTEM INTERFACE ${${prefix}_INCLUDE})
  target_link_libraries(fftprec_external::${name} INTERFACE ${files})
endfunction()

fftprec_external(mpfr mpfr.h mpfr)
fftprec_external(gmp gmp.h gmp)
fftprec_external(xxhash xxhash.h xxhash)
fftprec_external(sndfile sndfile.h sndfile)
fftprec_external(zlib zlib.h z)
fftprec_external(zstd zstd.h zstd)
fftprec_external(boost boost/version.hpp)

# Sets MISSING to those of the named libraries that were not found.
function(fftprec_missing_externals missing)
  set(absent)
  foreach(name IN LISTS ARGN)
    if(NOT TARGET fftprec_external::${name})
      list(APPEND absent ${name})
    endif()
  endforeach()
  set(${missing} "${absent}" PARENT_SCOPE)
endfunction()
