# What `cmake --install` and `cpack -G DEB` give: the program, and the libraries with their headers
# and the package that find_package(fftprec) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fftprec)
set(detail_dir ${CMAKE_INSTALL_INCLUDEDIR}/fftprec/detail)
set(layers fftprec_arith fftprec_truth fftprec_algorithms fftprec_experiments fftprec_reports
           fftprec_public fftprec_gtest)

install(TARGETS fftprec COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/CITATION.cff
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT program PATTERN __pycache__ EXCLUDE)
# The pages, beside the examples that they link to.
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT program FILES_MATCHING REGEX "[.](md|svg|png|csv)$")

# What the program says of its command line: the manual page, and completion for three shells.
set(described ${PROJECT_BINARY_DIR}/described)
function(fftprec_describe file folder)
  string(REGEX REPLACE "[.]gz$" "" text ${described}/${file})
  set(pack)
  if(file MATCHES "[.]gz$")
    set(pack COMMAND gzip -9 --force --no-name ${text})
  endif()
  add_custom_command(OUTPUT ${described}/${file}
                     COMMAND ${CMAKE_COMMAND} -E make_directory ${described}
                     COMMAND fftprec ${ARGN} > ${text}
                     ${pack}
                     DEPENDS fftprec VERBATIM)
  set_property(GLOBAL APPEND PROPERTY fftprec_described ${described}/${file})
  install(FILES ${described}/${file} DESTINATION ${folder} COMPONENT program)
endfunction()
fftprec_describe(fftprec.1.gz ${CMAKE_INSTALL_MANDIR}/man1 man)
fftprec_describe(fftprec ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
fftprec_describe(_fftprec ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
fftprec_describe(fftprec.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
get_property(described_files GLOBAL PROPERTY fftprec_described)
add_custom_target(fftprec_described ALL DEPENDS ${described_files})

# <fftprec/fftprec.hpp>, and what it includes: written from the root of the project, below detail.
install(TARGETS ${layers} EXPORT fftprec COMPONENT development
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${detail_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fftprec DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development FILES_MATCHING PATTERN "*.hpp")
foreach(folder arith algorithms experiments reports)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${detail_dir}
          COMPONENT development FILES_MATCHING PATTERN "*.hpp"
          PATTERN assets EXCLUDE)
endforeach()
install(EXPORT fftprec NAMESPACE fftprec:: FILE fftprecTargets.cmake DESTINATION ${package_dir}
        COMPONENT development)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/fftprecConfig.cmake.in ${PROJECT_BINARY_DIR}/fftprecConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fftprecConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fftprecConfig.cmake
              ${PROJECT_BINARY_DIR}/fftprecConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/fftprec_dependencies.cmake
        DESTINATION ${package_dir} COMPONENT development)

# Debian packages: fftprec, which needs the libraries that it was linked with, fftprec-dev, and with
# FFTPREC_PYTHON python3-fftprec, with FFTPREC_C libfftprec-c1.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The fftprec contributors")
set(FFTPREC_MAINTAINER "The fftprec contributors <maintainers@fftprec.invalid>" CACHE STRING
    "Who answers for the Debian packages, with an address")
set(CPACK_PACKAGE_CONTACT ${FFTPREC_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME fftprec)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS librsvg2-bin)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "The program. It runs every FFT algorithm in emulated arithmetic (bf16, fp8,
fixed point, posits, tensor engines), measures the error against a certified
truth, and shows theorem and expected value beside it, as CSV, figures, gates
for CI and one page.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME fftprec-dev)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "For programs in C++ and C: static libraries, headers and the CMake package.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
string(CONCAT CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
       "libeigen3-dev, libmpfr-dev, libgmp-dev, libfmt-dev, libtomlplusplus-dev, libxxhash-dev, "
       "libsndfile1-dev, zlib1g-dev, libzstd-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "fftprec, libgtest-dev")
if(FFTPREC_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-fftprec)
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "The Python package: low-precision FFTs and their errors on arrays of NumPy.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-pandas)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
endif()
if(FFTPREC_C)
  list(APPEND CPACK_COMPONENTS_ALL library)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libfftprec-c1)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
  set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "The shared library of the C interface, for C, Octave, Julia and Rust.")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
         ", libfftprec-c1 (= ${PROJECT_VERSION})")
  file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
endif()

# Debian looks for the licence and a history below the name of each package.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/changelog
     "fftprec (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * CHANGELOG.md says what is new.\n\n"
     " -- ${FFTPREC_MAINTAINER}  ${date}\n")
execute_process(COMMAND gzip -9 --force --no-name changelog WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
                COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright ${PROJECT_BINARY_DIR}/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
          COMPONENT ${component})
endforeach()
include(CPack)
